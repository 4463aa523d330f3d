/* cost_csv.h - a CSV file as rows of text, every row with its line.
 *
 * A thin layer over libcsv, which counts no lines.  A record is one line; lines
 * that are empty or start with '#' are skipped.  It must not know what any
 * column means.
 */
#ifndef WARPLOCK_SYNTH_COST_CSV_H
#define WARPLOCK_SYNTH_COST_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct cost_csv_row {
    unsigned line;
    char **cell; /* n_columns strings */
};

struct cost_csv {
    char path[512];
    struct cost_csv_row *rows;
    size_t n_rows;
    size_t n_columns;
};

/* Reads `path`, whose first row must name exactly the `n_columns` `columns`, in order.
 * False with `file:line: what; remedy` in `error` (nothing is then owned). */
bool cost_csv_load(struct cost_csv *csv, const char *path, const char *const *columns,
                   size_t n_columns, char *error, size_t n_error);
void cost_csv_free(struct cost_csv *csv);
/* The whole of `text` as a finite number. */
bool cost_csv_number(const char *text, double *number);

#endif
