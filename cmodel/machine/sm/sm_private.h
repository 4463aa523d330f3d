/* sm_private.h - the inside of an SM: its state, and what its files do for each other.
 *
 * State is kept as one bit per warp in 64-bit masks and one array per property, so that a step
 * touches only the warps to which something happens.
 */
#ifndef WARPLOCK_MACHINE_SM_PRIVATE_H
#define WARPLOCK_MACHINE_SM_PRIVATE_H

#include "machine/cache/cache.h"
#include "machine/cache/mshr.h"
#include "machine/noc/message.h"
#include "machine/plug/sockets.h"
#include "machine/sm/sm.h"
#include "machine/sm/sm_fetch.h"
#include "machine/sm/sm_spin.h"

enum { SM_MAX_UNITS = 4, SM_BARRIERS = 16, SM_WHEEL = 256, SM_MAX_SETS = 1024 };

/* One block request of a memory instruction. */
struct mem_access {
    uint64_t block;
    uint32_t lanes;
    uint8_t sectors;
};

/* A memory instruction between issue and retirement. */
struct mem_inst {
    uint64_t issued, start, ready; /* issue cycle; first presentation; data usable */
    uint32_t pc;
    uint16_t n_sets;
    uint8_t slot, priority;
    uint8_t n, next, misses; /* requests; next to present; those that did not hit */
    uint8_t pending;         /* accepted or not, requests whose data are outstanding */
    uint8_t kind;            /* enum access_kind */
    uint8_t set_aside;       /* requests in the replay queue */
    uint8_t entered;         /* those that the LD/ST unit has handed on */
    bool returns;            /* writes registers */
    bool injected;           /* not those of the program (sm_inject.c) */
    bool cacheable;          /* in the L1D, by its space and its cache operator */
    uint32_t group;          /* of an asynchronous load */
    struct copy_job *job;    /* or the bulk copy that it is a piece of (sm_async_copy.c) */
    uint64_t sets_touched[SM_MAX_SETS / 64]; /* for the concentration */
    struct mem_access access[ISA_LANES];     /* the first n are set */
    struct isa_memop op;
};

/* Requests of loads that stalled and wait outside the LD/ST unit (sm_replay.c). */
enum { SM_MAX_REPLAY = 64 };
struct replay_queue {
    uint32_t head, count;
    int stall;                    /* enum stall_reason of the head in this cycle, or -1 */
    uint64_t taken, stall_cycles; /* requests set aside; cycles the head could not be sent */
    struct {
        struct mem_inst *inst;
        uint8_t at; /* the request among inst->access */
    } entry[SM_MAX_REPLAY];
};

enum wheel_kind { WHEEL_ARITH, WHEEL_FETCH, WHEEL_MEMORY, WHEEL_ATOMIC, WHEEL_STORE };
struct wheel_event {
    uint64_t at;
    struct mem_inst *inst;
    uint32_t next; /* index + 1 in the pool; 0 ends */
    uint32_t pc;
    uint8_t kind, slot;
};

struct sm_barrier_request {
    uint32_t threads;
    uint8_t number;
    bool arrive_only;
};

struct sm_cta {
    bool used;
    uint64_t id;    /* linear */
    uint64_t warps; /* mask of slots, all that were launched */
    uint32_t live_warps, exited_threads;
    uint32_t arrived[SM_BARRIERS], expected[SM_BARRIERS]; /* threads */
    uint64_t waiting[SM_BARRIERS];
    uint8_t *shared;
};

/* Warps: one bit each in masks, one element each in arrays (sm_warp.c). */
struct sm_warps {
    uint64_t resident, ready, wait_load, wait_arith, wait_barrier, wait_fence, wait_fetch, done;
    uint64_t wait_atomic;               /* until their atomics are back (ldst.atomics) */
    uint64_t pipe_next[ISA_PIPE_COUNT]; /* ready warps by the pipe of their next instruction */
    uint32_t pipes_wanted;              /* pipes with a bit in pipe_next */
    /* A warp's scoreboard: facts->words of all registers awaited, then those of loads. */
    uint64_t *pending[SM_MAX_WARPS];
    uint64_t drain_barrier;  /* warps that drain before they arrive */
    uint64_t resident_since; /* cycles with resident warps are counted up to here */
    uint8_t next_pipe[SM_MAX_WARPS];
    uint16_t inflight[SM_MAX_WARPS]; /* instructions in pipes */
    uint16_t loads[SM_MAX_WARPS];    /* loads and atomics not yet written back */
    struct isa_warp *at[SM_MAX_WARPS];
    uint32_t stores[SM_MAX_WARPS]; /* messages sent or to be sent, not acknowledged */
    uint8_t *storage;              /* of `at` */
    uint64_t *scoreboard;          /* of `pending` */
};

/* CTAs and their barriers (sm_warp.c). */
struct sm_ctas {
    uint32_t n;
    uint8_t of[SM_MAX_WARPS]; /* of a warp slot */
    struct sm_cta at[SM_MAX_CTAS];
    struct sm_barrier_request draining[SM_MAX_WARPS]; /* of warps that drain before they arrive */
    uint64_t finished[SM_MAX_CTAS];                   /* ids, sm.n_finished of them */
    uint8_t *shared;                                  /* memory of all */
};

/* Schedulers (sm_issue.c). */
struct sm_issue {
    uint64_t sched_mask[MAX_SCHEDULERS]; /* warp slots of each */
    uint64_t next_at;                    /* no warp can issue before; 0: not known any more */
    bool hold, stateful;                 /* nothing issues yet; some scheduler keeps state */
    bool classes_known;                  /* slot_class is what a cycle without issue counts */
    uint8_t slot_class[MAX_SCHEDULERS];
};

/* Pipes: cycles at which units are free (sm_issue.c). */
struct sm_pipes {
    uint64_t free_at[ISA_PIPE_COUNT]; /* the first unit of each */
    uint64_t unit_free[ISA_PIPE_COUNT][SM_MAX_UNITS];
    /* Warps whose issue register is taken, by the class of a pipe (sm_operands.c); without such
     * registers all are of class 0, which is open. */
    uint64_t closed[ISA_PIPE_COUNT];
    uint8_t class_of[ISA_PIPE_COUNT];
    uint32_t units[ISA_PIPE_COUNT], interval[ISA_PIPE_COUNT], latency[ISA_PIPE_COUNT];
};

/* What will be finished when: a timing wheel (sm_retire.c). */
struct sm_wheel {
    uint64_t used[SM_WHEEL / 64];
    uint32_t free, n; /* events: index + 1 of the first free one; all */
    struct wheel_event *event;
    uint32_t bucket[SM_WHEEL]; /* index + 1 of a bucket's first event */
};

/* The LD/ST unit, and the memory instructions in flight (sm_ldst.c). */
struct sm_ldst {
    uint64_t port_free;     /* L1D port */
    uint64_t blocked_until; /* a mechanism blocks the L1D (flush) */
    /* Of the head access, of each bank's queue where there are several: enum stall_reason, or -1;
     * messages in the memory port when it stalled, and accesses taken until then. */
    int stall[L1D_BANKS];
    uint32_t stall_port[L1D_BANKS], stall_taken[L1D_BANKS];
    uint32_t taken; /* accesses taken; with one bank nothing changes without a reply: 0 */
    uint32_t head, count, n_free;
    bool demand_paging;  /* pages must be placed before they are used */
    uint64_t touch_page; /* page to be placed before the access goes on, 0 none */
    struct mem_inst *queue[16];
    struct mem_inst **free, *inst; /* instructions: those free, all */
    uint32_t buffer_hint;
};

/* The memory port (sm_l1d.c). */
struct sm_port {
    struct ring out;
    struct exchange_pool pool;
};

/* What comes back (sm_reply.c). */
struct sm_reply {
    struct ring in;
    struct reply *serving;   /* whose targets are being served */
    struct exchange *whole;  /* by sectors: of those that wait to be served, in order */
    struct exchange *repeat; /* loads past the L1D that have to ask again */
};

struct sm_staged;
struct sm_async;
struct copy_job;
struct sector_cache;

/* What every cycle looks at comes first, here and in each part, close together: many SMs share the
 * host's cache. */
struct sm {
    uint64_t now, last_step, wake, progress_at;
    uint32_t id, n_finished; /* CTAs of which the machine has not heard */
    bool progress, ran;
    bool faulted; /* `fault` says how */
    bool steady;  /* no mechanism could change a stall's outcome */
    bool valued;  /* the kernel has values: bytes travel, not only messages */
    const struct gpu_config *config;
    const struct kernel_facts *facts;
    struct memory *memory;    /* read only in the SM phase */
    struct sm_staged *staged; /* NULL: pipes of fixed latency */
    struct sm_async *async;   /* NULL: the kernel has nothing that goes on without its warps */
    struct fetch *fetch;      /* NULL: instructions are there when they are needed */
    struct sm_issue issue;
    struct sm_ldst ldst;
    struct sm_reply reply;
    struct sm_port port;
    struct sm_warps warps;
    struct sm_pipes pipes;
    struct sm_wheel wheel;
    struct cache l1d;
    struct sector_cache *sectors; /* in place of `l1d`, when it works by sectors; or NULL */
    uint64_t mshrs_counted;       /* cycle up to which the MSHRs in use are counted */
    struct mshr_file mshr;
    struct replay_queue replay;
    struct sm_sockets sockets;
    struct sm_ctas ctas;
    struct isa_memop scratch; /* of instructions that are no memory accesses */
    char fault[320];
    struct spin_watch spin;
    struct sm_round round;
    struct sm_stats stats;
} __attribute__((aligned(64)));

/* ---- sm_warp.c ---- */

/* Take CTA `id` at the start of cycle `now`, up to which everything is counted. */
void sm_place_cta(struct sm *sm, uint64_t id, uint64_t now);
/* Recompute what warp `slot` waits for. */
void sm_update_warp(struct sm *sm, uint32_t slot);
/* A warp may have become able to leave, or its fence complete. */
void sm_check_waiting(struct sm *sm, uint32_t slot);
static inline void sm_check_warp(struct sm *sm, uint32_t slot)
{
    if ((sm->warps.wait_fence | sm->warps.done) >> slot & 1) {
        sm_check_waiting(sm, slot);
    }
}
/* A store of the warp is performed. */
static inline void sm_store_done(struct sm *sm, uint32_t slot)
{
    sm->warps.stores[slot]--;
    if (sm->config->sm_consistency == CONSISTENCY_SC || sm->sockets.speculation.may_issue) {
        sm_update_warp(sm, slot);
    }
    sm_check_warp(sm, slot);
}
void sm_barrier_arrive(struct sm *sm, uint32_t slot, struct sm_barrier_request request);
/* Warp `slot` has done everything. */
void sm_exit_warp(struct sm *sm, uint32_t slot);
/* The kernel did something illegal. */
void sm_fail(struct sm *sm, uint32_t slot, uint32_t pc, const char *what);

/* ---- sm_issue.c ---- */

void sm_pipes_init(struct sm_pipes *pipes, const struct gpu_config *config);
/* Each scheduler issues if it can; or none can, for so many cycles. */
void sm_issue_warps(struct sm *sm);
void sm_idle(struct sm *sm, uint64_t cycles);
static inline void sm_issue(struct sm *sm)
{
    if (sm->now < sm->issue.next_at && !sm->issue.stateful && !sm->faulted) {
        sm_idle(sm, 1);
    } else {
        sm_issue_warps(sm);
    }
}
uint64_t sm_next_issue(struct sm *sm);
/* The warp has executed a barrier. */
void sm_issue_barrier(struct sm *sm, uint32_t slot, const struct isa_step *step);
/* A memory instruction that issues now. */
struct mem_inst *sm_inst_for(struct sm *sm, uint32_t slot, uint32_t pc);
/* The registers that the instruction writes are awaited, from a load or not. */
void sm_set_pending(struct sm *sm, uint32_t slot, uint32_t pc, bool load);

/* A unit of `pipe` is taken for so many cycles; the results are there after `cycles`. */
void sm_occupy(struct sm *sm, uint32_t pipe, uint64_t cycles);
void sm_complete_after(struct sm *sm, uint32_t slot, uint32_t pc, uint64_t cycles);

/* ---- sm_inject.c ---- */

/* The warp's injected load issues; its load, whose bytes are in sm->scratch, is a move. */
void sm_issue_injected(struct sm *sm, uint32_t slot);
void sm_issue_move(struct sm *sm, uint32_t slot, uint32_t pc);

/* ---- sm_ldst.c ---- */

static inline struct mem_inst *sm_inst_take(struct sm_ldst *ldst)
{
    return ldst->free[--ldst->n_free];
}
static inline void sm_inst_release(struct sm_ldst *ldst, struct mem_inst *inst)
{
    ldst->free[ldst->n_free++] = inst;
}
void sm_ldst_issue(struct sm *sm, struct mem_inst *inst);
/* Must request `at` of an instruction keep its order with another one?  It must, if both are of one
 * warp, ask for its block, and one writes.  Of any of its requests: the second. */
bool sm_ldst_ordered_at(const struct mem_inst *inst, uint32_t at, const struct mem_inst *other);
bool sm_ldst_ordered(const struct mem_inst *inst, const struct mem_inst *other);
static inline bool sm_is_divergent(const struct mem_inst *inst)
{
    return inst->n > 2;
}
/* `replied`: a reply has changed the L1D or its MSHRs in this cycle. */
void sm_ldst_step(struct sm *sm, bool replied);
/* The L1D's answer to request `at` of `inst`, in one of its banks: ACCESS_TAKEN or an enum stall_reason.  Is it known to
 * be the same as in the cycle before? */
int sm_ldst_offer(struct sm *sm, struct mem_inst *inst, uint32_t at, uint32_t bank);
bool sm_ldst_stalls_again(const struct sm *sm, uint32_t bank, bool replied);
/* May the fill of `entry` end the stall of the head access? */
bool sm_ldst_fill_helps(const struct sm *sm, const struct mshr_entry *entry);
uint64_t sm_ldst_next(const struct sm *sm);
/* Cycles in which an access was refused for `reason`, an enum stall_reason. */
uint64_t *sm_refused(struct sm *sm, int reason);

/* ---- sm_address.c ---- */

/* Every lane aligned to its size?  Every lane of every request inside one buffer?  If not, the
 * kernel has failed. */
bool sm_is_aligned(struct sm *sm, const struct mem_inst *inst);
bool sm_is_allocated(struct sm *sm, const struct mem_inst *inst);

/* ---- sm_replay.c: the replay queue; none when ldst.replay_queue is 0 ---- */

/* Is a request of `block` in it?  Take the next request of `inst`: false when the queue is full or
 * it is no load.  Does the head go before what is in the LD/ST unit? */
bool sm_replay_holds(const struct sm *sm, uint64_t block);
bool sm_replay_take(struct sm *sm, struct mem_inst *inst);
bool sm_replay_first(const struct sm *sm);
struct mem_inst *sm_replay_head(const struct sm *sm, uint32_t *at);
void sm_replay_pop(struct sm *sm);

/* ---- sm_l1d*.c ---- */

/* Room for n messages in the memory port.  The ring behind it is longer: renewals go in
 * beyond the limit, because the reply path must never wait for the request path. */
static inline bool sm_port_room(const struct sm *sm, uint32_t n)
{
    return sm->port.out.count + n <= sm->config->l1d_miss_queue;
}
/* Before the number of MSHRs in use changes: count the cycles with the old one, up to `end`. */
void sm_count_mshrs(struct sm *sm, uint64_t end);
/* The L1D's answer to one access: taken (ACCESS_TAKEN) or an enum stall_reason. */
enum { ACCESS_TAKEN = -1 };
int sm_l1d_load(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                const struct access_info *info);
int sm_l1d_store(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                 const struct access_info *info);
int sm_l1d_atomic(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                  const struct access_info *info);
/* True when the prefetch was handled (sent or dropped); false: try again. */
bool sm_l1d_prefetch(struct sm *sm, const struct prefetch_request *request);
/* A flush, set by set: valid lines go, reserved ones are doomed.  Dirty lines are written back
 * before, one by one, each needing room for one message. */
void sm_l1d_flush_set(struct sm *sm, uint32_t set);
void sm_l1d_write_back(struct sm *sm, uint32_t set, uint32_t way);
/* Every valid line goes but what local memory has dirty. */
void sm_l1d_drop_clean(struct sm *sm);
/* Install a reply in its entry's line or in one chosen now. */
void sm_l1d_fill(struct sm *sm, struct mshr_entry *entry, struct reply *reply);

/* ---- sm_reply.c ---- */

/* True when the L1D or its MSHRs have changed. */
bool sm_take_reply(struct sm *sm);
static inline bool sm_reply_step(struct sm *sm)
{
    const struct sm_reply *reply = &sm->reply;

    if (!reply->serving && !reply->repeat &&
        (!reply->in.count || ring_head(&reply->in)->ready_at > sm->now)) {
        return false;
    }
    return sm_take_reply(sm);
}

/* ---- sm_retire.c ---- */

void sm_wheel_add(struct sm *sm, uint64_t at, enum wheel_kind kind, uint32_t slot, uint32_t pc,
                  struct mem_inst *inst);
/* What was to be finished is. */
void sm_retire(struct sm *sm, enum wheel_kind kind, uint32_t slot, uint32_t pc,
               struct mem_inst *inst);
/* One request of `inst` has its data, usable from `ready`. */
void sm_request_done(struct sm *sm, struct mem_inst *inst, uint64_t ready);
/* What is finished in this cycle, if anything is, is written back. */
void sm_retire_bucket(struct sm *sm, uint32_t bucket);
static inline void sm_retire_step(struct sm *sm)
{
    uint32_t bucket = (uint32_t)(sm->now % SM_WHEEL);

    if (sm->wheel.bucket[bucket]) {
        sm_retire_bucket(sm, bucket);
    }
}
/* The next cycle in which something may be finished. */
uint64_t sm_retire_next(const struct sm *sm);

/* ---- sm_lanes.c ---- */

/* The bytes of `lanes` out of their block, if there are values; add those of their block that `lanes` of an access
 * touch. */
void sm_load_bytes(const struct sm *sm, struct mem_inst *inst, uint32_t lanes,
                   const uint8_t *block);
void sm_lane_bytes(const struct isa_memop *op, uint32_t lanes, uint64_t bytes[2]);

#endif
