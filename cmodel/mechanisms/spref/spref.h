/* spref.h - prefetching into spare registers, of one SM: the unit spref_top beside it, spare registers
 * with what is in them, and the load that each warp has to issue next (lakshminarayana2014-graph 3.1). */
#ifndef WARPLOCK_MECHANISMS_SPREF_H
#define WARPLOCK_MECHANISMS_SPREF_H

#include "isa/shape.h"
#include "mechanisms/ports.h"

enum {
    SPREF_LANES = ISA_LANES,
    SPREF_WARPS = 64,
    SPREF_REGISTERS = 12, /* spare ones that a thread uses at most: four loads, three ahead */
    SPREF_NONE = 63,
    SPREF_MOST_STEPS = 8 /* instructions from a head's value to its tail's address */
};

/* A spare register of a warp. */
struct spref_register {
    bool awaited;  /* its load has not come back */
    bool poisoned; /* a lane's address is in no buffer: the load stays a load */
    uint32_t pc;   /* of the target load */
    uint32_t mask;
    uint32_t value[SPREF_LANES];
    uint64_t address[SPREF_LANES]; /* that it was loaded from */
};

/* How a tail's address comes from its head's value: so many operations on it. */
struct spref_chain {
    uint32_t head_pc, tail_pc, n; /* no tail: UINT32_MAX */
    struct {
        uint8_t bits, from_bits, shift;
        bool sign;
    } step[SPREF_MOST_STEPS];
    uint32_t base_pc, base_k; /* an operand that is the base register */
    uint8_t head_bits;
    bool head_sign;
};

/* A load that goes in behind its target. */
struct spref_injected {
    bool valid, to_register;
    uint8_t mode, dst, src;
    uint32_t pc, mask;
    uint64_t address[SPREF_LANES]; /* of a head; of a tail: what is added to the head's value */
    struct spref_chain chain;      /* of a tail: other warps may be at another one when it issues */
};

/* What a compiler marks: a loop, and the comparison before it by which each lane's iterations are known:
 * operand 1 - `from` minus operand `from`, plus_one; a count of the loop's own comparison is `less` less. */
struct spref_hint {
    bool valid;
    uint32_t first, last; /* PCs of the loop */
    uint32_t before_pc;
    uint8_t from;
    bool plus_one, less, up;
};

#define SPREF_COUNTERS(C) \
    C(hinted, "loops that the compiler marked") \
    C(loops, "loops that became ready") \
    C(rejected, "loops without loads to prefetch, or not understood") \
    C(entered, "times that a warp entered such a loop") \
    C(blocked, "of these, how many prefetched nothing") \
    C(regrouped, "times that a warp came back to lanes that had waited") \
    C(heads, "head-loads injected") \
    C(tails, "tail-loads injected") \
    C(moves, "loads that became moves") \
    C(injected_lanes, "lanes of injected loads") \
    C(cache_lanes, "of these, lanes of loads into the caches alone") \
    C(moved_lanes, "lanes of moves: what was injected for them was of use") \
    C(late_moves, "moves that had to wait for their register") \
    C(late_lanes, "lanes of these") \
    C(poisoned, "moves that stayed loads, since a lane's address was in no buffer") \
    C(head_loads, "of the ready loop, executed as loads or moves") \
    C(tail_loads, "the same, of those whose address comes from another load's value") \
    C(head_wait_cycles, \
      "from the issue before a head to that of the first instruction that needs it") \
    C(tail_wait_cycles, "the same of tails") \
    C(distance1, "counts from which a distance of 1 followed") \
    C(distance2, "2") \
    C(distance3, "3")

struct spref_counters {
#define SPREF_FIELD(name, meaning) uint64_t name;
    SPREF_COUNTERS(SPREF_FIELD)
#undef SPREF_FIELD
};

/* Of a warp: when it issued last, and its last head and tail that nothing has needed yet. */
struct spref_waiting {
    uint64_t issued, from[2];
    uint16_t reg[2];
    bool open[2];
};

struct spref {
    struct core *core;
    struct unit_pins pins;
    struct spref_ports {
#include "mechanisms/port_rows.h"
#define PORT_IN(name) uint64_t *name;
#define PORT_OUT(name) uint64_t *name;
#include "units/spref/spref_top/spref_top.ports.h"
#undef PORT_IN
#undef PORT_OUT
#include "units/no_rows.h"
    } port;
    int64_t spare; /* given, or as many as the occupancy leaves */
    bool compiled; /* C-SPREF: loops are those that the compiler marks */
    struct spref_hint hint;
    bool showing;  /* its text, which no warp executes: no values */
    bool watching; /* a loop is being looked at, or ready */
    bool loop_ready;
    uint32_t loop_first, loop_last; /* PCs of the ready loop */
    uint8_t needed;                 /* MaxReg_s */
    const struct isa_kernel *kernel;
    uint8_t *number; /* [n_numbers] register of the unit, or SPREF_NONE */
    uint32_t n_numbers;
    uint64_t advanced;           /* by number: registers that some loop adds to */
    bool follows;                /* the instruction being executed is one that the unit looks at */
    uint32_t group[SPREF_WARPS]; /* lanes that began the warp's iteration of the ready loop */
    uint64_t waited;             /* warps that a register of their next move was not there for */
    struct spref_injected injected[SPREF_WARPS];
    struct spref_waiting waiting[SPREF_WARPS];
    struct spref_register *spare_register; /* [SPREF_WARPS * SPREF_REGISTERS] */
    struct spref_chain chain;              /* of the last tail */
    struct spref_counters count;
};

/* An id that no list gave is some register, too: what is in it was loaded from elsewhere. */
static inline struct spref_register *spref_register_of(struct spref *s, uint32_t slot, uint32_t id)
{
    return &s->spare_register[slot * SPREF_REGISTERS + (id - s->needed) % SPREF_REGISTERS];
}

/* ---- spref_decode.c: instructions as the unit takes them ---- */

/* A kernel starts: its registers get numbers. */
int spref_number(struct spref *s);
/* Put the instruction at `pc` of a warp on the unit's inputs; operands are read as they stand. */
void spref_decode(struct spref *s, uint32_t slot, uint32_t pc);
/* How the tail at `pc` follows from the head at `head_pc`; false when it does not. */
bool spref_chain(const struct spref *s, uint32_t head_pc, uint32_t pc, struct spref_chain *chain);
uint64_t spref_chain_value(const struct spref_chain *chain, uint32_t loaded);

/* ---- spref_compiler.c, spref_hint.c: C-SPREF ---- */

/* The first loop of the kernel that can be marked. */
struct spref_hint spref_compile(const struct isa_kernel *kernel);
/* A kernel starts: show the unit its marked loop. */
void spref_hint_start(struct spref *s);
/* A warp executes the marked comparison. */
void spref_hint_announce(struct spref *s, uint32_t slot);

/* ---- spref_wait.c ---- */

/* A warp issues the instruction at `pc`. */
void spref_wait(struct spref *s, uint32_t slot, uint32_t pc);

/* ---- spref_issue.c: the seam at issue ---- */

/* The clock edge of the unit, with what its inputs say. */
void spref_step(struct spref *s);

int spref_plug(struct mechanism_context *context, struct spref *s);

#endif
