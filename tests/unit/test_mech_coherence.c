/* test_mech_coherence - Temporal Coherence behind its sockets against the document's vectors
 * (tabbakh2018-coherence 3.5.5, their lease of 10 being 800 here), G-TSC at a barrier and over a
 * reset, and what an index that moves blocks would do to both. */
#include "test_mech.h"

#include <string.h>

#include "machine/plug/plug.h"
#include "ptx/ptx.h"

enum { LEASE = 800 };

static struct coherence_l1_socket *l1_of(struct mech *m)
{
    return &m->rig.gpu->sm[0].sockets.coherence;
}

static struct coherence_l2_socket *l2_of(struct mech *m)
{
    return &m->rig.gpu->bank[0].sockets.coherence;
}

/* A request of `type` is performed on the line in cycle `now`; what the reply says. */
static uint64_t perform(struct mech *m, enum msg_type reply, struct cache_line *line, uint64_t now)
{
    struct request request = {.packet.type = reply == MSG_READ_REPLY ? MSG_READ : MSG_WRITE};
    struct reply msg = {.packet.type = (uint8_t)reply,
                        .ticket.to = reply == MSG_READ_REPLY ? TO_MSHR : TO_WARP};
    l2_of(m)->performed(l2_of(m)->self, &request, &msg, line, now);
    return msg.proto[0];
}

static void leases(void **state)
{
    struct mech m;
    struct cache_line line = {.state = LINE_VALID}, copy = {.state = LINE_VALID};
    struct access_info access = {.cycle = 100 + LEASE};
    (void)state;
    mech_make(&m, NULL, "tc-weak");
    assert_int_equal(perform(&m, MSG_READ_REPLY, &line, 100), 100 + LEASE); /* T-1 */
    assert_int_equal(line.proto[0], 100 + LEASE);
    copy.proto[0] = 100 + LEASE; /* T-2 */
    assert_int_equal(l1_of(&m)->load(l1_of(&m)->self, &access, &copy), COHERENCE_HIT);
    access.cycle++;
    assert_int_equal(l1_of(&m)->load(l1_of(&m)->self, &access, &copy), COHERENCE_REFETCH);
    assert_int_equal(perform(&m, MSG_READ_REPLY, &line, 104), 104 + LEASE); /* T-3 */
    mech_free(&m);
}

static void strong_store_waits(void **state)
{
    struct mech m;
    struct cache_line line = {.state = LINE_VALID};
    struct request store = {.packet.type = MSG_WRITE}, load = {.packet.type = MSG_READ};
    (void)state;
    mech_make(&m, NULL, "tc-strong");
    perform(&m, MSG_READ_REPLY, &line, 104);
    /* T-4: performed in the first cycle after the lease */
    assert_int_equal(l2_of(&m)->admit(l2_of(&m)->self, &store, &line, 105), 105 + LEASE);
    assert_true(l2_of(&m)->admit(l2_of(&m)->self, &load, &line, 105) <= 105);
    assert_int_equal(m.rig.gpu->config.sm_consistency, CONSISTENCY_SC);
    mech_free(&m);
}

static void weak_fence_waits(void **state)
{
    struct mech m;
    struct cache_line line = {.state = LINE_VALID}, unleased = {.state = LINE_VALID};
    struct reply ack = {.packet.type = MSG_WRITE_ACK, .ticket = {.to = TO_WARP, .warp_slot = 3}};
    (void)state;
    mech_make(&m, NULL, "tc-weak");
    struct coherence_l1_socket *l1 = l1_of(&m);
    ack.proto[0] = perform(&m, MSG_WRITE_ACK, &unleased, 50); /* T-8 */
    assert_int_equal(ack.proto[0], 0);
    l1->reply(l1->self, &ack, NULL);
    assert_true(l1->fence(l1->self, 3, 51));
    perform(&m, MSG_READ_REPLY, &line, 104);
    ack.proto[0] = perform(&m, MSG_WRITE_ACK, &line, 105); /* T-5 */
    assert_int_equal(ack.proto[0], 104 + LEASE);
    assert_int_equal(l1->reply(l1->self, &ack, NULL), COHERENCE_DROP); /* D-T3 */
    assert_false(l1->fence(l1->self, 3, 104 + LEASE));
    assert_true(l1->fence(l1->self, 3, 105 + LEASE));
    assert_true(l1->fence(l1->self, 4, 106));
    mech_free(&m);
}

/* T-6, T-7: only a line without a live lease may leave. */
static void live_lines_stay(void **state)
{
    static const uint64_t ends[] = {90, 120, 130, 140, 150, 160, 170, 180};
    struct mech m;
    (void)state;
    mech_make(&m, NULL, "tc-strong");
    for (size_t way = 0; way < COUNT(ends); way++) {
        const struct cache_line line = {.state = LINE_VALID, .proto = {ends[way]}};
        assert_int_equal(l2_of(&m)->may_evict(l2_of(&m)->self, &line, 100), way == 0);
    }
    mech_free(&m);
}

/* Warps 0 and 1 read x, version 1, lease until 11.  Warp 0 then does an atomic: time 12.
 * Behind the barrier warp 1 must not use the copy of x any more. */
static const char barrier_kernel[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".visible .entry k(.param .u64 at)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd0, [at];\nmov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n"
    "ld.global.u32 %r1, [%rd0];\nadd.u32 %r2, %r1, %r1;\n@!%p0 bra JOIN;\n"
    "atom.global.add.u32 %r3, [%rd0+4096], %r2;\nadd.u32 %r3, %r3, %r3;\n"
    "JOIN:\nbar.sync 0;\n@%p0 bra END;\nld.global.u32 %r4, [%rd0];\nadd.u32 %r5, %r4, %r4;\n"
    "END:\nret;\n}\n";

static bool read_nothing(void *context, uint64_t address, void *to, size_t bytes)
{
    (void)context;
    (void)address;
    memset(to, 0, bytes);
    return true;
}

static void barrier_joins_timestamps(void **state)
{
    static const char *const machine[] = {"l2.write=back-fetch", "l1d.allocate=on-fill", NULL};
    char error[256] = "";
    struct isa_launch launch;
    struct mech m;
    (void)state;
    mech_make(&m, machine, "gtsc-rc,check-coherence");
    const uint64_t at = memory_alloc(m.rig.memory, "x", 8192, 4096);
    struct ptx_module *module = ptx_module_parse("barrier", barrier_kernel, strlen(barrier_kernel),
                                                 error, sizeof error);
    assert_string_equal(error, "");
    const struct ptx_launch_config config = {.grid = {1, 1, 1},
                                             .block = {64, 1, 1},
                                             .param_block = (const uint8_t *)&at,
                                             .n_param_block = sizeof at,
                                             .n_sms = 1,
                                             .read = read_nothing};
    assert_int_equal(
        ptx_launch_init(&launch, module, ptx_kernel(module, "k"), &config, error, sizeof error), 0);
    assert_int_equal(gpu_launch(m.rig.gpu, &launch), GPU_OK);
    assert_int_equal(mech_count(&m, "gtsc", "expired_misses"), 1);
    assert_int_equal(mech_count(&m, "gtsc", "renewals"), 1);
    assert_int_equal(mech_count(&m, "check-coherence", "violated"), 0);
    ptx_launch_release(&launch);
    ptx_module_free(module);
    mech_free(&m);
}

/* Two warps add to one word in turn, often enough for timestamps of 5 bits to overflow; both
 * caches of stamps begin anew each time and nothing is lost. */
static void resets_lose_nothing(void **state)
{
    enum { TIMES = 40, LANES = 32, WARPS = 4 };
    static const char *const machine[] = {"l2.write=back-fetch", "l1d.allocate=on-fill", NULL};
    struct mech m;
    uint32_t sum = 0;
    (void)state;
    mech_make(&m, machine, "gtsc-rc:ts_bits=5,check-coherence");
    const uint64_t at = memory_alloc(m.rig.memory, "sum", 128, 256);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = at},
                                  {.kind = FRONT_LANE, .d = 2, .imm = 1},
                                  {.kind = FRONT_RED, .a = 1, .b = 2},
                                  {.kind = FRONT_LOAD, .d = 3, .a = 1},
                                  {.kind = FRONT_LOOP, .imm = 2, .stride = TIMES},
                                  {.kind = FRONT_EXIT}};
    rig_run(&m.rig, op, COUNT(op), 1, WARPS * LANES);
    gpu_peek(m.rig.gpu, at, &sum, sizeof sum);
    assert_int_equal(sum, TIMES * LANES * WARPS);
    assert_true(mech_count(&m, "gtsc", "resets") > 0);
    assert_int_equal(mech_count(&m, "check-coherence", "violated"), 0);
    mech_free(&m);
}

/* An index that moves blocks and leases by line exclude each other, whichever comes first; one
 * whose sets never change goes with both. */
static uint32_t set_zero(void *self, uint64_t address)
{
    (void)self;
    (void)address;
    return 0;
}

static int plug_indexes(struct mech *m, unsigned promises, char *error, size_t n_error)
{
    struct machine *machine = machine_of(m->rig.gpu);
    const struct plugger by = {"walker", promises, error, n_error};
    const struct index_socket socket = {m, set_zero};
    const int l1d = plug_index(machine_core(machine, 0), &by, &socket);
    return l1d == 0 ? plug_bank_index(machine_bank(machine, 0), &by, &socket) : l1d;
}

static void leases_need_a_still_index(void **state)
{
    static const char *const machine[] = {"l2.write=back-fetch", NULL};
    static const struct {
        const char *protocol, *words;
    } refused[] = {
        {"gtsc-rc", "walker moves the blocks of the L1D, of whose lines gtsc-rc keeps account"},
        {"tc-weak", "walker moves the blocks of the L2, of whose lines tc-weak keeps account"}};
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct mech m;
        char error[256] = "";
        mech_make(&m, machine, refused[i].protocol);
        assert_int_equal(plug_indexes(&m, 0, error, sizeof error), -1);
        assert_non_null(strstr(error, refused[i].words));
        mech_free(&m);
        mech_make(&m, machine, NULL);
        assert_int_equal(plug_indexes(&m, 0, error, sizeof error), 0);
        assert_null(run_units_attach(m.rig.gpu, refused[i].protocol, NULL, error, sizeof error));
        assert_non_null(strstr(error, refused[i].words));
        mech_free(&m);
        mech_make(&m, machine, refused[i].protocol);
        assert_int_equal(plug_indexes(&m, PLUG_STILL, error, sizeof error), 0);
        mech_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leases),
        cmocka_unit_test(strong_store_waits),
        cmocka_unit_test(weak_fence_waits),
        cmocka_unit_test(live_lines_stay),
        cmocka_unit_test(barrier_joins_timestamps),
        cmocka_unit_test(resets_lose_nothing),
        cmocka_unit_test(leases_need_a_still_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
