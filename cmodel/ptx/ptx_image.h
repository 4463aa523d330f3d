/* ptx_image.h - a lowered kernel, and the warp that executes it.
 *
 * A kernel and the device functions it reaches become one table of operations.
 * Registers are slots of 32 lanes side by side (structure of arrays), so that
 * the loops over lanes vectorise; immediates are broadcast slots in a constant
 * pool, special registers slots filled when a warp starts, registers that hold one
 * value for a whole launch slots of a table filled then: an operand is a base
 * (frame, pool, special, launch) and an offset, whatever it was in the text.
 *
 * Private to ptx/.  Knows nothing of PTX's syntax.
 */
#ifndef WARPLOCK_PTX_IMAGE_H
#define WARPLOCK_PTX_IMAGE_H

#include "isa/isa.h"
#include "ptx/ptx.h"
#include "ptx/ptx_ast.h"
#include "ptx/ptx_matrix.h"

enum {
    PTX_SLOT32_BYTES = 4 * ISA_LANES,
    PTX_SLOT64_BYTES = 8 * ISA_LANES,
    PTX_MAX_DST = 4, /* of an operation; a multiplication of matrices has its own lists */
    PTX_MAX_SRC = 8,
    PTX_FRAME_ALIGN = 64,
    PTX_BARRIERS = 16,
    PTX_BARRIER_SCRATCH_BYTES = PTX_BARRIERS * 2 * 16,
    PTX_RESERVED_BYTES = 1024
};

/* Lanes of a slot, in the types that operations see them through. */
typedef uint32_t __attribute__((may_alias)) lane_u32;
typedef int32_t __attribute__((may_alias)) lane_s32;
typedef uint64_t __attribute__((may_alias)) lane_u64;
typedef int64_t __attribute__((may_alias)) lane_s64;
typedef float __attribute__((may_alias)) lane_f32;
typedef double __attribute__((may_alias)) lane_f64;

enum ptx_base { PTX_BASE_FRAME, PTX_BASE_POOL, PTX_BASE_SPECIAL, PTX_BASE_LAUNCH, PTX_BASE_COUNT };

/* Where an operand's lanes are. */
struct ptx_ref {
    uint32_t offset; /* bytes from the base */
    uint8_t base;    /* enum ptx_base */
    uint8_t bytes;   /* of one lane: 4, 8; 0 for a predicate mask */
    bool negated;    /* predicates: !p */
    bool used;
};

struct ptx_exec;
struct ptx_op;
typedef void ptx_exec_fn(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask);

/* How a callee's bytes or registers are filled from the caller's, and back. */
struct ptx_copy {
    struct ptx_ref from, to;         /* registers; unused for .param areas */
    uint32_t from_offset, to_offset; /* per-lane area offsets when `area` */
    uint32_t bytes;
    bool area;
};

struct ptx_call {
    uint32_t callee; /* index in ptx_image.functions */
    struct ptx_copy *arguments, *returns;
    uint32_t n_arguments, n_returns;
};

/* D = A * B + C for a warp: the registers of A, B and C, one after another, and those of D. */
struct ptx_tile {
    struct ptx_ref dst[ISA_MAX_DST], src[ISA_MAX_SRC];
    struct ptx_matrix matrix;
};

struct ptx_op {
    ptx_exec_fn *exec;
    ptx_exec_fn *inner; /* what a wrapping exec calls (rounding, saturation); what the
                                  * launch calls once (ptx_uniform.c) */
    struct ptx_ref dst[PTX_MAX_DST], src[PTX_MAX_SRC];
    uint32_t guard; /* frame offset of the guard's mask */
    bool guarded, guard_negated;
    bool controls;           /* sets the pc itself */
    bool moves;              /* its result follows from src[0] and the operation alone */
    bool saturates, flushes; /* .sat, .ftz */
    uint8_t rounding;        /* enum ptx_rounding */
    uint8_t type, from_type; /* enum ptx_type */
    uint8_t mode;            /* comparison, shuffle mode, ... by family */
    uint8_t combine;         /* boolean combination of setp, ... by family */
    uint8_t n_elements;      /* of a memory access */
    uint8_t element_bytes;
    uint8_t piece; /* of a memory access: the byte of its register that it begins at */
    bool element_signed;
    bool crosses_lanes;  /* reads sources in lanes that do not take part */
    uint8_t members_src; /* 1 + source with the member mask; 0: none */
    bool is_barrier;
    bool entry_params;           /* .param access to the launch's block, not to the frame */
    int64_t immediate;           /* address offset, lookup table of lop3, ... */
    uint32_t target, reconverge; /* branches */
    const uint32_t *targets;     /* brx */
    uint32_t n_targets;
    struct ptx_call *call;
    const struct ptx_callees *callees;   /* what a call through a register may mean */
    struct ptx_tile *tile;               /* a multiplication of matrices; else NULL */
    struct ptx_sample *sample;           /* a fetch through a texture or surface; else NULL */
    const struct ptx_fragment *fragment; /* an access to a part of a matrix; else NULL */
    const struct isa_inst *parts;        /* of a copy that may take fewer bytes; else NULL */
    uint32_t (*compare)(const void *a, const void *b);
};

/* Operand `k` of an operation, of ptx_n_refs: used or not. */
static inline uint32_t ptx_n_refs(const struct ptx_op *op)
{
    return PTX_MAX_DST + PTX_MAX_SRC + (op->tile != NULL ? ISA_MAX_DST + ISA_MAX_SRC : 0);
}

static inline struct ptx_ref *ptx_ref_at(struct ptx_op *op, uint32_t k)
{
    return k < PTX_MAX_DST                 ? &op->dst[k]
           : k < PTX_MAX_DST + PTX_MAX_SRC ? &op->src[k - PTX_MAX_DST]
           : k < PTX_MAX_DST + PTX_MAX_SRC + ISA_MAX_DST
               ? &op->tile->dst[k - PTX_MAX_DST - PTX_MAX_SRC]
               : &op->tile->src[k - PTX_MAX_DST - PTX_MAX_SRC - ISA_MAX_DST];
}

/* One function of an image. */
struct ptx_image_function {
    const struct ptx_function *source;
    uint32_t first, end; /* operations [first, end) */
    uint32_t frame_bytes;
    uint32_t unset_from, unset_end; /* bytes of the frame that are written before they are read */
    uint32_t area_offset;           /* in the frame: per-lane .param area, lane-major */
    uint32_t area_bytes;            /* of one lane */
    uint32_t local_base_slot;       /* frame offset of the slot with the frame's local address */
    bool is_recursive;
    uint32_t first_register, n_registers; /* dense numbers */
    struct ptx_ref *slot_of;              /* [source->n_registers + 1], the last is the carry */
    const uint16_t *dense_of;
};

/* Where the arguments of a call that leaves the kernel are, and where its result goes. */
struct ptx_outside_site {
    enum ptx_outside what;
    uint32_t n_arguments, n_returns;
    struct ptx_outside_value {
        bool area; /* at `offset` of the lane's area; else a register */
        uint32_t offset, bytes;
        struct ptx_ref ref;
    } argument[5], result;
};

struct ptx_pool_patch {
    uint32_t offset;
    const struct ptx_variable *variable;
    int64_t addend;
};

/* A special register the kernel reads. */
struct ptx_special_slot {
    enum ptx_special special;
    uint32_t offset;
};

struct ptx_image {
    struct isa_kernel isa;
    const struct ptx_function *entry;
    struct isa_inst *inst;
    struct ptx_op *ops;
    struct isa_shape *shapes;   /* [n_ops] */
    struct isa_source *sources; /* [n_ops] */
    uint32_t n_ops;
    struct ptx_image_function *functions;
    uint32_t n_functions;
    uint8_t *pool;
    uint32_t pool_bytes;
    struct ptx_pool_patch *patches;
    uint32_t n_patches;
    struct ptx_special_slot *specials;
    uint32_t n_specials, specials_bytes;
    uint32_t *launch_pcs; /* operations that fill the launch's table of values (ptx_uniform.c) */
    uint32_t n_launch_pcs, launch_bytes;
    uint8_t *register_units; /* [isa.n_registers]: 32-bit registers each takes; 0 for predicates */
    uint64_t *shared_offset; /* [module n_shared]; UINT64_MAX when not used */
    bool has_calls;
    bool samples;                      /* there are textures or surfaces */
    bool asynchronous;                 /* copies go on while a warp does: steps may be ASYNC */
    bool bulk;                         /* ...of any number of bytes */
    struct ptx_outside_site *outsides; /* calls that leave the kernel; op->immediate counts them */
    uint32_t n_outsides;
    uint32_t
        reserved_shared; /* offset of the block's reserved bytes (%reserved_smem_*), or NO_INDEX */
    uint32_t barrier_scratch; /* offset in shared memory of bar.red's scratch, or PTX_NO_INDEX */
    uint32_t local_granule_bytes;
    uint32_t static_shared_bytes; /* without the alignment for dynamic shared memory */
    uint32_t dynamic_offset;      /* where `extern .shared x[]` starts */
};

enum { PTX_MAX_STACK = 2 * ISA_LANES + PTX_MAX_CALL_DEPTH + 2, PTX_NO_PC = UINT32_MAX };

/* One entry of the reconvergence stack.  The top's pc is warp.pc while it runs. */
struct ptx_stack_entry {
    uint32_t pc, reconverge, mask, depth;
};

struct ptx_frame {
    uint32_t function;
    uint32_t offset;     /* in the frames buffer */
    uint32_t call_pc;    /* the call that made it */
    uint64_t local_base; /* of its .local variables, in the thread's local space */
};

struct ptx_launch {
    const struct ptx_module *module;
    const struct ptx_image *image;
    struct isa_dim3 grid, block;
    uint32_t dynamic_shared_bytes;
    uint32_t n_sms;
    uint64_t local_base;
    uint64_t grid_sync;
    const struct ptx_texture *textures; /* [n_textures] */
    size_t n_textures;
    bool progress; /* for each thread */
    ptx_read_fn *read;
    void *read_context;
    ptx_outside_fn *outside;
    void *outside_context;
    uint8_t *params;
    size_t n_params;
    uint8_t *uniform; /* values of registers that are the same in all warps */
    struct ptx_const_bytes {
        uint64_t address, bytes;
        uint8_t *data;
    } *constants;
    size_t n_constants;
};

struct ptx_fibers;
struct ptx_copies;
struct ptx_bulks;
struct ptx_fetch;

/* Of a launch that promises progress to each thread (ptx_progress.c). */
struct ptx_progress {
    struct ptx_fibers *fibers; /* lanes apart from those that run; NULL until there were any */
    uint32_t branches;         /* backward ones in a row */
    uint32_t look_pc, look_until, turn;
    uint64_t digest;
};

struct ptx_warp {
    struct isa_warp isa; /* first: the machine sees only this */
    uint8_t *base[PTX_BASE_COUNT];
    uint8_t *memory; /* special slots, then frames: behind this object until they outgrow it */
    uint32_t memory_bytes;
    bool memory_owned;    /* they have: allocated */
    uint32_t top, depth;  /* stack[top] runs; frames[depth] is current */
    uint32_t reconverge;  /* stack[top].reconverge */
    uint32_t pending;     /* lanes of a split generic access still to do; 0: none */
    bool barrier_entered; /* bar.red: the first half is done */
    uint16_t barrier_parity;
    struct isa_warp_place place;
    uint64_t warp_in_grid;
    /* Behind this object, its slots and frame 0: what an instruction reads lies together. */
    struct ptx_stack_entry *stack; /* [PTX_MAX_STACK] */
    struct ptx_frame *frames;      /* [PTX_MAX_CALL_DEPTH + 1]; one when the image has no calls */
    uint32_t *issue_offset;        /* [n_ops] when it has: frame of a load in flight */
    struct ptx_progress progress;
    struct ptx_fetch *fetches;  /* from textures, under way */
    struct ptx_fetch *fetching; /* that the next instruction goes on with, or NULL */
    struct ptx_copies *copies;  /* asynchronous ones under way; NULL until there were any */
    struct ptx_bulks *bulks;    /* bulk copies to shared memory, likewise */
};

struct ptx_exec {
    struct ptx_warp *w;
    const struct ptx_launch *launch;
    struct isa_step *step;
    struct isa_memop *memop;
    uint64_t cycle;
    bool stay; /* the instruction is not finished: keep the pc */
};

static inline void *ptx_lanes(const struct ptx_exec *x, struct ptx_ref ref)
{
    return __builtin_assume_aligned(x->w->base[ref.base] + ref.offset, PTX_FRAME_ALIGN);
}

static inline uint32_t ptx_read_mask(const uint8_t *at, bool negated)
{
    uint32_t mask = *(const lane_u32 *)(const void *)at;
    return negated ? ~mask : mask;
}

static inline void ptx_write_mask(uint8_t *at, uint32_t value, uint32_t mask)
{
    lane_u32 *to = (lane_u32 *)(void *)at;
    *to = (*to & ~mask) | (value & mask);
}

/* The mask of a predicate operand. */
static inline uint32_t ptx_mask_of(const struct ptx_exec *x, struct ptx_ref ref)
{
    return ptx_read_mask(x->w->base[ref.base] + ref.offset, ref.negated);
}

static inline void ptx_put_mask(const struct ptx_exec *x, struct ptx_ref ref, uint32_t value,
                                uint32_t mask)
{
    ptx_write_mask(x->w->base[ref.base] + ref.offset, value, mask);
}

extern const uint32_t ptx_lane_bit[ISA_LANES];

static inline void ptx_put32(const struct ptx_exec *x, struct ptx_ref ref, const void *result,
                             uint32_t mask)
{
    lane_u32 *to = ptx_lanes(x, ref);
    const lane_u32 *from = result;
    if (mask == UINT32_MAX) {
        __builtin_memcpy(to, result, PTX_SLOT32_BYTES);
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint32_t old = to[lane], new = from[lane];
        to[lane] = (mask & ptx_lane_bit[lane]) != 0 ? new : old;
    }
}

static inline void ptx_put64(const struct ptx_exec *x, struct ptx_ref ref, const void *result,
                             uint32_t mask)
{
    lane_u64 *to = ptx_lanes(x, ref);
    const lane_u64 *from = result;
    if (mask == UINT32_MAX) {
        __builtin_memcpy(to, result, PTX_SLOT64_BYTES);
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t old = to[lane], new = from[lane];
        to[lane] = (mask >> lane & 1) != 0 ? new : old;
    }
}

/* Operations as functions over lanes.  T and A..C are lane types, `put` is ptx_put32 or ptx_put64;
 * the expression sees a, b, c. */
#define PTX_UNARY(name, put, T, A, expression) \
    static void name(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask) \
    { \
        const A *pa = ptx_lanes(x, op->src[0]); \
        T r[ISA_LANES]; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            A a = pa[lane]; \
            r[lane] = (T)(expression); \
        } \
        put(x, op->dst[0], r, mask); \
    }

#define PTX_BINARY(name, put, T, A, B, expression) \
    static void name(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask) \
    { \
        const A *pa = ptx_lanes(x, op->src[0]); \
        const B *pb = ptx_lanes(x, op->src[1]); \
        T r[ISA_LANES]; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            A a = pa[lane]; \
            B b = pb[lane]; \
            r[lane] = (T)(expression); \
        } \
        put(x, op->dst[0], r, mask); \
    }

#define PTX_TERNARY(name, put, T, A, B, C, expression) \
    static void name(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask) \
    { \
        const A *pa = ptx_lanes(x, op->src[0]); \
        const B *pb = ptx_lanes(x, op->src[1]); \
        const C *pc = ptx_lanes(x, op->src[2]); \
        T r[ISA_LANES]; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            A a = pa[lane]; \
            B b = pb[lane]; \
            C c = pc[lane]; \
            r[lane] = (T)(expression); \
        } \
        put(x, op->dst[0], r, mask); \
    }

/* Stop the warp with a fault at its first lane of `lanes`. */
void ptx_fault(struct ptx_exec *x, uint32_t lanes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reconvergence stack (ptx_stack.c) */
void ptx_stack_settle(struct ptx_exec *x); /* after a pc or mask changed */
void ptx_stack_diverge(struct ptx_exec *x, uint32_t taken, uint32_t target, uint32_t next,
                       uint32_t reconverge);
void ptx_stack_multiway(struct ptx_exec *x, const uint32_t *pc_of_lane, uint32_t lanes,
                        uint32_t reconverge);
bool ptx_stack_call(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask);
void ptx_stack_leave(struct ptx_exec *x, uint32_t lanes, bool exits);

/* Progress for each thread (ptx_progress.c); only where the launch asks for it. */
void ptx_progress_branch(const struct ptx_exec *x); /* after a backward branch */
void ptx_progress_sleeps(const struct ptx_exec *x); /* at nanosleep */
/* The running lanes have ended: false when no others are left. */
bool ptx_progress_ended(const struct ptx_exec *x);
/* Before an instruction that acts on lanes together: false when others run first, and the
 * instruction comes again. */
bool ptx_progress_members(const struct ptx_exec *x, uint32_t members);
bool ptx_progress_barrier(const struct ptx_exec *x);
uint32_t ptx_progress_frames_end(const struct ptx_exec *x); /* of other lanes' frames; 0: none */
uint64_t ptx_progress_digest(const struct ptx_warp *w, uint64_t digest);
void ptx_progress_end(struct ptx_warp *w);
uint64_t ptx_digest(uint64_t digest, const void *from, size_t bytes);

/* The isa_launch functions (ptx_warp.c) */
/* The thread of `lane`, as an index into the block in x, y, z. */
struct isa_dim3 ptx_thread_of(const struct ptx_launch *launch, const struct ptx_warp *w,
                              unsigned lane);
/* Room for `bytes` of special slots and frames; what is there stays, bases follow. */
bool ptx_warp_reserve(struct ptx_warp *w, uint64_t bytes);
size_t ptx_warp_bytes(const struct ptx_image *image);
void ptx_warp_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place);
void ptx_warp_step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                   struct isa_memop *memop);
void ptx_warp_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop);
uint64_t ptx_warp_digest(void *self, const struct isa_warp *warp);
void ptx_warp_operand(void *self, const struct isa_warp *warp, uint32_t pc, uint32_t k,
                      uint64_t value[ISA_LANES]);
void ptx_warp_end(void *self, struct isa_warp *warp);
void ptx_mem_retire(struct ptx_exec *x, const struct ptx_op *op);

/* The .const bytes [address, address + bytes), as they were at the launch; NULL outside them. */
const uint8_t *ptx_const_at(const struct ptx_launch *launch, uint64_t address, uint32_t bytes);

/* The table of a launch whose parameters are set: [image->launch_bytes], to be freed; NULL when
 * out of memory (ptx_uniform.c). */
uint8_t *ptx_uniform_values(const struct ptx_launch *launch);

/* Device address of byte `offset` of a thread's local memory. */
uint64_t ptx_local_address(const struct ptx_launch *launch, uint64_t warp_in_grid, unsigned lane,
                           uint64_t offset);

/* Lower `entry` and what it calls (ptx_lower.c); fails through `diag`. */
struct ptx_image *ptx_lower(struct ptx_diag *diag, const struct ptx_module *module,
                            const struct ptx_function *entry);

/* Facts (ptx_cfg.c, ptx_flow.c, ptx_live.c): fill reconvergence points and loop depth, origins,
 * and registers per thread; then shared slots (ptx_slots.c). */
void ptx_analyse(struct ptx_diag *diag, struct ptx_image *image);

#endif
