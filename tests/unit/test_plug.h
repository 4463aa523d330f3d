/* test_plug.h - what a test itself plugs into the small machine of test_gpu_front_machine.h, beside
 * the mechanisms: watchers of SM 0, something clocked with SM 0 or with L2 bank 0. */
#ifndef WARPLOCK_TEST_PLUG_H
#define WARPLOCK_TEST_PLUG_H

#include "test_gpu_front_machine.h"

#include "machine/plug/plug.h"

/* A test promises nothing. */
static const struct plugger test_plugger = {.name = "a test"};

static inline void test_watch(struct rig *rig, const struct observer *observer)
{
    struct core *core = machine_core(machine_of(rig->gpu), 0);
    assert_int_equal(plug_observer(core, &test_plugger, observer), 0);
}

static inline void test_clock(struct rig *rig, const struct clocked_socket *clocked)
{
    struct core *core = machine_core(machine_of(rig->gpu), 0);
    assert_int_equal(plug_clock(core, &test_plugger, clocked), 0);
}

static inline void test_clock_bank(struct rig *rig, const struct clocked_socket *clocked)
{
    struct bank *bank = machine_bank(machine_of(rig->gpu), 0);
    assert_int_equal(plug_bank_clock(bank, &test_plugger, clocked), 0);
}

#endif
