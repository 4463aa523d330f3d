/* test_glue_caps - what CAPS gives the units of its prefetcher, event by event, by the words of
 * caps-prefetch 3.2: every load as it is, its own CTA's base, flushes before loads, walks that read
 * late; and what the L1D is asked for in the end. */
#include "test_glue_sm.h"

/* The document's tables, which take a load a cycle. */
#define ONE_CYCLE "caps:percta.one_cycle=1:dist.one_cycle=1:gen.one_cycle=1"

/* Instruction 11 is at 0x58, the PC of TV-CAP-1. */
enum { PC = 11, OTHER = 12 };

static const struct kernel_facts three_warps = {.warps_per_cta = 3};
static const struct kernel_facts four_warps = {.warps_per_cta = 4};

/* A kernel that starts before cycle 10, and the first `warps` warps with it. */
static struct glue *begin(void **state, const char *mechanism, const char *const *watch,
                          const struct kernel_facts *facts, uint32_t warps)
{
    static const char *const machine[] = {"sm.schedulers=1", NULL};
    struct glue *g = glue_new(state, machine, mechanism, watch);

    glue_start(g, facts, 10);
    for (uint32_t slot = 0; slot < warps; slot++) {
        glue_come(g, 10, slot);
    }
    return g;
}

/* 3.2.2, 3.2.3: both tables are looked up with the load's byte PC, CTA slot, warp in the CTA and
 * addresses, whoever loads; more than four requests are 5 without an address; IND (3.6) is a bit of
 * the load.  3.2.7 D12: what prefetches do trains nothing. */
static void every_load_is_told(void **state)
{
    static const char inputs[] = "ld_valid ld_pc ld_cta ld_wic ld_n ld_addr ld_affine";
    static const char *const watch[] = {"caps_percta", inputs, "caps_dist", inputs,
                                        "caps_top",    inputs, NULL};
    static const char expected[] =
        "ld_valid=1 ld_pc=88 ld_n=1 ld_addr=4096 ld_affine=1\n"
        "ld_valid=1 ld_pc=88 ld_cta=1 ld_wic=2 ld_n=2 ld_addr=4100,4224 ld_affine=1\n"
        "ld_valid=1 ld_pc=96 ld_wic=3 ld_n=4 ld_addr=8,136,264,392 ld_affine=1\n"
        "ld_valid=1 ld_pc=96 ld_wic=1 ld_n=5 ld_affine=1\n"
        "ld_valid=1 ld_pc=96 ld_cta=1 ld_n=5 ld_affine=1\n"
        "ld_valid=1 ld_pc=88 ld_cta=1 ld_wic=3 ld_n=1 ld_addr=4096\n";
    static const struct glue_global loads[] = {
        {20, PC, 0, 1, {4096}, false},
        {21, PC, 6, 2, {4100, 4224}, false},
        {22, OTHER, 3, 4, {8, 136, 264, 392}, false},
        {30, OTHER, 1, 5, {8, 136, 264, 392, 520}, false},
        {31, OTHER, 4, 32, {8, 136, 264, 392, 520, 648}, false},
        {32, PC, 7, 1, {4096}, true}};
    static const char *const kinds[] = {ONE_CYCLE, "caps:whole=1:top.one_cycle=1",
                                        ONE_CYCLE ":scheduler=rr"};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = begin(state, kinds[k], watch, &four_warps, 8);
        const struct access_info prefetch = {.block = 4096, .kind = ACCESS_PREFETCH};

        for (size_t i = 0; i < COUNT(loads); i++) {
            glue_global(g, loads[i]);
            OBSERVE(*glue_sockets(g), prefetch, 0, &prefetch, 0);
        }
        glue_drain(g, 33, "");
        for (size_t w = 0; w < 3; w++) {
            glue_expect(g, watch[2 * w], (w == 2) == (k == 1) ? expected : "");
        }
        assert_int_equal(glue_count(g, "caps", "loads"), 6);
        assert_int_equal(glue_count(g, "caps", "loads_wide"), 2);
        assert_int_equal(glue_count(g, "caps", "loads_indirect"), 1);
        glue_free(g);
    }
}

/* 3.2.8: one flush or load a cycle; 3.2.2: of a slot newly assigned and of one whose CTA has
 * finished, before a load of the same cycle.  A warp that is not the last changes nothing. */
static void flushes_go_before_loads(void **state)
{
    static const char *const watch[] = {"caps_percta",
                                        "kernel_start flush_valid flush_slot ld_valid", "caps_dist",
                                        "kernel_start flush_valid flush_slot ld_valid", NULL};
    struct glue *g = begin(state, ONE_CYCLE, watch, &four_warps, 8);

    glue_one(g, 10, PC, 0, 4096);
    glue_drain(g, 11, "");
    for (size_t w = 0; w < 2; w++) {
        glue_expect(g, watch[2 * w],
                    "kernel_start=1\nflush_valid=1\nflush_valid=1 flush_slot=1\n"
                    "flush_slot=1 ld_valid=1\n");
    }
    glue_go(g, 20, 4);
    glue_go(g, 21, 7);
    glue_go(g, 22, 5);
    glue_drain(g, 23, "");
    glue_expect(g, "caps_percta", "");
    glue_go(g, 24, 6);
    glue_one(g, 24, PC, 1, 4096);
    glue_drain(g, 25, "");
    glue_expect(g, "caps_percta", "flush_valid=1 flush_slot=1\nflush_slot=1 ld_valid=1\n");
    for (uint32_t slot = 0; slot < 4; slot++) {
        glue_go(g, 30, slot);
    }
    for (uint32_t slot = 0; slot < 4; slot++) {
        glue_come(g, 31, slot); /* the next CTA */
    }
    glue_drain(g, 32, "");
    glue_expect(g, "caps_percta", "flush_valid=1\nflush_valid=1\n");
    /* What has not come to the tables when the next kernel starts does not come any more. */
    glue_go(g, 40, 0);
    glue_come(g, 41, 0);
    glue_one(g, 41, PC, 0, 4096);
    glue_start(g, &four_warps, 42);
    glue_drain(g, 42, "");
    glue_expect(g, "caps_percta", "kernel_start=1\n");
    glue_free(g);
}

/* TV-CAP-1: DIST learns and verifies with the base of the load's own CTA and PC, although the
 * generator reads those of others in the same cycles. */
static void bases_are_of_the_own_cta(void **state)
{
    static const char *const watch[] = {
        "caps_dist", "ld_valid ld_cta ld_wic percta_hit percta_lead percta_last percta_base", NULL};
    static const struct glue_global loads[] = {
        {20, PC, 0, 1, {0x10000}, false}, {21, PC, 3, 1, {0x24000}, false},
        {22, PC, 6, 1, {0x31000}, false}, {23, OTHER, 7, 2, {0x5000, 0x6000}, false},
        {24, PC, 1, 1, {0x10080}, false}, {25, PC, 4, 1, {0x24080}, false},
        {26, PC, 8, 1, {0x31100}, false}, {27, OTHER, 8, 2, {0x5200, 0x6200}, false},
        {28, PC, 2, 1, {0x10100}, false}};
    struct glue *g = begin(state, ONE_CYCLE, watch, &three_warps, 9);

    for (size_t i = 0; i < COUNT(loads); i++) {
        glue_global(g, loads[i]);
    }
    glue_drain(g, 29, "4:1153 5:1154 7:1569 8:1570");
    glue_expect(g, "caps_dist",
                "ld_valid=1\n"
                "ld_valid=1 ld_cta=1\n"
                "ld_valid=1 ld_cta=2\n"
                "ld_valid=1 ld_cta=2 ld_wic=1\n"
                "ld_valid=1 ld_wic=1 percta_hit=1 percta_base=65536\n"
                "ld_valid=1 ld_cta=1 ld_wic=1 percta_hit=1 percta_base=147456\n"
                "ld_valid=1 ld_cta=2 ld_wic=2 percta_hit=1 percta_base=200704\n"
                "ld_valid=1 ld_cta=2 ld_wic=2 percta_hit=1 percta_lead=1 percta_last=1 "
                "percta_base=20480,24576\n"
                "ld_valid=1 ld_wic=2 percta_hit=1 percta_base=65536\n");
    assert_int_equal(glue_count(g, "caps", "leaders"), 4);
    assert_int_equal(glue_count(g, "caps", "strides"), 2);
    assert_int_equal(glue_count(g, "caps", "verified"), 3);
    assert_int_equal(glue_count(g, "caps", "mispredicted"), 0);
    glue_free(g);
}

/* TV-CAP-4: strides that differ drop the entry of that load, at once; the next warp leads. */
static void uneven_strides_drop_the_entry(void **state)
{
    static const char *const watch[] = {"caps_percta", "ld_valid ld_wic invalidate", "caps_dist",
                                        "ld_valid ld_wic percta_hit percta_lead", NULL};
    struct glue *g = begin(state, ONE_CYCLE, watch, &four_warps, 4);

    for (uint32_t w = 0; w < 4; w++) {
        glue_global(g, (struct glue_global){
                           20 + w, PC, w, 2, {0x8000 + 0x80 * w, 0x9000 + 0x100 * w}, false});
    }
    glue_drain(g, 24, "");
    glue_expect(g, "caps_percta",
                "ld_valid=1\n"
                "ld_valid=1 ld_wic=1 invalidate=1\n"
                "ld_valid=1 ld_wic=2\n"
                "ld_valid=1 ld_wic=3 invalidate=1\n");
    glue_expect(g, "caps_dist",
                "ld_valid=1\n"
                "ld_valid=1 ld_wic=1 percta_hit=1\n"
                "ld_valid=1 ld_wic=2\n"
                "ld_valid=1 ld_wic=3 percta_hit=1 percta_lead=2\n");
    assert_int_equal(glue_count(g, "caps", "leaders"), 2);
    assert_int_equal(glue_count(g, "caps", "invalidated"), 2);
    glue_free(g);
}

/* 3.2.4: case 1 walks every CTA but the leading one, case 2 the CTA of the base; a CTA that has
 * finished since has no base, an exited warp is passed over. */
static void walks_are_handed_over(void **state)
{
    static const char *const watch[] = {"caps_prefetch_gen", "job_valid job_pc job_stride job_mask",
                                        NULL};
    struct glue *g = begin(state, ONE_CYCLE, watch, &four_warps, 12);

    glue_one(g, 20, PC, 0, 0x8000);
    glue_one(g, 21, PC, 4, 0x10000);
    glue_one(g, 22, PC, 8, 0x20000);
    for (uint32_t slot = 8; slot < 12; slot++) {
        glue_go(g, 23, slot);
    }
    glue_go(g, 24, 6);
    glue_drain(g, 25, "");
    glue_expect(g, "caps_prefetch_gen", "");
    glue_one(g, 30, PC, 1, 0x7f00);
    glue_drain(g, 31, "5:510 7:506");
    for (uint32_t slot = 8; slot < 12; slot++) {
        glue_come(g, 60, slot);
    }
    glue_one(g, 60, PC, 9, 0x20000);
    glue_drain(g, 61, "10:1022 11:1020 8:1026");
    glue_one(g, 90, PC, 0, 0x9000); /* D4: not for itself */
    glue_drain(g, 91, "");
    glue_expect(g, "caps_prefetch_gen",
                "job_valid=1 job_pc=11 job_stride=4294967040 job_mask=254\n"
                "job_valid=1 job_pc=11 job_stride=4294967040 job_mask=4\n");
    glue_free(g);
}

/* TV-CAP-1 by GEN_POLICY SAME: a walk for the warp index that loads, in every other CTA. */
static void walks_of_one_warp_index(void **state)
{
    static const char *const none[] = {NULL};
    struct glue *g = begin(state, ONE_CYCLE ":dist.gen_all=0:gen.gen_all=0", none, &three_warps, 9);

    glue_one(g, 20, PC, 0, 0x10000);
    glue_one(g, 21, PC, 3, 0x24000);
    glue_one(g, 22, PC, 6, 0x31000);
    glue_one(g, 23, PC, 1, 0x10080);
    glue_drain(g, 24, "4:1153 7:1569");
    glue_one(g, 60, PC, 2, 0x10100);
    glue_drain(g, 61, "5:1154 8:1570");
    glue_free(g);
}

/* 3.2.4: the base is read when the walk gets to the CTA, not when the walk was asked for. */
static void walks_read_late(void **state)
{
    static const char *const none[] = {NULL};
    struct glue *g = begin(state, ONE_CYCLE, none, &four_warps, 8);

    glue_one(g, 20, PC, 4, 0x10000);
    glue_one(g, 21, OTHER, 4, 0x20000);
    glue_one(g, 22, PC, 0, 0x1000);
    glue_one(g, 23, OTHER, 0, 0x2000);
    glue_one(g, 24, PC, 1, 0x1080);
    glue_one(g, 25, OTHER, 1, 0x2080);
    glue_one(g, 26, OTHER, 4, 0x40000);
    glue_drain(g, 27, "5:513 6:514 7:515 5:2049 6:2050 7:2051 5:2049 6:2050 7:2051");
    glue_free(g);
}

/* 3.2.4, 3.2.8: nothing before T3; the oldest of 16 requests waits for the L1D, which takes one a
 * cycle; nine walks wait or go on, the next is discarded; a kernel's start empties all. */
static void l1d_takes_one_a_cycle(void **state)
{
    static const char *const none[] = {NULL};
    struct glue *g = begin(state, ONE_CYCLE, none, &four_warps, 8);

    glue_one(g, 20, PC, 0, 0x1000);
    glue_one(g, 21, PC, 1, 0x1080);
    glue_drain(g, 22, "");
    glue_one(g, 40, PC, 4, 0x10000);
    assert_string_equal(glue_peek(g, 42).text, "");
    assert_string_equal(glue_peek(g, 60).text, "5:513");
    assert_string_equal(glue_peek(g, 60).text, "5:513");
    glue_pop(g, false);
    assert_string_equal(glue_peek(g, 60).text, "");
    glue_drain(g, 61, "6:514 7:515");
    /* Five walks fill 15 places and the sixth the last one, eight wait: two of 16 find no room. */
    for (uint32_t i = 0; i < 16; i++) {
        glue_one(g, 100 + 20 * i, PC, 4, 0x10000 * (i + 2));
    }
    glue_peek(g, 420);
    assert_int_equal(glue_count(g, "caps", "jobs_dropped"), 2);
    glue_start(g, &four_warps, 500);
    glue_drain(g, 500, "");
    glue_free(g);
}

/* Tables in stages: a load waits until those before it are judged; a leading warp's takes two cycles to
 * be looked up and three to be judged.  Of one load a cycle 19 find a place, as three of them are taken by
 * then and 16 wait; then each fifth. */
static void loads_wait_or_are_missed(void **state)
{
    static const char *const none[] = {NULL};
    struct glue *g = begin(state, "caps", none, &four_warps, 8);

    for (uint32_t i = 0; i < 40; i++) {
        glue_one(g, 20 + i, PC, 0, 0x1000);
    }
    glue_drain(g, 60, "");
    assert_int_equal(glue_count(g, "caps", "loads"), 40);
    assert_int_equal(glue_count(g, "caps", "loads_waiting"), 39);
    assert_int_equal(glue_count(g, "caps", "loads_missed"), 17);
    assert_int_equal(glue_count(g, "caps", "leaders"), 1);
    assert_int_equal(glue_count(g, "caps", "bases_rewritten"), 22);
    glue_free(g);
}

/* TV-CAP-1 in stages: the same prefetches; a flush goes before the load that waits. */
static void stages_give_the_same(void **state)
{
    static const char *const none[] = {NULL};
    struct glue *g = begin(state, "caps", none, &three_warps, 9);

    glue_one(g, 20, PC, 0, 0x10000);
    glue_one(g, 21, PC, 3, 0x24000);
    glue_one(g, 22, PC, 6, 0x31000);
    glue_one(g, 23, PC, 1, 0x10080);
    glue_drain(g, 60, "4:1153 5:1154 7:1569 8:1570");
    glue_one(g, 100, PC, 2, 0x10100);
    for (uint32_t slot = 3; slot < 6; slot++) {
        glue_go(g, 101, slot);
    }
    glue_drain(g, 130, "");
    assert_int_equal(glue_count(g, "caps", "leaders"), 3);
    assert_int_equal(glue_count(g, "caps", "verified"), 1);
    assert_int_equal(glue_count(g, "caps", "mispredicted"), 0);
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_load_is_told),       cmocka_unit_test(flushes_go_before_loads),
        cmocka_unit_test(bases_are_of_the_own_cta), cmocka_unit_test(uneven_strides_drop_the_entry),
        cmocka_unit_test(walks_are_handed_over),    cmocka_unit_test(walks_of_one_warp_index),
        cmocka_unit_test(walks_read_late),          cmocka_unit_test(l1d_takes_one_a_cycle),
        cmocka_unit_test(loads_wait_or_are_missed), cmocka_unit_test(stages_give_the_same),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
