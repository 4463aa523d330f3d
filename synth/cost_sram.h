/* cost_sram.h - area, time and energy of a small SRAM or register file.
 *
 * Interpolates CACTI 7 figures (synth/data/cacti7_sram.csv) linearly between
 * the logarithms of rows, word bytes and node; beyond the table the nearest
 * two points are extended, and the result says so.  A word above the table's
 * greatest is split into equal banks side by side.  It must not know any unit.
 */
#ifndef WARPLOCK_SYNTH_COST_SRAM_H
#define WARPLOCK_SYNTH_COST_SRAM_H

#include <stdbool.h>
#include <stddef.h>

enum cost_sram_figure {
    SRAM_ACCESS_NS,
    SRAM_CYCLE_NS,
    SRAM_READ_NJ,
    SRAM_WRITE_NJ,
    SRAM_LEAK_MW,
    SRAM_AREA_MM2,
    SRAM_FIGURES
};

struct cost_sram_point {
    double rows, word_bytes, node_nm;
    bool two_ports; /* one read and one write port; else one for both */
    double figure[SRAM_FIGURES];
};

struct cost_sram {
    struct cost_sram_point *points;
    size_t n_points;
};

struct cost_sram_result {
    double figure[SRAM_FIGURES];
    unsigned banks;
    bool extended; /* outside the table in rows, word or node */
};

/* Error of an estimate against points left out, relative, over the points that have
 * neighbours on both sides in rows. */
struct cost_sram_error {
    double median[SRAM_FIGURES], worst[SRAM_FIGURES];
    size_t n_points;
};

extern const char *const cost_sram_names[SRAM_FIGURES];
/* The figures as functions of rows, bits and ports that a formula may ask for, each in the unit
 * of its name; ended by NULL. */
extern const char *const cost_sram_functions[];

bool cost_sram_load(struct cost_sram *sram, const char *path, char *error, size_t n_error);
void cost_sram_free(struct cost_sram *sram);
/* `rows` of `word_bits` at `node_nm`; all must be positive.  False when the table has no
 * points to go by. */
bool cost_sram_estimate(const struct cost_sram *sram, double rows, double word_bits, bool two_ports,
                        double node_nm, struct cost_sram_result *result);
/* The figure of a function of that list; the same of the rest. */
bool cost_sram_call(const struct cost_sram *sram, const char *function, double rows,
                    double word_bits, bool two_ports, double node_nm, double *value);
/* Leaves out each point in turn and estimates it from the others. */
void cost_sram_held_out(const struct cost_sram *sram, struct cost_sram_error *error);

#endif
