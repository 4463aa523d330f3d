/* test_gpu_front_machine.h - a small machine to run test_gpu_front.h programs on. */
#ifndef WARPLOCK_TEST_GPU_FRONT_MACHINE_H
#define WARPLOCK_TEST_GPU_FRONT_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "machine/gpu.h"
#include "machine/sm/sm_private.h"
#include "test_gpu_front.h"

struct rig {
    struct gpu_config config;
    struct gpu_options options;
    struct memory *memory;
    struct gpu *gpu;
};

/* The machine of rig->config. */
static inline void rig_open(struct rig *rig)
{
    char error[512] = "";

    rig->memory = memory_create();
    rig->gpu = gpu_create(&rig->config, &rig->options, rig->memory, error, sizeof error);
    assert_string_equal(error, "");
    assert_non_null(rig->gpu);
}

/* One SM, one L2 bank, one DRAM channel, all clocks equal; then `changes`, a
 * NULL-terminated list of "section.key=value". */
static inline void rig_make(struct rig *rig, const char *const *changes)
{
    static const char *const small[] = {
        "machine.sms=1",        "clock.core_khz=1000000", "clock.icnt_khz=1000000",
        "clock.l2_khz=1000000", "clock.dram_khz=1000000", "l2.partitions=1",
        "l2.banks=1",           "dram.channels=1",        NULL};
    char error[512] = "";

    config_defaults(&rig->config);
    for (size_t k = 0; small[k]; k++) {
        assert_int_equal(config_set(&rig->config, small[k], error, sizeof error), 0);
    }
    for (size_t k = 0; changes && changes[k]; k++) {
        assert_int_equal(config_set(&rig->config, changes[k], error, sizeof error), 0);
    }
    rig_open(rig);
}

static inline void rig_free(struct rig *rig)
{
    gpu_destroy(rig->gpu);
    memory_destroy(rig->memory);
}

/* Run a program; returns the cycles it took. */
static inline uint64_t rig_run(struct rig *rig, const struct front_op *op, uint32_t n,
                               uint32_t ctas, uint32_t threads)
{
    struct front_program program;
    uint64_t before = rig->gpu->now;
    enum gpu_status status;

    front_make(&program, op, n, ctas, threads);
    status = gpu_launch(rig->gpu, &program.launch);
    front_free(&program);
    if (status != GPU_OK) {
        print_message("%s\n", rig->gpu->error);
    }
    assert_int_equal(status, GPU_OK);
    return rig->gpu->now - before;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
