/* What comes in goes out under coherence protocols: after random programs of eight warps on four SMs,
 * whose loads, stores and atomics meet in a few blocks, every request was performed once and has had
 * its reply, nothing is left in any table, and memory holds what was written. */
#include "test_ledger.h"
#include "test_mech.h"
#include "test_random_program.h"

#include "mechanisms/drd/drd_spec.h"
#include "mechanisms/gtsc/gtsc_l1.h"

enum { SMS = 4, TICKETS = TO_MSHR + 1 };

/* ---- who has asked for what ---- */

struct account {
    uint64_t sent, performed, replied;
};

static struct {
    struct coherence_l1_socket l1;
    struct coherence_l2_socket l2;
    const void *self[SMS];
    uint64_t base;
    struct account account[SMS][MSG_TYPES][TICKETS][BYTES / 128];
} books;

static struct account *account(uint32_t sm, uint8_t type, uint8_t to, uint64_t block)
{
    assert_true(sm < SMS && to < TICKETS && block - books.base < BYTES);
    return &books.account[sm][type][to][(block - books.base) / 128];
}

static uint32_t sm_of(const void *self)
{
    uint32_t sm = 0;

    while (sm < SMS && books.self[sm] != self) {
        sm++;
    }
    return sm;
}

static void send(void *self, struct request *asked, struct cache_line *line)
{
    account(sm_of(self), asked->packet.type, asked->ticket.to, asked->packet.block)->sent++;
    books.l1.send(self, asked, line);
}

static void performed(void *self, const struct request *asked, struct reply *msg,
                      struct cache_line *line, uint64_t cycle)
{
    struct account *a = account(asked->packet.source, asked->packet.type, asked->ticket.to,
                                asked->packet.block);

    assert_true(a->performed++ < a->sent);
    books.l2.performed(self, asked, msg, line, cycle);
}

static enum coherence_reply reply(void *self, struct reply *msg, struct cache_line *line)
{
    const uint8_t asked = msg->packet.type == MSG_WRITE_ACK      ? MSG_WRITE
                          : msg->packet.type == MSG_ATOMIC_REPLY ? MSG_ATOMIC
                                                                 : MSG_READ;
    struct account *a = account(sm_of(self), asked, msg->ticket.to, msg->packet.block);

    assert_true(a->replied++ < a->performed);
    return books.l1.reply(self, msg, line);
}

static void open_books(struct gpu *gpu, uint64_t base)
{
    memset(&books, 0, sizeof books);
    books.base = base;
    books.l1 = sm_at(gpu->sm, 0)->sockets.coherence;
    books.l2 = gpu->bank[0].sockets.coherence;
    for (uint32_t s = 0; s < SMS; s++) {
        struct coherence_l1_socket *l1 = &sm_at(gpu->sm, s)->sockets.coherence;

        books.self[s] = l1->self;
        l1->send = send;
        l1->reply = reply;
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        gpu->bank[b].sockets.coherence.performed = performed;
    }
}

static void close_books(void)
{
    const struct account *a = &books.account[0][0][0][0];

    for (size_t n = 0; n < sizeof books.account / sizeof *a; n++, a++) {
        assert_int_equal(a->performed, a->sent);
        assert_int_equal(a->replied, a->sent);
    }
}

/* ---- nothing is left ---- */

static void check_gtsc(const struct gtsc_l1 *l1)
{
    uint32_t free = 0;

    for (uint32_t warp = 0; warp < l1->records.n_warps; warp++) {
        assert_int_equal(l1->records.first[warp], GTSC_NO_RECORD);
    }
    for (uint16_t at = l1->records.free; at != GTSC_NO_RECORD; at = l1->records.record[at].next) {
        free++;
    }
    assert_int_equal(free, GTSC_RECORDS);
}

static void check_drd(const struct drd_sm *sm, uint32_t warps)
{
    assert_int_equal(sm->outstanding, 0);
    for (uint32_t n = 0; n < sm->l1d->sets * sm->l1d->ways; n++) {
        assert_true(sm->line[n].own_stores == 0 || sm->l1d->line[n].state != LINE_VALID);
    }
    if (sm->spec == NULL) {
        return;
    }
    assert_int_equal(sm->spec->oldest, sm->spec->sent);
    assert_int_equal(sm->spec->used | sm->spec->unserved | sm->spec->rolling, 0);
    for (uint32_t warp = 0; warp < warps; warp++) {
        assert_int_equal(sm->spec->warp[warp].entries, 0);
    }
}

static void check_machine(struct gpu *gpu, const char *report)
{
    for (uint32_t s = 0; s < SMS; s++) {
        struct sm *sm = sm_at(gpu->sm, s);

        assert_int_equal(sm->mshr.used, 0);
        assert_int_equal(sm->replay.count, 0);
        assert_null(sm->reply.repeat);
        assert_int_equal(sm_stats(sm)->replies_received + sm_stats(sm)->requests_unanswered,
                         sm_stats(sm)->requests_sent);
        for (uint32_t n = 0; n < sm->l1d.sets * sm->l1d.ways; n++) {
            assert_false(sm->l1d.line[n].locked || sm->l1d.line[n].pinned);
        }
        if (strcmp(report, "gtsc") == 0) {
            check_gtsc(sm->sockets.coherence.self);
        } else if (strcmp(report, "drd") == 0) {
            check_drd(sm->sockets.coherence.self, gpu->config.sm_warps);
        }
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        assert_int_equal(gpu->bank[b].mshr.used, 0);
    }
    ledger_check_machine(gpu);
}

/* Returns what the mechanism has counted as `counter`. */
static json_int_t run(const char *mechanism, const char *const *machine, uint32_t seed,
                      const char *report, const char *counter)
{
    static struct program p;
    struct front_program program;
    struct mech m;

    mech_make(&m, machine, mechanism);
    make_program(&p, seed, m.rig.memory);
    open_books(m.rig.gpu, p.base);
    front_make(&program, p.op, p.n, CTAS, 32);
    program.launch.copyable = true; /* a warp is nothing but its bytes */
    assert_int_equal(gpu_launch(m.rig.gpu, &program.launch), GPU_OK);
    front_free(&program);
    check_memory(m.rig.gpu, &p);
    close_books();
    check_machine(m.rig.gpu, report);
    const json_int_t count = mech_count(&m, report, counter);
    mech_free(&m);
    return count;
}

static const char *const machines[][10] = {
    {"machine.sms=4", "l2.write=back-fetch", "l2.banks=2", NULL},
    {"machine.sms=4", "l2.write=back-fetch", "l2.sets=2", "l2.ways=2", "l1d.sets=2", "l1d.ways=2",
     "l1d.allocate=on-fill", "l1d.mshrs=4", "l2.mshrs=4", NULL}};

/* Each with what must have come to pass in the programs, or they say little. */
static void protocols_balance(void **state)
{
    static const struct {
        const char *mechanism, *report, *counter;
    } cases[] = {{"gtsc-rc", "gtsc", "renewals"},
                 {"gtsc-rc", "gtsc", "merges_failed"},
                 {"gtsc-sc", "gtsc", "expired_misses"},
                 {"gtsc-rc:ts_bits=5", "gtsc", "resets"},
                 {"tc-strong:lease=100", "tc", "expired_misses"},
                 {"tc-weak:lease=400", "tc", "expired_misses"},
                 {"drd-nospec", "drd", "points_race"},
                 {"drd-spec", "drd", "rolled_back"},
                 {"drd-spec:m=64:per=64", "drd", "points_forced"}};

    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        json_int_t count = 0;

        for (uint32_t seed = 1; seed <= 10; seed++) {
            const uint32_t program = seed + 100 * (uint32_t)c;

            count += run(cases[c].mechanism, machines[seed % COUNT(machines)], program,
                         cases[c].report, cases[c].counter);
        }
        print_message("%s: %lld %s\n", cases[c].mechanism, (long long)count, cases[c].counter);
        assert_true(count > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(protocols_balance)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
