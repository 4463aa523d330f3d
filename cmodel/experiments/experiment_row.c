/* experiment_row.c - how tables name the rows of an experiment, so that no two are named alike. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment.h"

enum { MAX_ROW = 1024 };

/* "workload:item,item" of a row; false: too long when it is filled in. */
static bool row_text(const struct experiment *e, size_t setting, size_t workload, char out[MAX_ROW])
{
    const char *row = e->workloads[workload];
    return setting < e->parameters.n_settings
               ? parameters_fill(&e->parameters, setting, row, out, MAX_ROW)
               : snprintf(out, MAX_ROW, "%s", row) < MAX_ROW;
}

/* Whether a size has the item, of `length` characters. */
static bool has_item(const char *row, const char *item, size_t length)
{
    for (const char *at = row + strcspn(row, ":"); *at != '\0'; at += strcspn(at, ",")) {
        at++;
        if (strcspn(at, ",") == length && strncmp(at, item, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Namesakes of a row that have all of its items that were looked at. */
struct namesakes {
    char (*row)[MAX_ROW];
    size_t n;
};

static void find_namesakes(const struct experiment *e, size_t setting, size_t workload,
                           const char *row, struct namesakes *found)
{
    const size_t length = strcspn(row, ":");
    for (size_t w = 0; w < e->n_workloads; w++) {
        char *other = found->row[found->n];
        found->n += w != workload && row_text(e, setting, w, other) &&
                    strcspn(other, ":") == length && strncmp(other, row, length) == 0;
    }
}

/* Drops those without the item; whether there were any. */
static bool tells_apart(struct namesakes *left, const char *item, size_t length)
{
    const size_t before = left->n;
    for (size_t i = left->n; i-- > 0;) {
        if (!has_item(left->row[i], item, length)) {
            memmove(left->row[i], left->row[--left->n], MAX_ROW);
        }
    }
    return left->n < before;
}

void experiment_row_name(const struct experiment *e, size_t setting, size_t workload,
                         char out[ROW_NAME])
{
    char row[MAX_ROW];
    struct namesakes left = {malloc(e->n_workloads * MAX_ROW), 0};
    if (left.row == NULL || !row_text(e, setting, workload, row)) {
        snprintf(out, ROW_NAME, "%s", e->workloads[workload]);
        free(left.row);
        return;
    }
    const size_t name = strcspn(row, ":");
    int n = snprintf(out, ROW_NAME, "%.*s", (int)name, row);
    find_namesakes(e, setting, workload, row, &left);
    for (const char *at = row + name; *at != '\0' && left.n > 0 && n < ROW_NAME;) {
        const char *item = at + 1;
        const size_t length = strcspn(item, ",");
        at = item + length;
        if (tells_apart(&left, item, length)) {
            n += snprintf(out + n, (size_t)(ROW_NAME - n), "%c%.*s",
                          strchr(out, ' ') != NULL ? ',' : ' ', (int)length, item);
        }
    }
    free(left.row);
}
