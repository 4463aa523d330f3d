/* sa_mgt.h - sharing-aware cache management (tabbakh2018 3.2): its two sides.
 *
 * The L2 side keeps ownerId and SF of each line and says in each answer whether the block is shared
 * (proto[0]); the L1D side keeps PF and DBF and places fills by that.  They know each other by that
 * bit alone. */
#ifndef WARPLOCK_SHARING_SA_MGT_H
#define WARPLOCK_SHARING_SA_MGT_H

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"
#include "mechanisms/sharing/block_table.h"

enum { SA_MOST_WAYS = 16 };

/* The answer's bit: SF when it is given, or when it was asked for (D-S4). */
enum sa_answer { SA_ANSWER_NOW, SA_ANSWER_ASKED };

struct sa_l1_line {
    bool is_private, dead; /* PF, DBF */
};
struct sa_l1 {
    const struct core *core;
    struct unit_pins victim;
    uint64_t *valid, *reserved, *held, *cls, *dbf, *lru_rank, *in_shared;
    uint64_t *out_victim, *victim_ok, *bypass, *dbf_set;
    uint32_t ways;
    bool hit_clears;           /* D-S1 */
    bool dead_to_shared;       /* D-S7 */
    struct block_table shared; /* blocks that an answer said are shared, where they pass (D-S2) */
    bool shared_pass;
    struct sa_l1_line *line;
    uint8_t *rank;
    uint32_t chosen_set; /* whose victim was asked for last, and what it declares dead */
    uint64_t declares;
    uint64_t private_fills, shared_fills, bypasses, declared, reused, dead_replaced;
    uint64_t differences;
};

struct sa_l2_line {
    uint8_t owner;
    bool shared; /* SF */
    uint8_t n_waiting;
    uint64_t waiting; /* SF as each waiting request found it, the next one lowest */
    uint64_t askers;  /* SMs that asked, to check SF by */
};
struct sa_l2 {
    const struct bank *bank;
    struct unit_pins track, victim;
    uint64_t *req_valid, *req_sm, *req_store, *req_local, *req_answer, *hit, *miss_alloc, *owner,
        *sf;
    uint64_t *we, *owner_next, *sf_next, *resp_sf, *becomes_shared;
    uint64_t *valid, *reserved, *held, *cls, *lru_rank;
    uint64_t *out_victim, *victim_ok, *takes_shared;
    uint32_t ways;
    enum sa_answer answer;
    bool stores_share, local_shares;
    struct sa_l2_line *line;
    uint8_t *rank;
    uint64_t shared_lines, shared_answers, private_answers, shared_replaced;
    uint64_t differences;
};

int sa_l1_attach(struct mechanism_context *context, struct core *core, void *instance);
int sa_l2_attach(struct mechanism_context *context, struct bank *bank, void *instance);

#endif
