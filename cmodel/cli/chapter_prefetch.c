/* chapter_prefetch.c - coverage, accuracy, timeliness and traffic of the prefetchers of a
 * chapter, beside the document's (caps-prefetch 5.1, 5.2). */
#include <math.h>
#include <stdio.h>

#include "cli/chapter.h"

/* A column of the tables: how it follows from a cell and the baseline's. */
struct column {
    const char *title;
    double (*of)(const struct cell *cell, const struct cell *base);
    bool needs_prefetches; /* a run without prefetches has no value */
    double scale;
    int digits;
};

static double coverage(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->coverage;
}

static double accuracy(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->accuracy;
}

static double late(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->late;
}

static double early(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->early;
}

static double stale(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->stale;
}

static double gone(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->gone;
}

static double wrong(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->wrong;
}

static double distance(const struct cell *cell, const struct cell *base)
{
    (void)base;
    return cell->distance;
}

static double requests(const struct cell *cell, const struct cell *base)
{
    return base->requests > 0 ? cell->requests / base->requests : 0;
}

static double dram_reads(const struct cell *cell, const struct cell *base)
{
    return base->dram_reads > 0 ? cell->dram_reads / base->dram_reads : 0;
}

static const struct column columns[] = {
    {"coverage %", coverage, false, 100, 1}, {"accuracy %", accuracy, true, 100, 1},
    {"late %", late, true, 100, 1},          {"early %", early, true, 100, 2},
    {"stale %", stale, true, 100, 1},        {"gone %", gone, true, 100, 1},
    {"wrong %", wrong, true, 100, 1},        {"distance", distance, true, 1, 1},
    {"SM->L2 x", requests, false, 1, 3},     {"DRAM rd x", dram_reads, false, 1, 3}};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* NAN where there is nothing to say. */
static double value(const struct chapter_table *table, const struct column *column, size_t w,
                    size_t s)
{
    const struct cell *cell = &table->cell[w][s], *base = &table->cell[w][0];
    if (!(cell->ipc > 0) || !(base->ipc > 0) ||
        (column->needs_prefetches && !(cell->coverage > 0))) {
        return NAN;
    }
    return column->of(cell, base);
}

/* Of all prefetches of all workloads together: a workload counts by its prefetches, for the
 * distance by its used ones. */
static double pooled(const struct chapter_table *table, const struct column *column, size_t s)
{
    double sum = 0, weights = 0;
    for (size_t w = 0; w < table->n_workloads; w++) {
        const struct cell *cell = &table->cell[w][s];
        const double one = value(table, column, w, s);
        const double weight = cell->issued * (column->of == distance ? cell->accuracy : 1);
        if (!isnan(one)) {
            sum += weight * one;
            weights += weight;
        }
    }
    return column->needs_prefetches && weights > 0 ? sum / weights : NAN;
}

/* Arithmetic mean over the workloads that have a value. */
static double mean(const struct chapter_table *table, const struct column *column, size_t s)
{
    double sum = 0;
    size_t n = 0;
    for (size_t w = 0; w < table->n_workloads; w++) {
        const double one = value(table, column, w, s);
        if (!isnan(one)) {
            sum += one;
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

static void print(const struct column *column, double x)
{
    if (isnan(x)) {
        printf(" %10s", "-");
    } else {
        printf(" %10.*f", column->digits, x * column->scale);
    }
}

static void print_head(const char *title)
{
    printf("\n%-12s", title);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        printf(" %10s", columns[c].title);
    }
    putchar('\n');
}

static void print_claim(const struct scheme *scheme)
{
    const struct prefetch_claim *claim = &scheme->prefetch;
    const double claimed[N_COLUMNS] = {
        claim->coverage,      claim->accuracy,     0, claim->early, 0, 0, 0, claim->distance,
        claim->traffic_below, claim->traffic_below};
    printf("%-12s", "  document");
    for (size_t c = 0; c < N_COLUMNS; c++) {
        if (claimed[c] > 0 && columns[c].scale * claimed[c] == claim->traffic_below) {
            printf("     <%5.3f", claimed[c]);
        } else {
            print(&columns[c], claimed[c] > 0 ? claimed[c] : NAN);
        }
    }
    putchar('\n');
}

static bool claims(const struct scheme *scheme)
{
    const struct prefetch_claim *c = &scheme->prefetch;
    return c->coverage > 0 || c->accuracy > 0 || c->early > 0 || c->distance > 0;
}

/* A row for every scheme, each column summed up by `over`; with the document's figures. */
static void print_schemes(const struct chapter_table *table, const char *title,
                          double (*over)(const struct chapter_table *table,
                                         const struct column *column, size_t s),
                          bool with_claims)
{
    print_head(title);
    for (size_t s = 0; s < table->n_schemes; s++) {
        const struct scheme *scheme = &table->chapter->schemes[s];
        printf("%-12s", scheme->title);
        for (size_t c = 0; c < N_COLUMNS; c++) {
            print(&columns[c], over(table, &columns[c], s));
        }
        putchar('\n');
        if (with_claims && claims(scheme)) {
            print_claim(scheme);
        }
    }
}

void chapter_prefetch_text(const struct chapter_table *table)
{
    const size_t last = table->n_schemes - 1;
    print_schemes(table, "mean", mean, true);
    print_schemes(table, "pooled", pooled, false);
    print_head(table->chapter->schemes[last].title);
    for (size_t w = 0; w < table->n_workloads; w++) {
        printf("%-12s", table->chapter->workloads[w]);
        for (size_t c = 0; c < N_COLUMNS; c++) {
            print(&columns[c], value(table, &columns[c], w, last));
        }
        putchar('\n');
    }
#define M(name, definition) printf(#name ": %s\n", definition);
    putchar('\n');
    CELL_METRICS(M)
#undef M
}

json_t *chapter_prefetch_json(const struct chapter_table *table)
{
    json_t *workloads = json_object();
    for (size_t w = 0; w < table->n_workloads; w++) {
        json_t *row = json_object();
        for (size_t s = 0; s < table->n_schemes; s++) {
            const struct cell *cell = &table->cell[w][s];
            json_t *one = json_object();
#define M(name, ...) json_object_set_new(one, #name, json_real(cell->name));
            CELL_METRICS(M)
#undef M
            json_object_set_new(row, table->chapter->schemes[s].title, one);
        }
        json_object_set_new(workloads, table->chapter->workloads[w], row);
    }
    return workloads;
}
