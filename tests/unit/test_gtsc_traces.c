/* test_gtsc_traces - the worked examples of G-TSC with two SMs and a bank: G-14, G-15, G-20,
 * G-21, G-24, G-25, SB and MP (tabbakh2018 3.6.12), on gtsc_l1 twice and gtsc_l2.
 * Each access ends before the next begins; block b sits in line b everywhere. */
#include "test_dacache.h"

enum { OP_LOAD = 0, OP_STORE = 2, OP_FILL = 4, OP_RENEW = 5, OP_ACK = 6, OP_SERVE = 8 };
enum { L2_READ, L2_WRITE, L2_FILL = 3, L2_EVICT };
enum { BLOCKS = 4, WORDS = 2 };
enum reply { HIT, FILL, RENEW, ACK };

struct pair {
    struct pins sm[2], l2;
    uint64_t data[2][BLOCKS][WORDS], l2_data[BLOCKS][WORDS], dram[BLOCKS][WORDS];
    bool present[2][BLOCKS], in_l2[BLOCKS];
    /* Of the last access. */
    enum reply reply;
    uint64_t value, wts, rts, merge_ok;
};

static uint64_t step(struct pins *pins, const char *answer)
{
    pin_set(pins, "op_valid", 1);
    unit_comb(pins);
    const uint64_t value = answer != NULL ? pin_get(pins, answer) : 0;
    unit_edge(pins);
    return value;
}

static uint64_t line_field(struct pins *pins, const char *name, unsigned line)
{
    const struct unit_desc *desc = pins->backend->desc;
    const char *state = pins->backend->state(pins->self);
    uint64_t value = 0;
    for (unsigned i = 0; i < desc->n_state; i++) {
        const struct unit_field *field = &desc->state[i];
        if (strcmp(field->name, name) == 0) {
            memcpy(&value, state + field->offset_bytes + line * field->element_bytes,
                   field->element_bytes);
        }
    }
    return value;
}

static uint64_t warp_ts(struct pair *p, unsigned sm)
{
    return line_field(&p->sm[sm], "warp_ts", 0);
}

/* A request of `sm` is performed at the bank, from DRAM if need be. */
static uint64_t at_bank(struct pair *p, unsigned sm, unsigned op, unsigned block, uint64_t lease)
{
    pin_set(&p->l2, "line", block);
    pin_set(&p->l2, "lease", lease);
    if (!p->in_l2[block]) {
        pin_set(&p->l2, "op", L2_FILL);
        (void)step(&p->l2, NULL);
        memcpy(p->l2_data[block], p->dram[block], sizeof p->dram[block]);
        p->in_l2[block] = true;
    }
    pin_set(&p->l2, "op", op);
    pin_set(&p->l2, "req_wts", pin_get(&p->sm[sm], "req_wts"));
    pin_set(&p->l2, "req_ts", pin_get(&p->sm[sm], "req_ts"));
    const uint64_t resp = step(&p->l2, "resp");
    p->wts = pin_get(&p->l2, "resp_wts");
    p->rts = pin_get(&p->l2, "resp_rts");
    p->merge_ok = pin_get(&p->l2, "merge_ok");
    return resp;
}

static void message(struct pair *p, unsigned sm, unsigned op, unsigned block, bool present)
{
    pin_set(&p->sm[sm], "op", op);
    pin_set(&p->sm[sm], "line", block);
    pin_set(&p->sm[sm], "present", present);
    pin_set(&p->sm[sm], "msg_wts", p->wts);
    pin_set(&p->sm[sm], "msg_rts", p->rts);
    pin_set(&p->sm[sm], "msg_ok", p->merge_ok);
}

static void load(struct pair *p, unsigned sm, unsigned block, unsigned word, uint64_t lease)
{
    struct pins *l1 = &p->sm[sm];
    message(p, sm, OP_LOAD, block, p->present[sm][block]);
    p->reply = HIT;
    if (step(l1, "loads") == 0) {
        assert_int_equal(pin_get(l1, "send"), 1);
        p->reply = at_bank(p, sm, L2_READ, block, lease) == 2 ? RENEW : FILL;
        message(p, sm, p->reply == FILL ? OP_FILL : OP_RENEW, block, true);
        (void)step(l1, NULL);
        if (p->reply == FILL) {
            memcpy(p->data[sm][block], p->l2_data[block], sizeof p->l2_data[block]);
            p->present[sm][block] = true;
        }
        message(p, sm, OP_SERVE, block, true);
        assert_int_equal(step(l1, "serve"), 1);
    }
    p->value = p->data[sm][block][word];
}

static void store(struct pair *p, unsigned sm, unsigned block, unsigned word, uint64_t value,
                  uint64_t lease)
{
    struct pins *l1 = &p->sm[sm];
    message(p, sm, OP_STORE, block, p->present[sm][block]);
    assert_int_equal(step(l1, "send"), 1);
    const uint64_t stamps = pin_get(l1, "stamps");
    if (pin_get(l1, "write_now")) {
        p->data[sm][block][word] = value;
    }
    assert_int_equal(at_bank(p, sm, L2_WRITE, block, lease), 3);
    p->l2_data[block][word] = value;
    p->reply = ACK;
    message(p, sm, OP_ACK, block, p->present[sm][block]);
    pin_set(l1, "msg_stamps", stamps);
    if (step(l1, "drop")) {
        p->present[sm][block] = false;
    }
}

static void evict(struct pair *p, unsigned block)
{
    pin_set(&p->l2, "op", L2_EVICT);
    pin_set(&p->l2, "line", block);
    (void)step(&p->l2, NULL);
    memcpy(p->dram[block], p->l2_data[block], sizeof p->dram[block]);
    p->in_l2[block] = false;
}

/* The warp's time moves, as after a store elsewhere. */
static void move_warp(struct pair *p, unsigned sm, uint64_t ts)
{
    p->wts = ts;
    message(p, sm, OP_ACK, 0, false);
    pin_set(&p->sm[sm], "msg_stamps", 0);
    (void)step(&p->sm[sm], NULL);
}

static void expect(const struct pair *p, enum reply reply, uint64_t value)
{
    assert_int_equal(p->reply, reply);
    assert_int_equal(p->value, value);
}

static void expect_stamps(const struct pair *p, uint64_t wts, uint64_t rts)
{
    assert_int_equal(p->wts, wts);
    assert_int_equal(p->rts, rts);
}

enum { X, Y };

/* Fig 3.9 with its own leases: X 5, Y 10, the last read 3. */
static void g20(struct pair *p)
{
    load(p, 0, X, 0, 5), expect(p, FILL, 0), expect_stamps(p, 1, 6);
    load(p, 1, Y, 0, 10), expect(p, FILL, 0), expect_stamps(p, 1, 11);
    store(p, 0, Y, 0, 7, 10), expect_stamps(p, 12, 22);
    assert_int_equal(warp_ts(p, 0), 12);
    assert_false(p->present[0][Y]);
    store(p, 1, X, 0, 8, 5), expect_stamps(p, 7, 12);
    assert_int_equal(warp_ts(p, 1), 7);
    load(p, 0, X, 0, 3), expect(p, FILL, 8), expect_stamps(p, 7, 15);
    assert_int_equal(warp_ts(p, 0), 12);
    load(p, 1, Y, 0, 10), expect(p, HIT, 0);
    assert_int_equal(warp_ts(p, 1), 7);
    assert_int_equal(line_field(&p->sm[1], "rts", Y), 11);
    assert_int_equal(line_field(&p->l2, "wts", Y), 12);
}

/* §3.3.3: the order is that of time, not of events. */
static void g21(struct pair *p)
{
    load(p, 0, X, 0, 6); /* (1,7) */
    store(p, 1, X, 0, 1, 6), expect_stamps(p, 8, 14);
    move_warp(p, 0, 10);
    load(p, 0, X, 0, 6), expect(p, FILL, 1);
    load(p, 0, Y, 0, 1); /* at 10: (1,11) */
    move_warp(p, 1, 2);
    store(p, 1, Y, 0, 1, 1), expect_stamps(p, 12, 13);
    load(p, 0, Y, 0, 1), expect(p, HIT, 0);
}

/* Fig 4.1a: two renewals that bring nothing new. */
static void g24(struct pair *p)
{
    enum { A, B };
    load(p, 0, A, 0, 9), expect_stamps(p, 1, 10);
    load(p, 1, A, 0, 9), expect_stamps(p, 1, 10);
    load(p, 1, B, 0, 9), expect_stamps(p, 1, 10);
    store(p, 1, B, 0, 5, 9), expect_stamps(p, 11, 20);
    assert_int_equal(warp_ts(p, 1), 11);
    assert_int_equal(line_field(&p->sm[1], "rts", B), 20);
    load(p, 0, B, 0, 9), expect(p, FILL, 5);
    assert_int_equal(warp_ts(p, 0), 11);
    load(p, 0, A, 0, 9), expect(p, RENEW, 0);
    assert_int_equal(line_field(&p->sm[0], "rts", A), 20);
    load(p, 1, A, 0, 9), expect(p, RENEW, 0);
    assert_int_equal(line_field(&p->sm[1], "rts", A), 20);
}

/* Fig 4.1b: the same read must fetch. */
static void g25(struct pair *p)
{
    enum { A, B };
    load(p, 0, A, 0, 9);
    load(p, 1, B, 0, 9);
    store(p, 1, B, 0, 5, 9), expect_stamps(p, 11, 20);
    load(p, 0, B, 0, 9), expect(p, FILL, 5);
    assert_int_equal(warp_ts(p, 0), 11);
    store(p, 1, A, 0, 6, 9), expect_stamps(p, 11, 20);
    load(p, 0, A, 0, 9), expect(p, FILL, 6), expect_stamps(p, 11, 20);
}

/* Stale word of a falsely shared block. */
static void g14(struct pair *p)
{
    load(p, 0, X, 0, 10);
    load(p, 1, X, 0, 10);
    store(p, 1, X, 1, 5, 10), expect_stamps(p, 12, 22);
    assert_true(p->present[1][X]);
    store(p, 0, X, 0, 7, 10), expect_stamps(p, 23, 33);
    load(p, 0, X, 1, 10);
    assert_int_equal(warp_ts(p, 0), 23);
    assert_int_equal(p->value, 5);
}

/* WR_POLICY 2: the same without copies of what was stored. */
static void g14_no_copy(struct pair *p)
{
    load(p, 0, X, 0, 10);
    load(p, 1, X, 0, 10);
    store(p, 1, X, 1, 5, 10), expect_stamps(p, 12, 22);
    store(p, 0, X, 0, 7, 10), expect_stamps(p, 23, 33);
    load(p, 0, X, 1, 10), expect(p, FILL, 5);
    load(p, 1, X, 0, 10), expect(p, FILL, 7);
}

static void g14_literal(struct pair *p)
{
    load(p, 0, X, 0, 10);
    load(p, 1, X, 0, 10);
    store(p, 1, X, 1, 5, 10);
    store(p, 0, X, 0, 7, 10), expect_stamps(p, 23, 33);
    load(p, 0, X, 1, 10), expect(p, HIT, 0); /* the violation */
}

static void g15(struct pair *p)
{
    load(p, 0, X, 0, 10), expect_stamps(p, 1, 11);
    store(p, 1, X, 0, 7, 10), expect_stamps(p, 12, 22);
    evict(p, X);
    assert_int_equal(line_field(&p->l2, "mem", 0), 22);
    load(p, 0, Y, 0, 10), expect(p, FILL, 0), expect_stamps(p, 22, 32);
    assert_int_equal(warp_ts(p, 0), 22);
    load(p, 0, X, 0, 10), expect(p, FILL, 7), expect_stamps(p, 22, 32);
}

static void cache_both(struct pair *p)
{
    for (unsigned sm = 0; sm < 2; sm++) {
        load(p, sm, X, 0, 10);
        load(p, sm, Y, 0, 10), expect_stamps(p, 1, 11);
    }
}

static void sb_serial(struct pair *p)
{
    cache_both(p);
    store(p, 0, X, 0, 1, 10), expect_stamps(p, 12, 22);
    load(p, 0, Y, 0, 10), expect(p, RENEW, 0);
    assert_int_equal(p->rts, 22);
    store(p, 1, Y, 0, 1, 10), expect_stamps(p, 23, 33);
    load(p, 1, X, 0, 10), expect(p, FILL, 1), expect_stamps(p, 12, 33);
}

static void sb_interleaved(struct pair *p)
{
    cache_both(p);
    store(p, 0, X, 0, 1, 10), expect_stamps(p, 12, 22);
    store(p, 1, Y, 0, 1, 10), expect_stamps(p, 12, 22);
    load(p, 0, Y, 0, 10), expect(p, FILL, 1);
    load(p, 1, X, 0, 10), expect(p, FILL, 1);
}

static void mp(struct pair *p)
{
    enum { D, F };
    load(p, 1, D, 0, 10), expect_stamps(p, 1, 11);
    store(p, 0, D, 0, 1, 10), expect_stamps(p, 12, 22);
    store(p, 0, F, 0, 1, 10), expect_stamps(p, 12, 22);
    load(p, 1, F, 0, 10), expect(p, FILL, 1);
    assert_int_equal(warp_ts(p, 1), 12);
    load(p, 1, D, 0, 10), expect(p, FILL, 1);
}

/* A script on C and on RTL. */
static void on_both(void **state, const char *l1_overrides, void (*script)(struct pair *p))
{
    for (unsigned form = 0; form < 2; form++) {
        struct pair *p = calloc(1, sizeof *p);
        assert_non_null(p);
        unit_open(&p->sm[0], state, "gtsc_l1", l1_overrides, forms[form]);
        unit_open(&p->sm[1], state, "gtsc_l1", l1_overrides, forms[form]);
        unit_open(&p->l2, state, "gtsc_l2", "", forms[form]);
        script(p);
        pins_close(&p->sm[0]);
        pins_close(&p->sm[1]);
        pins_close(&p->l2);
        free(p);
    }
}

#define TRACE(name, overrides, script) \
    static void name(void **state) \
    { \
        on_both(state, overrides, script); \
    }
TRACE(g20_two_sms_two_blocks, "", g20)
TRACE(g21_order_in_time, "", g21)
TRACE(g24_unnecessary_renewals, "", g24)
TRACE(g25_necessary_fetch, "", g25)
TRACE(g14_false_sharing, "", g14)
TRACE(g14_false_sharing_without_copies, "WR_POLICY=2", g14_no_copy)
TRACE(g14_false_sharing_literal, "WR_POLICY=0", g14_literal)
TRACE(g15_eviction, "", g15)
TRACE(store_buffering_serial, "", sb_serial)
TRACE(store_buffering_interleaved, "", sb_interleaved)
TRACE(message_passing, "", mp)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(g20_two_sms_two_blocks),
                                       cmocka_unit_test(g21_order_in_time),
                                       cmocka_unit_test(g24_unnecessary_renewals),
                                       cmocka_unit_test(g25_necessary_fetch),
                                       cmocka_unit_test(g14_false_sharing),
                                       cmocka_unit_test(g14_false_sharing_without_copies),
                                       cmocka_unit_test(g14_false_sharing_literal),
                                       cmocka_unit_test(g15_eviction),
                                       cmocka_unit_test(store_buffering_serial),
                                       cmocka_unit_test(store_buffering_interleaved),
                                       cmocka_unit_test(message_passing)};
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
