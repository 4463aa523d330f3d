/* sm_icache.h - the instruction cache of an SM.
 *
 * Blocks of 128 bytes, eight instructions; least recently used; a line is chosen when its block
 * comes.  A miss waits in an MSHR, as many blocks as fetch.mshrs, and so many warps for each as
 * fetch.mshr_targets; its request goes to the L2 through the memory port, one a cycle.  Warps whose
 * block has come are answered one a cycle, before any other fetch.  What it holds stays when a
 * kernel ends: code lies at one address.  It must not know instruction buffers.
 */
#ifndef WARPLOCK_MACHINE_SM_ICACHE_H
#define WARPLOCK_MACHINE_SM_ICACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/config/config.h"

struct sm;

enum { ICACHE_MSHRS = 8, ICACHE_WARPS = 64, INSTRUCTION_BYTES = 16 };
#define CODE_BASE UINT64_C(0xF0000000)

struct icache_line {
    uint64_t block; /* 0: none */
    uint64_t used;  /* its last use, in order */
};

struct icache {
    uint32_t sets, ways; /* no sets: it always hits */
    uint64_t uses;
    struct icache_line *line; /* [sets * ways] */
    uint32_t unsent;          /* misses whose requests wait for the port, a bit each */
    struct icache_miss {
        uint64_t block; /* 0: free */
        uint32_t n;
        uint8_t sectors;            /* that have come */
        uint8_t warp[ICACHE_WARPS]; /* that wait, in order */
    } miss[ICACHE_MSHRS];
    uint32_t head, answers; /* a ring of warps whose blocks have come */
    uint8_t answer[ICACHE_WARPS];
};

enum icache_result { ICACHE_HIT, ICACHE_MISS, ICACHE_REFUSED };

/* 0, or -1 when out of memory. */
int sm_icache_init(struct icache *cache, const struct gpu_config *config);
void sm_icache_free(struct icache *cache);
/* Warp `slot` wants its next instruction.  After a MISS it is answered later. */
enum icache_result sm_icache_look_up(struct sm *sm, uint32_t slot);
/* The warp to be answered in this cycle, or -1. */
int sm_icache_answer(struct icache *cache);
/* Once a cycle: a request goes to the memory port. */
void sm_icache_send(struct sm *sm);
/* These sectors of a miss have come. */
void sm_icache_fill(struct sm *sm, uint32_t miss, uint8_t sectors);

#endif
