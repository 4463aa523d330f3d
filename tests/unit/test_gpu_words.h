/* test_gpu_words.h - words in memory whose values are their numbers, and a kernel that loads two of them,
 * one after the other.  Knows the small machine of test_gpu_front_machine.h. */
#ifndef WARPLOCK_TEST_GPU_WORDS_H
#define WARPLOCK_TEST_GPU_WORDS_H

#include "test_gpu_front_machine.h"

enum { WORDS = 4096 };

/* WORDS words; their address. */
static inline uint64_t words_of(struct rig *rig)
{
    uint64_t base = memory_alloc(rig->memory, "words", WORDS * 4, 1 << 16);

    for (uint32_t i = 0; i < WORDS; i++) {
        gpu_poke(rig->gpu, base + 4 * i, &i, 4);
    }
    return base;
}

static inline uint32_t word(struct rig *rig, uint64_t address)
{
    uint32_t value;

    gpu_peek(rig->gpu, address, &value, sizeof value);
    return value;
}

/* Two dependent loads of one block `apart` bytes apart, and their results stored. */
static inline void two_loads(struct rig *rig, uint64_t base, uint64_t apart, uint64_t out)
{
    const struct front_op op[] = {
        {.kind = FRONT_LANE, .d = 1, .imm = base},
        {.kind = FRONT_LOAD, .d = 2, .a = 1},
        {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1}, /* after the first has returned */
        {.kind = FRONT_LANE, .d = 3, .imm = base + apart},
        {.kind = FRONT_LOAD, .d = 4, .a = 3},
        {.kind = FRONT_LANE, .d = 5, .imm = out, .stride = 4},
        {.kind = FRONT_LANE, .d = 6, .imm = out + 128, .stride = 4},
        {.kind = FRONT_STORE, .a = 5, .b = 2},
        {.kind = FRONT_STORE, .a = 6, .b = 4},
        {.kind = FRONT_EXIT}};

    rig_run(rig, op, COUNT(op), 1, 32);
    assert_int_equal(word(rig, out), word(rig, base));
    assert_int_equal(word(rig, out + 128), word(rig, base + apart));
}

#endif
