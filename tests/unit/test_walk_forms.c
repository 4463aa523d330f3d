/* test_walk_forms - the two forms of caps_prefetch_gen (caps-prefetch 3.2.4): of the same jobs, in an SM
 * that stays as it is, the walk in stages asks for the same lines for the same warps in the same order as
 * the document's, and for one in no fewer cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tb/backend.h"
#include "tb/random.h"
#include "tb/value.h"

enum { SLOTS = 8, LANES = 4, MOST = 8 * 48 * LANES, ROUNDS = 400, PATIENCE = 8 * 48 * 8 };

struct request {
    uint64_t line, wid;
};

struct form {
    const struct unit_backend *backend;
    void *instance;
    uint64_t in[64], out[64];
    struct request request[MOST];
    unsigned n_requests, cycles;
};

/* What PerCTA knows of each slot. */
struct base {
    uint64_t hit, lead, last, address[LANES];
};

static uint64_t *input(struct form *form, const char *name)
{
    const struct unit_desc *desc = form->backend->desc;
    const struct unit_port *port = value_port(desc->in, desc->n_in, name);
    assert_non_null(port);
    return form->in + port->slot;
}

static uint64_t output(const struct form *form, const char *name)
{
    const struct unit_desc *desc = form->backend->desc;
    const struct unit_port *port = value_port(desc->out, desc->n_out, name);
    assert_non_null(port);
    return form->out[port->slot];
}

static void open_form(struct form *form, struct library *library, const char *overrides)
{
    struct failure failure = {0};
    memset(form, 0, sizeof *form);
    form->backend = library_open(library, "caps_prefetch_gen", overrides, "c", &failure);
    assert_non_null(form->backend);
    assert_true(form->backend->desc->in_slots <= 64 && form->backend->desc->out_slots <= 64);
    form->instance = form->backend->create(form->backend->context, 1);
    form->backend->seq(form->instance, form->in, true);
}

/* One cycle; PerCTA answers at once. */
static void step(struct form *form, const struct base *bases)
{
    form->backend->comb(form->instance, form->in, form->out);
    const struct base *base = &bases[output(form, "read_cta")];
    *input(form, "read_ready") = 1;
    *input(form, "read_hit") = base->hit;
    *input(form, "read_lead") = base->lead;
    *input(form, "read_last") = base->last;
    memcpy(input(form, "read_base"), base->address, sizeof base->address);
    form->backend->comb(form->instance, form->in, form->out);
    if (output(form, "pf_valid") && *input(form, "pf_ready")) {
        assert_true(form->n_requests < MOST);
        form->request[form->n_requests++] = (struct request){output(form, "pf_line"),
                                                             output(form, "pf_wid")};
    }
    form->backend->seq(form->instance, form->in, false);
    form->cycles++;
}

/* An SM, and a job for both forms. */
static void draw(struct tb_random *random, struct form *one, struct form *many, struct base *bases)
{
    const uint64_t wpc = 1 + tb_random_below(random, 6);
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        bases[slot].hit = tb_random_below(random, 4) != 0;
        bases[slot].lead = tb_random_below(random, wpc + 1);
        bases[slot].last = tb_random_below(random, LANES);
        for (unsigned lane = 0; lane < LANES; lane++) {
            bases[slot].address[lane] = tb_random_next(random) & (lane % 2 ? 255 : UINT32_MAX);
        }
        *(input(one, "first_wid") + slot) = *(input(many, "first_wid") + slot) = slot * wpc;
    }
    const struct {
        const char *name;
        uint64_t value;
    } given[] = {{"wpc", wpc},
                 {"warp_alive", (tb_random_next(random) | tb_random_next(random)) >> 16},
                 {"job_valid", 1},
                 {"job_pc", tb_random_below(random, 1 << 20)},
                 {"job_stride", tb_random_next(random) >> (32 + tb_random_below(random, 32))},
                 {"job_mask", tb_random_below(random, 1 << SLOTS)},
                 {"job_filter", tb_random_below(random, 2)},
                 {"job_wic", tb_random_below(random, wpc)}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        *input(one, given[i].name) = *input(many, given[i].name) = given[i].value;
    }
}

/* The job comes, and is walked to its end, the L1D taking one request in `every` cycles. */
static void walk(struct form *form, const struct base *bases, unsigned every)
{
    form->n_requests = form->cycles = 0;
    do {
        *input(form, "pf_ready") = form->cycles % every == 0;
        step(form, bases);
        *input(form, "job_valid") = 0;
        form->backend->comb(form->instance, form->in, form->out);
        assert_true(form->cycles < every * PATIENCE);
    } while (!output(form, "idle"));
}

static void same_requests(const char *more)
{
    struct library *library = library_new(NULL);
    struct tb_random random;
    struct form one, many;
    struct base bases[SLOTS];
    char overrides[64];
    unsigned requests = 0;
    open_form(&many, library, more);
    snprintf(overrides, sizeof overrides, "ONE_CYCLE=1%s%s", *more ? "," : "", more);
    open_form(&one, library, overrides);
    tb_random_seed(&random, 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        draw(&random, &one, &many, bases);
        walk(&one, bases, 1 + round % 3);
        walk(&many, bases, 1 + round % 3);
        assert_int_equal(one.n_requests, many.n_requests);
        assert_memory_equal(one.request, many.request, one.n_requests * sizeof *one.request);
        assert_true(many.cycles >= one.cycles);
        requests += one.n_requests;
    }
    assert_true(requests > 5 * ROUNDS);
    one.backend->destroy(one.instance);
    many.backend->destroy(many.instance);
    library_free(library);
}

static void for_all_warps(void **state)
{
    (void)state;
    same_requests("");
}

static void for_one_warp_too(void **state)
{
    (void)state;
    same_requests("GEN_ALL=0");
}

static void without_the_filter(void **state)
{
    (void)state;
    same_requests("DUP_FILTER=0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_all_warps),
        cmocka_unit_test(for_one_warp_too),
        cmocka_unit_test(without_the_filter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
