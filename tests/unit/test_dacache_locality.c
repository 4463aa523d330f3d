/* test_dacache_locality - dac_vc and dac_clp under the rule of D-DAC-11 (wang2015
 * 3.12.8): which coherent loads are found to have locality, and after how much. */
#include "test_dacache.h"

enum { VC_ENTRIES = 16 };
enum class { UNKNOWN, LOCALITY, NO_LOCALITY };

struct profiler {
    struct pins vc, clp;
};

static void profiler_open(struct profiler *p, void **state, const char *form)
{
    unit_open(&p->vc, state, "dacache/dac_vc", "", form);
    unit_open(&p->clp, state, "dacache/dac_clp", "", form);
}

static void profiler_close(struct profiler *p)
{
    pins_close(&p->vc);
    pins_close(&p->clp);
}

static enum class class_of(struct profiler *p, uint64_t pc) {
    pin_set(&p->clp, "lk_valid", 1); pin_set(&p->clp, "lk_pc", pc); unit_edge(&p->clp);
    pin_set(&p->clp, "lk_valid", 0);
    unit_comb(&p->clp);
    return (enum class)pin_get(&p->clp, "state");
}

static void classify(struct profiler *p, uint64_t pc, uint64_t flag)
{
    pin_set(&p->clp, "ins_valid", 1);
    pin_set(&p->clp, "ins_pc", pc);
    pin_set(&p->clp, "ins_flag", flag);
    unit_edge(&p->clp);
    pin_set(&p->clp, "ins_valid", 0);
}

/* One access of a coherent load by the sampled warp. */
static void sampled_access(struct profiler *p, uint64_t pc, uint64_t block, bool l1d_hit)
{
    if (class_of(p, pc) != UNKNOWN) {
        return;
    }
    pin_set(&p->vc, "acc_valid", 1);
    pin_set(&p->vc, "pc", pc);
    pin_set(&p->vc, "tag", block);
    pin_set(&p->vc, "push", 0);
    pin_set(&p->vc, "inv_valid", 0);
    unit_comb(&p->vc);
    const bool found = l1d_hit || pin_get(&p->vc, "hit");
    pin_set(&p->vc, "push", !found);
    pin_set(&p->vc, "inv_valid", found);
    pin_set(&p->vc, "inv_pc", pc);
    unit_comb(&p->vc);
    if (found) {
        classify(p, pc, 1);
    } else if (pin_get(&p->vc, "disp_valid")) {
        classify(p, pin_get(&p->vc, "disp_pc"), 0);
    }
    unit_edge(&p->vc);
}

static void reuse_within_sixteen_misses(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct profiler p;
        profiler_open(&p, state, forms[form]);
        sampled_access(&p, 0x100, 5, false);
        for (uint64_t i = 0; i < VC_ENTRIES - 1; i++) {
            sampled_access(&p, 0x200, 1000 + i, false);
        }
        assert_int_equal(class_of(&p, 0x100), UNKNOWN);
        sampled_access(&p, 0x100, 5, false);
        assert_int_equal(class_of(&p, 0x100), LOCALITY);
        profiler_close(&p);
    }
}

/* The sixteenth later miss displaces the entry. */
static void stream_has_none(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct profiler p;
        profiler_open(&p, state, forms[form]);
        sampled_access(&p, 0x100, 5, false);
        for (uint64_t i = 0; i < VC_ENTRIES; i++) {
            assert_int_equal(class_of(&p, 0x100), UNKNOWN);
            sampled_access(&p, 0x200, 1000 + i, false);
        }
        assert_int_equal(class_of(&p, 0x100), NO_LOCALITY);
        assert_int_equal(class_of(&p, 0x200), UNKNOWN);
        sampled_access(&p, 0x200, 2000, false);
        assert_int_equal(class_of(&p, 0x200), NO_LOCALITY);
        profiler_close(&p);
    }
}

/* A hit in L1D proves locality at once and frees the load's entries. */
static void l1d_hit_is_locality(void **state)
{
    struct profiler p;
    profiler_open(&p, state, "rtl");
    sampled_access(&p, 0x100, 5, false);
    sampled_access(&p, 0x100, 6, false);
    sampled_access(&p, 0x100, 7, true);
    assert_int_equal(class_of(&p, 0x100), LOCALITY);
    for (uint64_t i = 0; i < 2 * VC_ENTRIES; i++) {
        sampled_access(&p, 0x200 + i, 1000 + i, false);
    }
    assert_int_equal(class_of(&p, 0x100), LOCALITY);
    profiler_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reuse_within_sixteen_misses),
        cmocka_unit_test(stream_has_none),
        cmocka_unit_test(l1d_hit_is_locality),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
