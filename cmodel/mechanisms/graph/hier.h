/* hier.h - inclusion between L1Ds and L2: what its mechanisms have at each L1D and at each L2 bank.
 *
 * Works after lakshminarayana2014 3.3 and 3.4.  The two sides know each other by messages alone: a
 * request says by HIER_EXCLUSIVE in proto[2] that its core takes the line for itself, by HIER_PASSES
 * that the L2 does not take it (R-Exclusion, Bypass + Copyback), the answer's proto[0] carries what
 * the L1D keeps or counts.  Local memory, reads past the L1D and prefetches are never exclusive
 * (D-INC-6). */
#ifndef WARPLOCK_GRAPH_HIER_H
#define WARPLOCK_GRAPH_HIER_H

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

/* Bits of an answer, and of the line that it fills; PASSES is of a request alone: no line of the L2. */
enum { HIER_EXCLUSIVE = 1, HIER_SHARED = 2, HIER_PRIVATE = 4, HIER_PASSES = 8 };

enum { HIER_WORDS = BLOCK_BYTES / 8 };

/* ---- at an L1D: hier_l1.c ---- */

/* Lines that are copied back become flits: copyback_q (hier_queue.c).  The machine's port has room for
 * a whole message before a line leaves, so that no line waits for the one before. */
struct hier_queue {
    struct unit_pins unit;
    uint64_t *ev_valid, *ev_addr, *ev_cb, *ev_data, *flit_ready;
    uint64_t *ev_ready, *flit_valid, *flit_head, *flit_tail, *flit;
    uint32_t core;
};
int hier_queue_open(struct mechanism_context *context, uint32_t core, struct hier_queue *queue);
/* The bytes of a block go through; false: what came out was not the line. */
bool hier_queue_pass(struct hier_queue *queue, uint64_t block, const uint8_t *bytes);

struct hier_l1 {
    const struct core *core;
    struct policy_socket inner;
    struct unit_pins cb, vc;
    uint8_t *exclusive; /* of each line, as its fill said; l1_cb must say the same */
    bool *local;        /* of each line: of local memory, the only ones that may be dirty (3.8) */
    bool has_vc, copies_back;
    struct {
        uint64_t *flush, *inv_valid, *inv_line, *fill_valid, *fill_line, *fill_excl, *evict_valid,
            *evict_cb;
    } bits;
    struct {
        uint64_t *flush, *probe_valid, *probe_addr, *inv_valid, *inv_addr, *insert_valid,
            *insert_addr, *insert_cb, *insert_data;
        uint64_t *hit, *evict_valid, *evict_addr, *out_cb, *out_data, *invalidated;
    } victims;
    struct hier_queue queue;
    void *self;                                                   /* of filled */
    void (*filled)(void *self, const struct access_info *access); /* optional: a block came */
    uint64_t sent, dropped, vc_hits, vc_kept;
    uint64_t differences; /* between l1_cb, vcache8 or copyback_q and what the L1D holds */
    uint64_t dirty;       /* lines of global memory that left with bytes the L2 had not */
};

/* Open the units and plug in; `copies_back`: there may be copy-backs. */
int hier_l1_attach(struct mechanism_context *context, struct core *core, struct hier_l1 *l1,
                   bool has_vc, bool copies_back);

/* ---- at an L2 bank: hier_l2.c ---- */

enum { WRITTEN_BITS = 2048 };

/* A copy-back of what was written in this kernel: not taken in (D-INC-3); or as the source's timing has
 * it, which moves no data: taken in, with memory's bytes, which no hardware does. */
enum hier_stale { STALE_DROPPED, STALE_REFRESHED };
#define OPTION_STALE \
    OPTION_CHOICE( \
        "stale", STALE_DROPPED, "dropped|refreshed", \
        "copies back of what was written since: not taken in; or, as the source's timing " \
        "has it and no hardware does, taken in with memory's bytes", \
        "3.3.2")

struct hier_l2_line {
    uint8_t owner;
    bool sr, pr, cb;
};
struct flex;
struct hier_l2 {
    const struct bank *bank;
    struct policy_socket inner;
    struct unit_pins policy, tagx;
    bool regions;    /* R-Exclusion: l2_tagx decides, not l2_policy */
    bool first_says; /* a fetch takes a line as its first request says (D-BYP-1) */
    bool refreshes;  /* STALE_REFRESHED */
    struct {
        uint64_t *req_type, *cb_hdr, *set_index, *hit, *dirty, *pending, *written, *mode_follow;
        uint64_t *exclusive, *insert_on_fill, *inval_on_hit, *accept_cb, *stale_dropped;
    } at;
    struct {
        uint64_t *op, *op_valid, *core, *dirty, *owner, *sr, *pr, *cb;
        uint64_t *owner_next, *sr_next, *pr_next, *cb_next, *resp_sr, *resp_pr, *inval;
    } tag;
    struct flex *flex; /* set dueling of all banks, or NULL */
    uint32_t ways, first_set, number;
    struct hier_l2_line *line;
    uint8_t answer;                      /* of the hit that is being answered */
    uint64_t written[WRITTEN_BITS / 64]; /* blocks stored to in this kernel, by hash (D-INC-3) */
    uint64_t inserts, cb_inserts, stale, refreshed, given_away, private_hits, shared_hits;
    uint64_t differences; /* lines copied back that are not those of the core that did */
};

int hier_l2_attach(struct mechanism_context *context, struct bank *bank, struct hier_l2 *l2);

/* ---- set dueling, one for all banks: flex.c ---- */

struct flex {
    struct unit_pins sdm;
    uint64_t *miss_valid, *miss_set, *mode_follow, *psel, *mode_changes;
    uint64_t changes, ticks_with_misses, exclusive_ticks;
};
int flex_attach(struct mechanism_context *context, struct flex *flex);
/* A read of bank `bank` missed in `set`, numbered over all banks: counts from the next tick on. */
void flex_miss(struct flex *flex, uint32_t bank, uint64_t set);

/* What the mechanisms of this family need of the machine. */
bool hier_l1_fits(const struct gpu_config *config);
bool hier_l2_fits(const struct gpu_config *config);

struct hier {
    struct instances *l1, *l2;
    char difference[128];
};
void hier_statistics(const struct hier *hier, json_t *into);
const char *hier_difference(struct hier *hier);

#endif
