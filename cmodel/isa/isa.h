/* isa.h - the instruction interface between the machine and whatever feeds it.
 *
 * A front end (PTX today, traces as well) turns a kernel into a table of
 * instructions with static facts and steps warps through it.  The machine asks
 * when; the front end says what.  Nothing here knows how the machine is timed,
 * and nothing in the machine knows which front end is behind the interface.
 *
 * Values travel: a load's bytes are written into `struct isa_memop` by the
 * level of the hierarchy that served it, at the moment it served it, and reach
 * the registers only when the machine calls `retire`.
 */
#ifndef WARPLOCK_GPU_ISA_H
#define WARPLOCK_GPU_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/shape.h"

enum { ISA_LANES = 32, ISA_MAX_SRC = 18, ISA_MAX_DST = 8, ISA_LANE_BYTES = 16 };

/* Where an instruction executes; selects the pipeline and its latency key. */
enum isa_pipe {
    ISA_PIPE_INT, /* 32/64-bit integer, logic, moves, predicates */
    ISA_PIPE_FP32,
    ISA_PIPE_FP64,
    ISA_PIPE_SFU,     /* rcp, sqrt, sin, cos, ex2, lg2, divide */
    ISA_PIPE_MEM,     /* global, local, generic, atomics: through the L1D */
    ISA_PIPE_SHARED,  /* shared memory: banked, inside the SM */
    ISA_PIPE_CONST,   /* const and param space */
    ISA_PIPE_CONTROL, /* branches, calls, returns, exit */
    ISA_PIPE_BARRIER, /* bar.sync and kin */
    ISA_PIPE_FENCE,   /* membar, fence */
    ISA_PIPE_TENSOR,  /* matrix instructions; a machine without the unit: SFU */
    ISA_PIPE_UNIFORM, /* once for the warp; a machine without the unit: INT */
    ISA_PIPE_EXIT,    /* the machine's own: what a front end calls CONTROL, of an exit */
    ISA_PIPE_FP16,    /* the machine's own: what a front end calls FP32, of half precision */
    ISA_PIPE_COUNT
};

enum isa_space {
    ISA_SPACE_NONE,
    ISA_SPACE_GLOBAL,
    ISA_SPACE_LOCAL,
    ISA_SPACE_SHARED,
    ISA_SPACE_CONST,
    ISA_SPACE_PARAM,
    ISA_SPACE_GENERIC
};
enum isa_access {
    ISA_ACCESS_NONE,
    ISA_ACCESS_LOAD,
    ISA_ACCESS_STORE,
    ISA_ACCESS_ATOMIC, /* returns the old value */
    ISA_ACCESS_REDUCE
}; /* atomic without a result */
enum isa_cacheop {
    ISA_CACHE_DEFAULT,
    ISA_CACHE_CA,
    ISA_CACHE_CG,
    ISA_CACHE_CS,
    ISA_CACHE_CV,
    ISA_CACHE_WB,
    ISA_CACHE_WT,
    ISA_CACHE_NC,
    ISA_CACHE_VOLATILE
};
enum isa_scope { ISA_SCOPE_CTA, ISA_SCOPE_GPU, ISA_SCOPE_SYSTEM };
enum isa_atom {
    ISA_ATOM_ADD,
    ISA_ATOM_MIN,
    ISA_ATOM_MAX,
    ISA_ATOM_INC,
    ISA_ATOM_DEC,
    ISA_ATOM_AND,
    ISA_ATOM_OR,
    ISA_ATOM_XOR,
    ISA_ATOM_EXCH,
    ISA_ATOM_CAS
};
enum isa_number {
    ISA_U32,
    ISA_S32,
    ISA_U64,
    ISA_S64,
    ISA_F32,
    ISA_F64,
    ISA_B32,
    ISA_B64,
    ISA_F16X2,
    ISA_B16,
    ISA_F16,
    ISA_BF16,
    ISA_BF16X2
};

/* What an address (or branch) was computed from, by register data-flow; a bit mask. */
enum isa_origin {
    ISA_FROM_TID = 1 << 0, /* %tid, %laneid, %warpid */
    ISA_FROM_CTAID = 1 << 1,
    ISA_FROM_PARAM = 1 << 2,     /* kernel parameters, %ntid, %nctaid, constants */
    ISA_FROM_LOADED = 1 << 3,    /* a value loaded from memory: an indirect access */
    ISA_FROM_INDUCTION = 1 << 4, /* a register that a loop carries round */
};

/* Static facts of one instruction.  Register numbers are dense per kernel and
 * include predicates, so that a scoreboard is a bit set of `n_registers`. */
struct isa_inst {
    uint8_t pipe;    /* enum isa_pipe */
    uint8_t access;  /* enum isa_access */
    uint8_t space;   /* enum isa_space, GENERIC where only run time tells */
    uint8_t cacheop; /* enum isa_cacheop */
    uint8_t bytes;   /* per lane, vector elements included: 1..16 */
    uint8_t scope;   /* of fences and scoped accesses */
    uint8_t atom;    /* enum isa_atom, for ATOMIC and REDUCE */
    uint8_t number;  /* enum isa_number, of the atomic */
    uint8_t n_src, n_dst;
    uint16_t src[ISA_MAX_SRC], dst[ISA_MAX_DST];
    uint8_t origin;      /* mask of enum isa_origin, of the address of a memory access */
    uint8_t address_src; /* 1 + index in src[] of a memory access's address register; 0: none */
    uint8_t loop_depth;  /* 0 outside every loop */
    bool is_exit, is_branch;
    bool is_half;     /* of FP32: half precision */
    bool is_async;    /* a load that no register waits for: ISA_ASYNC_LOADS count it */
    bool is_piece;    /* of a bulk copy: the machine's own, of no kernel */
    uint32_t line;    /* source line, for messages */
    const char *text; /* opcode as written, for messages; owned by the kernel */
};

struct isa_dim3 {
    uint32_t x, y, z;
};

/* The line of a source text that an instruction came from. */
struct isa_source {
    const char *file; /* NULL: not known */
    uint32_t line;
};

/* A kernel as the machine sees it.  Owned by the front end. */
struct isa_kernel {
    const char *name;
    const char *file;            /* for messages */
    const struct isa_inst *inst; /* [n_inst], indexed by pc */
    uint32_t n_inst;
    uint32_t n_registers; /* scoreboard width, bits */
    /* [n_registers] their numbers in the register file; NULL: they are the dense ones. */
    const uint16_t *register_number;
    const struct isa_shape *shape;   /* [n_inst] what each does to registers; NULL: not known */
    const struct isa_source *source; /* [n_inst], or NULL: not known of any */
    uint32_t registers_per_thread;   /* 32-bit registers after allocation, for occupancy */
    uint32_t shared_bytes;           /* static, per CTA */
    uint32_t hidden_shared_bytes; /* beside them, of the front end's own: no limit counts these */
    uint32_t local_bytes;         /* per thread */
};

/* What the machine gives a warp when it is launched. */
struct isa_warp_place {
    struct isa_dim3 ctaid;
    uint32_t warp_in_cta;
    uint32_t smid, warp_slot; /* %smid, %warpid */
    uint64_t cta;             /* number of the CTA, as it was dispatched */
    uint8_t *shared;          /* the CTA's shared memory, owned by the machine */
    uint64_t shared_bytes;
    /* Where a machine keeps local memory for the threads it has room for, word by word, not for
     * those of the grid: so many of them, and the number of the first lane.  A front end that can
     * does as it says.  None: by the grid. */
    uint64_t local_threads, local_thread;
};

/* A warp in flight.  The front end's own state follows this header. */
struct isa_warp {
    uint32_t pc;     /* next instruction; valid while !done */
    bool done;       /* every lane has exited */
    uint32_t active; /* lanes that will execute the next instruction */
    uint32_t live;   /* lanes that have not exited */
};

/* One memory instruction of one warp, in flight in the machine. */
struct isa_memop {
    const struct isa_inst *inst;
    uint8_t space;            /* resolved: GLOBAL, LOCAL or SHARED */
    uint32_t mask;            /* active lanes (predicate applied) */
    uint64_t addr[ISA_LANES]; /* byte address; of LOCAL: device address of the lane's copy */
    /* Loads and atomics: filled by the machine.  Stores: the bytes to write.
     * Atomics: operand in bytes 0-7, compare-and-swap's new value in bytes 8-15;
     * the old value comes back in bytes 0-7. */
    uint8_t data[ISA_LANES][ISA_LANE_BYTES];
    uint32_t tag; /* of a piece of a bulk copy: the copy's */
};

/* Work that goes on without the warp that started it, and how warps wait for it. */
enum isa_async_kind {
    ISA_ASYNC_COMMIT,         /* what the warp has started on `units` since becomes a group */
    ISA_ASYNC_WAIT,           /* until at most `count` groups of each of `units` are open */
    ISA_ASYNC_MATRIX,         /* a multiplication that keeps the pipe for `cycles` */
    ISA_ASYNC_COPY,           /* bytes between global and shared memory */
    ISA_ASYNC_INIT,           /* of an mbarrier: `count` arrivals end a phase */
    ISA_ASYNC_ARRIVE,         /* `count` arrivals, `bytes` more to come */
    ISA_ASYNC_ARRIVE_LOADS,   /* `count` arrivals when the warp's loads before are done */
    ISA_ASYNC_BYTES,          /* `bytes` have come */
    ISA_ASYNC_TRY_WAIT,       /* until the phase of parity `count` has ended */
    ISA_ASYNC_TEST,           /* the same question, without waiting */
    ISA_ASYNC_STORE,          /* `bytes` into the shared memory of another CTA of the cluster */
    ISA_ASYNC_CLUSTER_ARRIVE, /* the barrier of all warps of a cluster */
    ISA_ASYNC_CLUSTER_WAIT
};
enum { ISA_ASYNC_LOADS = 1, ISA_ASYNC_BULK = 2, ISA_ASYNC_MATRICES = 4 }; /* units */
struct isa_async {
    uint8_t kind;   /* enum isa_async_kind */
    uint8_t units;  /* mask */
    uint8_t access; /* of COPY, enum isa_access: LOAD reads global memory; NONE moves nothing */
    bool commits;   /* of MATRIX: closes a group */
    uint32_t count, cycles;
    uint32_t mbarrier;   /* shared address of the mbarrier; 0 of a COPY: none */
    uint32_t ranks;      /* CTAs of the cluster that it is for, a bit each; 0: the warp's own */
    uint64_t bytes;      /* counted by the mbarrier; of COPY with REDUCE and data: of an element */
    uint32_t width, n;   /* of COPY: bytes at each global address, and how many there are */
    const void *address; /* n uint64_t, perhaps not aligned, until the warp's next step */
    uint32_t tag;        /* of COPY: comes back with the bytes of a LOAD, in memops for retire */
    const uint8_t
        *data; /* of COPY that writes global memory: the bytes, as `address`; NULL: zeros */
    uint8_t atom, number; /* of COPY with REDUCE and data */
    uint32_t shared;      /* of COPY with LOAD: where its bytes go, if they are carried */
};

enum isa_step_kind {
    ISA_STEP_DONE,   /* executed; results are in the registers after the pipe's latency */
    ISA_STEP_MEMORY, /* memop is filled: the machine carries it out and calls retire */
    ISA_STEP_SHARED, /* executed on the CTA's shared memory; memop has the addresses for bank timing */
    ISA_STEP_BARRIER, /* the warp waits: barrier number and thread count are set */
    ISA_STEP_FENCE,   /* scope is set */
    ISA_STEP_ASYNC,   /* async is set; of STORE the memop, too, for its bank timing */
    ISA_STEP_FAULT    /* the kernel did something illegal; `fault` says what */
};

struct isa_step {
    enum isa_step_kind kind;
    uint32_t active;          /* lanes that executed (after predication) */
    uint8_t barrier;          /* 0..15 */
    uint32_t barrier_threads; /* 0: every thread of the CTA */
    bool barrier_arrive_only; /* bar.arrive: counts, does not wait */
    uint8_t scope;            /* enum isa_scope */
    struct isa_async async;
    /* For the watch for kernels that never end.  `notice` is set by the caller: is `changed` of
     * use?  It is set when a byte of shared memory has another value now, or the clock was read:
     * the warp need not do the same again in the same state. */
    bool notice, changed;
    /* `checked` is set by a caller that looks for errors of the kernel: lanes whose access is illegal
     * are left out, named in `refused` with the reason of the first in `fault`, and the others go on;
     * stores to shared memory leave their bytes in the memop, too. */
    bool checked;
    uint32_t refused;
    uint32_t
        to_shared; /* ...of an asynchronous copy: lanes that write shared memory, at the address
                         * that the first four bytes of their memop's data are */
    char fault[320];
};

/* What a front end offers for one launch.  Calls for warps of different SMs may
 * run on different threads; the front end keeps no state shared between warps
 * other than constant tables. */
struct isa_launch {
    const struct isa_kernel *kernel;
    struct isa_dim3 grid, block;
    uint32_t dynamic_shared_bytes;
    bool carries_values;   /* false: timing only; checks of values are impossible */
    uint32_t cluster_ctas; /* so many consecutive CTAs are resident together; 0 and 1: each alone */
    bool asynchronous;     /* some step may be ASYNC */
    bool loads_alone;      /* ...and those are groups of asynchronous loads, nothing else */
    bool exited_arrive;    /* exited threads count at a barrier of a part of the CTA, too */
    /* Optional: may the next CTA start yet?  Asked anew when one has ended. */
    bool (*may_start)(void *self);
    /* Optional: one that has ended. */
    void (*cta_end)(void *self, uint64_t cta);
    bool lanes_apart;  /* lanes of a warp need not run in step: only synchronisation orders them */
    bool copyable;     /* a copy of a warp's warp_bytes, put back, takes it back to that point */
    size_t warp_bytes; /* size of one warp object, header included */
    void *self;
    /* Where local memory lies, when kernel->local_bytes is not 0 (isa_local_address). */
    uint64_t local_base;
    uint32_t local_granule_bytes;

    /* Initialise `warp`: warp_bytes of storage owned by the machine, whatever they held. */
    void (*warp_start)(void *self, struct isa_warp *warp, const struct isa_warp_place *place);
    /* Execute the instruction at warp->pc for its active lanes.  Arithmetic takes
     * effect at once; the machine's scoreboard makes sure that nobody looks early.
     * `cycle` feeds %clock.  `memop` is filled for MEMORY and SHARED. */
    void (*step)(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                 struct isa_memop *memop);
    /* The bytes of a load or atomic are all in memop->data: write the registers.  The object is that
     * which the step filled. */
    void (*retire)(void *self, struct isa_warp *warp, const struct isa_memop *memop);
    /* Optional, for the watch for kernels that never end: a digest of all that the warp's further
     * way depends on, except memory.  NULL when each step brings a warp nearer to its end. */
    uint64_t (*digest)(void *self, const struct isa_warp *warp);
    /* Optional, with kernel->shape: operand `k` of the instruction at `pc`, as its register, or the
     * constant that it is, stands now, in every lane; narrower than 64 bits it is extended by zeros. */
    void (*operand)(void *self, const struct isa_warp *warp, uint32_t pc, uint32_t k,
                    uint64_t value[ISA_LANES]);
    /* Release what warp_start acquired (not the storage itself). */
    void (*warp_end)(void *self, struct isa_warp *warp);
};

/* Device address of byte `offset` of a thread's local memory: per warp of the grid (`warp`,
 * CTAs in order of z, y, x), the granules of the 32 lanes lie side by side. */
static inline uint64_t isa_local_address(uint64_t base, uint32_t granule_bytes,
                                         uint32_t local_bytes, uint64_t warp, uint32_t lane,
                                         uint64_t offset)
{
    uint64_t per_thread = ((uint64_t)local_bytes + granule_bytes - 1) / granule_bytes;
    uint64_t granule = (warp * per_thread + offset / granule_bytes) * ISA_LANES + lane;

    return base + granule * granule_bytes + offset % granule_bytes;
}

/* The `offset` of such an address. */
static inline uint64_t isa_local_offset(uint64_t base, uint32_t granule_bytes, uint32_t local_bytes,
                                        uint64_t address)
{
    uint64_t per_thread = ((uint64_t)local_bytes + granule_bytes - 1) / granule_bytes;
    uint64_t granule = (address - base) / granule_bytes / ISA_LANES;

    return granule % per_thread * granule_bytes + (address - base) % granule_bytes;
}

#endif
