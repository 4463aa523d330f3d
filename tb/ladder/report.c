/* report.c - the sign-off table of units and levels, printed and written. */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tb/ladder/ladder.h"
#include "tb/ladder/matrix.h"

enum verdict ladder_report(struct library *library, char *const *units, struct failure *failure)
{
    struct matrix matrix;
    char folder[PATH_MAX], json[PATH_MAX + 16], html[PATH_MAX + 16];
    snprintf(folder, sizeof folder, "%s/build/equiv", library_root(library));
    mkdir(folder, 0777);
    snprintf(json, sizeof json, "%s/report.json", folder);
    snprintf(html, sizeof html, "%s/report.html", folder);
    if (!matrix_read(&matrix, library, units)) {
        failure->verdict = VERDICT_LIMIT;
        snprintf(failure->words, sizeof failure->words, "out of memory");
        return VERDICT_LIMIT;
    }
    size_t asked = 0;
    while (units[asked] != NULL) {
        asked++;
    }
    if (matrix.n < asked) {
        failure->verdict = VERDICT_USAGE;
        snprintf(failure->words, sizeof failure->words,
                 "not all of these are units; `warplock list units` shows all");
        matrix_free(&matrix);
        return VERDICT_USAGE;
    }
    matrix_text(&matrix, stdout);
    if (!matrix_json(&matrix, json) || !matrix_html(&matrix, html)) {
        failure->verdict = VERDICT_USAGE;
        snprintf(failure->words, sizeof failure->words, "%s cannot be written", folder);
    }
    matrix_free(&matrix);
    return failure->verdict;
}
