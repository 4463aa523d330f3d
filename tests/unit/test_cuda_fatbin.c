/* test_cuda_fatbin.c - containers of device code as nvcc 13 writes them: one kernel plain, as LZ4
 * block and as zstd frame; what is cut off or says wrong sizes is refused.
 *
 * The bytes are nvcc's own; the text is what its compiler was kept to write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/cubin.h"
#include "cuda/fatbin.h"

static const char text[] =
    "\n\n\n\n\n\n\n\n.version 9.0\n.target sm_75\n.address_size 64\n\n\n\n.visible .entry k(\n"
    ".param .u64 k_param_0,\n.param .u8 k_param_1\n)\n{\n.reg .b16 %rs<2>;\n.reg .b32 %r<2>;\n"
    ".reg .b64 %rd<3>;\n\n\nld.param.s8 %rs1, [k_param_1];\nld.param.u64 %rd1, [k_param_0];\n"
    "cvta.to.global.u64 %rd2, %rd1;\ncvt.s32.s16 %r1, %rs1;\nst.global.u32 [%rd2], %r1;\nret;\n\n}"
    "\n\n";

static const char lz4[] = "50ed55ba01001000580100000000000001000101500000000801000000000000"
                          "0101000040000000000009004b00000000000000000000001120000000000000"
                          "00000000000000004b0100000000000048000000000000000000000000000000"
                          "130a0100f01c2e76657273696f6e20392e300a2e74617267657420736d5f3735"
                          "0a2e616464726573735f73697a652036343100f1122e76697369626c65202e65"
                          "6e747279206b280a2e706172616d202e753634206b5f0d00365f302c17001538"
                          "1600f408310a290a7b0a2e726567202e623136202572733c323e3b1200583332"
                          "2025721100f2003634202572643c333e3b0a0a0a6c645200302e733839004531"
                          "2c205b5800265d3b1f00008700382572642000f403305d3b0a637674612e746f"
                          "2e676c6f62616c260021322c2c00011f00612e7333322e739700103117006573"
                          "313b0a73743100903332205b257264325d1c00d0313b0a7265743b0a0a7d0a0a"
                          "0000000000000000";
static const char zstd[] = "50ed55ba0100100028010000000000000100010150000000d800000000000000"
                           "d700000040000000000009004b00000000000000000000001180000000000000"
                           "00000000000000004b0100000000000048000000000000000000000000000000"
                           "28b52ffd604b006d060072cb252250699c0318228808f91862ec77d9496ccfcc"
                           "d480eb19577bd9962cf8aa999d318a0500ffc2dfe2f25b6210a956ecb7d4a955"
                           "ad564441af892047a3a82f360cde9884d1184422696985d0ff765806c8472a8c"
                           "8f54ab1d94a1f948961a4d6759af7081a705499c4ba4c2189a8ac7ef401f9048"
                           "048e8bd55ca879fa51586ec2d3ae7b19c2a71f20708aceb80ebfa84fb42017d1"
                           "d3bc0d7d1520101a01a53b3f4415085da51c57e34a6ce011584ac4c02d1f4cf8"
                           "6e9bcafc61a81a2ac9df4a445284be63d0dc24e242068400";

enum { ROOM = 4096, ENTRY = 0x50 };

static size_t from_hex(const char *hex, uint8_t *to)
{
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        to[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return n;
}

static void put(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        at[b] = (uint8_t)(value >> (8 * b));
    }
}

/* A container with one plain entry for `architecture` behind what is there; its new size. */
static size_t add_plain(uint8_t *to, size_t n, uint32_t kind, uint32_t architecture, uint64_t flags)
{
    size_t payload = (sizeof(text) + 7) / 8 * 8;
    uint8_t *entry;
    if (n == 0) {
        put(to, 0xba55ed50, 4);
        put(to + 4, 1, 2);
        put(to + 6, 16, 2);
        n = 16;
    }
    entry = to + n;
    memset(entry, 0, ENTRY + payload);
    put(entry, kind, 2);
    put(entry + 4, ENTRY, 4);
    put(entry + 8, payload, 8);
    put(entry + 0x1c, architecture, 4);
    put(entry + 0x28, flags, 8);
    memcpy(entry + ENTRY, text, sizeof(text));
    n += ENTRY + payload;
    put(to + 8, n - 16, 8);
    return n;
}

/* The text that a GPU of `capability` takes must be the one above. */
static void expect_text(const uint8_t *container, size_t n, uint32_t capability)
{
    struct fatbin_entry entry;
    bool above, foreign;
    char error[256] = "", *got;
    size_t length = 0;
    assert_int_equal(fatbin_choose(container, n, FATBIN_PTX, capability, &entry, &above, &foreign,
                                   error, sizeof(error)),
                     0);
    got = fatbin_text(&entry, &length, error, sizeof(error));
    assert_non_null(got);
    assert_int_equal(length, sizeof(text) - 1);
    assert_string_equal(got, text);
    free(got);
}

static void test_forms(void **state)
{
    uint8_t *container = calloc(1, ROOM);
    (void)state;
    expect_text(container, add_plain(container, 0, FATBIN_PTX, 75, 0x11), 75);
    expect_text(container, from_hex(lz4, container), 75);
    expect_text(container, from_hex(zstd, container), 75);
    free(container);
}

/* The highest not above the GPU's; else the lowest; one for another GPU only at the very last. */
static void test_choice(void **state)
{
    static const struct {
        uint32_t capability, want;
        bool above;
    } cases[] = {
        {75, 75, false}, {79, 75, false}, {80, 80, false}, {95, 90, false}, {70, 75, true}};
    uint8_t *container = calloc(1, ROOM);
    struct fatbin_entry entry;
    bool above, foreign;
    char error[256];
    (void)state;
    size_t n = add_plain(container, 0, FATBIN_PTX, 90, 0x100011);
    n = add_plain(container, n, FATBIN_ELF, 70, 0x11);
    n = add_plain(container, n, FATBIN_PTX, 80, 0x11);
    n = add_plain(container, n, FATBIN_PTX, 75, 0x11);
    n = add_plain(container, n, FATBIN_PTX, 90, 0x11);
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        assert_int_equal(fatbin_choose(container, n, FATBIN_PTX, cases[c].capability, &entry,
                                       &above, &foreign, error, sizeof(error)),
                         0);
        assert_int_equal(entry.architecture, cases[c].want);
        assert_int_equal(above, cases[c].above);
        assert_false(foreign);
    }
    n = add_plain(container, 0, FATBIN_ELF, 75, 0x11);
    assert_int_equal(
        fatbin_choose(container, n, FATBIN_PTX, 75, &entry, &above, &foreign, error, sizeof(error)),
        1);
    n = add_plain(container, 0, FATBIN_PTX, 90, 0x100011);
    assert_int_equal(
        fatbin_choose(container, n, FATBIN_PTX, 90, &entry, &above, &foreign, error, sizeof(error)),
        0);
    assert_true(foreign);
    free(container);
}

/* Copies of exactly so many bytes, so that a reader that goes beyond is seen by sanitizers. */
static int read_cut(const uint8_t *container, size_t n)
{
    uint8_t *cut = malloc(n + 1);
    struct fatbin_entry entry;
    bool above, foreign;
    char error[256] = "";
    memcpy(cut, container, n);
    int result = fatbin_choose(cut, n, FATBIN_PTX, 75, &entry, &above, &foreign, error,
                               sizeof(error));
    free(cut);
    return result;
}

static void test_bad(void **state)
{
    uint8_t *container = calloc(1, ROOM);
    struct fatbin_entry entry;
    bool above, foreign;
    char error[256] = "";
    size_t length, n = from_hex(zstd, container);
    (void)state;
    for (size_t cut = 0; cut < n; cut++) {
        assert_int_equal(read_cut(container, cut), -1);
    }
    put(container + 0x18, UINT64_C(1) << 63, 8); /* the payload's size */
    assert_int_equal(read_cut(container, n), -1);
    from_hex(zstd, container);
    put(container + 0x14, 0x30, 4); /* a header shorter than it can be */
    assert_int_equal(read_cut(container, n), -1);
    from_hex(zstd, container);
    put(container, 0, 4);
    assert_int_equal(read_cut(container, n), -1);
    for (size_t at = 0; at < 2; at++) { /* unpacked sizes that are not true */
        from_hex(at == 0 ? zstd : lz4, container);
        n = strlen(at == 0 ? zstd : lz4) / 2;
        for (uint64_t bytes = 0; bytes < 0x200; bytes++) {
            put(container + 0x48, bytes, 8);
            assert_int_equal(fatbin_choose(container, n, FATBIN_PTX, 75, &entry, &above, &foreign,
                                           error, sizeof(error)),
                             0);
            char *got = fatbin_text(&entry, &length, error, sizeof(error));
            assert_true((got != NULL) == (bytes == 0x14b));
            free(got);
        }
        put(container + 0x48, UINT64_C(1) << 62, 8);
        fatbin_choose(container, n, FATBIN_PTX, 75, &entry, &above, &foreign, error, sizeof(error));
        assert_null(fatbin_text(&entry, &length, error, sizeof(error)));
    }
    static const uint8_t empty[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    assert_int_equal(read_cut(empty, sizeof(empty)), 1);
    free(container);
}

/* ---- machine code ---- */

enum { ELF_BYTES = 1024, SECTIONS_AT = 64, STRINGS_AT = 512, SYMBOLS_AT = 640, INFO_AT = 768 };

static void put_section(uint8_t *elf, uint32_t index, uint32_t name, uint32_t type, uint32_t link,
                        uint64_t at, uint64_t bytes)
{
    uint8_t *s = elf + SECTIONS_AT + index * 64;
    put(s, name, 4);
    put(s + 4, type, 4);
    put(s + 24, at, 8);
    put(s + 32, bytes, 8);
    put(s + 40, link, 4);
}

/* An ELF file with symbols "one" and "two", and the records of ptxas for 36 and 8 registers between
 * others: attribute 0x2f, symbol, count. */
static void make_elf(uint8_t *elf)
{
    static const char strings[] = "\0one\0two\0.nv.info\0.other";
    static const uint8_t info[] = {4,   0x11, 8, 0,    1, 0, 0, 0, 9, 0, 0,  0, 3, 0x1b,
                                   255, 0,    4, 0x2f, 8, 0, 1, 0, 0, 0, 36, 0, 0, 0,
                                   4,   0x2f, 8, 0,    2, 0, 0, 0, 8, 0, 0,  0};
    memset(elf, 0, ELF_BYTES);
    memcpy(elf, "\177ELF\2\1\1", 7);
    put(elf + 40, SECTIONS_AT, 8);
    put(elf + 58, 64, 2);
    put(elf + 60, 4, 2); /* sections */
    put(elf + 62, 1, 2); /* their names are in section 1 */
    put_section(elf, 1, 0, 3, 0, STRINGS_AT, sizeof(strings));
    put_section(elf, 2, 0, 2, 1, SYMBOLS_AT, 3 * 24);
    put_section(elf, 3, 9, 0x70000000, 2, INFO_AT, sizeof(info));
    memcpy(elf + STRINGS_AT, strings, sizeof(strings));
    put(elf + SYMBOLS_AT + 24, 1, 4);
    put(elf + SYMBOLS_AT + 48, 5, 4);
    memcpy(elf + INFO_AT, info, sizeof(info));
}

struct seen {
    uint32_t one, two, others;
};

static void note(void *context, const char *name, uint32_t registers)
{
    struct seen *seen = context;
    *(strcmp(name, "one") == 0   ? &seen->one
      : strcmp(name, "two") == 0 ? &seen->two
                                 : &seen->others) = registers;
}

/* Read as it is; then every header field that could lead outside is made to. */
static void test_registers(void **state)
{
    static const uint32_t fields[] = {40,
                                      SECTIONS_AT + 3 * 64 + 24,
                                      SECTIONS_AT + 3 * 64 + 32,
                                      SECTIONS_AT + 3 * 64 + 40,
                                      SECTIONS_AT + 2 * 64 + 24,
                                      SECTIONS_AT + 2 * 64 + 40,
                                      INFO_AT + 20};
    uint8_t *elf = malloc(ELF_BYTES);
    struct seen seen = {0, 0, 0};
    (void)state;
    make_elf(elf);
    assert_int_equal(cubin_registers(elf, ELF_BYTES, note, &seen), 2);
    assert_true(seen.one == 36 && seen.two == 8 && seen.others == 0);
    put(elf + SECTIONS_AT + 3 * 64, 18, 4); /* another section's name */
    assert_int_equal(cubin_registers(elf, ELF_BYTES, note, &seen), 0);
    for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++) {
        make_elf(elf);
        put(elf + fields[f], 0xfffffff0, 4);
        assert_true(cubin_registers(elf, ELF_BYTES, note, &seen) < 2);
    }
    for (size_t n = 0; n < ELF_BYTES; n += 7) {
        uint8_t *cut = malloc(n + 1);
        make_elf(elf);
        memcpy(cut, elf, n);
        cubin_registers(cut, n, note, &seen);
        free(cut);
    }
    free(elf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_choice),
                                       cmocka_unit_test(test_bad),
                                       cmocka_unit_test(test_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
