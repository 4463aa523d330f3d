/* ptx_atomic.c - see ptx_atomic.h. */
#include "ptx/ptx_atomic.h"

#include <stdbool.h>
#include <string.h>

#include "gpu/isa.h"
#include "ptx/ptx_half_math.h"

uint32_t ptx_atomic_bytes(uint8_t number)
{
    switch (number) {
    case ISA_U64: case ISA_S64: case ISA_F64: case ISA_B64:
        return 8;
    case ISA_B16: case ISA_F16:
        return 2;
    default:
        return 4;
    }
}

static uint64_t add_float(uint8_t number, uint64_t old, uint64_t operand)
{
    if (number == ISA_F64) {
        double a, b;
        memcpy(&a, &old, sizeof(a));
        memcpy(&b, &operand, sizeof(b));
        a += b;
        if (a != a) {
            return PTX_NAN_F64;
        }
        memcpy(&old, &a, sizeof(a));
        return old;
    }
    if (number == ISA_F32) {
        uint32_t low = (uint32_t)old, other = (uint32_t)operand;
        float a, b;
        memcpy(&a, &low, sizeof(a));
        memcpy(&b, &other, sizeof(b));
        a += b;
        if (a != a) {
            return PTX_NAN_F32;
        }
        memcpy(&low, &a, sizeof(a));
        return low;
    }
    uint64_t sum = ptx_half_add((uint16_t)old, (uint16_t)operand);
    if (number == ISA_F16X2) {
        sum |= (uint64_t)ptx_half_add((uint16_t)(old >> 16), (uint16_t)(operand >> 16)) << 16;
    }
    return sum;
}

static bool less(uint8_t number, uint64_t a, uint64_t b)
{
    switch (number) {
    case ISA_S32:
        return (int32_t)(uint32_t)a < (int32_t)(uint32_t)b;
    case ISA_S64:
        return (int64_t)a < (int64_t)b;
    default:
        return a < b;
    }
}

static uint64_t add(uint8_t number, uint64_t old, uint64_t operand)
{
    switch (number) {
    case ISA_F32: case ISA_F64: case ISA_F16: case ISA_F16X2:
        return add_float(number, old, operand);
    case ISA_U64: case ISA_S64: case ISA_B64:
        return old + operand;
    default:
        return (uint32_t)(old + operand);
    }
}

uint64_t ptx_atomic(uint8_t atom, uint8_t number, uint64_t old, uint64_t operand, uint64_t swap)
{
    switch (atom) {
    case ISA_ATOM_ADD:
        return add(number, old, operand);
    case ISA_ATOM_MIN:
        return less(number, operand, old) ? operand : old;
    case ISA_ATOM_MAX:
        return less(number, old, operand) ? operand : old;
    case ISA_ATOM_INC:
        return old >= operand ? 0 : old + 1;
    case ISA_ATOM_DEC:
        return old == 0 || old > operand ? operand : old - 1;
    case ISA_ATOM_AND:
        return old & operand;
    case ISA_ATOM_OR:
        return old | operand;
    case ISA_ATOM_XOR:
        return old ^ operand;
    case ISA_ATOM_EXCH:
        return operand;
    default:
        return old == operand ? swap : old;
    }
}
