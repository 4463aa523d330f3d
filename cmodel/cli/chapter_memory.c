/* chapter_memory.c - fully cached loads, misses and LD/ST stalls of a chapter's schemes beside
 * the document's (wang2015 5.3, 5.4), and the columns that are the best of others (SWL-Best,
 * 3.13).  It knows no scheme by name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/chapter.h"

/* ---- from a run's statistics ---- */

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

void chapter_memory_read(struct cell *cell, const json_t *statistics)
{
    const json_t *sm = json_object_get(statistics, "sm_total");
    cell->instructions = number(sm, "warp_instructions");
    cell->divergent = number(sm, "loads_divergent");
    cell->cached_divergent = number(sm, "fully_cached_divergent");
    cell->coherent = number(sm, "loads_coherent");
    cell->cached_coherent = number(sm, "fully_cached_coherent");
    cell->misses = number(sm, "load_merges_coherent") + number(sm, "load_misses_coherent") +
                   number(sm, "load_bypasses_coherent") + number(sm, "load_merges_divergent") +
                   number(sm, "load_misses_divergent") + number(sm, "load_bypasses_divergent");
    cell->stalls = number(sm, "fail_line") + number(sm, "fail_mshr") + number(sm, "fail_port");
}

/* ---- the best of several columns ---- */

static bool is_candidate(const struct chapter *chapter, size_t column, const char *prefix)
{
    const struct scheme *scheme = &chapter->schemes[column];
    return column == 0 ||
           (scheme->best_of == NULL && strncmp(scheme->mechanisms, prefix, strlen(prefix)) == 0);
}

static size_t best_column(const struct chapter_table *table, size_t row, const char *prefix)
{
    size_t best = 0;
    for (size_t s = 1; s < table->n_schemes; s++) {
        if (is_candidate(table->chapter, s, prefix) &&
            table->cell[row][s].ipc > table->cell[row][best].ipc) {
            best = s;
        }
    }
    return best;
}

void chapter_take_best(struct chapter_table *table)
{
    for (size_t s = 0; s < table->n_schemes; s++) {
        const char *prefix = table->chapter->schemes[s].best_of;
        for (size_t w = 0; prefix != NULL && w < table->n_workloads; w++) {
            table->cell[w][s] = table->cell[w][best_column(table, w, prefix)];
        }
    }
}

void chapter_best_text(const struct chapter_table *table)
{
    for (size_t s = 0; s < table->n_schemes; s++) {
        const struct scheme *scheme = &table->chapter->schemes[s];
        if (scheme->best_of == NULL) {
            continue;
        }
        printf("\n%s, found by running all:", scheme->title);
        for (size_t w = 0; w < table->n_workloads; w++) {
            const size_t best = best_column(table, w, scheme->best_of);
            printf("%s %s %s", w > 0 ? "," : "", chapter_row(table->chapter, w).text,
                   table->chapter->schemes[best].title);
        }
        putchar('\n');
    }
}

/* ---- means ---- */

/* Mean share of fully cached loads over the workloads that have such loads. */
static double cached(const struct chapter_table *table, size_t scheme, bool divergent)
{
    double sum = 0;
    size_t n = 0;
    for (size_t w = 0; w < table->n_workloads; w++) {
        const struct cell *cell = &table->cell[w][scheme];
        const double loads = divergent ? cell->divergent : cell->coherent;
        if (loads > 0) {
            sum += (divergent ? cell->cached_divergent : cell->cached_coherent) / loads;
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

/* Geometric mean of `of` over the baseline's, over the workloads where both have some. */
static double over_base(const struct chapter_table *table, size_t scheme,
                        double (*of)(const struct cell *cell))
{
    double sum = 0;
    size_t n = 0;
    for (size_t w = 0; w < table->n_workloads; w++) {
        const double ours = of(&table->cell[w][scheme]), base = of(&table->cell[w][0]);
        if (ours > 0 && base > 0) {
            sum += log(ours / base);
            n++;
        }
    }
    return n > 0 ? exp(sum / (double)n) : NAN;
}

static double mpki(const struct cell *cell)
{
    return cell->instructions > 0 ? cell->misses / cell->instructions * 1000 : 0;
}

static double stalls(const struct cell *cell)
{
    return cell->stalls;
}

enum { N_VALUES = 5 };
static const char *const titles[N_VALUES] = {"divergent %", "divergent x", "coherent x", "MPKI x",
                                             "stalls x"};
static const char *const keys[N_VALUES] = {"fully_cached_divergent", "fully_cached_divergent_ratio",
                                           "fully_cached_coherent_ratio", "mpki_ratio",
                                           "stall_ratio"};

static void values(const struct chapter_table *table, size_t scheme, double out[N_VALUES])
{
    out[0] = cached(table, scheme, true) * 100;
    out[1] = cached(table, scheme, true) / cached(table, 0, true);
    out[2] = cached(table, scheme, false) / cached(table, 0, false);
    out[3] = over_base(table, scheme, mpki);
    out[4] = over_base(table, scheme, stalls);
}

static void print_row(const char *title, const double row[N_VALUES])
{
    printf("%-14s", title);
    for (size_t v = 0; v < N_VALUES; v++) {
        if (row[v] > 0) {
            printf(" %11.*f", v == 0 ? 1 : 2, row[v]);
        } else {
            printf(" %11s", "-");
        }
    }
    putchar('\n');
}

bool chapter_memory_wanted(const struct chapter *chapter)
{
    bool wanted = false;
    for (size_t s = 0; s < CHAPTER_SCHEMES; s++) {
        const struct memory_claim *claim = &chapter->schemes[s].memory;
        wanted |= claim->cached_divergent > 0 || claim->mpki_ratio > 0;
    }
    return wanted;
}

void chapter_memory_text(const struct chapter_table *table)
{
    printf("\n%-14s", "fully cached");
    for (size_t v = 0; v < N_VALUES; v++) {
        printf(" %11s", titles[v]);
    }
    putchar('\n');
    for (size_t s = 0; s < table->n_schemes; s++) {
        const struct memory_claim *claim = &table->chapter->schemes[s].memory;
        const double document[N_VALUES] = {claim->cached_divergent * 100,
                                           claim->cached_divergent_ratio,
                                           claim->cached_coherent_ratio, claim->mpki_ratio, 0};
        double row[N_VALUES];
        values(table, s, row);
        print_row(table->chapter->schemes[s].title, row);
        if (document[0] > 0 || document[1] > 0 || document[3] > 0) {
            print_row("  document", document);
        }
    }
    puts(
        "divergent %: mean share of divergent loads whose accesses all hit; x: over the "
        "baseline;\nMPKI: load accesses that did not hit, per thousand warp instructions; stalls: cycles in\n"
        "which the LD/ST unit replayed an access");
}

json_t *chapter_memory_json(const struct chapter_table *table)
{
    json_t *schemes = json_object();
    for (size_t s = 0; s < table->n_schemes; s++) {
        json_t *one = json_object();
        double row[N_VALUES];
        values(table, s, row);
        for (size_t v = 0; v < N_VALUES; v++) {
            if (row[v] > 0) {
                json_object_set_new(one, keys[v], json_real(row[v]));
            }
        }
        json_object_set_new(schemes, table->chapter->schemes[s].title, one);
    }
    return schemes;
}
