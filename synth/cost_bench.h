/* cost_bench.h - measures units: Yosys counts, technology mapping, static timing.
 *
 * Results are files that synth/map.mk makes when a unit's sources are newer, and
 * are kept here once read.  A set is "K=V,K=V", "" for the standard parameters.
 * It must not know what a document claims.
 */
#ifndef WARPLOCK_SYNTH_COST_BENCH_H
#define WARPLOCK_SYNTH_COST_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tb/backend.h"

enum { COST_MAX_GATES = 40, COST_MAX_MEMORIES = 40, COST_MAX_LIBRARIES = 8 };

struct cost_gate {
    char type[24];
    uint64_t n;
};

struct cost_memory {
    char name[48];
    uint64_t rows, width, read_ports, write_ports;
};

/* Before technology mapping; memories cut out of the gates. */
struct cost_counts {
    uint64_t ff_bits, memory_bits;
    uint64_t xor2, xor_depth; /* XOR2 gates with {AND XOR NOT}; levels of that netlist */
    uint64_t n_gates, depth;  /* all two-input gates, MUX and NOT; levels */
    struct cost_gate gates[COST_MAX_GATES];
    size_t n_types;
    struct cost_memory memories[COST_MAX_MEMORIES];
    size_t n_memories;
    char folder[512];
};

struct cost_mapping {
    uint64_t cells;
    double area_um2;  /* memories as flip-flops */
    double logic_um2; /* without the memories */
    double nand2_um2;
    double delay_ps; /* longest path with setup; memories as flip-flops */
    double leakage_nw;
    bool for_speed; /* mapped for speed, since it misses its clock when mapped for area */
};

struct cost_library {
    char name[64], source[512], leave_out[256], file[512];
    double node_nm, load_ff, nand2_um2;
    bool ready;
};

struct cost_bench;

/* Reads synth/data/libraries.csv.  NULL with the reason in `failure`. */
struct cost_bench *cost_bench_new(struct library *units, struct failure *failure);
void cost_bench_free(struct cost_bench *bench);
/* Steps of measuring are told to `to` (a terminal; NULL, as after opening: not at all) as they begin;
 * one that took a second or more stays there with its time. */
void cost_bench_tell(struct cost_bench *bench, FILE *to);
/* A name of libraries.csv, or the path of any Liberty file; NULL with the reason. */
const struct cost_library *cost_bench_library(struct cost_bench *bench, const char *name,
                                              struct failure *failure);
size_t cost_bench_n_libraries(const struct cost_bench *bench);
const struct cost_library *cost_bench_nth_library(const struct cost_bench *bench, size_t i);
/* Is its Liberty file installed?  Not every release has every library. */
bool cost_bench_has_library(const struct cost_bench *bench, const struct cost_library *library);
/* Port table of a unit; NULL with the reason. */
const struct unit_desc *cost_bench_desc(struct cost_bench *bench, const char *unit, const char *set,
                                        struct failure *failure);
/* Rows of a unit's file; false with the reason. */
bool cost_bench_file(struct cost_bench *bench, const char *unit, struct unit_file *file,
                     struct failure *failure);
/* Flip-flops and memories alone, which takes seconds at any size; the rest is 0. */
const struct cost_counts *cost_bench_storage(struct cost_bench *bench, const char *unit,
                                             const char *set, struct failure *failure);
const struct cost_counts *cost_bench_counts(struct cost_bench *bench, const char *unit,
                                            const char *set, struct failure *failure);
const struct cost_mapping *cost_bench_mapping(struct cost_bench *bench, const char *unit,
                                              const char *set, const struct cost_library *library,
                                              struct failure *failure);
/* Area and path of the unit mapped by another script of synth/band.mk; not kept. */
bool cost_bench_variant(struct cost_bench *bench, const char *unit, const char *set,
                        const struct cost_library *library, const char *script, bool retimed,
                        struct cost_mapping *mapping, struct failure *failure);
/* Slowest path without a flip-flop between a port and the ports of the other direction; 0 when
 * there is none. */
bool cost_bench_through(struct cost_bench *bench, const char *unit, const char *set,
                        const struct cost_library *library, const char *port, double *delay_ps,
                        struct failure *failure);
/* "family/unit" of a unit's name, NULL when there is none. */
const char *cost_bench_unit(const struct cost_bench *bench, const char *unit);

#endif
