/* cost_csv.c - a CSV file as rows of text, every row with its line. */
#include "synth/cost_csv.h"

#include <csv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 8192, MAX_CELLS = 64 };

/* The cells of the line that is being parsed. */
struct line_cells {
    char *cell[MAX_CELLS];
    size_t n;
    bool failed; /* too many cells, or memory is out */
};

static void take_cell(void *text, size_t n, void *user)
{
    struct line_cells *cells = user;
    char *copy = cells->n < MAX_CELLS ? malloc(n + 1) : NULL;
    if (copy == NULL) {
        cells->failed = true;
        return;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    cells->cell[cells->n++] = copy;
}

static void take_end(int last, void *user)
{
    (void)last;
    (void)user;
}

static void drop_cells(struct line_cells *cells)
{
    for (size_t i = 0; i < cells->n; i++) {
        free(cells->cell[i]);
    }
    *cells = (struct line_cells){0};
}

/* One line into cells.  A quote that does not end on the line is an error. */
static bool split_line(const char *line, struct line_cells *cells)
{
    struct csv_parser parser;
    *cells = (struct line_cells){0};
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
        return false;
    }
    const size_t n = strlen(line);
    const bool good = csv_parse(&parser, line, n, take_cell, take_end, cells) == n &&
                      csv_fini(&parser, take_cell, take_end, cells) == 0 && !cells->failed;
    csv_free(&parser);
    if (!good) {
        drop_cells(cells);
    }
    return good;
}

static bool check_header(const struct line_cells *cells, const char *const *columns, size_t n,
                         const char *path, unsigned line, char *error, size_t n_error)
{
    for (size_t i = 0; i < n; i++) {
        const char *has = i < cells->n ? cells->cell[i] : "nothing";
        if (strcmp(has, columns[i]) != 0) {
            snprintf(error, n_error, "%s:%u: column %zu is '%s'; it must be '%s'", path, line,
                     i + 1, has, columns[i]);
            return false;
        }
    }
    if (cells->n != n) {
        snprintf(error, n_error, "%s:%u: %zu columns; the header has %zu", path, line, cells->n, n);
        return false;
    }
    return true;
}

/* Moves the cells into a new row of `csv`. */
static bool add_row(struct cost_csv *csv, struct line_cells *cells, unsigned line)
{
    struct cost_csv_row *rows = realloc(csv->rows, (csv->n_rows + 1) * sizeof *rows);
    if (rows != NULL) {
        csv->rows = rows;
    }
    char **cell = malloc(cells->n * sizeof *cell);
    if (rows == NULL || cell == NULL) {
        free(cell);
        return false;
    }
    memcpy(cell, cells->cell, cells->n * sizeof *cell);
    csv->rows[csv->n_rows++] = (struct cost_csv_row){line, cell};
    return true;
}

/* Takes one line of the file; the first that counts is the header. */
static bool take_line(struct cost_csv *csv, const char *text, unsigned line, bool *header,
                      const char *const *columns, char *error, size_t n_error)
{
    struct line_cells cells;
    if (!split_line(text, &cells)) {
        snprintf(error, n_error,
                 "%s:%u: bad quoting or more than %d cells; a record is one line, "
                 "a quote inside a quoted cell is doubled",
                 csv->path, line, MAX_CELLS);
        return false;
    }
    if (*header) {
        *header = false;
        const bool good = check_header(&cells, columns, csv->n_columns, csv->path, line, error,
                                       n_error);
        drop_cells(&cells);
        return good;
    }
    if (cells.n != csv->n_columns) {
        snprintf(error, n_error, "%s:%u: %zu cells; the header has %zu, quote a cell with a comma",
                 csv->path, line, cells.n, csv->n_columns);
        drop_cells(&cells);
        return false;
    }
    if (!add_row(csv, &cells, line)) {
        snprintf(error, n_error, "%s:%u: memory is out; close other programs", csv->path, line);
        drop_cells(&cells);
        return false;
    }
    return true;
}

bool cost_csv_load(struct cost_csv *csv, const char *path, const char *const *columns,
                   size_t n_columns, char *error, size_t n_error)
{
    *csv = (struct cost_csv){.n_columns = n_columns};
    snprintf(csv->path, sizeof csv->path, "%s", path);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        snprintf(error, n_error, "%s:1: cannot be read; check the path", path);
        return false;
    }
    char text[MAX_LINE];
    bool header = true, good = true;
    for (unsigned line = 1; good && fgets(text, sizeof text, file) != NULL; line++) {
        const size_t n = strcspn(text, "\r\n");
        if (text[n] == '\0' && !feof(file)) {
            snprintf(error, n_error,
                     "%s:%u: a line of more than %d characters, or with a zero "
                     "byte; shorten it",
                     path, line, MAX_LINE - 2);
            good = false;
            break;
        }
        text[n] = '\0';
        if (n > 0 && text[0] != '#') {
            good = take_line(csv, text, line, &header, columns, error, n_error);
        }
    }
    fclose(file);
    if (good && header) {
        snprintf(error, n_error, "%s:1: is empty; it needs a header row", path);
        good = false;
    }
    if (!good) {
        cost_csv_free(csv);
    }
    return good;
}

void cost_csv_free(struct cost_csv *csv)
{
    for (size_t r = 0; r < csv->n_rows; r++) {
        for (size_t c = 0; c < csv->n_columns; c++) {
            free(csv->rows[r].cell[c]);
        }
        free(csv->rows[r].cell);
    }
    free(csv->rows);
    csv->rows = NULL;
    csv->n_rows = 0;
}

bool cost_csv_number(const char *text, double *number)
{
    char *end = NULL;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}
