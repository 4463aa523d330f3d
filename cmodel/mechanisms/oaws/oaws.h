/* oaws.h - OAWS's units beside one SM, between the files of the mechanism.
 *
 * The units are clocked in every core cycle in which the SM has warps; cycles that the
 * machine left out are made up for before anything else happens, with the inputs of those
 * cycles: nothing changed in them. */
#ifndef WARPLOCK_MECHANISMS_OAWS_H
#define WARPLOCK_MECHANISMS_OAWS_H

#include "mechanisms/dacache/partition.h"
#include "mechanisms/sched/ranks.h"

enum { OAWS_WARPS = 64, OAWS_SLOTS = 2 * OAWS_WARPS, OAWS_LOADS = 16, OAWS_REQUESTS = 32 };

/* OAWS-Dyn, or OAWS-Static with a miss rate of smr_k twentieths. */
struct oaws_kind {
    bool dynamic;
    uint32_t smr_k;
    bool per_access; /* D-OAWS-1: a serviced miss is no longer in flight; else all until retired */
};

/* One instruction of the instruction buffer: warp slot * 2 + (pc mod 2). */
struct oaws_entry {
    uint32_t pc;
    bool valid, is_load;
    bool predicted; /* a prediction of this instruction is stored */
    bool divergent; /* as of that prediction */
};

/* A load between issue and its last access, in the order of the LD/ST queue. */
struct oaws_load {
    uint32_t prediction, gprio;
    uint32_t in_flight; /* of the prediction, still in Miss_inflight */
    bool tested;        /* known to be divergent when it issued */
};

/* What one cycle brings the classifier: an occurrence, an access, both. */
struct oaws_request {
    bool coal, acc, miss;
    uint32_t coal_pc, nreq, acc_pc;
};

/* A look-up in the classifier. */
struct oaws_look_up {
    enum { OAWS_NOT_ASKED, OAWS_ASKED, OAWS_TAKEN, OAWS_ANSWERED } state;
    uint32_t pc;
    bool hit;
    uint64_t miss, acc;
};

/* A prediction under way. */
struct oaws_predictor {
    struct unit_pins unit;
    uint64_t *start, *is_div, *div, *num, *den, *gprio, *fcw, *done, *pred;
    uint32_t slot; /* whose */
    struct oaws_look_up look_up;
    bool busy, divergent, stale;
};

struct oaws_counts {
    uint64_t loads_tested, loads_untested_divergent; /* first executions */
    uint64_t predicted_misses, real_misses, excess, shortfall;
    uint64_t refreshes, classified, evicted;
    uint64_t unclassified; /* requests that found the queue before the classifier full */
};

struct oaws {
    const struct core *core;
    struct oaws_kind kind;
    struct ranks ranks; /* dynamic only, like the next */
    struct partition partition;
    struct oaws_predictor enter, walk;
    struct unit_pins dlc, epoch, store, budget, requal[MAX_SCHEDULERS];
    struct {
        uint64_t *coal_valid, *coal_ready, *coal_pc, *coal_nreq, *acc_valid, *acc_ready, *acc_pc,
            *acc_miss, *age_tick, *age_ready, *kernel_start;
        uint64_t *lk_valid, *lk_ready, *lk_pc, *lk_done, *lk_hit, *lk_miss, *lk_acc, *alloc, *evict;
    } dlc_at;
    struct {
        uint64_t *enable, *age_tick;
    } epoch_at;
    struct {
        uint64_t *enter_valid, *enter_slot, *enter_pred, *head, *walk_valid, *walk_pred;
        uint64_t *walk_start, *walk_slot, *pred, *refresh;
    } store_at;
    struct {
        uint64_t *free_cnt, *issue_valid, *issue_pred, *retire_valid, *retire_pred, *budget;
    } budget_at;
    struct {
        uint64_t *ready, *is_div_load, *pred, *budget, *occlude;
    } requal_at[MAX_SCHEDULERS];
    /* What each said last of which warps, at which budget; of none when a prediction is another. */
    struct {
        uint64_t divergent, budget, occluded;
    } said[MAX_SCHEDULERS];

    /* The instruction buffer. */
    struct oaws_entry entry[OAWS_SLOTS];
    uint8_t waiting[OAWS_SLOTS]; /* entries to be predicted, oldest first */
    uint32_t n_waiting;
    uint64_t moved; /* warps whose buffer is to be looked at */
    uint64_t fresh; /* of these, newly launched */
    /* Warps whose next instruction is a load without prediction, one that is known to be
     * divergent. */
    uint64_t unknown, divergent;
    uint32_t issued_pc[OAWS_WARPS];

    /* Before the classifier: what waits for it, the oldest first, and the look-up it has taken.  One
     * that answers at once is asked when the answer is needed, another one ahead. */
    struct oaws_request now, request[OAWS_REQUESTS];
    uint32_t request_head, n_requests;
    bool ageing, classifies_at_once, classifier_rests;
    struct oaws_look_up *looking, ahead, dropped;
    uint32_t ahead_slot;

    /* A prediction that the store last showed may be another one; when its walker starts next, as it
     * does in each of its periods. */
    bool store_changed;
    uint32_t walk_in_cycles, walk_period_cycles;
    uint64_t budget_free_cnt; /* as the budget has taken it */

    struct oaws_load issuing, load[OAWS_LOADS];
    uint32_t load_head, n_loads;
    bool is_load; /* the instruction being coalesced */

    uint64_t cycle; /* the units' next clock edge is that of this cycle */
    bool clocked;
    uint32_t residents;
    struct oaws_counts counts;
};

/* What the context's mechanism and its options say (oaws_variants.c). */
struct oaws_kind oaws_kind_of(const struct mechanism_context *context);
/* Plug it in beside every SM; 0, or -1 with an error. */
int oaws_attach(struct mechanism_context *context);
/* Open and wire all units for `oaws->core` (oaws_open.c); 0, or -1 with an error. */
int oaws_open(struct mechanism_context *context, struct oaws *oaws);

/* ---- the classifier and what waits for it (oaws_classifier.c) ---- */

/* Offer it what is oldest; then look-ups may be asked for, and heard of; then the clock edge. */
void oaws_classifier_offer(struct oaws *oaws);
/* Until `look_up` is answered, in every cycle; it stays where it is. */
void oaws_classifier_ask(struct oaws *oaws, struct oaws_look_up *look_up);
void oaws_classifier_clock(struct oaws *oaws);
/* The answer is no longer wanted. */
void oaws_classifier_forget(struct oaws *oaws, struct oaws_look_up *look_up);
void oaws_classifier_kernel_start(struct oaws *oaws);

/* ---- instruction buffer and predictions (oaws_buffer.c) ---- */

/* Bring the buffer up to date with the warps that moved since. */
void oaws_buffer_update(struct oaws *oaws);
void oaws_buffer_clear(struct oaws *oaws);
/* The entry of a warp's next instruction. */
struct oaws_entry *oaws_next(struct oaws *oaws, uint32_t slot);
/* What the predictors do in this cycle; sets the store's inputs. */
void oaws_predict_cycle(struct oaws *oaws);
/* The stored predictions of the warps whose next instruction is a divergent load. */
const uint64_t *oaws_predictions(struct oaws *oaws);

#endif
