/* prefetch_outcome.h - what becomes of every prefetch of one SM: used when, lost how, and why
 * the lost ones were of no use (caps-prefetch 5.2).  It knows no prefetcher: it watches the
 * L1D and compares the warp that a prefetch names with what that warp asks for. */
#ifndef WARPLOCK_MECHANISMS_PREFETCH_OUTCOME_H
#define WARPLOCK_MECHANISMS_PREFETCH_OUTCOME_H

#include "mechanisms/prefetch/prefetch.h"

/* A mask of warp slots has 64 bits; one slot more for prefetches that name nobody. */
enum { OUTCOME_SLOTS = 64 + 1, OUTCOME_MEMORY = 128 };

/* Every issued prefetch ends as exactly one of these: C(name, definition). */
#define PREFETCH_OUTCOMES(C) \
    C(used_on_time, "a demand load hit the line") \
    C(used_late, "a demand load merged into the prefetch before the data had come") \
    C(evicted_by_demand, "evicted unused by a demand miss") \
    C(evicted_by_prefetch, "evicted unused by another prefetch") \
    C(lost_otherwise, "dropped unused: a store came by, or no line was free") \
    C(left_at_end, "unused when the kernel ended")

/* Every unused one has exactly one of these reasons.  Remembered are a warp's last 128 line
 * requests of loads with at most four (the only ones that tables learn from; of all loads
 * where no warp is named) and the last 128 lines that were lost to it. */
#define PREFETCH_REASONS(C) \
    C(unused_early, "the target warp asked for the line after it had gone") \
    C(unused_stale, "the target warp had asked for the line before the prefetch went out") \
    C(unused_wrong, "the target warp never asked for the line")

struct prefetch_outcomes {
#define C(name, ...) uint64_t name;
    PREFETCH_OUTCOMES(C)
    PREFETCH_REASONS(C)
#undef C
    uint64_t used_by_other; /* of the used: first by another warp than the target */
};

/* A prefetch that is in flight, in the cache or lost. */
struct prefetch_record {
    uint64_t block;
    uint8_t target; /* warp slot, OUTCOME_SLOTS - 1 for nobody in particular */
    bool live, stale;
};

/* The last blocks of one warp, overwritten in turn. */
struct block_ring {
    uint64_t block[OUTCOME_MEMORY]; /* UINT64_MAX: forgotten */
    uint32_t next, n, left;         /* left: not forgotten */
};

struct outcome_watch {
    struct core *core;
    struct prefetch_record *in_flight; /* [MSHRs] */
    struct prefetch_record *in_cache;  /* [sets * ways] */
    struct block_ring asked[OUTCOME_SLOTS], lost[OUTCOME_SLOTS];
    struct prefetch_outcomes count;
};

/* Watch `core`; storage belongs to the context's set.  0, or -1 with an error. */
int outcome_watch_attach(struct mechanism_context *context, struct outcome_watch *watch,
                         struct core *core);
/* The counts as if the kernel ended now; changes nothing. */
struct prefetch_outcomes prefetch_outcomes_now(const struct outcome_watch *watch);

#endif
