/* matrix_print.c - the sign-off table as text, JSON and HTML. */
#include <jansson.h>
#include <string.h>

#include "base/html.h"
#include "tb/ladder/matrix.h"

const char *const matrix_titles[MATRIX_COLUMNS] = {"L1 vectors", "L2 random", "L2 cover",
                                                   "L3 runs",    "L4 fuzz",   "L5 gates",
                                                   "L6 mutants", "L7 proof"};
static const int widths[MATRIX_COLUMNS] = {8, 9, 8, 7, 8, 10, 11, 10};
static const char *const states[] = {"blank", "good", "open", "bad"};

/* Marks that need no colour: ! a difference, ? not all of it, ~ of other sources than there are
 * now, * not at the standard parameters. */
static void marked(char *text, size_t n, const struct matrix_cell *cell)
{
    if (cell->state == MATRIX_BLANK) {
        snprintf(text, n, "-");
        return;
    }
    snprintf(text, n, "%s%s%s%s", cell->text, cell->reduced ? "*" : "",
             cell->state == MATRIX_BAD    ? "!"
             : cell->state == MATRIX_OPEN ? "?"
                                          : "",
             cell->stale ? "~" : "");
}

static void print_titles(FILE *to, int word)
{
    fprintf(to, "%-18s", word == 0 ? "unit" : "");
    for (int column = 0; column < MATRIX_COLUMNS; column++) {
        const char *space = strchr(matrix_titles[column], ' ');
        fprintf(to, " %*.*s", widths[column],
                word == 0 ? (int)(space - matrix_titles[column]) : widths[column],
                word == 0 ? matrix_titles[column] : space + 1);
    }
    fputc('\n', to);
}

void matrix_text(const struct matrix *matrix, FILE *to)
{
    unsigned good[MATRIX_COLUMNS] = {0};
    print_titles(to, 0);
    print_titles(to, 1);
    for (size_t i = 0; i < matrix->n; i++) {
        fprintf(to, "%-18s", matrix->rows[i].unit);
        for (int column = 0; column < MATRIX_COLUMNS; column++) {
            char text[64];
            const struct matrix_cell *cell = &matrix->rows[i].cells[column];
            marked(text, sizeof text, cell);
            fprintf(to, " %*s", widths[column], text);
            good[column] += cell->state == MATRIX_GOOD && !cell->stale;
        }
        fputc('\n', to);
    }
    fprintf(to, "%-18s", "passed");
    for (int column = 0; column < MATRIX_COLUMNS; column++) {
        char text[64];
        snprintf(text, sizeof text, "%u/%zu", good[column], matrix->n);
        fprintf(to, " %*s", widths[column], text);
    }
    fputs("\n- not run   ? not all of it reached   ! a difference   ~ of other sources\n"
          "* at smaller parameters than the standard ones, as the unit's own file says\n"
          "vectors passed; random steps; points reached or with a reason; workloads in lockstep;\n"
          "executions; parameter sets proven; mutants killed and (alive); parameter sets proven\n",
          to);
}

static json_t *cell_json(const struct matrix_cell *cell)
{
    return cell->state == MATRIX_BLANK
               ? json_null()
               : json_pack("{s:s, s:s, s:b, s:b}", "text", cell->text, "state", states[cell->state],
                           "stale", cell->stale, "reduced", cell->reduced);
}

bool matrix_json(const struct matrix *matrix, const char *path)
{
    json_t *units = json_object();
    for (size_t i = 0; i < matrix->n; i++) {
        json_t *row = json_object();
        for (int column = 0; column < MATRIX_COLUMNS; column++) {
            json_object_set_new(row, matrix_titles[column],
                                cell_json(&matrix->rows[i].cells[column]));
        }
        json_object_set_new(units, matrix->rows[i].unit, row);
    }
    const bool good = json_dump_file(units, path, JSON_INDENT(1)) == 0;
    json_decref(units);
    return good;
}

bool matrix_html(const struct matrix *matrix, const char *path)
{
    struct html page;
    if (!html_begin(&page, path, "Verification of every unit")) {
        return false;
    }
    html_element(
        &page, "p", NULL,
        "C model, Verilog and netlist of each unit: how they were held against each other. "
        "Pale: of other sources than there are now. Yellow: not all of it reached. *: at "
        "smaller parameters than the standard ones.");
    html_open(&page, "table");
    html_attribute(&page, "class", "matrix");
    html_open(&page, "tr");
    html_element(&page, "th", NULL, "unit");
    for (int column = 0; column < MATRIX_COLUMNS; column++) {
        html_element(&page, "th", NULL, "%s", matrix_titles[column]);
    }
    html_close(&page);
    for (size_t i = 0; i < matrix->n; i++) {
        html_open(&page, "tr");
        html_element(&page, "td", NULL, "%s", matrix->rows[i].unit);
        for (int column = 0; column < MATRIX_COLUMNS; column++) {
            const struct matrix_cell *cell = &matrix->rows[i].cells[column];
            char class[32];
            snprintf(class, sizeof class, "%s%s", states[cell->state], cell->stale ? " stale" : "");
            html_element(&page, "td", class, "%s%s", cell->state == MATRIX_BLANK ? "–" : cell->text,
                         cell->reduced ? "*" : "");
        }
        html_close(&page);
    }
    return html_end(&page);
}
