/* test_random_program.h - random programs for the small machine whose every result is known, though
 * their threads share blocks.
 *
 * A thread loads back only words that it alone writes, and of each block all CTAs write some words.
 * Others' words are loaded, too, for the traffic. */
#ifndef WARPLOCK_TEST_RANDOM_PROGRAM_H
#define WARPLOCK_TEST_RANDOM_PROGRAM_H

#include "test_gpu_front_machine.h"

enum {
    CTAS = 8, /* of a warp */
    THREADS = CTAS * 32,
    GROUP = THREADS * 4, /* bytes: a word of each thread */
    GROUPS = 3,
    SUMS = 4, /* words that all add to, in blocks of their own */
    DATA = GROUPS * GROUP,
    BYTES = DATA + SUMS * 128 + GROUP,
    STEPS = 30,
    MOST_OPS = 16 + 3 * STEPS
};

struct program {
    struct front_op op[MOST_OPS];
    uint32_t n, x;
    uint64_t base, local;
    uint32_t data[GROUPS][THREADS], kept[THREADS], value[THREADS], found[THREADS], sum[SUMS];
};

static inline uint32_t any(struct program *p, uint32_t below)
{
    p->x = p->x * 1664525u + 1013904223u;
    return (p->x >> 8) % below;
}

static inline void put(struct program *p, struct front_op op)
{
    assert_true(p->n < MOST_OPS);
    p->op[p->n++] = op;
}

/* r1, r2, r8, r9, r13: own word of group 0, sums, own local word, own result, words in order; r3: 1;
 * r4: the next value; r5: all that was loaded; r6: an address. */
static inline void begin_program(struct program *p)
{
    put(p, (struct front_op){.kind = FRONT_CTA, .d = 1, .imm = p->base, .stride = 4});
    put(p, (struct front_op){.kind = FRONT_LANE, .d = 11, .stride = 4 * CTAS});
    put(p, (struct front_op){.kind = FRONT_SUM, .d = 1, .a = 1, .b = 11});
    put(p, (struct front_op){.kind = FRONT_LANE, .d = 2, .imm = p->base + DATA});
    put(p, (struct front_op){.kind = FRONT_LANE, .d = 3, .imm = 1});
    put(p, (struct front_op){.kind = FRONT_THREAD, .d = 4, .imm = 1000, .stride = 7});
    put(p, (struct front_op){.kind = FRONT_LANE, .d = 5});
    put(p, (struct front_op){.kind = FRONT_THREAD, .d = 8, .imm = p->local, .stride = 4});
    put(p, (struct front_op){
               .kind = FRONT_THREAD, .d = 9, .imm = p->base + DATA + SUMS * 128, .stride = 4});
    put(p, (struct front_op){.kind = FRONT_LANE, .d = 13, .imm = p->base, .stride = 4});
    for (uint32_t t = 0; t < THREADS; t++) {
        p->value[t] = 1000 + 7 * t;
    }
}

static inline void put_store(struct program *p, uint32_t group, bool local)
{
    const uint32_t more = any(p, 1000);

    put(p, (struct front_op){.kind = FRONT_ADD, .d = 4, .a = 4, .imm = more});
    put(p, (struct front_op){.kind = FRONT_ADD, .d = 6, .a = 1, .imm = group * GROUP});
    put(p, (struct front_op){.kind = FRONT_STORE, .a = local ? 8 : 6, .b = 4, .local = local});
    for (uint32_t t = 0; t < THREADS; t++) {
        p->value[t] += more;
        *(local ? &p->kept[t] : &p->data[group][t]) = p->value[t];
    }
}

static inline void put_load(struct program *p, uint32_t group, bool local, uint8_t cacheop)
{
    put(p, (struct front_op){.kind = FRONT_ADD, .d = 6, .a = 1, .imm = group * GROUP});
    put(p, (struct front_op){
               .kind = FRONT_LOAD, .d = 7, .a = local ? 8 : 6, .local = local, .cacheop = cacheop});
    put(p, (struct front_op){.kind = FRONT_SUM, .d = 5, .a = 5, .b = 7});
    for (uint32_t t = 0; t < THREADS; t++) {
        p->found[t] += local ? p->kept[t] : p->data[group][t];
    }
}

static inline void put_step(struct program *p)
{
    const uint32_t group = any(p, GROUPS), what = any(p, 12);

    switch (what) {
    case 0:
    case 1:
    case 2: put_store(p, group, false); break;
    case 3:
    case 4: put_load(p, group, false, ISA_CACHE_DEFAULT); break;
    case 5: put_load(p, group, false, ISA_CACHE_CV); break;
    case 6: put_store(p, 0, true); break;
    case 7: put_load(p, 0, true, ISA_CACHE_DEFAULT); break;
    case 8:
        put(p, (struct front_op){.kind = FRONT_ADD, .d = 6, .a = 2, .imm = group * 128});
        put(p, (struct front_op){.kind = FRONT_RED, .a = 6, .b = 3});
        p->sum[group] += THREADS;
        break;
    case 9: put(p, (struct front_op){.kind = any(p, 2) ? FRONT_FENCE : FRONT_BAR}); break;
    default: /* others' words */
        put(p,
            (struct front_op){.kind = FRONT_ADD, .d = 6, .a = 13, .imm = any(p, DATA / 128) * 128});
        put(p, (struct front_op){.kind = FRONT_LOAD, .d = 12, .a = 6});
        break;
    }
}

static inline void make_program(struct program *p, uint32_t seed, struct memory *memory)
{
    memset(p, 0, sizeof *p);
    p->x = seed;
    p->base = memory_alloc(memory, "data", BYTES, 1 << 16);
    p->local = memory_alloc(memory, "local", GROUP, 1 << 16);
    begin_program(p);
    for (uint32_t s = 0; s < STEPS; s++) {
        put_step(p);
    }
    put(p, (struct front_op){.kind = FRONT_STORE, .a = 9, .b = 5});
    put(p, (struct front_op){.kind = FRONT_EXIT});
}

static inline uint32_t word(struct gpu *gpu, uint64_t at)
{
    uint32_t value = 0;

    gpu_peek(gpu, at, &value, sizeof value);
    return value;
}

static inline void check_memory(struct gpu *gpu, const struct program *p)
{
    for (uint32_t t = 0; t < THREADS; t++) {
        const uint64_t own = p->base + t / 32 * 4 + t % 32 * 4 * CTAS;

        for (uint32_t group = 0; group < GROUPS; group++) {
            assert_int_equal(word(gpu, own + group * GROUP), p->data[group][t]);
        }
        assert_int_equal(word(gpu, p->base + DATA + SUMS * 128 + t * 4), p->found[t]);
    }
    for (uint32_t s = 0; s < SUMS; s++) {
        assert_int_equal(word(gpu, p->base + DATA + s * 128), p->sum[s]);
    }
}

#endif
