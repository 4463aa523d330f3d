/* test_harness_load.c - a loaded state is the state: from it C and RTL go on exactly as
 * the instance it was taken from does.  Every unit at its standard parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/backend.h"
#include "tb/drive.h"
#include "tb/lockstep.h"

enum { BEFORE = 3000, AFTER = 1000 };

struct side {
    const struct unit_backend *backend;
    void *instance;
    uint64_t *out;
};

static void step(struct side *side, const uint64_t *in, bool rst, bool defined)
{
    if (defined) {
        side->backend->comb(side->instance, in, side->out);
    }
    side->backend->seq(side->instance, in, rst);
}

static struct side open_side(const struct unit_backend *backend, uint64_t seed)
{
    struct side side = {backend, backend->create(backend->context, seed),
                        calloc(backend->desc->out_slots + 1, sizeof(uint64_t))};
    assert_non_null(side.instance);
    assert_non_null(side.out);
    return side;
}

static void close_side(struct side *side)
{
    struct lockstep_report report;
    lockstep_get(side->instance, &report);
    if (report.mismatch) {
        const struct unit_desc *desc = side->backend->desc;
        const struct lockstep_difference *first = &report.differences[0];
        fail_msg("%s differs at step %lu: %s[%u] 0x%lx, 0x%lx", desc->name,
                 (unsigned long)report.mismatch_step,
                 first->of_state ? desc->state[first->index].name : desc->out[first->index].name,
                 first->element, (unsigned long)first->a, (unsigned long)first->b);
    }
    side->backend->destroy(side->instance);
    free(side->out);
}

/* Outputs compared as the table says: only while their guard is open. */
static void compare(const struct unit_desc *desc, const uint64_t *a, const uint64_t *b)
{
    for (unsigned i = 0; i < desc->n_out; i++) {
        const struct unit_port *port = &desc->out[i];
        bool open = true;
        for (unsigned g = 0; g < desc->n_out; g++) {
            if (strcmp(desc->out[g].name, port->guard) == 0) {
                open = a[desc->out[g].slot] != 0;
            }
        }
        for (unsigned lane = 0; open && lane < port->lanes; lane++) {
            if (a[port->slot + lane] != b[port->slot + lane]) {
                fail_msg("%s: %s[%u] after load", desc->name, port->name, lane);
            }
        }
    }
}

static void load_and_go_on(struct library *library, const char *unit)
{
    struct failure failure;
    const struct unit_backend *pair = library_open(library, unit, "", "lockstep", &failure);
    const struct unit_stimulus *stimulus = library_stimulus(library, unit, "", &failure);
    if (pair == NULL || stimulus == NULL) {
        fail_msg("%s", failure.words);
    }
    if (pair->desc->kind == UNIT_COMBINATIONAL || pair->desc->n_state == 0) {
        return;
    }
    assert_non_null(pair->load);
    struct driver *driver = driver_new(pair->desc, stimulus, 7);
    struct side old = open_side(pair, 1), new = open_side(pair, 99);
    for (int i = 0; i < BEFORE + AFTER; i++) {
        bool rst;
        const uint64_t *in = driver_next(driver, &rst);
        if (i == BEFORE) {
            pair->load(new.instance, pair->state(old.instance));
        }
        step(&old, in, rst, i > 0);
        if (i >= BEFORE) {
            step(&new, in, rst, true);
            compare(pair->desc, old.out, new.out);
        }
        driver_answer(driver, old.out, rst);
    }
    close_side(&old);
    close_side(&new);
    driver_free(driver);
}

static void every_unit(void **state)
{
    struct library *library = library_new(NULL);
    (void)state;
    for (size_t i = 0; i < library_n_units(library); i++) {
        load_and_go_on(library, library_unit(library, i));
    }
    library_free(library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_unit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
