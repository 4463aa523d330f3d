/* sm.h - one streaming multiprocessor: warps, schedulers, pipes, LD/ST unit, L1D.
 *
 * Works after wang2015-divergence 2 and 3.1 (BASE-SM).  State is kept as one bit per
 * warp in 64-bit masks and one array per property, so that a step touches only the
 * warps to which something happens.  An SM asleep (nothing can change before
 * `wake`) is not stepped at all; the counters of the skipped cycles are made up for
 * on the next step.  It must not know about the network beyond its two rings, nor
 * about any front end beyond isa.h.
 */
#ifndef WARPLOCK_GPU_SM_H
#define WARPLOCK_GPU_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/cache.h"
#include "gpu/config.h"
#include "gpu/isa.h"
#include "gpu/memory.h"
#include "gpu/mshr.h"
#include "gpu/msg.h"
#include "gpu/sockets.h"
#include "gpu/stats.h"

enum {
    SM_MAX_WARPS = 64,
    SM_MAX_CTAS = 32,
    SM_MAX_UNITS = 4,
    SM_BARRIERS = 16,
    SM_WHEEL = 256,
    SM_MAX_SETS = 1024
};
#define CYCLE_NEVER UINT64_MAX

/* Per-launch facts shared by all SMs, read-only during a kernel. */
struct kernel_facts {
    const struct isa_launch *launch;
    uint32_t words;          /* 64-bit words of a scoreboard mask */
    uint64_t *use, *define;  /* [n_inst * words] registers read or written; written */
    uint32_t warps_per_cta, threads_per_cta, ctas_per_sm;
    uint32_t shared_bytes;   /* of a CTA, static and dynamic */
};

/* One block request of a memory instruction. */
struct mem_access {
    uint64_t block;
    uint32_t lanes;
    uint8_t sectors;
};

/* A memory instruction between issue and retirement. */
struct mem_inst {
    struct isa_memop op;
    struct mem_access access[ISA_LANES];
    uint64_t issued, start, ready; /* issue cycle; first presentation; data usable */
    uint64_t sets_touched[SM_MAX_SETS / 64]; /* for the concentration */
    uint32_t pc;
    uint16_t n_sets;
    uint8_t slot, priority;
    uint8_t n, next, misses;       /* requests; next to present; those that did not hit */
    uint8_t pending;               /* accepted or not, requests whose data are outstanding */
    uint8_t kind;                  /* enum access_kind */
    bool returns;                  /* writes registers */
};

enum wheel_kind { WHEEL_ARITH, WHEEL_FETCH, WHEEL_MEMORY };
struct wheel_event {
    uint64_t at;
    struct mem_inst *inst;
    uint32_t next;     /* index + 1 in the pool; 0 ends */
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
    uint64_t id;               /* linear */
    uint64_t warps;            /* mask of slots, all that were launched */
    uint32_t live_warps, exited_threads;
    uint32_t arrived[SM_BARRIERS], expected[SM_BARRIERS]; /* threads */
    uint64_t waiting[SM_BARRIERS];
    uint8_t *shared;
};

struct sm {
    uint32_t id;
    const struct gpu_config *config;
    struct memory *memory;       /* read only in the SM phase */
    const struct kernel_facts *facts;
    struct sm_sockets sockets;
    void
        *base_self[2 + MAX_SCHEDULERS]; /* instances of the machine itself, whoever replaced them */

    /* Warps. */
    uint64_t resident, ready, wait_load, wait_arith, wait_barrier, wait_fence, wait_fetch, done;
    uint64_t pipe_next[ISA_PIPE_COUNT]; /* warps by the pipe of their next instruction */
    uint64_t sched_mask[MAX_SCHEDULERS];
    struct isa_warp *warp[SM_MAX_WARPS];
    uint64_t *pending, *pending_load;   /* [warps * words] scoreboards: all, loads only */
    uint8_t next_pipe[SM_MAX_WARPS], cta_of[SM_MAX_WARPS];
    uint16_t inflight[SM_MAX_WARPS];    /* instructions in pipes */
    uint16_t loads[SM_MAX_WARPS];       /* loads and atomics not yet written back */
    uint32_t stores[SM_MAX_WARPS];      /* messages sent or to be sent, not acknowledged */
    struct sm_barrier_request barrier[SM_MAX_WARPS]; /* of warps that drain before they arrive */
    uint64_t drain_barrier;             /* those warps */
    uint8_t *warp_storage;
    size_t warp_stride, warp_storage_bytes, scoreboard_words;

    /* CTAs. */
    struct sm_cta cta[SM_MAX_CTAS];
    uint32_t n_ctas;
    uint8_t *shared_storage;
    uint64_t finished[SM_MAX_CTAS];     /* CTA ids completed in this step */
    uint32_t n_finished;
    bool hold;
    bool stateful_scheduler;

    /* Pipes: cycle at which each unit is free. */
    uint64_t unit_free[ISA_PIPE_COUNT][SM_MAX_UNITS];
    uint64_t pipe_free[ISA_PIPE_COUNT]; /* cycle at which the first of them is */
    uint32_t units[ISA_PIPE_COUNT], interval[ISA_PIPE_COUNT], latency[ISA_PIPE_COUNT];

    /* Timing wheel of completions. */
    uint32_t wheel[SM_WHEEL];           /* index + 1 of the first event */
    uint64_t wheel_used[SM_WHEEL / 64];
    struct wheel_event *event;
    uint32_t event_free, n_events;

    /* LD/ST unit. */
    struct mem_inst *inst_pool;
    struct mem_inst **inst_free;
    uint32_t n_inst_free;
    struct mem_inst *ldst[16];          /* queue, head at ldst_head */
    uint32_t ldst_head, ldst_count;
    uint64_t port_free;                 /* L1D port */
    int stall;                          /* enum stall_reason of the head access, or -1 */
    uint32_t stall_port;                /* messages in the memory port when it stalled */
    bool steady;                        /* no mechanism could change a stall's outcome */
    uint64_t blocked_until;             /* a mechanism blocks the L1D (flush) */
    struct isa_memop scratch;

    struct cache l1d;
    struct mshr_file mshr;
    struct ring out;                    /* memory port */
    struct ring in;                     /* replies */
    struct msg *serving;                /* reply whose targets are being served */
    struct msg *repeat;                 /* loads past the L1D that have to ask again */
    struct msg_pool pool;
    uint32_t buffer_hint;
    bool demand_paging;                 /* pages must be placed before they are used */
    uint64_t touch_page;                /* page to be placed before the access goes on, 0 none */

    uint64_t now, last_step, wake;
    bool progress;
    char fault[320];
    struct sm_stats stats;
};

/* Returns 0, or -1 when out of memory. */
int sm_init(struct sm *sm, uint32_t id, const struct gpu_config *config, struct memory *memory);
void sm_free(struct sm *sm);
/* Give up a kernel that will not end: release what its warps hold. */
void sm_abandon(struct sm *sm);

/* A kernel begins: size the warp storage, empty the L1D.  Returns 0, or -1 out of memory. */
int sm_kernel_start(struct sm *sm, const struct kernel_facts *facts);
/* Take CTA `id` at the start of cycle `now`; the SM has a free CTA slot. */
void sm_launch_cta(struct sm *sm, uint64_t id, uint64_t now);
/* One core cycle.  Sets wake, progress, fault and finished[]. */
void sm_step(struct sm *sm, uint64_t now);
/* Count the cycles up to `now` (exclusive) in which the SM was not stepped. */
void sm_account(struct sm *sm, uint64_t now);
/* What the SM waits for, in words. */
void sm_describe(const struct sm *sm, char *out, size_t n_out);

/* ---- between the files of the SM ---- */

/* Recompute what warp `slot` waits for. */
void sm_update_warp(struct sm *sm, uint32_t slot);
/* A warp may have become able to leave, or its fence complete. */
void sm_check_warp(struct sm *sm, uint32_t slot);
void sm_wheel_add(struct sm *sm, uint64_t at, enum wheel_kind kind, uint32_t slot, uint32_t pc,
                  struct mem_inst *inst);
void sm_fault(struct sm *sm, uint32_t slot, uint32_t pc, const char *what);
void sm_issue(struct sm *sm);
uint64_t sm_next_issue(const struct sm *sm);
void sm_barrier_arrive(struct sm *sm, uint32_t slot, struct sm_barrier_request request);
void sm_barrier_leave(struct sm *sm, uint32_t cta);
void sm_ldst_issue(struct sm *sm, struct mem_inst *inst);
/* `replied`: the reply side did something in this cycle. */
void sm_ldst_step(struct sm *sm, bool replied);
uint64_t sm_ldst_next(const struct sm *sm);
/* True when a reply was taken or a waiter served. */
bool sm_reply_step(struct sm *sm);
/* One request of `inst` has its data, usable from `ready`. */
void sm_request_done(struct sm *sm, struct mem_inst *inst, uint64_t ready);
void sm_load_bytes(struct mem_inst *inst, uint32_t lanes, const uint8_t *block);

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
/* A flush, set by set (sm_l1d_flush.c): valid lines go, reserved ones are doomed.  Dirty
 * lines are written back before, one by one, each needing room for one message. */
void sm_l1d_flush_set(struct sm *sm, uint32_t set);
void sm_l1d_write_back(struct sm *sm, uint32_t set, uint32_t way);
/* Install a reply in its entry's line or in one chosen now. */
void sm_l1d_fill(struct sm *sm, struct mshr_entry *entry, struct msg *msg);

/* Room for n messages in the memory port.  The ring behind it is longer: renewals go in
 * beyond the limit, because the reply path must never wait for the request path. */
static inline bool sm_port_room(const struct sm *sm, uint32_t n)
{
    return sm->out.count + n <= sm->config->l1d_miss_queue;
}

#endif
