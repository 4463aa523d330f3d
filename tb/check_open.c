/* check_open.c - which bins and guards a check has left open, and which of them it may. */
#include "tb/check_open.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tb/reasons.h"

struct sorting {
    const char *unit;
    struct reasons reasons;
    struct check_open *open;
};

/* The value that `set`, "K=V,K=V", gives a parameter. */
static int64_t value_in(const char *set, const struct unit_param *param)
{
    const size_t length = strlen(param->name);
    for (const char *at = set; *at != '\0'; at += *at == ',') {
        if (strncmp(at, param->name, length) == 0 && at[length] == '=') {
            return strtoll(at + length + 1, NULL, 10);
        }
        at += strcspn(at, ",");
    }
    return param->standard;
}

static bool is_set(const struct unit_desc *desc, const char *set)
{
    bool same = true;
    for (unsigned i = 0; i < desc->n_params; i++) {
        same &= desc->params[i].value == value_in(set, &desc->params[i]);
    }
    return same;
}

static const char *why_few(const struct check_result *result, const struct unit_file *file)
{
    const struct unit_desc *desc = result->backend->desc;
    bool listed = is_set(desc, "");
    for (unsigned i = 0; i < file->n_sets; i++) {
        listed |= is_set(desc, file->sets[i]);
    }
    return result->steps < CHECK_ENOUGH_STEPS ? "so few steps need not reach it"
           : !listed                          ? "the unit does not list these parameters"
                                              : NULL;
}

static void fault(struct sorting *sorting, json_t *words)
{
    json_array_append_new(sorting->open->faults, words);
}

static void sort_point(void *context, const struct coverage_point *point)
{
    struct sorting *sorting = context;
    struct check_open *open = sorting->open;
    const char *kind = coverage_words[point->kind];
    if (point->kind != COVERAGE_BIN && point->kind != COVERAGE_GUARD) {
        return;
    }
    if (point->hits > 0) {
        reasons_reached(&sorting->reasons, kind, point->name);
        if (!point->applies) {
            fault(sorting,
                  json_sprintf("%s %s was reached, though its condition says that it cannot be; "
                               "correct it in %s.stimulus.c",
                               kind, point->name, sorting->unit));
        }
    } else if (point->applies && reasons_of(&sorting->reasons, kind, point->name) == NULL) {
        if (open->why_few != NULL) {
            json_array_append_new(open->few, json_sprintf("%s %s", kind, point->name));
        } else {
            fault(sorting,
                  json_sprintf("%s %s was never %s; let %s.stimulus.c draw what %s it, or "
                               "give a reason in %s.reasons",
                               kind, point->name, point->kind == COVERAGE_BIN ? "hit" : "open",
                               sorting->unit, point->kind == COVERAGE_BIN ? "hits" : "opens",
                               sorting->unit));
        }
    }
}

static void wrong_reasons(struct sorting *sorting)
{
    static const enum coverage_kind kinds[] = {COVERAGE_BIN, COVERAGE_GUARD};
    char error[PATH_MAX + 400];
    for (size_t i = 0; i < sorting->reasons.n; i++) {
        for (int k = 0; k < 2; k++) {
            if (reasons_wrong(&sorting->reasons, coverage_words[kinds[k]], i, false, error,
                              sizeof error)) {
                fault(sorting, json_string(error));
            }
        }
    }
}

bool check_open(struct library *library, const struct check_result *result, struct check_open *open,
                struct failure *failure)
{
    char path[PATH_MAX];
    struct unit_file file;
    struct sorting sorting = {.unit = result->backend->desc->name, .open = open};
    *open = (struct check_open){json_array(), json_array(), NULL};
    if (result->coverage == NULL) {
        return true;
    }
    library_file(library, sorting.unit, ".reasons", path, sizeof path);
    bool good = reasons_read(&sorting.reasons, path, failure->words, sizeof failure->words);
    if (!good) {
        failure->verdict = VERDICT_USAGE;
    }
    good = good && library_unit_file(library, sorting.unit, &file, failure);
    if (good) {
        open->why_few = why_few(result, &file);
        coverage_visit(result->coverage, sort_point, &sorting);
        wrong_reasons(&sorting);
    }
    reasons_free(&sorting.reasons);
    return good;
}

void check_open_end(struct check_open *open)
{
    json_decref(open->faults);
    json_decref(open->few);
}
