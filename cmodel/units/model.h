/* model.h - turns a unit's C model into a backend.
 *
 * A model includes this with UNIT_TABLE set and defines
 *     static void comb(const struct state *s, const struct in *in, struct out *out);
 *     static void seq(struct state *s, const struct in *in);
 *     static void reset(struct state *s);
 * then says MODEL_SEQUENTIAL, or, having only comb, MODEL_COMBINATIONAL.
 * The model masks what it stores and what it puts out to its width.
 */
#include <stdlib.h>
#include <string.h>

#include "units/table.h"

/* The low `width` bits of `value`, width 0..64. */
static inline uint64_t unit_bits(uint64_t value, unsigned width)
{
    return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

/* `value[low +: width]`: width bits from bit `low` up; bits past 63 read 0. */
static inline uint64_t unit_field(uint64_t value, unsigned low, unsigned width)
{
    return low >= 64 ? 0 : unit_bits(value >> low, width);
}

static void unit_model_destroy(void *self)
{
    free(self);
}

static const void *unit_model_state(void *self)
{
    return self;
}

static void unit_model_load(void *self, const void *state)
{
    memcpy(self, state, sizeof(struct state));
}

/* splitmix64: arbitrary contents before reset, the same for the same seed. */
static uint64_t unit_model_random(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void *unit_model_create(void *context, uint64_t seed)
{
    (void)context;
    unsigned char *state = calloc(1, sizeof(struct state));
    for (const struct unit_field *f = unit_state; state != NULL && f->name != NULL; f++) {
        for (unsigned i = 0; i < f->depth; i++) {
            uint64_t value = unit_bits(unit_model_random(&seed), f->width);
            memcpy(state + f->offset_bytes + i * f->element_bytes, &value, f->element_bytes);
        }
    }
    return state;
}

#define MODEL_BACKEND \
    static const struct unit_backend unit_model_backend = {&unit_desc, \
                                                           "c", \
                                                           NULL, \
                                                           unit_model_create, \
                                                           unit_model_destroy, \
                                                           unit_model_comb, \
                                                           unit_model_seq, \
                                                           unit_model_state, \
                                                           unit_model_load}; \
    __attribute__((visibility("default"))) const struct unit_backend *unit_backend(void) \
    { \
        return &unit_model_backend; \
    }

#define MODEL_COMB \
    static void unit_model_comb(void *self, const uint64_t *in, uint64_t *out) \
    { \
        comb((const struct state *)self, (const struct in *)(const void *)in, \
             (struct out *)(void *)out); \
    }

#define MODEL_SEQUENTIAL \
    MODEL_COMB \
    static void unit_model_seq(void *self, const uint64_t *in, bool rst) \
    { \
        if (rst) { \
            reset((struct state *)self); \
        } else { \
            seq((struct state *)self, (const struct in *)(const void *)in); \
        } \
    } \
    MODEL_BACKEND

#define MODEL_COMBINATIONAL \
    MODEL_COMB \
    static void unit_model_seq(void *self, const uint64_t *in, bool rst) \
    { \
        (void)self, (void)in, (void)rst; \
    } \
    MODEL_BACKEND
