/* Streams through each level reach at least 90 % of what the configuration allows, and
 * never more.  Limits in closed form, in core cycles per 128-byte line:
 *   L1D hits      l1d.access_cycles
 *   L2 to one SM  flits of a reply, ceil((8 + 128) / 32) = 5
 *   L2 bank       128 / l2.port_bytes
 *   DRAM          128 / dram.bus_bytes
 */
#include "test_gpu_front_machine.h"

/* Every warp reads its own lines, `loads` of them, `step` bytes apart; a CTA has 8 warps. */
enum { LOADS = 12, CTA_THREADS = 256 };

static uint64_t stream(struct rig *rig, uint64_t base, uint64_t thread_stride, uint64_t step,
                       uint32_t ctas, uint32_t repeats)
{
    struct front_op op[LOADS + 3] = {
        {.kind = FRONT_THREAD, .d = 1, .imm = base, .stride = thread_stride}};
    uint32_t n = 1;

    for (uint32_t l = 0; l < LOADS; l += 2) {
        op[n++] = (struct front_op){.kind = FRONT_LOAD, .d = (uint8_t)(2 + l), .a = 1};
        op[n++] = (struct front_op){.kind = FRONT_ADD, .d = 1, .a = 1, .imm = step};
    }
    op[n++] = (struct front_op){.kind = FRONT_LOOP, .imm = 1, .stride = repeats};
    op[n++] = (struct front_op){.kind = FRONT_EXIT};
    return rig_run(rig, op, n, ctas, CTA_THREADS);
}

static void expect_rate(uint64_t lines, uint64_t cycles, double limit)
{
    double each = (double)cycles / (double)lines;

    if (each < limit || each > limit / 0.9) {
        fail_msg("%.3f cycles a line; the limit is %.3f", each, limit);
    }
}

static void l1d(void **state)
{
    static const char *const set[] = {"sm.schedulers=2", "l1d.access_cycles=2", NULL};
    struct rig rig = {0};
    uint32_t repeats = 200;

    (void)state;
    rig_make(&rig, set);
    uint64_t base = memory_alloc(rig.memory, "line", 128 * 64, 0);
    uint64_t cycles = stream(&rig, base, 0, 0, 4, repeats);
    expect_rate(4 * 8 * (LOADS / 2) * repeats, cycles, 2);
    rig_free(&rig);
}

static void l2_to_one_sm(void **state)
{
    static const char *const set[] = {
        "l1d.allocate=on-fill", "l2.banks=2",      "l2.sets=512", "l1d.mshrs=64",
        "l1d.miss_queue=16",    "l2.miss_queue=8", NULL};
    struct rig rig = {0};
    uint32_t ctas = 64;

    (void)state;
    rig_make(&rig, set);
    uint64_t bytes = (uint64_t)ctas * 8 * 128 * (LOADS / 2);
    uint64_t base = memory_alloc(rig.memory, "lines", bytes, 0);
    stream(&rig, base, 4, (uint64_t)ctas * 8 * 128, ctas, 1); /* into the L2 */
    uint64_t cycles = stream(&rig, base, 4, (uint64_t)ctas * 8 * 128, ctas, 1);
    assert_int_equal(rig.gpu->bank[0].stats.read_hits + rig.gpu->bank[1].stats.read_hits,
                     bytes / 128);
    expect_rate(bytes / 128, cycles, 5);
    rig_free(&rig);
}

static void l2_bank_port(void **state)
{
    static const char *const set[] = {"machine.sms=4", "l2.sets=1024", "l2.port_bytes=16", NULL};
    struct rig rig = {0};
    uint32_t ctas = 64;

    (void)state;
    rig_make(&rig, set);
    uint64_t bytes = (uint64_t)ctas * 8 * 128 * (LOADS / 2);
    uint64_t base = memory_alloc(rig.memory, "lines", bytes, 0);
    stream(&rig, base, 4, (uint64_t)ctas * 8 * 128, ctas, 1);
    uint64_t cycles = stream(&rig, base, 4, (uint64_t)ctas * 8 * 128, ctas, 1);
    expect_rate(bytes / 128, cycles, 8);
    rig_free(&rig);
}

static void dram_bus(void **state)
{
    /* Two lines stand in one interleave piece and one row; four banks of four groups are
     * open at a time, so neither tCCDL nor tRRD limits. */
    static const char *const set[] = {
        "machine.sms=4", "l2.banks=4", "dram.bus_bytes=16", "dram.queue=64", "l2.miss_queue=8",
        "dram.tCCDL=2",  NULL};
    struct rig rig = {0};
    uint32_t ctas = 64;

    (void)state;
    rig_make(&rig, set);
    uint64_t bytes = (uint64_t)ctas * 8 * 128 * (LOADS / 2);
    uint64_t base = memory_alloc(rig.memory, "lines", bytes, 0);
    uint64_t cycles = stream(&rig, base, 4, (uint64_t)ctas * 8 * 128, ctas, 1);
    assert_int_equal(rig.gpu->channel[0].stats.read_bytes, bytes);
    expect_rate(bytes / 128, cycles, 8);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1d),
        cmocka_unit_test(l2_to_one_sm),
        cmocka_unit_test(l2_bank_port),
        cmocka_unit_test(dram_bus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
