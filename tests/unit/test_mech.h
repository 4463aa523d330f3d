/* test_mech.h - mechanisms on the small machine of test_gpu_front_machine.h: attach, run a
 * program, read a counter of the mechanism. */
#ifndef WARPLOCK_TEST_MECH_H
#define WARPLOCK_TEST_MECH_H

#include "test_counter.h"
#include "test_gpu_front_machine.h"

#include "cli/run_units.h"

struct mech {
    struct rig rig;
    struct run_units *units;
};

/* The rig with `mechanisms` (NULL: none) on their C models. */
static inline void mech_make(struct mech *m, const char *const *changes, const char *mechanisms)
{
    char error[512] = "";
    *m = (struct mech){0};
    rig_make(&m->rig, changes);
    if (mechanisms == NULL) {
        return;
    }
    m->units = run_units_attach(m->rig.gpu, mechanisms, NULL, error, sizeof error);
    assert_string_equal(error, "");
    assert_non_null(m->units);
}

static void mech_free(struct mech *m)
{
    run_units_detach(m->units);
    rig_free(&m->rig);
}

/* A counter that the mechanism reports. */
static inline json_int_t mech_count(const struct mech *m, const char *mechanism, const char *name)
{
    return counter_of(run_units_json(m->units), mechanism, name);
}

#endif
