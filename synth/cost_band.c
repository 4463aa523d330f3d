/* cost_band.c - how far a unit's area and path depend on how it is mapped. */
#include "synth/cost_band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/cost_csv.h"

enum { PLACEMENT_COLUMNS = 6 };

static const char *const scripts[COST_BAND_SCRIPTS] = {"standard", "speed", "area"};

static void widen(struct cost_band *band, const struct cost_variant *variant, bool first)
{
    band->least_um2 = first ? variant->area_um2 : fmin(band->least_um2, variant->area_um2);
    band->most_um2 = first ? variant->area_um2 : fmax(band->most_um2, variant->area_um2);
    band->least_ps = first ? variant->delay_ps : fmin(band->least_ps, variant->delay_ps);
    band->most_ps = first ? variant->delay_ps : fmax(band->most_ps, variant->delay_ps);
}

bool cost_band_measure(struct cost_band *band, struct cost_bench *bench, const char *unit,
                       const char *set, const struct cost_library *library,
                       const struct cost_counts *counts)
{
    bool any = false;
    const bool stateful = counts->ff_bits + counts->memory_bits > 0;
    *band = (struct cost_band){.n_variants = COST_BAND_SCRIPTS * (stateful ? 2 : 1)};
    for (size_t i = 0; i < band->n_variants; i++) {
        struct cost_variant *variant = &band->variants[i];
        struct cost_mapping mapping;
        struct failure failure = {0};
        variant->script = scripts[i % COST_BAND_SCRIPTS];
        variant->retimed = i >= COST_BAND_SCRIPTS;
        variant->known = cost_bench_variant(bench, unit, set, library, variant->script,
                                            variant->retimed, &mapping, &failure);
        if (variant->known) {
            variant->area_um2 = mapping.area_um2;
            variant->delay_ps = mapping.delay_ps;
            widen(band, variant, !any);
            any = true;
        }
    }
    return any;
}

const char *cost_band_retimed(void)
{
    return "retimed: flip-flops moved by ABC for the least depth in gates, without enable, reset and "
           "initial value; a few cycles of reset make it the same machine";
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of an even number the greater of the two in the middle. */
static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
    return n > 0 ? values[n / 2] : 1;
}

/* Is a row of the file, a unit or unit@K=V,..., one of those that the factors may be of? */
static bool is_of(const char *row, const char *unit, enum cost_placed placed)
{
    const size_t n_row = strcspn(row, "@"), n_family = strcspn(unit, "/");
    switch (placed) {
    case COST_PLACED_ITSELF: return n_row == strlen(unit) && strncmp(row, unit, n_row) == 0;
    case COST_PLACED_FAMILY: return strncmp(row, unit, n_family + 1) == 0;
    default: return true;
    }
}

/* The medians of such rows; false when no row with a path is one. */
static bool medians_of(struct cost_placement *placement, const struct cost_csv *csv,
                       const char *unit, double *areas, double *paths)
{
    size_t n_paths = 0;
    placement->n_measured = 0;
    for (size_t i = 0; i < csv->n_rows; i++) {
        double figure[PLACEMENT_COLUMNS] = {0};
        bool good = is_of(csv->rows[i].cell[0], unit, placement->of);
        for (int c = 1; c < PLACEMENT_COLUMNS; c++) {
            good = good && cost_csv_number(csv->rows[i].cell[c], &figure[c]);
        }
        if (!good || figure[2] <= 0) {
            continue;
        }
        areas[placement->n_measured++] = figure[3] / figure[2];
        if (figure[4] > 0) {
            paths[n_paths++] = figure[5] / figure[4];
        }
    }
    placement->area = median(areas, placement->n_measured);
    placement->path = median(paths, n_paths);
    return n_paths > 0;
}

bool cost_placement_of(struct cost_placement *placement, const char *path, const char *unit)
{
    static const char *const columns[PLACEMENT_COLUMNS] = {"unit",     "cells",   "cell_um2",
                                                           "core_um2", "path_ps", "wires_ps"};
    char error[512];
    struct cost_csv csv;
    *placement = (struct cost_placement){.area = 1, .path = 1, .of = COST_PLACED_ITSELF};
    if (!cost_csv_load(&csv, path, columns, PLACEMENT_COLUMNS, error, sizeof error)) {
        return false;
    }
    double *figures = calloc(2 * csv.n_rows + 1, sizeof *figures);
    while (figures != NULL && !medians_of(placement, &csv, unit, figures, figures + csv.n_rows) &&
           placement->of != COST_PLACED_ANY) {
        placement->of++;
    }
    free(figures);
    cost_csv_free(&csv);
    return placement->n_measured > 0;
}
