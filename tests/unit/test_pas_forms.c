/* test_pas_forms - the two forms of pas_sched (D-PAS-1): while inputs are held, the queues of the form
 * that moves one warp of each kind a cycle come to rest, within two cycles for each ready warp and
 * six more, where those of the document's cycle are after one.  Events come to queues at rest; a
 * leading warp is launched under hold, since one that comes while others are promoted is too late to go
 * before them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tb/backend.h"
#include "tb/random.h"

enum { WARPS = 12, RQ = 4, REST = 2 * RQ + 6, ROUNDS = 3000 };

struct form {
    const struct unit_backend *backend;
    void *instance;
    uint64_t in[64], out[64];
};

static uint64_t *port(const struct unit_port *ports, unsigned n, uint64_t *slots, const char *name)
{
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(ports[i].name, name) == 0) {
            return &slots[ports[i].slot];
        }
    }
    fail_msg("no port %s", name);
    return NULL;
}

static uint64_t *input(struct form *form, const char *name)
{
    return port(form->backend->desc->in, form->backend->desc->n_in, form->in, name);
}

static uint64_t output(struct form *form, const char *name)
{
    return *port(form->backend->desc->out, form->backend->desc->n_out, form->out, name);
}

static void open_form(struct form *form, struct library *library, const char *overrides)
{
    struct failure failure;
    memset(form, 0, sizeof *form);
    form->backend = library_open(library, "pas_sched", overrides, "c", &failure);
    assert_non_null(form->backend);
    form->instance = form->backend->create(form->backend->context, 1);
    form->backend->seq(form->instance, form->in, true);
}

static void step(struct form *form)
{
    form->backend->comb(form->instance, form->in, form->out);
    form->backend->seq(form->instance, form->in, false);
}

/* The ready queue is exactly what is selected first, second, ... of the warps that are left. */
static void same_queues(struct form *one, struct form *many)
{
    uint64_t issuable = UINT64_MAX;
    for (unsigned i = 0; i <= RQ; i++) {
        struct form *const forms[] = {one, many};
        for (unsigned f = 0; f < 2; f++) {
            *input(forms[f], "issuable") = issuable & ((1 << WARPS) - 1);
            forms[f]->backend->comb(forms[f]->instance, forms[f]->in, forms[f]->out);
        }
        assert_int_equal(output(one, "rq_vec"), output(many, "rq_vec"));
        assert_int_equal(output(one, "lead_vec"), output(many, "lead_vec"));
        assert_int_equal(output(one, "issue_valid"), output(many, "issue_valid"));
        if (output(one, "issue_valid")) {
            assert_int_equal(output(one, "issue_wid"), output(many, "issue_wid"));
            issuable &= ~(UINT64_C(1) << output(one, "issue_wid"));
        }
    }
}

static void set_both(struct form *one, struct form *many, const char *name, uint64_t value)
{
    *input(one, name) = value;
    *input(many, name) = value;
}

static void no_events(struct form *one, struct form *many)
{
    static const char *const events[] = {"warp_launch_valid", "warp_exit_valid", "wake_valid"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        set_both(one, many, events[i], 0);
    }
}

static void rest(struct form *one, struct form *many)
{
    no_events(one, many);
    step(one);
    for (unsigned i = 0; i < REST; i++) {
        step(many);
    }
}

/* One event, or another set of blocked warps. */
static void draw(struct tb_random *random, struct form *one, struct form *many)
{
    const uint64_t wid = tb_random_below(random, WARPS);
    switch (tb_random_below(random, 4)) {
    case 0:
        set_both(one, many, "hold", 1);
        set_both(one, many, "warp_launch_valid", 1);
        set_both(one, many, "warp_launch_wid", wid);
        set_both(one, many, "warp_launch_lead", tb_random_below(random, 3) == 0);
        break;
    case 1:
        set_both(one, many, "warp_exit_valid", tb_random_below(random, 3) == 0);
        set_both(one, many, "warp_exit_wid", wid);
        break;
    case 2:
        set_both(one, many, "wake_valid", 1);
        set_both(one, many, "wake_wid", wid);
        break;
    default:
        set_both(one, many, "blocked",
                 tb_random_next(random) & tb_random_next(random) & ((1 << WARPS) - 1));
    }
}

static void queues_come_to_rest_alike(const char *more)
{
    struct library *library = library_new(NULL);
    struct tb_random random;
    struct form one, many;
    char overrides[96];
    snprintf(overrides, sizeof overrides, "WARPS=%d,RQ=%d%s", WARPS, RQ, more);
    open_form(&many, library, overrides);
    snprintf(overrides, sizeof overrides, "WARPS=%d,RQ=%d,ONE_CYCLE=1%s", WARPS, RQ, more);
    open_form(&one, library, overrides);
    tb_random_seed(&random, 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        draw(&random, &one, &many);
        step(&one);
        step(&many);
        rest(&one, &many);
        set_both(&one, &many, "hold", 0);
        rest(&one, &many);
        same_queues(&one, &many);
    }
    one.backend->destroy(one.instance);
    many.backend->destroy(many.instance);
    library_free(library);
}

static void as_decided(void **state)
{
    (void)state;
    queues_come_to_rest_alike("");
}

static void without_wake_up(void **state)
{
    (void)state;
    queues_come_to_rest_alike(",WAKE=0");
}

static void woken_to_the_head(void **state)
{
    (void)state;
    queues_come_to_rest_alike(",WAKE_FRONT=1");
}

static void oldest_gives_way(void **state)
{
    (void)state;
    queues_come_to_rest_alike(",WAKE_VICTIM_OLDEST=1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_decided),
        cmocka_unit_test(without_wake_up),
        cmocka_unit_test(woken_to_the_head),
        cmocka_unit_test(oldest_gives_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
