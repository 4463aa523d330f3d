/* test_caps_vectors - the worked examples of the CTA-aware prefetcher, TV-CAP-1 to -10 and
 * -12 to -15 (caps-prefetch 3.2.6), on its three units together. */
#include "test_caps.h"

static const struct caps_options standard = {"", "", ""};

/* Runs `script` on every form. */
static void on_every_form(void **state, const struct caps_options *options, unsigned wpc,
                          void (*script)(struct caps *caps))
{
    for (unsigned form = 0; form < CAPS_FORMS; form++) {
        struct caps *caps = caps_new(*state, options, caps_forms[form], wpc);
        script(caps);
        caps_free(caps);
    }
}

/* Compare the last load's prefetches with "cta.warp:address ...", by line, in order. */
static void expect_prefetches(const struct caps *caps, const char *expected)
{
    size_t i = 0;
    unsigned cta, warp, address;
    int used;
    for (; sscanf(expected, " %u.%u:%x%n", &cta, &warp, &address, &used) == 3; expected += used) {
        assert_true(i < caps->n_prefetches);
        assert_int_equal(caps->prefetches[i].cta, cta);
        assert_int_equal(caps->prefetches[i].warp, warp);
        assert_int_equal(caps->prefetches[i].line, address / CAPS_LINE_BYTES);
        i++;
    }
    assert_int_equal(i, caps->n_prefetches);
}

/* A load of one request, and what it prefetches. */
static void load1(struct caps *caps, uint32_t pc, unsigned cta, unsigned warp, uint32_t address,
                  const char *prefetches)
{
    caps_load(caps,
              &(struct caps_load){.pc = pc, .cta = cta, .warp = warp, .n = 1, .addr = {address}});
    expect_prefetches(caps, prefetches);
}

static void load2(struct caps *caps, uint32_t pc, unsigned cta, unsigned warp, uint32_t address0,
                  uint32_t address1, const char *prefetches)
{
    caps_load(caps, &(struct caps_load){
                        .pc = pc, .cta = cta, .warp = warp, .n = 2, .addr = {address0, address1}});
    expect_prefetches(caps, prefetches);
}

static void load_over(struct caps *caps, uint32_t pc, unsigned cta, unsigned warp)
{
    caps_load(caps, &(struct caps_load){.pc = pc, .cta = cta, .warp = warp, .n = 5});
    expect_prefetches(caps, "");
}

static void expect_stride(struct caps *caps, uint32_t pc, uint32_t stride, unsigned count)
{
    uint32_t got_stride;
    unsigned got_count;
    assert_true(caps_stride(caps, pc, &got_stride, &got_count));
    assert_int_equal(got_stride, stride);
    assert_int_equal(got_count, count);
}

static void expect_no_stride(struct caps *caps, uint32_t pc)
{
    uint32_t stride;
    unsigned count;
    assert_false(caps_stride(caps, pc, &stride, &count));
}

static void expect_base(struct caps *caps, unsigned cta, uint32_t pc, unsigned lead, uint32_t base)
{
    unsigned got_lead;
    uint32_t got_base;
    assert_true(caps_base(caps, cta, pc, &got_lead, &got_base));
    assert_int_equal(got_lead, lead);
    assert_int_equal(got_base, base);
}

static void expect_no_base(struct caps *caps, unsigned cta, uint32_t pc)
{
    unsigned lead;
    uint32_t base;
    assert_false(caps_base(caps, cta, pc, &lead, &base));
}

/* Fig. 9a: the bases are known first. */
static void bases_first(struct caps *caps)
{
    load1(caps, 0x58, 0, 0, 0x80010000, "");
    load1(caps, 0x58, 1, 0, 0x80024000, "");
    load1(caps, 0x58, 2, 0, 0x80031000, "");
    expect_base(caps, 2, 0x58, 0, 0x80031000);
    expect_no_stride(caps, 0x58);
}

static void cap1_all(struct caps *caps)
{
    bases_first(caps);
    load1(caps, 0x58, 0, 1, 0x80010080,
          "1.1:0x80024080 1.2:0x80024100 2.1:0x80031080 2.2:0x80031100");
    expect_stride(caps, 0x58, 0x80, 0);
    load1(caps, 0x58, 0, 2, 0x80010100, "");
    assert_int_equal(caps->totals.verifications, 1);
    assert_int_equal(caps->totals.mispredictions, 0);
}

static void cap1_same(struct caps *caps)
{
    bases_first(caps);
    load1(caps, 0x58, 0, 1, 0x80010080, "1.1:0x80024080 2.1:0x80031080");
    load1(caps, 0x58, 0, 2, 0x80010100, "1.2:0x80024100 2.2:0x80031100");
}

static void tv_cap_1(void **state)
{
    on_every_form(state, &standard, 3, cap1_all);
    const struct caps_options same = {"", "GEN_ALL=0", "GEN_ALL=0"};
    on_every_form(state, &same, 3, cap1_same);
}

/* Fig. 9b: the stride is known first. */
static void stride_first(struct caps *caps)
{
    load1(caps, 0x58, 0, 0, 0x80010000, "");
    load1(caps, 0x58, 0, 1, 0x80010080, "");
    expect_stride(caps, 0x58, 0x80, 0);
    load1(caps, 0x58, 1, 0, 0x80024000, "1.1:0x80024080 1.2:0x80024100");
    load1(caps, 0x58, 2, 0, 0x80031000, "2.1:0x80031080 2.2:0x80031100");
}

static void cap2_all(struct caps *caps)
{
    stride_first(caps);
    load1(caps, 0x58, 0, 2, 0x80010100, "");
    assert_int_equal(caps->totals.mispredictions, 0);
}

static void cap2_same(struct caps *caps)
{
    stride_first(caps);
    load1(caps, 0x58, 0, 2, 0x80010100, "1.2:0x80024100 2.2:0x80031100");
}

static void tv_cap_2(void **state)
{
    on_every_form(state, &standard, 3, cap2_all);
    const struct caps_options same = {"", "GEN_ALL=0", "GEN_ALL=0"};
    on_every_form(state, &same, 3, cap2_same);
}

static void cap3(struct caps *caps)
{
    load2(caps, 0x60, 0, 0, 0x80008000, 0x80009000, "");
    load2(caps, 0x60, 3, 0, 0x80000100, 0x80001100, "");
    load2(
        caps, 0x60, 0, 1, 0x80007f00, 0x80008f00,
        "3.1:0x80000000 3.1:0x80001000 3.2:0x7fffff00 3.2:0x80000f00 3.3:0x7ffffe00 3.3:0x80000e00");
    expect_stride(caps, 0x60, 0xffffff00, 0);
}

static void tv_cap_3(void **state)
{
    on_every_form(state, &standard, 4, cap3);
}

static void cap4(struct caps *caps)
{
    load2(caps, 0x60, 0, 0, 0x80008000, 0x80009000, "");
    load2(caps, 0x60, 0, 1, 0x80008080, 0x80009100, "");
    expect_no_base(caps, 0, 0x60);
    expect_no_stride(caps, 0x60);
    load2(caps, 0x60, 0, 2, 0x80008100, 0x80009200, "");
    expect_base(caps, 0, 0x60, 2, 0x80008100);
    assert_int_equal(caps->totals.invalidations, 1);
}

static void tv_cap_4(void **state)
{
    on_every_form(state, &standard, 4, cap4);
}

static void cap5(struct caps *caps)
{
    load1(caps, 0x60, 0, 2, 0x80001000, "");
    load1(caps, 0x60, 1, 1, 0x80005000, "");
    load1(caps, 0x60, 0, 1, 0x80000e00, "1.2:0x80005200 1.3:0x80005400 1.0:0x80004e00");
    expect_stride(caps, 0x60, 512, 0);
}

static void tv_cap_5(void **state)
{
    on_every_form(state, &standard, 4, cap5);
}

static void cap6(struct caps *caps)
{
    load1(caps, 0x60, 0, 0, 0x80001000, "");
    load1(caps, 0x60, 0, 2, 0x80001200, "");
    expect_base(caps, 0, 0x60, 0, 0x80001000);
    expect_no_stride(caps, 0x60);
    load1(caps, 0x60, 0, 1, 0x80001100, "");
    expect_stride(caps, 0x60, 256, 0);
    load1(caps, 0x60, 0, 2, 0x80001200, "");
    expect_stride(caps, 0x60, 256, 0);
    assert_int_equal(caps->totals.verifications, 1);
}

static void tv_cap_6(void **state)
{
    on_every_form(state, &standard, 4, cap6);
}

static void cap7(struct caps *caps)
{
    load1(caps, 0x10, 0, 0, 0x80001000, "");
    load1(caps, 0x20, 0, 0, 0x80003000, "");
    load1(caps, 0x30, 0, 0, 0x80004000, "");
    load1(caps, 0x40, 0, 0, 0x80005000, "");
    load1(caps, 0x10, 0, 0, 0x80002000, "");
    load1(caps, 0x50, 0, 0, 0x80006000, "");
    expect_no_base(caps, 0, 0x20);
    expect_base(caps, 0, 0x10, 0, 0x80002000);
    load1(caps, 0x10, 0, 1, 0x80002080, "");
    expect_stride(caps, 0x10, 128, 0);
    load1(caps, 0x20, 0, 1, 0x80003080, "");
    expect_base(caps, 0, 0x20, 1, 0x80003080);
    expect_no_base(caps, 0, 0x30);
    expect_base(caps, 0, 0x40, 0, 0x80005000);
    assert_int_equal(caps->totals.evictions, 2);
}

static void tv_cap_7(void **state)
{
    on_every_form(state, &standard, 4, cap7);
}

static void cap8(struct caps *caps)
{
    static const struct {
        unsigned after, counter;
        const char *prefetches;
    } rows[] = {
        {1, 1, "1.1:0x80020080 1.2:0x80020100 1.3:0x80020180"},
        {128, 128, "1.1:0x80020080 1.2:0x80020100 1.3:0x80020180"},
        {129, 129, ""},
        {255, 255, ""},
        {256, 255, ""},
    };
    load1(caps, 0x60, 0, 0, 0x80000000, "");
    load1(caps, 0x60, 0, 1, 0x80000080, "");
    unsigned row = 0;
    for (unsigned i = 1; i <= 256; i++) {
        load1(caps, 0x60, 0, 2, 0x80010000, "");
        if (i == rows[row].after) {
            expect_stride(caps, 0x60, 128, rows[row].counter);
            load1(caps, 0x60, 1, 0, 0x80020000, rows[row].prefetches);
            caps_flush(caps, 1);
            row++;
        }
    }
    assert_int_equal(row, 5);
}

static void tv_cap_8(void **state)
{
    on_every_form(state, &standard, 4, cap8);
}

static void cap9(struct caps *caps)
{
    load1(caps, 0x60, 0, 0, 0xffffff00, "");
    load1(caps, 0x60, 1, 0, 0xffffff80, "");
    load1(caps, 0x60, 0, 1, 0xffffff80, "1.1:0x00000000 1.2:0x00000080 1.3:0x00000100");
    expect_stride(caps, 0x60, 128, 0);
}

static void tv_cap_9(void **state)
{
    on_every_form(state, &standard, 4, cap9);
}

/* Addresses are given in hexadecimal: 0x15d0 = 5584 and so on. */
static void cap10(struct caps *caps)
{
    load1(caps, 0x60, 0, 0, 0, "");
    load1(caps, 0x60, 1, 0, 5184, "");
    load2(caps, 0x60, 2, 0, 11456, 11520, "");
    load2(caps, 0x60, 3, 0, 17728, 17792, "");
    load2(caps, 0x60, 4, 0, 24000, 24064, "");
    load1(caps, 0x60, 5, 0, 29184, "");
    load1(caps, 0x60, 6, 0, 35456, "");
    load2(caps, 0x60, 0, 1, 400, 512,
          "1.1:0x15d0 1.2:0x1760 1.3:0x18f0 "
          "2.1:0x2e50 2.1:0x2e90 2.2:0x2fe0 2.2:0x3020 2.3:0x3170 2.3:0x31b0 "
          "3.1:0x46d0 3.1:0x4710 3.2:0x4860 3.2:0x48a0 3.3:0x49f0 3.3:0x4a30 "
          "4.1:0x5f50 4.1:0x5f90 4.2:0x60e0 4.2:0x6120 4.3:0x6270 4.3:0x62b0 "
          "5.1:0x7390 5.2:0x7520 5.3:0x76b0 "
          "6.1:0x8c10 6.2:0x8da0 6.3:0x8f30");
    expect_stride(caps, 0x60, 400, 0);
    assert_int_equal(caps->n_prefetches, 27);
    load1(caps, 0x60, 1, 0, 45184, "1.1:0xb210 1.2:0xb3a0 1.3:0xb530");
}

static void tv_cap_10(void **state)
{
    on_every_form(state, &standard, 4, cap10);
}

static void cap12(struct caps *caps)
{
    load2(caps, 0x60, 0, 0, 0x80000000, 0x80000140, "");
    load2(caps, 0x60, 1, 0, 0x80001400, 0x80001540, "");
    load2(caps, 0x68, 0, 0, 0x80010000, 0x80010200, "");
    load2(caps, 0x68, 1, 0, 0x800101c0, 0x800103c0, "");
    load2(caps, 0x60, 0, 1, 0x80000280, 0x800003c0,
          "1.1:0x80001680 1.1:0x800017c0 1.2:0x80001900 1.2:0x80001a40");
    load2(caps, 0x68, 0, 1, 0x80010400, 0x80010600,
          "1.1:0x800105c0 1.1:0x800107c0 1.2:0x800109c0 1.2:0x80010bc0");
    expect_stride(caps, 0x60, 640, 0);
    expect_stride(caps, 0x68, 1024, 0);
    load2(caps, 0x60, 0, 2, 0x80000500, 0x80000640, "");
    load2(caps, 0x68, 0, 2, 0x80010800, 0x80010a00, "");
    load2(caps, 0x60, 1, 1, 0x80001680, 0x800017c0, "");
    load2(caps, 0x68, 1, 2, 0x800109c0, 0x80010bc0, "");
    assert_int_equal(caps->totals.verifications, 4);
    assert_int_equal(caps->totals.mispredictions, 0);
}

static void tv_cap_12(void **state)
{
    on_every_form(state, &standard, 3, cap12);
}

static void cap13(struct caps *caps)
{
    load1(caps, 0x60, 0, 0, 0x80000000, "");
    load1(caps, 0x60, 0, 1, 0x80000080, "");
    expect_stride(caps, 0x60, 128, 0);
    load_over(caps, 0x60, 0, 2);
    expect_stride(caps, 0x60, 128, 1);
    load_over(caps, 0x60, 0, 0);
    expect_base(caps, 0, 0x60, 0, 0x80000000);
    load_over(caps, 0x60, 1, 0);
    expect_no_base(caps, 1, 0x60);
    load1(caps, 0x60, 0, 2, 0x80000100, "");
    expect_stride(caps, 0x60, 128, 1);
}

static void tv_cap_13(void **state)
{
    on_every_form(state, &standard, 4, cap13);
}

static void own_cta(struct caps *caps, const char *on_return, const char *after_flush)
{
    load1(caps, 0x60, 0, 0, 0x80000000, "");
    load1(caps, 0x60, 0, 1, 0x80000080, "");
    load1(caps, 0x60, 0, 0, 0x80004000, on_return);
    expect_base(caps, 0, 0x60, 0, 0x80004000);
    caps_flush(caps, 0);
    load1(caps, 0x60, 0, 0, 0x80008000, after_flush);
}

static const char own_first[] = "0.1:0x80004080 0.2:0x80004100 0.3:0x80004180";
static const char own_second[] = "0.1:0x80008080 0.2:0x80008100 0.3:0x80008180";

static void cap14(struct caps *caps)
{
    own_cta(caps, "", own_second);
}

static void cap14_self(struct caps *caps)
{
    own_cta(caps, own_first, own_second);
}

static void cap14_flush(struct caps *caps)
{
    own_cta(caps, "", "");
}

static void tv_cap_14(void **state)
{
    const struct caps_options self = {"", "SELF_PF=1", ""};
    const struct caps_options flush = {"", "DIST_FLUSH_WITH_LEADCTA=1", ""};
    on_every_form(state, &standard, 4, cap14);
    on_every_form(state, &self, 4, cap14_self);
    on_every_form(state, &flush, 4, cap14_flush);
}

static void cap15(struct caps *caps)
{
    load2(caps, 0x60, 0, 0, 0x80000000, 0x80001000, "");
    load2(caps, 0x60, 0, 1, 0x80000080, 0x80001100, "");
    expect_no_base(caps, 0, 0x60);
    load2(caps, 0x60, 0, 2, 0x80000100, 0x80001100, "");
    expect_base(caps, 0, 0x60, 2, 0x80000100);
    load2(caps, 0x60, 0, 3, 0x80000180, 0x80001180, "");
    expect_stride(caps, 0x60, 128, 0);
    load2(caps, 0x60, 0, 0, 0x80010000, 0x80011000, "");
    expect_stride(caps, 0x60, 128, 1);
    load2(caps, 0x60, 0, 1, 0x80010080, 0x80011080, "");
    expect_stride(caps, 0x60, 128, 2);
    load2(caps, 0x60, 0, 2, 0x80010100, 0x80011100, "");
    expect_base(caps, 0, 0x60, 2, 0x80010100);
    load2(caps, 0x60, 0, 3, 0x80010180, 0x80011180, "");
    expect_stride(caps, 0x60, 128, 2);
}

static void tv_cap_15(void **state)
{
    on_every_form(state, &standard, 4, cap15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tv_cap_1),  cmocka_unit_test(tv_cap_2),  cmocka_unit_test(tv_cap_3),
        cmocka_unit_test(tv_cap_4),  cmocka_unit_test(tv_cap_5),  cmocka_unit_test(tv_cap_6),
        cmocka_unit_test(tv_cap_7),  cmocka_unit_test(tv_cap_8),  cmocka_unit_test(tv_cap_9),
        cmocka_unit_test(tv_cap_10), cmocka_unit_test(tv_cap_12), cmocka_unit_test(tv_cap_13),
        cmocka_unit_test(tv_cap_14), cmocka_unit_test(tv_cap_15),
    };
    return cmocka_run_group_tests(tests, caps_library_setup, caps_library_teardown);
}
