/* test_index_blocks - properties that hold for every block address: what index and tag
 * say together (aci-iacm-blpp 3.1, wang2015 3.5 and 3.7, hashed tags), prime residues
 * against division (aci-iacm-blpp 3.6, wang2015 3.7), permutations, polynomials. */
#include "test_index.h"

#include "tb/random.h"

struct variant {
    const char *unit, *overrides;
};

enum { BLOCK_BITS = 7, TAGS = 2000 };

/* Tag `i`: the low ones, then random ones of 18 bits, which every variant has. */
static uint64_t sample_tag(struct tb_random *random, unsigned i)
{
    return i < TAGS / 2 ? i : tb_random_below(random, 1 << 18);
}

/* Is the block known from its set, the tag above the index field and `extra`?  `extra`
 * is the alias bit where the scheme has one, or one more address bit. */
static bool identifies(struct pins *pins, uint64_t tag, int extra_bit)
{
    const uint64_t sets = param_of(pins, "SETS");
    const bool alias = pins->backend->desc->n_out == 3;
    bool seen[2][4096] = {{false}};
    for (uint64_t low = 0; low < sets; low++) {
        const uint64_t addr = (tag * sets + low) << BLOCK_BITS;
        const unsigned set = set_of(pins, addr);
        const uint64_t extra = alias            ? pin_get(pins, "xalias")
                               : extra_bit >= 0 ? addr >> extra_bit & 1
                                                : 0;
        if (alias) {
            assert_int_equal(pin_get(pins, "tag"), tag);
        }
        if (seen[extra][set]) {
            return false;
        }
        seen[extra][set] = true;
    }
    return true;
}

static bool identifies_always(struct pins *pins, int extra_bit)
{
    struct tb_random random;
    tb_random_seed(&random, 5);
    for (unsigned i = 0; i < TAGS; i++) {
        if (!identifies(pins, sample_tag(&random, i), extra_bit)) {
            return false;
        }
    }
    return true;
}

static void index_and_tag_give_the_block(void **state)
{
    static const struct variant variants[] = {
        {"index/conv", ""},
        {"index/conv", "ADDR_W=32,SETS=64"},
        {"index/bxor", ""},
        {"index/bxor", "ADDR_W=32,SETS=64"},
        {"index/rxi", ""},
        {"index/rxi", "SETS=8"},
        {"index/rxi", "SETS=16"},
        {"index/rxi", "SETS=64"},
        {"index/pli", ""},
        {"index/pli", "SETS=8,POLY=11"},
        {"index/pli", "SETS=64,POLY=67"},
        {"index/pli", "SETS=128,POLY=131"},
        {"index/fup20", ""},
        {"index/fup20", "SETS=64"},
        {"index/fup28", ""},
        {"index/fup28", "SETS=64"},
        {"index/fup28", "SETS=256"},
        {"index/pmod", ""},
        {"index/pmod", "ADDR_W=32,SETS=64"},
        {"index/pmod", "SETS=16"},
        {"index/pdisp", ""},
        {"index/pdisp", "P=37"},
        {"index/pdisp", "SETS=64,P=7"},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        for (unsigned form = 0; form < N_FORMS; form++) {
            struct pins pins;
            pins_open(&pins, state, variants[i].unit, variants[i].overrides, forms[form]);
            assert_true(identifies_always(&pins, -1));
            pins_close(&pins);
        }
    }
}

/* The limits: RXI at 128 sets needs address bit 13 beside the tag; FUP with its reduced
 * group lowest cannot tell S4 = 0 from S4 = 31. */
static void index_and_tag_that_do_not(void **state)
{
    struct pins pins;
    pins_open(&pins, state, "index/rxi", "SETS=128", "c");
    assert_false(identifies_always(&pins, -1));
    assert_true(identifies_always(&pins, 13));
    pins_close(&pins);
    pins_open(&pins, state, "index/fup28", "S4_LOWEST=1", "c");
    assert_false(identifies_always(&pins, -1));
    pins_close(&pins);
}

/* pmod against division: the first 2^15 blocks, the last 2^12 and random ones. */
static void pmod_is_the_remainder(void **state)
{
    static const struct {
        const char *overrides;
        uint64_t prime;
    } rows[] = {{"SETS=8", 7},     {"SETS=16", 13},           {"", 31},
                {"ADDR_W=32", 31}, {"ADDR_W=32,SETS=64", 61}, {"SETS=128", 127}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows * N_FORMS; i++) {
        struct pins pins;
        struct tb_random random;
        const uint64_t prime = rows[i / N_FORMS].prime;
        pins_open(&pins, state, "index/pmod", rows[i / N_FORMS].overrides, forms[i % N_FORMS]);
        const uint64_t blocks = UINT64_C(1) << (param_of(&pins, "ADDR_W") - BLOCK_BITS);
        tb_random_seed(&random, 3);
        for (unsigned n = 0; n < 60000; n++) {
            const uint64_t block = n < 1 << 15            ? n
                                   : n < (1 << 15) + 4096 ? blocks - 1 - n % 4096
                                                          : tb_random_below(&random, blocks);
            const unsigned set = set_of(&pins, block << BLOCK_BITS);
            assert_true(set < prime);
            assert_int_equal(set, block % prime);
        }
        pins_close(&pins);
    }
}

/* S4 alone drives FUP28's index: all 8192 residues modulo 31, all 1024 modulo 61; no
 * reduction at 128 and 256 sets (cases 1 and 2). */
static void fup28_reduces_s4(void **state)
{
    static const struct {
        const char *overrides;
        unsigned s4_at, s4_bits, divisor;
    } rows[] = {{"", 22, 13, 31},         {"FEATURE_BITS=27", 22, 12, 31},
                {"SETS=64", 25, 10, 61},  {"SETS=128", 28, 7, 128},
                {"SETS=256", 31, 8, 256}, {"S4_LOWEST=1", 7, 13, 31}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows * N_FORMS; i++) {
        struct pins pins;
        const unsigned row = i / N_FORMS;
        pins_open(&pins, state, "index/fup28", rows[row].overrides, forms[i % N_FORMS]);
        for (uint64_t s4 = 0; s4 < UINT64_C(1) << rows[row].s4_bits; s4++) {
            assert_int_equal(set_of(&pins, s4 << rows[row].s4_at), s4 % rows[row].divisor);
        }
        pins_close(&pins);
    }
}

/* Bits past the window alias (wang2015 3.7, corner cases). */
static void fup28_ignores_bits_above_its_window(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct pins pins;
        pins_open(&pins, state, "index/fup28", "", forms[form]);
        for (unsigned bit = 35; bit < 40; bit++) {
            assert_int_equal(set_of(&pins, UINT64_C(0x55AA5A80) | UINT64_C(1) << bit),
                             set_of(&pins, 0x55AA5A80));
        }
        pins_close(&pins);
    }
}

/* FUP20's bijection at every power-of-two stride to 4 MB and any bits outside the lane
 * field; PLI's at every power-of-two stride, x being a unit of the quotient ring. */
static void power_of_two_strides_permute(void **state)
{
    static const struct {
        const char *unit;
        unsigned last_bit;
    } rows[] = {{"index/fup20", 22}, {"index/pli", 27}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows * N_FORMS; i++) {
        struct pins pins;
        struct tb_random random;
        tb_random_seed(&random, 11);
        pins_open(&pins, state, rows[i / N_FORMS].unit, "ADDR_W=32", forms[i % N_FORMS]);
        for (unsigned bit = 7; bit <= rows[i / N_FORMS].last_bit; bit++) {
            for (unsigned n = 0; n < 200; n++) {
                const uint64_t base = tb_random_below(&random, UINT64_C(1) << 32) &
                                      ~(UINT64_C(31) << bit);
                assert_int_equal(distinct_sets(&pins, base, UINT64_C(1) << bit, 32), 32);
            }
        }
        pins_close(&pins);
    }
}

/* aci-iacm-blpp 3.5, the C reference as printed, for every listed polynomial. */
static uint32_t pli_reference(uint32_t ab, int s, uint32_t p)
{
    for (int k = 24; k >= s; k--) {
        if ((ab >> k) & 1) {
            ab ^= p << (k - s);
        }
    }
    return ab;
}

static void pli_is_the_reference(void **state)
{
    static const struct {
        const char *overrides;
        int s;
        uint32_t p;
    } rows[] = {{"SETS=8,POLY=11", 3, 0xB},
                {"SETS=16,POLY=19", 4, 0x13},
                {"", 5, 0x25},
                {"SETS=64,POLY=67", 6, 0x43},
                {"SETS=128,POLY=131", 7, 0x83}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows * N_FORMS; i++) {
        struct pins pins;
        struct tb_random random;
        tb_random_seed(&random, 7);
        pins_open(&pins, state, "index/pli", rows[i / N_FORMS].overrides, forms[i % N_FORMS]);
        for (unsigned n = 0; n < 50000; n++) {
            const uint32_t block = (uint32_t)tb_random_below(&random, 1 << 25);
            assert_int_equal(set_of(&pins, (uint64_t)block << BLOCK_BITS),
                             pli_reference(block, rows[i / N_FORMS].s, rows[i / N_FORMS].p));
        }
        pins_close(&pins);
    }
}

/* Parameters that no hardware has are refused, naming the parameter. */
static void illegal_parameters_are_refused(void **state)
{
    static const struct {
        const char *unit, *overrides, *word;
    } rows[] = {
        {"index/conv", "SETS=33", "SETS"},
        {"index/conv", "ADDR_W=65", "ADDR_W"},
        {"index/conv", "ADDR_W=16,BLOCK_BYTES=4096", "ADDR_W"},
        {"index/rxi", "SETS=256", "SETS"},
        {"index/pli", "SETS=64", "POLY"},
        {"index/pli", "POLY=67", "POLY"},
        {"index/pmod", "ADDR_W=16,SETS=512", "ADDR_W"},
        {"index/fup28", "S4_LOWEST=2", "S4_LOWEST"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure failure = {0};
        assert_null(library_open(*state, rows[i].unit, rows[i].overrides, "c", &failure));
        assert_int_equal(failure.verdict, VERDICT_USAGE);
        assert_non_null(strstr(failure.words, rows[i].word));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_and_tag_give_the_block),
        cmocka_unit_test(index_and_tag_that_do_not),
        cmocka_unit_test(pmod_is_the_remainder),
        cmocka_unit_test(fup28_reduces_s4),
        cmocka_unit_test(fup28_ignores_bits_above_its_window),
        cmocka_unit_test(power_of_two_strides_permute),
        cmocka_unit_test(pli_is_the_reference),
        cmocka_unit_test(illegal_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
