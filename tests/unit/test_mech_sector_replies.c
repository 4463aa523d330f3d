/* test_mech_sector_replies - two replies of one MSHR entry in an L1D of lines that fetch sectors, the second
 * while the first waits for its turn: the entry ends once, and each exchange comes back. */
#include "test_mech.h"

enum { BLOCK = BLOCK_BYTES, FOREVER = 100 };

static uint32_t entry_of(struct sm *sm, uint64_t block, uint8_t sectors, uint32_t instruction)
{
    const struct access_info access = {.block = block, .kind = ACCESS_LOAD, .sectors = sectors};
    const uint32_t at = mshr_allocate(&sm->mshr, &access);
    struct mshr_entry *entry = &sm->mshr.entry[at];

    entry->sectors = sectors;
    sm->ldst.inst[instruction].pending = FOREVER;
    assert_true(mshr_merge(&sm->mshr, at, &sm->ldst.inst[instruction], 1));
    entry->target[0].sectors = 1;
    return at;
}

static void comes(struct sm *sm, uint32_t at, uint8_t sectors)
{
    struct exchange *exchange = exchange_new(&sm->port.pool);

    exchange->request.ticket = (struct ticket){.to = TO_MSHR, .number = (uint16_t)at};
    exchange->reply = (struct reply){
        .packet = {.block = sm->mshr.entry[at].first.block, .type = MSG_READ_REPLY},
        .ticket = exchange->request.ticket,
        .sectors = sectors};
    ring_push(&sm->reply.in, &exchange->reply.packet);
}

/* As a load that joins while the entry is being served, whose sector the line has. */
static void joins(struct sm *sm, uint32_t at, uint32_t instruction)
{
    struct mshr_entry *entry = &sm->mshr.entry[at];
    struct exchange *there = exchange_new(&sm->port.pool);

    there->reply.sectors = 2;
    entry->parts = there;
    entry->came |= 2;
    entry->sectors |= 2;
    sm->ldst.inst[instruction].pending = FOREVER;
    assert_true(mshr_merge(&sm->mshr, at, &sm->ldst.inst[instruction], 1));
    entry->target[1].sectors = 2;
}

static void second_reply_while_the_first_waits(void **state)
{
    static const char *const changes[] = {"l1d.allocate=on-fill", "l1d.index=linear",
                                          "l2.write=evict", NULL};
    struct mech m;

    (void)state;
    mech_make(&m, changes, "granularity:policy=sector");
    struct sm *sm = &m.rig.gpu->sm[0];
    const uint32_t first = entry_of(sm, 2 * BLOCK, 1, 0), second = entry_of(sm, 3 * BLOCK, 3, 2);
    comes(sm, first, 1);
    sm->now = 1;
    sm_take_reply(sm);
    joins(sm, first, 1); /* keeps the first reply in service for two cycles more */
    comes(sm, second, 1);
    comes(sm, second, 2);
    for (sm->now = 2; sm->now < 12; sm->now++) {
        sm_take_reply(sm);
    }
    for (uint32_t instruction = 0; instruction < 3; instruction++) {
        assert_int_equal(sm->ldst.inst[instruction].pending, FOREVER - 1);
    }
    assert_int_equal(sm->mshr.used, 0);
    assert_int_equal(sm->port.pool.in_use, 0);
    mech_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(second_reply_while_the_first_waits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
