/* atomic.c - see atomic.h.  A NaN result is the canonical one, as of every PTX addition. */
#include "machine/l2/atomic.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/half.h"
#include "isa/isa.h"

static uint64_t load(const uint8_t *from, uint8_t bytes)
{
    uint64_t value = 0;

    memcpy(&value, from, bytes); /* the machine is little-endian, like its hosts */
    return value;
}

static int64_t sign_extend(uint64_t value, uint8_t bytes)
{
    unsigned shift = 64u - 8u * bytes;

    return (int64_t)(value << shift) >> shift;
}

static float f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof value);
    return value;
}

static double f64(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? UINT32_C(0x7fffffff) : bits;
}

static uint64_t bits64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? UINT64_C(0xfff8000000000000) : bits;
}

static float half_to_float(uint16_t h)
{
    uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
    float sign = h & 0x8000 ? -1.0f : 1.0f;

    if (exponent == 31) {
        return fraction ? nanf("") : sign * HUGE_VALF;
    }
    return sign * ldexpf((float)(exponent ? fraction + 1024 : fraction),
                         (int)(exponent ? exponent : 1) - 25);
}

static uint64_t half_add(uint64_t a, uint64_t b)
{
    return half_of((double)(half_to_float((uint16_t)a) + half_to_float((uint16_t)b)));
}

static uint64_t brain_add(uint64_t a, uint64_t b)
{
    const float sum = f32(a << 16 & 0xffff0000u) + f32(b << 16 & 0xffff0000u);
    const uint32_t bits = (uint32_t)bits32(sum);

    /* Rounded once to 24 bits and once to 8: nearest even of the exact sum, since 24 >= 2 * 8 + 2. */
    return isnan(sum) ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static uint64_t add(uint8_t number, uint64_t a, uint64_t b)
{
    switch (number) {
    case ISA_F32: return bits32(f32(a) + f32(b));
    case ISA_F64: return bits64(f64(a) + f64(b));
    case ISA_F16: return half_add(a, b);
    case ISA_F16X2: return half_add(a, b) | half_add(a >> 16, b >> 16) << 16;
    case ISA_BF16: return brain_add(a, b);
    case ISA_BF16X2: return brain_add(a, b) | brain_add(a >> 16, b >> 16) << 16;
    default: return a + b;
    }
}

static bool is_signed(uint8_t number)
{
    return number == ISA_S32 || number == ISA_S64;
}

static bool less(uint8_t number, uint8_t bytes, uint64_t a, uint64_t b)
{
    if (number == ISA_F32) {
        return f32(a) < f32(b);
    }
    if (number == ISA_F64) {
        return f64(a) < f64(b);
    }
    if (is_signed(number)) {
        return sign_extend(a, bytes) < sign_extend(b, bytes);
    }
    return a < b;
}

uint8_t atomic_bytes(uint8_t number)
{
    switch (number) {
    case ISA_U64:
    case ISA_S64:
    case ISA_F64:
    case ISA_B64: return 8;
    case ISA_B16:
    case ISA_F16:
    case ISA_BF16: return 2;
    default: return 4;
    }
}

uint64_t atomic_result(uint8_t atom, uint8_t number, uint64_t old, uint64_t operand, uint64_t swap)
{
    uint8_t bytes = atomic_bytes(number);
    uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;

    switch (atom) {
    case ISA_ATOM_ADD: return add(number, old, operand) & mask;
    case ISA_ATOM_MIN: return less(number, bytes, operand, old) ? operand : old;
    case ISA_ATOM_MAX: return less(number, bytes, old, operand) ? operand : old;
    case ISA_ATOM_INC: return old >= operand ? 0 : old + 1;
    case ISA_ATOM_DEC: return old == 0 || old > operand ? operand : old - 1;
    case ISA_ATOM_AND: return old & operand;
    case ISA_ATOM_OR: return old | operand;
    case ISA_ATOM_XOR: return old ^ operand;
    case ISA_ATOM_CAS: return old == operand ? swap : old;
    case ISA_ATOM_EXCH:
    default: return operand;
    }
}

void atomic_apply(uint8_t atom, uint8_t number, uint8_t *location, const uint8_t operand[8],
                  const uint8_t swap[8], uint8_t old[8])
{
    uint8_t bytes = atomic_bytes(number);
    uint64_t before = load(location, bytes);
    uint64_t after = atomic_result(atom, number, before, load(operand, bytes), load(swap, bytes));

    memcpy(location, &after, bytes);
    memset(old, 0, 8);
    memcpy(old, &before, bytes);
}
