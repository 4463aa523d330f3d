/* coherence_check.h - between the files of the protocol checker.
 *
 * The checker stands between the machine and a protocol: it hands every call on and looks at
 * the answers.  What it demands of them is one of two sets of rules (struct check_rules):
 * physical time (check_physical.c) or logical time (check_logical.c). */
#ifndef WARPLOCK_MECHANISMS_COHERENCE_CHECK_H
#define WARPLOCK_MECHANISMS_COHERENCE_CHECK_H

#include "mechanisms/coherence/coherence_history.h"
#include "mechanisms/coherence/leases.h"
#include "mechanisms/mechanism.h"

struct check;

/* A part of the machine that is watched, an SM or a bank; the first violation there. */
struct check_part {
    struct check *check;
    uint64_t checked, violated_cycle;
    char violation[224];
};
struct check_l1 {
    struct check_part part;
    struct core *core;
    struct coherence_l1_socket inner;
    uint64_t *warp_time; /* physical: its stores seen by all; logical: last load */
};
struct check_l2 {
    struct check_part part;
    struct bank *bank;
    struct coherence_l2_socket inner;
    struct history *history;
};

struct check_rules {
    /* A load of `warp` is given `bytes` of `block`; `line` is the copy, or NULL. */
    void (*delivered)(struct check_l1 *l1, uint32_t warp, uint64_t block,
                      const struct cache_line *line, const uint8_t *bytes);
    /* A fence of `warp` is complete.  Optional. */
    void (*fenced)(struct check_l1 *l1, uint32_t warp);
    /* An ack arrives.  Optional. */
    void (*acked)(struct check_l1 *l1, const struct reply *msg);
    /* The bank has answered for `line`.  The record knows the version, a new one as of time 0;
     * its lease and stamps are those before this answer. */
    void (*answered)(struct check_l2 *l2, struct reply *msg, const struct cache_line *line,
                     struct history_block *record, uint64_t cycle);
    /* The line leaves the bank.  Optional. */
    void (*evicted)(struct check_l2 *l2, const struct history_block *record);
};

struct check {
    struct machine *machine;
    const struct check_rules *rules;
    const struct leases *leases; /* of the protocol under watch */
    struct check_l1 *l1;
    struct check_l2 *l2;
};

extern const struct check_rules check_physical, check_logical;

/* The record of a block, as its bank left it; NULL when there is none. */
const struct history_block *check_record(const struct check *check, uint64_t block);
/* "cycle C, SM s, block 0xB: ..." unless an earlier violation is known. */
__attribute__((format(printf, 5, 6))) void check_violated(struct check_part *part, uint64_t cycle,
                                                          const char *where, uint64_t block,
                                                          const char *format, ...);

#endif
