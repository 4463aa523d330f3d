/* checker_private.h - what the files of the checker share.  Private to checker/. */
#ifndef WARPLOCK_MACHINE_CHECKER_PRIVATE_H
#define WARPLOCK_MACHINE_CHECKER_PRIVATE_H

#include <uthash.h>

#include "machine/checker/checker.h"

enum { CHECKER_WARPS = 64, CHECKER_BARRIERS = 16, CHECKER_READERS = 3 };

/* ---- findings (checker_report.c) ---- */

struct checker_word;
struct checker_line;
struct checker_site; /* a place in a kernel that was reported */

/* One access of one thread, for a message. */
struct checker_place {
    const struct isa_launch *launch;
    uint32_t pc;
    struct isa_dim3 cta;
    uint32_t thread; /* in the block */
};

struct checker_report {
    FILE *out;
    struct checker_site *sites;
    uint64_t findings, accesses; /* lines; lanes that did wrong */
};

/* `lanes` accesses at `place` did `kind` of wrong, with the instruction at `other` (UINT32_MAX:
 * none).  True when nobody has said so yet: then say it with checker_say. */
bool checker_new(struct checker_report *report, unsigned kind, const struct checker_place *place,
                 uint32_t other, uint32_t lanes);
void checker_say(struct checker_report *report, unsigned kind, const struct checker_place *place,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
/* "FILE:LINE", and " (FILE:LINE)" of the source text when it is known. */
void checker_line(const struct isa_kernel *kernel, uint32_t pc, char *out, size_t n_out);
struct isa_dim3 checker_thread(const struct isa_launch *launch, uint32_t thread);
const char *checker_verb(const struct isa_inst *inst);
/* A new launch may be another kernel's, at the same address. */
void checker_forget_sites(struct checker_report *report);

/* ---- global memory that means nothing until it is written (checker_init.c) ---- */

struct checker_range {
    uint64_t base, bytes;
    uint8_t *written; /* a bit a byte */
};

struct checker_ranges {
    struct checker_range *at; /* ascending, apart from each other */
    size_t n, max;
};

/* False when out of memory. */
bool checker_undefine(struct checker_ranges *ranges, uint64_t address, uint64_t bytes);
void checker_define(struct checker_ranges *ranges, uint64_t address, uint64_t bytes);
/* Has each of the bytes a meaning? */
bool checker_defined(const struct checker_ranges *ranges, uint64_t address, uint64_t bytes);
void checker_ranges_free(struct checker_ranges *ranges);

/* ---- shared memory (checker_shared.c) ---- */

/* The last access of a kind to a byte; clock 0: there was none. */
struct checker_access {
    uint32_t clock, epoch; /* of its warp */
    uint32_t pc;
    uint16_t thread;
    bool strong; /* atomic, volatile, or ordered by itself: no race with others of the kind */
    bool filled; /* by a bulk copy, whose order is its mbarrier's: no race is looked for */
};

struct checker_cell {
    struct checker_access write;
    /* The last read, the last by another lane of its warp, the last by another warp: with barriers of
     * the whole block an unordered reader is always among them. */
    struct checker_access read[CHECKER_READERS];
};

/* Clocks of some warps of the grid, ascending by warp: number of the block * its warps + the warp. */
struct checker_clock {
    uint64_t warp;
    uint32_t clock;
};
struct checker_clocks {
    struct checker_clock *at;
    uint32_t n, max;
};

struct checker_warp {
    uint32_t clock;                /* counts its arrivals at barriers, its fences, from 1 */
    uint32_t seen[CHECKER_WARPS];  /* clock of each warp up to which its accesses lie before */
    uint32_t epoch;                /* counts synchronisations of the warp's lanes */
    uint32_t waits_at;             /* 1 + barrier; 0: none */
    uint32_t generation;           /* of that barrier */
    struct checker_clocks foreign; /* as `seen`, of warps of other blocks */
    struct checker_clocks ready, ready_cta;       /* at the last fence; at that of any scope */
    uint32_t strong_loads, fenced_loads;          /* under way; of them with a fence behind */
    struct checker_clocks acquired, acquired_cta; /* by strong loads, until the next fence */
};

struct checker_barrier {
    uint32_t generation;
    uint32_t seen[2][CHECKER_WARPS]; /* of those that arrived, for this generation and the next */
};

/* A block in flight. */
struct checker_block {
    uint64_t number; /* in the grid */
    struct isa_dim3 id;
    uint32_t n_warps, ended;
    struct checker_warp *warp;       /* [n_warps] */
    struct checker_barrier *barrier; /* [CHECKER_BARRIERS] */
    struct checker_cell *cell;       /* a byte each */
    uint64_t n_cells;
    struct checker_word *words; /* of shared memory, whose accesses order */
    UT_hash_handle hh;          /* by number */
};

/* How an instruction orders accesses. */
struct checker_order {
    bool strong, syncs_lanes;
    bool acquires, releases; /* without a fence of its own */
};

struct checker_shared {
    struct checker_report *report;
    const struct isa_launch *launch;
    const struct checker_order *order; /* [n_inst] */
    unsigned what;
};

/* The warp steps again: if it waited at a barrier, that is complete. */
void checker_released(struct checker_block *block, uint32_t warp);
void checker_arrives(struct checker_block *block, uint32_t warp, const struct isa_step *step);
/* A bulk copy fills these bytes. */
void checker_shared_filled(struct checker_block *block, uint64_t address, uint64_t bytes);
/* A shared access that was carried out, at `pc`. */
void checker_shared_access(const struct checker_shared *shared, struct checker_block *block,
                           uint32_t n, uint32_t pc, const struct isa_memop *memop);

/* ---- order without barriers (checker_sync.c); false: out of memory ---- */

bool checker_fence(struct checker_block *block, uint32_t warp, bool cta_scope);
/* The warp takes what was handed on at the words of a strong access: of shared memory before it is looked at;
 * of global memory when it returns.  A strong access that writes hands on when it is issued. */
bool checker_acquire(struct checker_word **words, struct checker_block *block, uint32_t warp,
                     bool at_once, const struct isa_memop *memop);
bool checker_returns(struct checker_word **words, struct checker_block *block, uint32_t warp,
                     struct checker_order order, const struct isa_memop *memop);
bool checker_release(struct checker_word **words, struct checker_block *block, uint32_t warp,
                     struct checker_order order, const struct isa_memop *memop);
uint32_t checker_clock_of(const struct checker_clocks *clocks, uint64_t warp); /* 0: none */
void checker_clocks_free(struct checker_clocks *clocks);
void checker_words_free(struct checker_word **words);

/* ---- global memory of a grid (checker_global.c) ---- */

/* An access that is carried out, at `pc`; false: out of memory. */
bool checker_global_access(struct checker_line **lines, const struct checker_shared *shared,
                           struct checker_block *block, uint32_t n, uint32_t pc,
                           const struct isa_memop *memop);
void checker_lines_free(struct checker_line **lines);

/* ---- one launch (checker_launch.c) ---- */

struct checker {
    const struct memory *memory;
    struct host_backend inner;
    unsigned what;
    struct checker_report report;
    struct checker_ranges undefined;
};

struct checker_looked_at {
    struct checker *check;
    const struct isa_launch *inner;
    struct checker_shared shared;
    struct checker_order *order; /* [n_inst] */
    struct checker_block *blocks;
    struct checker_word *words; /* of global memory, whose accesses order */
    struct checker_line *lines; /* of global memory */
    uint32_t n_warps;
    size_t trailer; /* offset of struct checker_trailer behind a warp's object */
    uint32_t hint;
    bool out_of_memory;
};

/* Behind each warp's object. */
struct checker_trailer {
    struct checker_block *block;
    uint32_t warp;
};

/* Looks at accesses (checker_look.c): of global and of shared memory, and the bytes that an asynchronous
 * copy of `lanes` brings to shared memory, which it writes from when it is issued on. */
struct checker_place checker_place_of(const struct checker_looked_at *l,
                                      const struct checker_trailer *at, uint32_t pc, uint32_t lane);
bool checker_looks_at_order(const struct checker_looked_at *l);
void checker_look_global(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                         struct isa_step *step, struct isa_memop *memop);
void checker_look_shared(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                         const struct isa_memop *memop);
void checker_look_copy(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                       uint32_t lanes, const struct isa_memop *memop);

/* Run it through check->inner, looked at; the backend's status, or -1 with `error`. */
int checker_launch(struct checker *check, const struct isa_launch *launch, char *error,
                   size_t n_error);

#endif
