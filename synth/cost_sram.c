/* cost_sram.c - area, time and energy of a small SRAM or register file, by interpolation. */
#include "synth/cost_sram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/cost_csv.h"

enum { MAX_AXIS = 64 };

const char *const cost_sram_names[SRAM_FIGURES] = {"access time",  "cycle time", "read energy",
                                                   "write energy", "leakage",    "area"};
const char *const cost_sram_functions[] = {"sram_access_ps", "sram_read_pj",  "sram_write_pj",
                                           "sram_leak_uw",   "sram_area_um2", NULL};

static bool read_point(const struct cost_csv_row *row, struct cost_sram_point *p)
{
    double size_bytes, read_write, figures[SRAM_FIGURES];
    bool good = cost_csv_number(row->cell[1], &size_bytes) &&
                cost_csv_number(row->cell[2], &p->word_bytes) &&
                cost_csv_number(row->cell[4], &p->node_nm) &&
                cost_csv_number(row->cell[5], &read_write);
    for (int i = 0; i < SRAM_FIGURES; i++) {
        good = good && cost_csv_number(row->cell[8 + i], &figures[i]) && figures[i] > 0;
    }
    if (!good || size_bytes <= 0 || p->word_bytes <= 0 || p->node_nm <= 0) {
        return false;
    }
    memcpy(p->figure, figures, sizeof figures);
    p->rows = size_bytes / p->word_bytes;
    p->two_ports = read_write < 1;
    return true;
}

bool cost_sram_load(struct cost_sram *sram, const char *path, char *error, size_t n_error)
{
    static const char *const columns[] = {
        "kind",     "size_bytes", "word_bytes", "assoc",   "tech_nm",  "rw_ports", "rd_ports",
        "wr_ports", "access_ns",  "cycle_ns",   "read_nj", "write_nj", "leak_mw",  "area_mm2"};
    struct cost_csv csv;
    *sram = (struct cost_sram){0};
    if (!cost_csv_load(&csv, path, columns, 14, error, n_error)) {
        return false;
    }
    sram->points = calloc(csv.n_rows + 1, sizeof *sram->points);
    for (size_t i = 0; sram->points != NULL && i < csv.n_rows; i++) {
        if (!read_point(&csv.rows[i], &sram->points[i])) {
            snprintf(error, n_error, "%s:%u: a figure is not a positive number; correct it", path,
                     csv.rows[i].line);
            cost_sram_free(sram);
            break;
        }
        sram->n_points++;
    }
    cost_csv_free(&csv);
    return sram->points != NULL;
}

void cost_sram_free(struct cost_sram *sram)
{
    free(sram->points);
    *sram = (struct cost_sram){0};
}

/* What a search looks at: the table without one point. */
struct view {
    const struct cost_sram *sram;
    const struct cost_sram_point *without;
    bool two_ports;
};

static bool seen(const struct view *view, const struct cost_sram_point *p)
{
    return p != view->without && p->two_ports == view->two_ports;
}

/* The two values of an axis around `x` (or the nearest two), in order.  True when inside. */
static bool around(const double *axis, size_t n, double x, double *low, double *high)
{
    *low = axis[0];
    *high = axis[n - 1];
    if (n == 1) {
        return fabs(x - axis[0]) < 1e-9;
    }
    size_t i = 1;
    while (i < n - 1 && axis[i] < x) {
        i++;
    }
    *low = axis[i - 1];
    *high = axis[i];
    return x >= axis[0] - 1e-9 && x <= axis[n - 1] + 1e-9;
}

static void add_sorted(double *axis, size_t *n, double x)
{
    size_t i = 0;
    while (i < *n && axis[i] < x) {
        i++;
    }
    if ((i < *n && axis[i] == x) || *n == MAX_AXIS) {
        return;
    }
    memmove(&axis[i + 1], &axis[i], (*n - i) * sizeof *axis);
    axis[i] = x;
    (*n)++;
}

/* Between (or beyond) two logarithms. */
static void blend(const double *a, const double *b, double low, double high, double x, double *out)
{
    const double t = high > low ? (log(x) - log(low)) / (log(high) - log(low)) : 0;
    for (int i = 0; i < SRAM_FIGURES; i++) {
        out[i] = a[i] + t * (b[i] - a[i]);
    }
}

/* Logarithms of the figures at a word and node of the table. */
static bool along_rows(const struct view *view, double rows, double word_bytes, double node_nm,
                       double *out, bool *extended)
{
    double axis[MAX_AXIS], low, high;
    size_t n = 0;
    for (size_t i = 0; i < view->sram->n_points; i++) {
        const struct cost_sram_point *p = &view->sram->points[i];
        if (seen(view, p) && p->word_bytes == word_bytes && p->node_nm == node_nm) {
            add_sorted(axis, &n, p->rows);
        }
    }
    if (n == 0) {
        return false;
    }
    *extended |= !around(axis, n, rows, &low, &high);
    double at_low[SRAM_FIGURES] = {0}, at_high[SRAM_FIGURES] = {0};
    for (size_t i = 0; i < view->sram->n_points; i++) {
        const struct cost_sram_point *p = &view->sram->points[i];
        if (!seen(view, p) || p->word_bytes != word_bytes || p->node_nm != node_nm) {
            continue;
        }
        for (int f = 0; f < SRAM_FIGURES && p->rows == low; f++) {
            at_low[f] = log(p->figure[f]);
        }
        for (int f = 0; f < SRAM_FIGURES && p->rows == high; f++) {
            at_high[f] = log(p->figure[f]);
        }
    }
    blend(at_low, at_high, low, high, rows, out);
    return true;
}

static bool along_words(const struct view *view, double rows, double word_bytes, double node_nm,
                        double *out, bool *extended)
{
    double axis[MAX_AXIS], low, high, at_low[SRAM_FIGURES], at_high[SRAM_FIGURES];
    size_t n = 0;
    for (size_t i = 0; i < view->sram->n_points; i++) {
        const struct cost_sram_point *p = &view->sram->points[i];
        if (seen(view, p) && p->node_nm == node_nm) {
            add_sorted(axis, &n, p->word_bytes);
        }
    }
    if (n == 0) {
        return false;
    }
    *extended |= !around(axis, n, word_bytes, &low, &high);
    if (word_bytes == high) { /* on the axis: the other side plays no part */
        low = high;
    }
    if (!along_rows(view, rows, low, node_nm, at_low, extended) ||
        (word_bytes != low && !along_rows(view, rows, high, node_nm, at_high, extended))) {
        return false;
    }
    if (word_bytes == low) {
        memcpy(out, at_low, sizeof at_low);
        return true;
    }
    blend(at_low, at_high, low, high, word_bytes, out);
    return true;
}

static bool along_nodes(const struct view *view, double rows, double word_bytes, double node_nm,
                        double *out, bool *extended)
{
    double axis[MAX_AXIS], low, high, at_low[SRAM_FIGURES], at_high[SRAM_FIGURES];
    size_t n = 0;
    for (size_t i = 0; i < view->sram->n_points; i++) {
        if (seen(view, &view->sram->points[i])) {
            add_sorted(axis, &n, view->sram->points[i].node_nm);
        }
    }
    if (n == 0) {
        return false;
    }
    *extended |= !around(axis, n, node_nm, &low, &high);
    if (!along_words(view, rows, word_bytes, low, at_low, extended) ||
        !along_words(view, rows, word_bytes, high, at_high, extended)) {
        return false;
    }
    blend(at_low, at_high, low, high, node_nm, out);
    return true;
}

static double greatest_word(const struct cost_sram *sram)
{
    double most = 1;
    for (size_t i = 0; i < sram->n_points; i++) {
        most = fmax(most, sram->points[i].word_bytes);
    }
    return most;
}

bool cost_sram_estimate(const struct cost_sram *sram, double rows, double word_bits, bool two_ports,
                        double node_nm, struct cost_sram_result *result)
{
    *result = (struct cost_sram_result){.banks = 1};
    if (!(rows > 0) || !(word_bits > 0) || !(node_nm > 0) || word_bits > 1e6) {
        return false;
    }
    const double word_bytes = word_bits / 8;
    result->banks = (unsigned)ceil(word_bytes / greatest_word(sram) - 1e-9);
    const struct view view = {sram, NULL, two_ports};
    double logs[SRAM_FIGURES];
    if (!along_nodes(&view, rows, word_bytes / result->banks, node_nm, logs, &result->extended)) {
        return false;
    }
    for (int i = 0; i < SRAM_FIGURES; i++) {
        const bool time = i == SRAM_ACCESS_NS || i == SRAM_CYCLE_NS;
        result->figure[i] = exp(logs[i]) * (time ? 1.0 : result->banks);
    }
    return true;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Estimates `p` from its own word and node without itself; false at an end of the rows. */
static bool held_out(const struct cost_sram *sram, const struct cost_sram_point *p,
                     double relative[SRAM_FIGURES])
{
    const struct view view = {sram, p, p->two_ports};
    double logs[SRAM_FIGURES];
    bool extended = false;
    if (!along_rows(&view, p->rows, p->word_bytes, p->node_nm, logs, &extended) || extended) {
        return false;
    }
    for (int f = 0; f < SRAM_FIGURES; f++) {
        relative[f] = fabs(exp(logs[f]) / p->figure[f] - 1);
    }
    return true;
}

bool cost_sram_call(const struct cost_sram *sram, const char *function, double rows,
                    double word_bits, bool two_ports, double node_nm, double *value)
{
    static const struct {
        enum cost_sram_figure figure;
        double scale; /* ns to ps, nJ to pJ, mW to uW, mm2 to um2 */
    } figures[] = {{SRAM_ACCESS_NS, 1e3},
                   {SRAM_READ_NJ, 1e3},
                   {SRAM_WRITE_NJ, 1e3},
                   {SRAM_LEAK_MW, 1e3},
                   {SRAM_AREA_MM2, 1e6}};
    struct cost_sram_result result;
    for (size_t i = 0; cost_sram_functions[i] != NULL; i++) {
        if (strcmp(cost_sram_functions[i], function) == 0 &&
            cost_sram_estimate(sram, rows, word_bits, two_ports, node_nm, &result)) {
            *value = result.figure[figures[i].figure] * figures[i].scale;
            return true;
        }
    }
    return false;
}

void cost_sram_held_out(const struct cost_sram *sram, struct cost_sram_error *error)
{
    *error = (struct cost_sram_error){0};
    double *all = calloc(sram->n_points * SRAM_FIGURES + 1, sizeof *all);
    double relative[SRAM_FIGURES];
    for (size_t i = 0; all != NULL && i < sram->n_points; i++) {
        if (held_out(sram, &sram->points[i], relative)) {
            for (int f = 0; f < SRAM_FIGURES; f++) {
                all[(size_t)f * sram->n_points + error->n_points] = relative[f];
            }
            error->n_points++;
        }
    }
    for (int f = 0; all != NULL && error->n_points > 0 && f < SRAM_FIGURES; f++) {
        double *column = &all[(size_t)f * sram->n_points];
        qsort(column, error->n_points, sizeof *column, compare_doubles);
        error->median[f] = column[error->n_points / 2];
        error->worst[f] = column[error->n_points - 1];
    }
    free(all);
}
