/* database_csv.c - the answer to a query as CSV: see database.h. */
#include <stdio.h>
#include <string.h>

#include "sweep/database.h"

/* A field in quotes where it has what would end it. */
static void csv_field(FILE *out, bool first, const char *text)
{
    fputs(first ? "" : ",", out);
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputc('"', out);
}

int database_csv(struct database *database, sqlite3_stmt *select, FILE *out, char *error,
                 size_t n_error)
{
    int status;
    const int n = sqlite3_column_count(select);
    for (int c = 0; c < n; c++) {
        csv_field(out, c == 0, sqlite3_column_name(select, c));
    }
    fputs(n > 0 ? "\n" : "", out);
    while ((status = sqlite3_step(select)) == SQLITE_ROW) {
        for (int c = 0; c < n; c++) {
            char number[32];
            const char *text = (const char *)sqlite3_column_text(select, c);
            if (sqlite3_column_type(select, c) == SQLITE_FLOAT) {
                snprintf(number, sizeof number, "%.17g", sqlite3_column_double(select, c));
                text = number;
            }
            csv_field(out, c == 0, text != NULL ? text : "");
        }
        fputc('\n', out);
    }
    if (status != SQLITE_DONE) {
        database_failed(database, error, n_error);
    }
    sqlite3_finalize(select);
    return status == SQLITE_DONE ? 0 : -1;
}
