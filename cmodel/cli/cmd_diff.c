/* cmd_diff.c - `warplock diff A B`: two runs, or the runs of two databases, counter by counter. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "sweep/diff.h"

struct options {
    const char *side[2];
    size_t n, top;
    bool json, every;
};

static const struct argp_option option_table[] = {
    {"top", 'n', "N", 0, "show so many differences (standard 40; 0: all)", 0},
    {"every-sm", 'e', NULL, 0, "the counters of each SM, too", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'n': options->top = cli_number("top", arg, 0, UINT32_MAX, state); return 0;
    case 'e': options->every = true; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->n == 2) {
            argp_error(state, "two are compared; '%s' is a third", arg);
        }
        options->side[options->n++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (options->n < 2) {
            argp_error(state, "name two runs (JSON of `warplock run --json`) or two databases");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool is_database(const char *path)
{
    char head[16] = "";
    FILE *file = fopen(path, "rb");
    const bool is = file != NULL && fread(head, 1, sizeof head, file) == sizeof head &&
                    memcmp(head, "SQLite format 3", 16) == 0;
    if (file != NULL) {
        fclose(file);
    }
    return is;
}

static int compare_databases(struct diff *diff, const struct options *options, char *error,
                             size_t n_error)
{
    struct database a, b;
    if (database_open(&a, options->side[0], false, error, n_error) != 0) {
        return -1;
    }
    int status = database_open(&b, options->side[1], false, error, n_error);
    if (status == 0) {
        status = diff_databases(diff, &a, &b, error, n_error);
        database_close(&b);
    }
    database_close(&a);
    return status;
}

static int compare_runs(struct diff *diff, const struct options *options, char *error,
                        size_t n_error)
{
    json_t *run[2] = {NULL, NULL};
    int status = 0;
    for (size_t i = 0; i < 2 && status == 0; i++) {
        json_error_t at;
        run[i] = json_load_file(options->side[i], 0, &at);
        if (run[i] == NULL) {
            snprintf(error, n_error,
                     "%s:%d: %s; name a file of `warplock run --json`, or a "
                     "database beside another",
                     options->side[i], at.line > 0 ? at.line : 0, at.text);
            status = -1;
        }
    }
    if (status == 0) {
        diff_runs(diff, NULL, run[0], run[1]);
    }
    json_decref(run[0]);
    json_decref(run[1]);
    return status;
}

/* ---- what is shown ---- */

static void print_number(double value)
{
    if (isnan(value)) {
        printf(" %14s", "-");
    } else {
        printf(" %14.*g", floor(value) == value && fabs(value) < 1e14 ? 14 : 6, value);
    }
}

static void print_text(const struct diff *diff, const struct options *options)
{
    const size_t most = options->top > 0 && options->top < diff->n ? options->top : diff->n;
    if (diff->n > 0) {
        printf("%-48s %14s %14s %10s\n", "counter", "A", "B", "change");
    }
    for (size_t i = 0; i < most; i++) {
        const struct difference *d = &diff->at[i];
        const double change = 100 * diff_change(d);
        printf("%-48s", d->counter);
        print_number(d->a);
        print_number(d->b);
        if (isfinite(change)) {
            printf(" %+8.2f %%\n", change);
        } else {
            printf(" %10s\n", isnan(change) ? "one side" : "from 0");
        }
        if (d->point != NULL) {
            printf("  %.96s\n", d->point);
        }
    }
    if (most < diff->n) {
        printf("... %zu more; --top 0 shows all\n", diff->n - most);
    }
    printf("%zu counters of %zu %s compared, %zu differ", diff->compared, diff->points,
           diff->points == 1 ? "run" : "runs", diff->n);
    if (diff->only_a + diff->only_b > 0) {
        printf("; %zu runs are in A only, %zu in B only", diff->only_a, diff->only_b);
    }
    putchar('\n');
}

static void print_json(const struct diff *diff)
{
    json_t *list = json_array();
    for (size_t i = 0; i < diff->n; i++) {
        const struct difference *d = &diff->at[i];
        const double change = diff_change(d);
        json_array_append_new(list, json_pack("{s:s?, s:s, s:o, s:o, s:o}", "point", d->point,
                                              "counter", d->counter, "a",
                                              isnan(d->a) ? json_null() : json_real(d->a), "b",
                                              isnan(d->b) ? json_null() : json_real(d->b), "change",
                                              isfinite(change) ? json_real(change) : json_null()));
    }
    cli_print_json(json_pack("{s:I, s:I, s:I, s:I, s:o}", "points", (json_int_t)diff->points,
                             "compared", (json_int_t)diff->compared, "only_a",
                             (json_int_t)diff->only_a, "only_b", (json_int_t)diff->only_b,
                             "differences", list));
}

int cmd_diff(int argc, char **argv)
{
    struct options options = {.top = 40};
    const struct argp argp = {option_table,
                              parse,
                              "A B",
                              "Compare two runs (JSON of `warplock run --json`), or the runs that "
                              "two databases have in common, counter by counter: the greatest "
                              "relative change first.\vExit status: 0 all equal, 1 something "
                              "differs, 2 bad use.",
                              NULL,
                              NULL,
                              NULL};
    char error[1024];
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct diff diff = {.every = options.every};
    const int status = is_database(options.side[0]) && is_database(options.side[1])
                           ? compare_databases(&diff, &options, error, sizeof error)
                           : compare_runs(&diff, &options, error, sizeof error);
    if (status != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        diff_free(&diff);
        return VERDICT_USAGE;
    }
    diff_sort(&diff);
    if (options.json) {
        print_json(&diff);
    } else {
        print_text(&diff, &options);
    }
    const bool same = diff.n + diff.only_a + diff.only_b == 0;
    diff_free(&diff);
    return same ? VERDICT_PASS : VERDICT_MISMATCH;
}
