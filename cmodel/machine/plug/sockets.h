/* sockets.h - the places where a mechanism may plug into the machine.
 *
 * See docs/architecture.md, "Sockets".  Works after the pipeline events of wang2015-divergence
 * 3.0 and the replaceable parts named in sections 3 and 7 of every specification.  Each socket is a
 * small struct of functions with a `self`; the machine's own behaviour fills the same
 * structs (sockets_base.c, schedulers.c).  One instance per SM or per L2 bank, so that
 * `self` is never shared between SMs that run on different threads.
 *
 * Two rules make results independent of how the machine is stepped: a function that
 * is asked again in the same situation (a replayed access, a scheduler with nothing to
 * issue) must answer the same and change nothing, and the machine may skip such
 * repetitions.  Functions marked "optional" may be NULL.
 */
#ifndef WARPLOCK_GPU_SOCKETS_H
#define WARPLOCK_GPU_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/memory/node.h"
#include "machine/noc/message.h"

struct cache_line;

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_ATOMIC,
    ACCESS_PREFETCH,
    ACCESS_FILL,
    ACCESS_COPYBACK
};

/* One access of one block, as a policy sees it. */
struct access_info {
    uint64_t block; /* byte address, 128-byte aligned */
    uint32_t pc;    /* instruction index; 0 where it is not known (write-backs) */
    uint16_t sm;
    uint8_t kind; /* enum access_kind */
    uint8_t warp_slot;
    uint8_t priority;   /* age rank of the warp in its scheduler when it issued, 0 oldest */
    uint8_t n_requests; /* blocks of the whole instruction, 1..32 */
    uint8_t position;   /* this access among them, from 0 */
    bool past_l1d;      /* a load that neither uses nor leaves a copy (.cg, .volatile) */
    bool local;         /* local memory: no other SM ever touches the block */
    uint8_t answer;     /* of a fill: the low byte of its reply's proto[0]; else 0 */
    uint8_t sectors;    /* of a load or of a request at the L2: those it touches */
    uint8_t note;       /* of a miss and its fill: what granularity_socket.sectors left; else 0 */
    uint64_t cycle;
    uint64_t bytes[2]; /* bytes touched of a load, under a coherence protocol; else 0 */
};

/* Set index of an L1D or L2 bank.  `address` is a byte address (of the L2: as chosen by
 * l2.index_address); the answer must be below the number of sets. */
struct index_socket {
    void *self;
    uint32_t (*set)(void *self, uint64_t address);
};

/* Replacement policy of one cache.  `replaceable` and `invalid` are masks of ways. */
enum { POLICY_NONE = -1, POLICY_BYPASS = -2 };
struct policy_socket {
    void *self;
    /* A hit, or an access that merged into a reserved line. */
    void (*touch)(void *self, uint32_t set, uint32_t way, const struct access_info *access);
    /* The way to replace, POLICY_NONE (stall) or POLICY_BYPASS (serve without a line).
     * Changes nothing: the access may still stall for another reason. */
    int (*victim)(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access);
    /* `way` now holds (or is reserved for) access->block. */
    void (*insert)(void *self, uint32_t set, uint32_t way, const struct access_info *access);
    /* Optional: the line left the cache other than by replacement. */
    void (*invalidate)(void *self, uint32_t set, uint32_t way);
    /* Optional: a kernel starts; the cache is empty (L1D) or kept (L2). */
    void (*kernel_start)(void *self);
    /* L1D: kernel_start serves a cache that is kept, too (l1d.at_launch). */
    bool knows_kept;
};

/* Warp scheduler: one instance per scheduler; masks are over all warp slots of the SM
 * but hold only this scheduler's. */
struct sched_view {
    uint64_t resident; /* launched, not exited */
    uint64_t issuable; /* valid instruction, no hazard, pipe free */
    uint64_t blocked;  /* waits for a memory load, a barrier or a fence */
    uint64_t memory;   /* next instruction goes to the LD/ST unit */
    uint64_t cycle;
    bool hold; /* the initial CTA distribution is not complete */
};
struct sched_socket {
    void *self;
    /* pick or qualify keep state of their own (queues, say): they are then asked in the
     * cycle after anything changed in the SM even if nothing could issue.  Others are asked
     * only when something could. */
    bool stateful;
    void (*warp_launch)(void *self, uint32_t slot);
    void (*warp_exit)(void *self, uint32_t slot);
    /* Optional: the warps that may compete, out of view->issuable (qualification). */
    uint64_t (*qualify)(void *self, const struct sched_view *view);
    /* The slot to issue from view->issuable, or -1. */
    int (*pick)(void *self, const struct sched_view *view);
    /* The machine did issue that slot. */
    void (*issued)(void *self, uint32_t slot);
    /* Age rank of a resident warp inside this scheduler, 0 the oldest. */
    uint32_t (*rank)(void *self, uint32_t slot);
    /* Optional: a new kernel. */
    void (*kernel_start)(void *self);
};

/* Speculation: loads whose values may turn out wrong until something has answered.  All
 * optional. */
enum access_result { RESULT_HIT, RESULT_HIT_RESERVED, RESULT_MISS, RESULT_BYPASS };
struct mem_inst;
struct speculation_socket {
    void *self;
    /* May the warp issue the instruction at `pc`, which has its operands?  Whoever changes the
     * answer calls sm_update_warp. */
    bool (*may_issue)(void *self, uint32_t slot, uint32_t pc);
    /* It is about to be executed. */
    void (*issue)(void *self, uint32_t slot, uint32_t pc);
    /* Can the request of a load be taken in?  It comes again until it can. */
    bool (*room)(void *self, const struct access_info *access);
    /* The L1D took it: a hit has its bytes, the others will be served. */
    void (*accepted)(void *self, const struct mem_inst *inst, const struct access_info *access,
                     enum access_result result);
    /* The bytes of its block were given to `inst` by a reply. */
    void (*served)(void *self, const struct mem_inst *inst, uint64_t block);
};

/* Injection at issue: loads that go in behind an instruction of a warp, into registers of the
 * mechanism's own, and loads that become moves out of these.  A warp issues in order, so that an
 * injected load that waits holds it up.  Whoever changes an answer calls core_recheck. */
struct isa_step;
struct isa_memop;
struct inject_socket {
    void *self; /* NULL: nobody */
    /* Does an injected load of the warp come before its next instruction?  Which instruction it is
     * counted as.  It issues: fill mask and addresses, each aligned and inside a buffer. */
    bool (*pending)(void *self, uint32_t slot);
    uint32_t (*pc)(void *self, uint32_t slot);
    void (*inject)(void *self, uint32_t slot, struct isa_memop *op);
    /* Its bytes are there. */
    void (*arrived)(void *self, uint32_t slot, const struct isa_memop *op);
    /* Must the injected load, else the instruction at `pc`, wait for registers of the mechanism's?
     * Will the load at `pc` be a move? */
    bool (*waits)(void *self, uint32_t slot, uint32_t pc);
    bool (*moves)(void *self, uint32_t slot, uint32_t pc);
    /* The instruction at `pc` is about to be executed; it has been.  `op`: of a memory access its lanes
     * and addresses; of a load that is a move, where its bytes are to be put. */
    void (*decode)(void *self, uint32_t slot, uint32_t pc);
    void (*executed)(void *self, uint32_t slot, uint32_t pc, const struct isa_step *step,
                     struct isa_memop *op);
};

/* Prefetcher of one SM.  Requests use the L1D port only in cycles without demand. */
struct load_event {
    uint32_t pc, cta_slot, warp_in_cta, warp_slot, n; /* n: blocks of the instruction */
    const uint64_t *lowest; /* [n] lowest byte address touched in each block, ascending blocks */
    uint8_t origin;         /* mask of enum isa_origin */
    uint8_t loop_depth;
    uint64_t cycle;
};
struct prefetch_request {
    uint64_t block;
    int32_t warp_slot; /* target warp, or -1 */
    uint32_t pc;
};
struct prefetch_socket {
    void *self;
    /* Optional, like all of these: no prefetcher. */
    void (*load)(void *self, const struct load_event *event);
    bool (*peek)(void *self, struct prefetch_request *request); /* next request, if any */
    void (*pop)(void *self, bool issued); /* issued, or dropped as a duplicate */
    /* A request may come up without any further event: do not sleep. */
    bool (*busy)(void *self);
    void (*kernel_start)(void *self);
};

/* Coherence protocol, L1 side.  All optional: none is the plain non-coherent L1D.  It is
 * not asked about local memory.  A load that must wait does so in an MSHR entry, until a
 * store, an atomic or a load past the L1D of this SM to its block has been performed; others
 * stall the L1D's port. */
enum coherence_probe {
    COHERENCE_HIT,
    COHERENCE_REFETCH,
    COHERENCE_WAIT,
    COHERENCE_CHECK /* a hit, and a request of the block leaves for which nobody waits */
};
enum coherence_reply {
    COHERENCE_INSTALL,
    COHERENCE_DROP,  /* no copy stays; a load that went past the L1D asks again */
    COHERENCE_IGNORE /* the copy present stays as it is */
};
struct coherence_l1_socket {
    void *self;
    bool needs_still;  /* it keeps leases or locks by line: no index that moves blocks */
    bool keeps_copies; /* it knows stale ones: the L1D is not cleared when a kernel begins */
    bool local;        /* what leaves the L1D for local memory is its business, too */
    /* A load finds its block: may it use the copy, fetch anew, or must it wait? */
    enum coherence_probe (*load)(void *self, const struct access_info *access,
                                 struct cache_line *line);
    /* May a load without a copy to use, a store or an atomic go on now (no pending store of
     * that warp, say)?  `line` is the copy present, or NULL. */
    bool (*may_send)(void *self, const struct access_info *access, struct cache_line *line);
    /* A store or atomic meets its block in the L1: true keeps and updates it, false evicts. */
    bool (*store_hit)(void *self, uint32_t warp_slot, struct cache_line *line);
    /* An atomic meets its block in the L1: true leaves the copy as it is.  None: it goes. */
    bool (*atomic_hit)(void *self, struct cache_line *line);
    /* A message leaves: fill proto[] and proto_bytes.  `line` may be NULL. */
    void (*send)(void *self, struct request *request, struct cache_line *line);
    /* A reply arrives.  `line` is where it would be installed, or the copy present, or NULL;
     * COHERENCE_DROP takes a copy present away. */
    enum coherence_reply (*reply)(void *self, struct reply *reply, struct cache_line *line);
    /* A waiter is about to be served from the reply: false leaves it waiting, and a new
     * request goes out for those left when all others are served.  `position` among the
     * waiters; 0 waited when the request left.  A renewal whose copy has gone serves nobody,
     * whatever is said; its waiters are asked about with `line` NULL. */
    bool (*covers)(void *self, uint32_t warp_slot, uint32_t position, const struct reply *reply,
                   struct cache_line *line);
    /* May the request for those left, or for waiting loads, go out now? */
    bool (*may_ask)(void *self, uint32_t warp_slot, struct cache_line *line);
    /* The warps of the mask leave a CTA barrier together. */
    void (*barrier)(void *self, uint64_t warps);
    /* Is a fence of the warp complete, its requests being performed? */
    bool (*fence)(void *self, uint32_t warp_slot, uint64_t cycle);
    void (*kernel_start)(void *self);
};
/* L2 side, one per bank. */
struct coherence_l2_socket {
    void *self;
    bool needs_still; /* as above */
    /* The request found `line` valid.  A time later than `cycle` (core cycles) makes it wait. */
    uint64_t (*admit)(void *self, const struct request *request, struct cache_line *line,
                      uint64_t cycle);
    /* The request was performed on the line: fill the reply's proto[], which are the request's so
     * far, no_data and proto_bytes. */
    void (*performed)(void *self, const struct request *request, struct reply *reply,
                      struct cache_line *line, uint64_t cycle);
    void (*fill)(void *self, uint64_t block, struct cache_line *line);
    /* May the line be replaced in this cycle? */
    bool (*may_evict)(void *self, const struct cache_line *line, uint64_t cycle);
    void (*evict)(void *self, uint64_t block, struct cache_line *line);
    void (*kernel_start)(void *self);
};

/* Race detection: the point in front of the L2 banks where requests are ordered. */
struct race_socket {
    void *self;
    void (*arrive)(void *self, const struct request *request, uint64_t cycle); /* optional */
};

/* Inclusion between L1 and L2.  Optional: non-inclusive, non-exclusive. */
struct inclusion_l1_socket {
    void *self;
    /* A clean line leaves the L1, and its victim cache: true copies it back to the L2. */
    bool (*copy_back)(void *self, uint64_t block, const struct cache_line *line);
    /* Optional, together: a victim cache beside the L1D, of whole clean lines.  Is the block there? */
    bool (*has)(void *self, uint64_t block);
    /* It is: its bytes go back into the L1D, and the line there that gives way takes its place: `line`
     * and its bytes, or NULL.  What insert is told as the block's answer. */
    uint8_t (*swap)(void *self, uint64_t block, uint8_t *bytes, uint64_t leaving,
                    const struct cache_line *line, const uint8_t *leaving_bytes);
    /* A line leaves the L1D for another reason; true: the one that has to go for it, now in *block
     * and `bytes`, is to be copied back. */
    bool (*keep)(void *self, uint64_t *block, const struct cache_line *line, uint8_t *bytes);
    /* The block was stored to; CACHE_NO_TAG: a fence gives up all. */
    void (*forget)(void *self, uint64_t block);
};
/* A copy-back is dropped, takes a line, or takes one with memory's bytes instead of its own. */
enum copy_back_answer { COPY_BACK_DROP, COPY_BACK_TAKE, COPY_BACK_REFRESH };
/* `set`: of the bank, that of the request's block. */
struct inclusion_l2_socket {
    void *self;
    /* A read hits: does its line stay?  Asked once, and a dirty line stays whatever the answer. */
    bool (*keep_on_read)(void *self, const struct request *request, uint32_t set, uint32_t way);
    /* Does a read that misses, or joins a fetch without a line, take one? */
    bool (*insert_on_fill)(void *self, const struct request *request, uint32_t set);
    /* Does a copy-back whose block is neither here nor being fetched?  Asked once. */
    enum copy_back_answer (*insert_copy_back)(void *self, const struct request *request,
                                              uint32_t set);
};

/* Access granularity, of an L1D or an L2 bank that works by lines: misses fetch sectors.  None: whole
 * blocks.  Not asked about local memory, stores and prefetches. */
struct granularity_socket {
    void *self;
    /* What the miss of a read or an atomic that needs `needed` fetches beyond it: of a block that the cache has not
     * (`way` < 0), or of a line that lacks some of it, which it has `there`.  Asked once; *note goes
     * with the miss. */
    uint8_t (*sectors)(void *self, const struct access_info *access, uint8_t needed, uint32_t set,
                       int way, uint8_t there, uint8_t *note);
    /* Optional: so many sectors are there now; a read has taken these out of the line. */
    void (*filled)(void *self, uint32_t set, uint32_t way, uint8_t there);
    void (*read)(void *self, uint32_t set, uint32_t way, uint8_t sectors);
};

/* CTA dispatch, one per machine, called in one thread. */
struct dispatch_kernel {
    uint64_t n_ctas;
    uint32_t grid_x; /* CTAs of a row of the grid */
    uint32_t n_sms, ctas_per_sm;
};
struct dispatch_socket {
    void *self;
    /* NULL, or one line: why the kernel cannot be dispatched, and the remedy. */
    const char *(*kernel_start)(void *self, const struct dispatch_kernel *kernel);
    /* The linear id of the CTA that SM `sm` shall take now, or -1; at most one per SM and cycle. */
    int64_t (*next)(void *self, uint32_t sm, uint32_t resident, uint64_t cycle);
    /* Optional, in place of next: it chooses the SM, too.  Asked until it answers -1; room[s]: CTAs
     * that SM s can still take.  At most one per SM and cycle, and only where there is room. */
    int64_t (*assign)(void *self, const uint32_t *room, uint64_t cycle, uint32_t *sm);
    void (*done)(void *self, uint32_t sm, uint64_t cta); /* optional */
};

/* Page placement, one per machine, called in one thread, on first touch of a page.  The answer is an enum
 * memory_node; from one that is full a page is replaced. */
struct placement_socket {
    void *self;
    bool demand; /* false: every page is in GPU memory */
    int (*place)(void *self, uint64_t page, bool gpu_full, bool host_full);
};

/* Does the L1D of an SM keep what lies in `node` (enum memory_node)?  Local memory it always does. */
struct filter_socket {
    void *self;
    bool (*cacheable)(void *self, int node); /* NULL: GPU memory alone */
    /* Optional: a load of which the L1D has no line; true: it takes no MSHR entry, and no line. */
    bool (*passes)(void *self, const struct access_info *access);
};

/* Something clocked with an SM or an L2 bank, in core cycles or in L2 ticks. */
struct clocked_socket {
    void *self;
    /* Cycle `now` begins, before anything else in it; false closes the cache to requests in
     * this cycle.  Cycles in which the machine has nothing to do are left out: `skipped` of them
     * since the last one. */
    bool (*begin)(void *self, uint64_t now, uint64_t skipped);
    /* The cycle is over; true when the next one must not be left out. */
    bool (*end)(void *self);
};

/* Something of which there is one for all L2 banks, in L2 ticks. */
struct machine_clock_socket {
    void *self;
    /* A tick begins in which a bank has something to do; false closes every bank to requests. */
    bool (*begin)(void *self, uint64_t tick);
    /* The tick is over; true when the next one must not be left out. */
    bool (*end)(void *self);
};

/* Observers: the pipeline events of one SM (or of one L2 bank, which tells of accepted
 * requests by acc_result, whatever their kind, and of lines).  All optional. */
enum stall_reason { STALL_LINE, STALL_MSHR, STALL_PORT, STALL_PROTOCOL, STALL_REASONS };
enum line_event {
    LINE_RESERVE, /* it was given to a block whose data are to come */
    LINE_FILL,    /* they have come (and stayed, unless the line was to be dropped) */
    LINE_DROP,    /* it was invalidated; RESERVED: it will be with its fill */
    LINE_WRITE    /* a valid line became dirty */
};
struct observer {
    void *self;
    void (*kernel_start)(void *self, uint32_t sm);
    void (*warp_launch)(void *self, uint32_t sm, uint32_t slot);
    void (*warp_exit)(void *self, uint32_t sm, uint32_t slot);
    void (*issue_mem)(void *self, uint32_t sm, uint32_t slot, uint32_t pc, bool is_load,
                      uint32_t mask, uint32_t priority);
    void (*coalesce_done)(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t n_requests);
    void (*acc_result)(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result);
    /* `cycles` > 1: the same stall went on for so many cycles. */
    void (*acc_stall)(void *self, uint32_t sm, const struct access_info *access,
                      enum stall_reason reason, uint64_t cycles);
    void (*load_retire)(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t priority,
                        uint32_t n_requests, uint32_t misses);
    void (*fill)(void *self, uint32_t sm, uint64_t block);
    /* A prefetch was sent to the next level. */
    void (*prefetch)(void *self, uint32_t sm, const struct access_info *access, uint32_t set);
    /* A store or atomic request was accepted; HIT: its block was VALID.  `global`: not to
     * local memory. */
    void (*write_result)(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                         enum access_result result, bool global);
    /* A message of so many bytes, header included, has left the SM, or has come to it. */
    void (*message)(void *self, uint32_t sm, uint32_t bytes, uint64_t cycle);
    /* Something happened to a line; `dirty`: it now holds bytes the next level lacks. */
    void (*line)(void *self, uint32_t owner, uint32_t set, uint32_t way, enum line_event event,
                 bool dirty);
};

/* What everything plugged into an SM promises together; less is always right, only slower.
 *
 * LOCAL: it reads and changes nothing outside its SM, so that the SM may run ahead of the rest.
 * QUIET: a stalled access that is presented again meets what it met, unless a reply has come or the
 * memory port has changed, so that it need not be presented.
 * STILL: the set that its index gives a block never changes, so that no line has to leave for it. */
enum plug_promise { PLUG_LOCAL = 1, PLUG_QUIET = 2, PLUG_STILL = 4 };

enum core_seam {
    SEAM_INDEX,
    SEAM_POLICY,
    SEAM_SCHEDULER,
    SEAM_PREFETCH,
    SEAM_COHERENCE,
    SEAM_SPECULATION,
    SEAM_INCLUSION,
    SEAM_INJECTION,
    SEAM_FILTER,
    SEAM_GRANULARITY,
    CORE_SEAMS
};

/* By name: whose index moves blocks, and who cannot bear that; NULL: nobody. */
struct still {
    const char *moved_by, *needed_by;
};

/* The seams, and by name who owns each: NULL for the machine itself (plug.h). */
enum { MAX_SCHEDULERS = 4, MAX_OBSERVERS = 4, MAX_CLOCKED = 4 };
struct sm_sockets {
    uint32_t n_observers, n_clocked;
    uint64_t clocked_next; /* behind the last cycle in which the clocked ones were */
    struct index_socket index;
    struct policy_socket policy;
    struct sched_socket sched[MAX_SCHEDULERS];
    struct prefetch_socket prefetch;
    struct coherence_l1_socket coherence;
    struct speculation_socket speculation;
    struct inject_socket inject;
    struct inclusion_l1_socket inclusion;
    struct granularity_socket granularity;
    struct filter_socket filter;
    struct observer observer[MAX_OBSERVERS];
    struct clocked_socket clocked[MAX_CLOCKED];
    unsigned promises; /* mask of enum plug_promise */
    const char *owner[CORE_SEAMS];
    const char *around[CORE_SEAMS]; /* who stands around what is there, the last one */
    struct still index_still;
    struct own_instances { /* the machine's, whoever replaced them */
        void *index, *policy, *sched[MAX_SCHEDULERS];
    } own;
};
struct bank_sockets {
    uint32_t n_observers, n_clocked;
    uint64_t clocked_next; /* as in an SM, in ticks */
    bool stepped_through;  /* something is clocked with all banks */
    const char *index_owner, *policy_owner, *coherence_owner, *race_owner, *inclusion_owner,
        *granularity_owner;
    struct still index_still;
    void *own_index, *own_policy;
    struct index_socket index;
    struct policy_socket policy;
    struct coherence_l2_socket coherence;
    struct race_socket race;
    struct inclusion_l2_socket inclusion;
    struct granularity_socket granularity;
    struct observer observer[MAX_OBSERVERS];
    struct clocked_socket clocked[MAX_CLOCKED];
};

struct machine_sockets {
    const char *clock_owner, *dispatch_owner, *placement_owner;
    const char *schedulers_owner; /* who chose the machine's own schedulers */
    struct machine_clock_socket clock;
};

struct core;
struct bank;
struct machine;
/* For plug.c: where the seams are. */
struct sm_sockets *core_sockets(struct core *core);
struct bank_sockets *bank_sockets(struct bank *bank);
struct machine_sockets *machine_sockets(struct machine *machine);
struct dispatch_socket *machine_dispatch(struct machine *machine);
struct placement_socket *machine_placement(struct machine *machine);
/* Make the machine's own schedulers anew, by the configuration; 0, or -1 when out of memory. */
int core_own_schedulers(struct core *core);

/* Begin or end a cycle for everything clocked with an SM or bank: is the cache open to
 * requests? must the next cycle be stepped? */
static inline bool clocked_begin(const struct clocked_socket *clocked, uint32_t n, uint64_t now,
                                 uint64_t *next)
{
    bool open = true;

    for (uint32_t c = 0; c < n; c++) {
        open &= clocked[c].begin(clocked[c].self, now, now - *next);
    }
    *next = now + 1;
    return open;
}

static inline bool clocked_end(const struct clocked_socket *clocked, uint32_t n)
{
    bool awake = false;

    for (uint32_t c = 0; c < n; c++) {
        awake |= clocked[c].end(clocked[c].self);
    }
    return awake;
}

/* Tell every observer that listens: OBSERVE(sm->sockets, fill, sm->id, block). */
#define OBSERVE(sockets, event, ...) \
    do { \
        for (uint32_t o_ = 0; o_ < (sockets).n_observers; o_++) \
            if ((sockets).observer[o_].event) \
                (sockets).observer[o_].event((sockets).observer[o_].self, __VA_ARGS__); \
    } while (0)

#endif
