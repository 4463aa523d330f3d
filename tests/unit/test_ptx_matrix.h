/* test_ptx_matrix.h - elements of matrices for the tests of mma and wmma: small formats to numbers and
 * back, and the product by the plain sum, in long double.  Knows no code of the executor. */
#ifndef WARPLOCK_TEST_PTX_MATRIX_H
#define WARPLOCK_TEST_PTX_MATRIX_H

#include "test_ptx.h"

#include <math.h>

enum { MATRIX_MOST = 32 * 256 };

/* A matrix by its elements' bits, row by row. */
struct matrix {
    const char *type;
    uint32_t rows, cols;
    uint64_t bits[MATRIX_MOST];
};

static inline bool is_type(const char *type, const char *name)
{
    return strcmp(type, name) == 0;
}

static inline uint32_t type_bits(const char *type)
{
    return is_type(type, "b1")           ? 1
           : type[1] == '4'              ? 4
           : type[1] == '8'              ? 8
           : strstr(type, "f16") != NULL ? 16
           : is_type(type, "f64")        ? 64
                                         : 32;
}

static inline uint32_t in_register(const char *type)
{
    return type_bits(type) == 64 ? 1 : 32 / type_bits(type);
}

/* sign, exponent of `e` bits, fraction of `f` bits. */
static inline long double small_float(uint64_t bits, uint32_t e, uint32_t f)
{
    long double sign = bits >> (e + f) & 1 ? -1 : 1;
    uint64_t exponent = bits >> f & ((1u << e) - 1), fraction = bits & ((UINT64_C(1) << f) - 1);
    int bias = (1 << (e - 1)) - 1;
    return exponent == 0 ? sign * ldexpl((long double)fraction, 1 - bias - (int)f)
                         : sign * ldexpl((long double)(fraction + (UINT64_C(1) << f)),
                                         (int)exponent - bias - (int)f);
}

static inline long double value_of(const char *type, uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof(d));
    return is_type(type, "f64")    ? (long double)d
           : is_type(type, "f32")  ? small_float(bits, 8, 23)
           : is_type(type, "tf32") ? small_float(bits & ~UINT64_C(0x1fff), 8, 23)
           : is_type(type, "bf16") ? small_float(bits, 8, 7)
           : is_type(type, "f16")  ? small_float(bits, 5, 10)
           : is_type(type, "s8")   ? (long double)(int8_t)bits
           : is_type(type, "s4")   ? (long double)((int)(bits & 7) - (int)(bits & 8))
           : is_type(type, "s32")  ? (long double)(int32_t)bits
                                   : (long double)bits;
}

/* To nearest even, of numbers in the range of normal ones. */
static inline uint64_t f16_of(long double v)
{
    int e;
    long double m = frexpl(fabsl(v), &e);
    if (v == 0 || e < -13) {
        return (v < 0 ? 0x8000u : 0) | (uint64_t)rintl(ldexpl(fabsl(v), 24));
    }
    uint64_t whole = (uint64_t)rintl(ldexpl(m, 11)); /* 11 bits, or 2^11 */
    return (v < 0 ? 0x8000u : 0) + ((uint64_t)(e + 13) << 10) + whole;
}

static inline uint64_t bits_of(const char *type, long double v)
{
    uint64_t bits = 0;
    double d = (double)v;
    float f = (float)v;
    if (is_type(type, "f64")) {
        memcpy(&bits, &d, 8);
    } else if (is_type(type, "f32") || is_type(type, "tf32")) {
        memcpy(&bits, &f, 4);
    } else if (is_type(type, "bf16")) {
        memcpy(&bits, &f, 4); /* callers give what fits */
        bits >>= 16;
    } else if (is_type(type, "f16")) {
        bits = f16_of(v);
    } else {
        bits = (uint64_t)(int64_t)v &
               (type_bits(type) == 32 ? UINT32_MAX : (1u << type_bits(type)) - 1);
    }
    return bits;
}

/* Small numbers whose sums are exact in every type, or (`round` > 0) any numbers near 1. */
static inline void fill_matrix(struct matrix *m, const char *type, uint32_t rows, uint32_t cols,
                               uint32_t round, uint64_t *state)
{
    bool integer = strchr("sub", type[0]) != NULL && !is_type(type, "bf16");
    m->type = type;
    m->rows = rows;
    m->cols = cols;
    for (uint32_t i = 0; i < rows * cols; i++) {
        uint64_t r = test_random(state) >> 20;
        if (integer) {
            uint32_t bits = type_bits(type);
            m->bits[i] = bits == 32 ? r % 2000 : r & ((1u << bits) - 1);
        } else if (round == 0) {
            m->bits[i] = bits_of(type, (long double)((int)(r % 17) - 8) / 4);
        } else { /* exponents from -4 to 3, every bit of the fraction */
            uint32_t f = is_type(type, "f64")    ? 52
                         : is_type(type, "f16")  ? 10
                         : is_type(type, "bf16") ? 7
                                                 : 23;
            uint32_t e = is_type(type, "f64") ? 11 : is_type(type, "f16") ? 5 : 8;
            uint64_t exponent = (1u << (e - 1)) - 5 + r % 8;
            m->bits[i] = (r >> 3 & 1) << (e + f) | exponent << f |
                         (test_random(state) & ((UINT64_C(1) << f) - 1));
        }
    }
}

/* The sum in order of k, rounded after each addition as the type of the sum is. */
static inline uint64_t expected_at(const struct matrix *a, const struct matrix *b,
                                   const struct matrix *c, const char *d, uint32_t row,
                                   uint32_t col, int operation, bool saturate)
{
    long double sum = value_of(c->type, c->bits[row * c->cols + col]);
    for (uint32_t k = 0; k < a->cols; k++) {
        uint64_t x = a->bits[row * a->cols + k], y = b->bits[k * b->cols + col];
        sum += operation == 'x'   ? (long double)(x ^ y)
               : operation == '&' ? (long double)(x & y)
                                  : value_of(a->type, x) * value_of(b->type, y);
        sum = is_type(c->type, "s32")   ? sum
              : is_type(c->type, "f64") ? (long double)(double)sum
                                        : (long double)(float)sum;
    }
    if (is_type(d, "s32") && saturate) {
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    }
    return bits_of(d, sum);
}

#endif
