/* shape.h - what instructions do to registers, for hardware that follows values through them
 * (lakshminarayana2014-graph 3.1.4): the few kinds that make addresses, their operands, constants.
 *
 * A front end that knows gives a table beside its instructions (isa_kernel.shape).  Nothing here knows
 * how an instruction is written or executed. */
#ifndef WARPLOCK_ISA_SHAPE_H
#define WARPLOCK_ISA_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

enum isa_shape_kind {
    ISA_SHAPE_NONE,    /* writes no register but perhaps a predicate */
    ISA_SHAPE_UNKNOWN, /* its results follow from more than its registers: memory, other lanes */
    ISA_SHAPE_OTHER,   /* they follow from its registers and constants, by any function */
    ISA_SHAPE_ADD,     /* dst = src[0] + src[1], modulo 2^bits; likewise below */
    ISA_SHAPE_SUB,
    ISA_SHAPE_MUL, /* widened to `bits`: operands are half as wide */
    ISA_SHAPE_SHL,
    ISA_SHAPE_MOV, /* of `from_bits`, extended or cut */
    ISA_SHAPE_MAD, /* src[0] * src[1] + src[2] */
    ISA_SHAPE_LOAD,
    ISA_SHAPE_SETP /* dst is a predicate: src[0] `compare` src[1], 32-bit integers */
};
enum isa_compare {
    ISA_COMPARE_LT,
    ISA_COMPARE_LE,
    ISA_COMPARE_GT,
    ISA_COMPARE_GE,
    ISA_COMPARE_NE,
    ISA_COMPARE_EQ,
    ISA_COMPARE_NONE = 7 /* another one */
};

enum { ISA_NO_REGISTER = UINT16_MAX };

struct isa_shape {
    uint8_t kind;            /* enum isa_shape_kind */
    uint8_t compare;         /* of SETP, enum isa_compare */
    uint8_t bits, from_bits; /* of the result; of operands that are widened */
    bool sign;               /* they are extended by their sign; of LOAD: its bytes */
    bool guarded, guard_not; /* by the predicate `guard`, or by its contrary */
    bool read_only;          /* LOAD: from global memory that the kernel does not write */
    bool constant;           /* src[1] is the constant below */
    int64_t value;           /* ...; of LOAD: added to the address register */
    uint16_t guard, dst;     /* numbers as in struct isa_inst, or ISA_NO_REGISTER */
    uint16_t src[3];         /* ISA_NO_REGISTER: a constant, or the same in every iteration */
    uint8_t at[3];           /* the operand of the instruction that it is */
    uint32_t target;         /* of a branch to one place; else UINT32_MAX */
};

#endif
