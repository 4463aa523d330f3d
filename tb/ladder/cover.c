/* cover.c - the coverage part of level L2: what vectors and random steps never reach.
 *
 * Lines and toggles of the RTL as Verilator counts them, and the functional points of the
 * unit's table and stimulus (tb/coverage.h), merged over every listed parameter set: a
 * point is open when it applies at one of the sets and none of those reaches it.  Open points are listed, or have a reason
 * (tb/reasons.h). */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb/ladder/cover_run.h"
#include "tb/ladder/inputs.h"
#include "tb/ladder/ladder.h"
#include "tb/reasons.h"

struct cover_totals {
    unsigned points, reached, open, reasoned;
};
enum { KINDS = 5 };
static const char *const kind_words[KINDS] = {"line", "toggle", "name", "guard", "bin"};

struct cover {
    const struct cover_options *options;
    struct library *library;
    struct cover_points *points;
    struct reasons reasons;
    struct cover_totals totals[KINDS];
    json_t *open;   /* points without a reason */
    json_t *inputs; /* before the first run */
    char unit[64];
    unsigned n_sets, not_applicable;
};

static int kind_of(const char *word)
{
    int kind = 0;
    while (strcmp(kind_words[kind], word) != 0) {
        kind++;
    }
    return kind;
}

/* The standard parameters first, then each listed set. */
static bool run_sets(struct cover *c, struct failure *failure)
{
    struct unit_file file;
    struct unit_at unit;
    bool good = library_unit_file(c->library, c->options->unit, &file, failure);
    const unsigned n_sets = c->options->standard_only ? 0 : file.n_sets;
    for (unsigned i = 0; good && i <= n_sets; i++) {
        const char *set = i == 0 ? "" : file.sets[i - 1];
        good = unit_at_open(&unit, c->library, c->options->unit, set, failure);
        if (good) {
            snprintf(c->unit, sizeof c->unit, "%s", unit.c->desc->name);
            fprintf(stderr, "%s%s: coverage of %s%s", isatty(2) ? "\r\033[K" : "", c->unit,
                    set[0] != '\0' ? set : "the standard parameters", isatty(2) ? "" : "\n");
            good = cover_run(&unit, &c->options->effort, c->points, failure);
            c->n_sets++;
        }
        unit_at_close(&unit);
    }
    fputs(isatty(2) ? "\r\033[K" : "", stderr);
    return good;
}

/* The unit's reasons, and those of the modules inside it. */
static bool read_reasons(struct cover *c, struct failure *failure)
{
    char path[PATH_MAX + 200], module[160];
    size_t n;
    const struct cover_point *const *points = cover_points_sorted(c->points, &n);
    library_file(c->library, c->unit, ".reasons", path, sizeof path);
    bool good = reasons_read(&c->reasons, path, failure->words, sizeof failure->words);
    json_t *seen = json_object();
    for (size_t i = 0; good && i < n; i++) {
        const size_t stem = strcspn(points[i]->name, ". ");
        snprintf(module, sizeof module, "%.*s", (int)stem, points[i]->name);
        if (strncmp(points[i]->name + stem, ".v ", 3) == 0 &&
            json_object_get(seen, module) == NULL) {
            json_object_set_new(seen, module, json_true());
            snprintf(path, sizeof path, "%s/tb/ladder/modules/%s.list", library_root(c->library),
                     module);
            good = reasons_read(&c->reasons, path, failure->words, sizeof failure->words);
        }
    }
    json_decref(seen);
    if (!good) {
        failure->verdict = VERDICT_USAGE;
    }
    return good;
}

static void sort_out(struct cover *c)
{
    size_t n;
    const struct cover_point *const *points = cover_points_sorted(c->points, &n);
    for (size_t i = 0; i < n; i++) {
        struct cover_totals *t = &c->totals[kind_of(points[i]->kind)];
        if (!points[i]->applies) {
            c->not_applicable++;
            continue;
        }
        t->points++;
        if (points[i]->count > 0) {
            t->reached++;
            reasons_reached(&c->reasons, points[i]->kind, points[i]->name);
        } else if (reasons_open(&c->reasons, points[i]->kind, points[i]->name) != NULL) {
            t->reasoned++;
        } else {
            t->open++;
            json_array_append_new(c->open, json_sprintf("%s %s", points[i]->kind, points[i]->name));
        }
    }
}

static unsigned sum(const struct cover *c, bool reasoned)
{
    unsigned n = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        n += reasoned ? c->totals[kind].reasoned : c->totals[kind].open;
    }
    return n;
}

/* Is point `b` the next bit of the same signal as `a`, and open without reason, too? */
static bool goes_on(struct cover *c, const struct cover_point *a, const struct cover_point *b)
{
    return a->bit >= 0 && b->bit == a->bit + 1 && strcmp(a->signal, b->signal) == 0 &&
           b->count == 0 && reasons_of(&c->reasons, b->kind, b->name) == NULL;
}

/* Open points, the neighbouring bits of a signal in one line. */
static void print_open(struct cover *c)
{
    size_t n;
    const struct cover_point *const *points = cover_points_sorted(c->points, &n);
    for (size_t i = 0; i < n; i++) {
        const struct cover_point *first = points[i];
        if (first->count > 0 || !first->applies ||
            reasons_of(&c->reasons, first->kind, first->name) != NULL) {
            continue;
        }
        while (i + 1 < n && goes_on(c, points[i], points[i + 1])) {
            i++;
        }
        if (points[i] != first) {
            printf("  open: %s %s[%ld:%ld]\n", first->kind, first->signal, points[i]->bit,
                   first->bit);
        } else {
            printf("  open: %s %s\n", first->kind, first->name);
        }
    }
}

static bool write_json(struct cover *c, struct failure *failure)
{
    char path[4400];
    json_t *root = json_pack("{s:s, s:s, s:i, s:I, s:i, s:o}", "unit", c->unit, "inputs",
                             inputs_hash(c->inputs, "coverage", c->unit), "sets", (int)c->n_sets,
                             "steps", (json_int_t)c->options->effort.steps, "seeds",
                             (int)c->options->effort.seeds, "open", c->open);
    c->open = NULL;
    for (int kind = 0; kind < KINDS; kind++) {
        const struct cover_totals *t = &c->totals[kind];
        json_object_set_new(root, kind_words[kind],
                            json_pack("{s:i, s:i, s:i, s:i}", "points", (int)t->points, "reached",
                                      (int)t->reached, "reasoned", (int)t->reasoned, "open",
                                      (int)t->open));
    }
    snprintf(path, sizeof path, "%s/build/coverage/%s.json", library_root(c->library), c->unit);
    const bool good = json_dump_file(root, path, JSON_INDENT(1)) == 0;
    json_decref(root);
    if (!good) {
        failure->verdict = VERDICT_LIMIT;
        snprintf(failure->words, sizeof failure->words, "%s cannot be written", path);
    }
    return good;
}

static bool print_summary(struct cover *c)
{
    char error[8800];
    bool good = true;
    printf("%-6s %s ", sum(c, false) == 0 ? "PASS" : "OPEN", c->unit);
    for (int kind = 0; kind < KINDS; kind++) {
        printf(" %ss %u/%u%s", kind_words[kind], c->totals[kind].reached, c->totals[kind].points,
               kind + 1 < KINDS ? "," : ";");
    }
    printf(" %u open, %u more with reason, %u not applicable; %u parameter sets\n", sum(c, false),
           sum(c, true), c->not_applicable, c->n_sets);
    for (size_t i = 0; i < c->reasons.n; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            if (reasons_wrong(&c->reasons, kind_words[kind], i, !c->options->standard_only, error,
                              sizeof error)) {
                printf("  %s\n", error);
                good = false;
            }
        }
    }
    print_open(c);
    return good;
}

enum verdict ladder_cover(struct library *library, const struct cover_options *options,
                          struct failure *failure)
{
    struct cover c = {.options = options,
                      .library = library,
                      .points = cover_points_new(),
                      .open = json_array(),
                      .inputs = inputs_now(library_root(library), "coverage", options->unit)};
    enum verdict verdict = VERDICT_PASS;
    if (c.points != NULL && run_sets(&c, failure)) {
        if (read_reasons(&c, failure)) {
            sort_out(&c);
            if (sum(&c, false) > 0) {
                verdict = VERDICT_MISMATCH;
            }
            if (write_json(&c, failure) && !print_summary(&c)) {
                verdict = VERDICT_USAGE;
            }
        }
    }
    json_decref(c.open);
    json_decref(c.inputs);
    reasons_free(&c.reasons);
    cover_points_free(c.points);
    return failure->verdict != VERDICT_PASS ? failure->verdict : verdict;
}
