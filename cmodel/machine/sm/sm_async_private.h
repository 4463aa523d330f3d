/* sm_async_private.h - between the files of an SM's asynchronous part. */
#ifndef WARPLOCK_MACHINE_SM_ASYNC_PRIVATE_H
#define WARPLOCK_MACHINE_SM_ASYNC_PRIVATE_H

#include "machine/sm/sm_async.h"
#include "machine/sm/sm_cluster.h"

enum { ASYNC_UNITS = 3, ASYNC_GROUPS = 128, MAX_CLUSTER = 16 };

/* Groups of one warp and unit: `first` is the oldest that is not complete, `last` still open. */
struct async_groups {
    uint32_t first, last;
    uint32_t left[ASYNC_GROUPS]; /* started and not done, at number % ASYNC_GROUPS */
};

/* What happens to one CTA: by its number, since it may have ended by then. */
enum async_effect { EFFECT_MBARRIER, EFFECT_TRY, EFFECT_MATRIX, EFFECT_CLUSTER, EFFECT_EXIT };
struct async_event {
    uint64_t at, order, cta;
    uint64_t bytes;
    uint32_t address, count, group;
    uint8_t effect, kind, slot; /* kind: enum isa_async_kind */
};

struct cluster_message {
    uint32_t to;
    struct async_event event;
};

struct mbarrier {
    uint32_t address;
    bool ready;                 /* it was initialised */
    uint32_t expected, arrived; /* arrivals that end a phase; so far */
    int64_t bytes;              /* awaited; below 0: come before they were */
    uint32_t phase;
    uint64_t waiting[2]; /* warps, by the parity of the phase whose end they wait for */
};

struct async_cta {
    struct mbarrier *mbarrier;
    uint32_t n, max;
    uint32_t n_mates, sm_of[MAX_CLUSTER]; /* of the cluster, by rank; none: 0 */
    uint32_t phase, arrived, exited;      /* warps at the cluster's barrier, and gone */
    uint64_t waiting;
};

/* What an arrival that waits for loads counts when they are done. */
struct async_arrival {
    uint64_t loads, cta; /* so many of the warp's loads must be done */
    uint32_t address, ranks, count;
    uint8_t slot;
};

struct copy_job {
    struct copy_job *next;
    struct isa_async what; /* its addresses are the job's */
    uint64_t from, cta;    /* the first cycle for its requests */
    uint64_t *address;
    uint8_t *data;                /* what it writes; NULL: zeros */
    struct isa_inst reduction;    /* of a REDUCE with data */
    uint32_t pc, element, offset; /* to be asked for next */
    uint32_t outstanding, group;
    uint8_t slot;
};

struct sm_async {
    struct async_groups group[SM_MAX_WARPS][ASYNC_UNITS];
    /* Warps held, each for one reason. */
    uint64_t wait_groups, wait_queue, wait_cluster, wait_mbarrier;
    uint8_t wait_units[SM_MAX_WARPS];
    uint32_t wait_count[SM_MAX_WARPS];
    uint64_t loads_started[SM_MAX_WARPS], loads_done[SM_MAX_WARPS];
    uint32_t cluster_phase[SM_MAX_WARPS]; /* that the warp has arrived for */
    struct async_cta cta[SM_MAX_CTAS];
    struct async_arrival *arrival;
    uint32_t n_arrivals, max_arrivals;
    struct async_event *event; /* a heap by time, then order */
    uint32_t n_events, max_events;
    uint64_t order;
    struct copy_job *job, **last_job; /* not all asked for, in order */
    uint32_t n_jobs;
    uint64_t port_free; /* to other SMs */
    struct cluster_message *out;
    uint32_t n_out, max_out;
};

/* ---- sm_async.c ---- */

void async_hold(struct sm *sm, uint64_t *why, uint32_t slot);
void async_release(struct sm *sm, uint64_t *why, uint64_t slots);
/* Memory of a few kilobytes, grown. */
void *async_grow(void *array, uint32_t n, uint32_t *max, size_t bytes);
void async_add_event(struct sm *sm, struct async_event event);
/* Something in group `group` is done. */
void async_group_done(struct sm *sm, uint32_t slot, uint32_t unit, uint32_t group);
/* The number that what is started now has, which is counted in it. */
uint32_t async_group_started(struct sm *sm, uint32_t slot, uint32_t unit);
/* The slot of CTA number `cta`, or -1. */
int async_find_cta(const struct sm *sm, uint64_t cta);

/* ---- sm_async_mbarrier.c ---- */

/* Perform event `e` on its mbarrier. */
void async_mbarrier(struct sm *sm, const struct async_event *e);
/* Let `e` happen to the CTAs of `ranks` in the cluster of CTA e->cta, its own when 0: now or later,
 * at e->at or, where another SM is meant, after the way there. */
void async_send(struct sm *sm, struct async_event e, uint32_t ranks, uint64_t bytes);
void async_try_wait(struct sm *sm, const struct async_event *e);
void async_cluster_arrive(struct sm *sm, uint32_t slot, enum async_effect effect);
void async_cluster(struct sm *sm, const struct async_event *e);
void async_cluster_wait(struct sm *sm, uint32_t slot);
/* Arrivals whose loads are done. */
void async_arrivals(struct sm *sm, uint32_t slot);

/* ---- sm_async_copy.c ---- */

void async_copy(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_async *what);
void async_copy_step(struct sm *sm);
uint64_t async_copy_next(const struct sm *sm);
void async_copied(struct sm *sm, struct copy_job *job);
void async_copies_free(struct sm_async *a);

#endif
