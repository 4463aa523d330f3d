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

bool cost_placement_of(struct cost_placement *placement, const char *path, const char *unit)
{
    static const char *const columns[PLACEMENT_COLUMNS] = {"unit",     "cells",   "cell_um2",
                                                           "core_um2", "path_ps", "wires_ps"};
    char error[512];
    struct cost_csv csv;
    *placement = (struct cost_placement){.area = 1, .path = 1};
    if (!cost_csv_load(&csv, path, columns, PLACEMENT_COLUMNS, error, sizeof error)) {
        return false;
    }
    double *areas = calloc(csv.n_rows + 1, sizeof *areas);
    double *paths = calloc(csv.n_rows + 1, sizeof *paths);
    size_t n_paths = 0;
    for (size_t i = 0; areas != NULL && paths != NULL && i < csv.n_rows; i++) {
        double figure[PLACEMENT_COLUMNS] = {0};
        bool good = true;
        for (int c = 1; c < PLACEMENT_COLUMNS; c++) {
            good = good && cost_csv_number(csv.rows[i].cell[c], &figure[c]);
        }
        if (!good || figure[2] <= 0) {
            continue;
        }
        const double area = figure[3] / figure[2];
        areas[placement->n_measured++] = area;
        if (figure[4] > 0) {
            paths[n_paths++] = figure[5] / figure[4];
        }
        if (strcmp(csv.rows[i].cell[0], unit) == 0 && figure[4] > 0) {
            placement->own = true;
            placement->area = area;
            placement->path = figure[5] / figure[4];
        }
    }
    if (!placement->own && areas != NULL && paths != NULL) {
        placement->area = median(areas, placement->n_measured);
        placement->path = median(paths, n_paths);
    }
    free(areas);
    free(paths);
    cost_csv_free(&csv);
    return placement->n_measured > 0;
}
