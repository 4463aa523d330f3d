/* test_caps_top - TV-CAP-11 (caps-prefetch 3.2.6) through caps_top as one unit: the laplace3d
 * load of seven CTAs over 99 planes, the generator draining between loads.  The expected
 * counts are the document's; which prefetches are useful follows from the addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tb/backend.h"
#include "tb/value.h"

enum { CTAS = 7, WARPS = 4, PLANES = 99, PITCH = 100, LANES = 32, LINE_BYTES = 128 };

struct totals {
    uint64_t loads, requests, verified, mispredicted, prefetches, useful, dropped;
};

struct bench {
    const struct unit_backend *backend;
    void *self;
    uint64_t *in, *out;
    unsigned plane;
    struct totals totals;
};

static uint64_t *pin(const struct bench *b, const char *name)
{
    const struct unit_port *port = value_port(b->backend->desc->in, b->backend->desc->n_in, name);
    assert_non_null(port);
    return b->in + port->slot;
}

static uint64_t result(const struct bench *b, const char *name)
{
    const struct unit_port *port = value_port(b->backend->desc->out, b->backend->desc->n_out, name);
    assert_non_null(port);
    return b->out[port->slot];
}

/* The requests of warp `warp` of the CTA in `slot`: lowest byte of each line touched. */
static unsigned requests_of(unsigned slot, unsigned warp, unsigned plane, uint64_t addr[4])
{
    const unsigned cta = 15 * slot, x0 = cta % 4 * 32, y = cta / 4 * 4 + warp;
    unsigned n = 0;
    for (unsigned x = x0; x < x0 + LANES && x < PITCH && y < PITCH; x++) {
        const uint64_t byte = 4 * (x + (uint64_t)y * PITCH + (uint64_t)plane * PITCH * PITCH);
        if (n == 0 || addr[n - 1] / LINE_BYTES != byte / LINE_BYTES) {
            addr[n++] = byte;
        }
    }
    return n;
}

/* Will the warp that the prefetch names ask for its line in this plane? */
static bool is_useful(const struct bench *b, uint64_t line, uint64_t wid)
{
    uint64_t addr[4];
    const unsigned n = requests_of((unsigned)wid / WARPS, (unsigned)wid % WARPS, b->plane, addr);
    for (unsigned i = 0; i < n; i++) {
        if (addr[i] / LINE_BYTES == line) {
            return true;
        }
    }
    return false;
}

static void cycle(struct bench *b)
{
    b->backend->comb(b->self, b->in, b->out);
    b->totals.verified += result(b, "verify");
    b->totals.mispredicted += result(b, "mispredict");
    b->totals.dropped += result(b, "job_drop");
    if (result(b, "pf_valid")) {
        b->totals.prefetches++;
        b->totals.useful += is_useful(b, result(b, "pf_line"), result(b, "pf_wid"));
    }
    b->backend->seq(b->self, b->in, false);
}

static void load(struct bench *b, unsigned slot, unsigned warp)
{
    const unsigned n = requests_of(slot, warp, b->plane, pin(b, "ld_addr"));
    if (n == 0) {
        return;
    }
    *pin(b, "ld_valid") = 1;
    *pin(b, "ld_cta") = slot;
    *pin(b, "ld_wic") = warp;
    *pin(b, "ld_n") = n;
    b->totals.loads++;
    b->totals.requests += n;
    do {
        cycle(b);
    } while (!result(b, "ld_ready"));
    *pin(b, "ld_valid") = 0;
    do {
        cycle(b);
        b->backend->comb(b->self, b->in, b->out);
    } while (!result(b, "idle"));
}

static void open_bench(struct bench *b, struct library *library, const char *overrides,
                       const char *form)
{
    struct failure failure = {0};
    b->backend = library_open(library, "caps/caps_top", overrides, form, &failure);
    if (b->backend == NULL) {
        fail_msg("%s", failure.words);
    }
    b->self = b->backend->create(b->backend->context, 1);
    b->in = calloc(b->backend->desc->in_slots, sizeof *b->in);
    b->out = calloc(b->backend->desc->out_slots, sizeof *b->out);
    assert_true(b->self != NULL && b->in != NULL && b->out != NULL);
    b->backend->seq(b->self, b->in, true);
    *pin(b, "wpc") = WARPS;
    *pin(b, "warp_alive") = (UINT64_C(1) << 48) - 1;
    *pin(b, "pf_ready") = 1;
    *pin(b, "ld_affine") = 1;
    *pin(b, "ld_pc") = 0x60;
    for (unsigned slot = 0; slot < 8; slot++) {
        pin(b, "first_wid")[slot] = slot * WARPS;
    }
}

static void check(void **state, const char *overrides, uint64_t prefetches)
{
    static const char *const forms[] = {"c", "rtl"};
    for (unsigned form = 0; form < 2; form++) {
        struct bench b = {0};
        open_bench(&b, *state, overrides, forms[form]);
        for (b.plane = 0; b.plane < PLANES; b.plane++) {
            for (unsigned slot = 0; slot < CTAS; slot++) {
                load(&b, slot, 0);
            }
            for (unsigned slot = 0; slot < CTAS; slot++) {
                for (unsigned warp = 1; warp < WARPS; warp++) {
                    load(&b, slot, warp);
                }
            }
        }
        assert_int_equal(b.totals.loads, 2772);
        assert_int_equal(b.totals.requests, 4505);
        assert_int_equal(b.totals.verified, 2078);
        assert_int_equal(b.totals.mispredicted, 0);
        assert_int_equal(b.totals.dropped, 0);
        assert_int_equal(b.totals.prefetches, prefetches);
        assert_int_equal(b.totals.useful, prefetches);
        b.backend->destroy(b.self);
        free(b.in);
        free(b.out);
    }
}

static void tv_cap_11(void **state)
{
    check(state, "", 2379);
}

/* The document's circuit, a load a cycle. */
static void tv_cap_11_one_cycle(void **state)
{
    check(state, "ONE_CYCLE=1", 2379);
}

static void tv_cap_11_self(void **state)
{
    check(state, "SELF_PF=1", 2820);
}

/* SAME names most lines twice. */
static void tv_cap_11_same(void **state)
{
    check(state, "GEN_ALL=0", 4731);
}

static int setup(void **state)
{
    *state = library_new(NULL);
    return *state == NULL;
}

static int teardown(void **state)
{
    library_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tv_cap_11), cmocka_unit_test(tv_cap_11_one_cycle),
        cmocka_unit_test(tv_cap_11_self), cmocka_unit_test(tv_cap_11_same)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
