/* bypass.h - lines that a cache does not take: a decision about each that comes from below, at an L1D or
 * an L2 bank, by one unit of the cache's own.
 *
 * Works after lakshminarayana2014 3.5.  The cache's side (bypass_cache.c) knows when something happens to
 * a line; what is learnt from it and what is decided is the rules' (bypass_rules.c).  Only loads are
 * decided on, and only where they would drive a line out; local memory, reads past the L1D, prefetches,
 * stores and atomics are as without it. */
#ifndef WARPLOCK_GRAPH_BYPASS_H
#define WARPLOCK_GRAPH_BYPASS_H

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

enum bypass_policy { BYPASS_MAT, BYPASS_AB, BYPASS_OBM };

struct bypass_cache;

/* What a policy learns from, and decides.  Blocks are byte addresses; optional but `decide`. */
struct bypass_rules {
    int (*open)(struct mechanism_context *context, struct bypass_cache *cache, const char *where);
    /* A read of the block was looked up; way < 0: it missed. */
    void (*access)(struct bypass_cache *cache, uint32_t set, int way, uint64_t block);
    /* It joined a fetch that was under way. */
    void (*merged)(struct bypass_cache *cache, uint64_t block);
    /* A line came for the place of `victim`: is it bypassed? */
    bool (*decide)(struct bypass_cache *cache, uint32_t set, uint32_t way,
                   const struct access_info *access, uint64_t victim);
    /* A line took the way; `decided`: as was decided about it.  `leaving`: what it drove out, or
     * CACHE_NO_TAG. */
    void (*inserted)(struct bypass_cache *cache, uint32_t set, uint32_t way,
                     const struct access_info *access, bool decided, uint64_t leaving);
    /* The line left without being replaced; all did. */
    void (*dropped)(struct bypass_cache *cache, uint32_t set, uint32_t way);
    void (*emptied)(struct bypass_cache *cache);
};
const struct bypass_rules *bypass_rules(enum bypass_policy policy);

/* A line that is driven out; a decision that has not come to anything yet; what was decided about the
 * fetch that an MSHR entry of an L1D is for, which began in `cycle`. */
struct bypass_victim {
    uint64_t block; /* CACHE_NO_TAG: none */
    uint32_t set;
    int way;
};
struct bypass_pending {
    bool is_there, byp, looked_up;
    uint64_t block;
    uint32_t way;
};

struct bypass_fetch {
    uint64_t block, cycle;
    bool passes;
};

struct bypass_cache {
    const struct bypass_rules *rules;
    struct policy_socket inner;
    const struct cache *cache;
    const struct mshr_file *mshrs;
    bool is_l2, check, touched;
    bool emptied; /* when a kernel starts */
    struct bypass_victim leaving;
    struct bypass_pending pending;
    struct bypass_fetch *fetch; /* L1D: by MSHR, the last fetch that was decided about */
    uint64_t *passed; /* L2: by MSHR, the block whose fetch takes no line as was decided */
    uint8_t *sig;     /* of each line, that of the load that brought it */

    struct unit_pins unit;
    union {
        struct {
            uint64_t *acc_valid, *acc_addr, *acc_ready, *q_valid, *q_miss, *q_vict, *q_done, *byp;
        } mat;
        struct {
            uint64_t *flush, *op_valid, *op, *set, *hit, *way, *tag, *vict, *done, *byp, *exponent,
                *effective, *ineffective;
        } ab;
        struct {
            uint64_t *op_valid, *op, *line, *sig, *vict, *vict_sig, *done, *byp, *judges;
        } obm;
    } at;
    uint32_t least_exponent, greatest_exponent; /* of AB: its invariant */
    uint32_t signature_bits;                    /* of OBM */

    uint64_t decided, bypassed, inserted, learnt_for, learnt_against, judged;
    uint64_t differences; /* from the invariants of 3.8 */
};

/* Plug into an L1D or an L2 bank. */
int bypass_at_core(struct mechanism_context *context, struct core *core, void *instance);
int bypass_at_bank(struct mechanism_context *context, struct bank *bank, void *instance);

#endif
