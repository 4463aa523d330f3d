/* Traces that are cut short, contradict themselves or are no traces: each refused with file,
 * line and reason.  The line numbers are counted in test_sass.h. */
#include "test_sass.h"

struct refusal {
    const char *old, *new;
    unsigned line;
    const char *reason;
};

static const struct refusal REFUSALS[] = {
    /* The head. */
    {"-grid dim = (2,1,1)\n", "", 10, "no line '-grid dim"},
    {"-binary version = 70\n", "", 10, "no line '-binary version"},
    {"-nregs = 8", "-nregs = many", 6, "no number from 0 to 65535"},
    {"-nregs = 8", "-nregs = 8 9", 6, "no number"},
    {"-shmem = 0", "-shmem = 99999999999999999999", 5, "no number"},
    {"-shmem = 0", "-shmem = -1", 5, "no number"},
    {"(2,1,1)", "(0,1,1)", 3, "not (x,y,z)"},
    {"(2,1,1)", "(2,1)", 3, "not (x,y,z)"},
    {"(2,1,1)", "(2,1,1", 3, "does not end in ')'"},
    {"(2,1,1)", "(2147483647,2147483647,2147483647)", 11, "too large"},
    {"(40,1,1)", "(1024,1024,64)", 11, "more than 2048 threads"},
    {"(40,1,1)", "(2147483647,2147483647,2147483647)", 11, "more than 2048 threads"},
    {"version = 70", "version = 91", 11, "no opcode table"},
    {"tracer version = 3", "tracer version = 7", 11, "newer than 6"},
    {"-nregs = 8\n", "-nregs = 8\n-nregs = 9\n", 7, "comes twice"},
    {"-nregs = 8\n", "nregs = 8\n", 6, "neither"},
    {"-nregs = 8\n", "-nregs = 8\x80\n", 6, "no printable ASCII"},
    {"-nregs = 8\n", "\xff\xfe\x00", 6, "no printable ASCII"},
    {"#traces format\n", "", 11, "#traces format = ...' is missing"},
    {"0x7f0001000000", "7g", 9, "no hexadecimal address"},
    {"-nregs = 8\n", "-nregs = 8\n-warplock local bytes = 8\n", 12, "contradict"},
    /* Blocks and warps. */
    {"#BEGIN_TB", "#BEGIN", 12, "where '#BEGIN_TB' should be"},
    {"thread block = 0,0,0", "thread block = 2,0,0", 13, "outside the grid"},
    {"thread block = 0,0,0", "thread block = 0,0", 13, "not 'thread block"},
    {"thread block = 0,0,0", "warp = 0", 13, "where 'thread block"},
    {"warp = 1\n", "warp = 2\n", 20, "warp 2 in a block of 2 warps"},
    {"warp = 1\n", "warp = 0\n", 20, "comes twice"},
    {"warp = 1\n", "wrap = 1\n", 20, "where 'warp = number' should be"},
    {"warp = 1\ninsts = 1\n0030 000000ff 0 EXIT 0 0\n", "", 20, "without its warp 1"},
    {"insts = 4", "insts = 5", 20, "after 4 of the 5 instructions"},
    {"insts = 4", "insts = 3", 18, "before its lane 0 has executed"},
    {"000000ff 0 EXIT 0 0\n", "000000ff 0 EXIT 0 0\n0040 00000000 0 NOP 0 0\n", 23,
     "'0040 00000000 0 NOP 0 0' where 'warp = number' should be"},
    {"insts = 4", "insts = 0", 15, "no instructions"},
    {"insts = 4", "insts = 999999999999999999", 20, "after 4 of the 999999999999999999"},
    {"insts = 4", "insts = 9999999999999999999999", 15, "where 'insts = number'"},
    {"insts = 4\n", "", 15, "where 'insts = number'"},
    {"#END_TB\n#BEGIN_TB", "#BEGIN_TB", 23, "where 'warp = number' should be"},
    {"(2,1,1)", "(3,1,1)", 32, "after 2 of 3 blocks"},
    {"(2,1,1)", "(1,1,1)", 25, "outside the grid"},
    {"-grid dim = (2,1,1)", "-grid dim = (1,2,1)", 25, "outside the grid"},
    /* Instructions. */
    {"0010 ffffffff", "0010", 17, "'R2 LDG.E 1 R1 4 1 0x40000000 4' is not a count of results"},
    {"0010 ffffffff", "0010 xffffffff", 17, "a mask of 32 lanes"},
    {"0010 ffffffff", "0010 1ffffffff", 17, "a mask of 32 lanes"},
    {"0010 ffffffff", "zz10 ffffffff", 17, "a PC of at most 32 bits"},
    {"0010 ffffffff", "123456789 ffffffff", 17, "a PC of at most 32 bits"},
    {"1 R2 LDG.E", "2 R2 R3 LDG.E", 17, "a count of results"},
    {"1 R2 LDG.E", "1 X2 LDG.E", 17, "a register"},
    {"1 R2 LDG.E", "1 R5000 LDG.E", 17, "a register"},
    {"1 R2 LDG.E", "1 R LDG.E", 17, "a register"},
    {"LDG.E 1 R1", "LDG.E 5 R1 R1 R1 R1 R1", 17, "a count of sources"},
    {"LDG.E 1 R1", "LDG.E 2 R1", 17, "a register"},
    {"LDG.E", "LDX.E", 17, "opcode LDX.E cannot be run: it is in the table of no"},
    {"LDG.E", "UIADD3", 17, "opcode UIADD3 cannot be run: it is not in the table of this"},
    {"LDG.E", "LDG\x80", 17, "an opcode"},
    {"S2R 0 0", "S2R 0", 16, "the line ends where a memory width"},
    {"S2R 0 0", "S2R 0 0 7", 16, "behind memory width 0"},
    {"R1 4 1 0x40000000 4", "R1 0", 17, "has memory width 0"},
};

static const struct refusal ADDRESSES[] = {
    {"4 1 0x40000000 4", "4 3 0x40000000 4", 17, "an address mode"},
    {"4 1 0x40000000 4", "4", 17, "the line ends where an address mode"},
    {"4 1 0x40000000 4", "4 1", 17, "the line ends where a base address"},
    {"4 1 0x40000000 4", "4 1 0x40000000", 17, "the line ends where a stride"},
    {"4 1 0x40000000 4", "4 1 0x40000000 4294967296", 17, "a stride of 32 bits"},
    {"4 1 0x40000000 4", "4 1 0x40000000 4 4", 17, "is too much"},
    {"4 1 0x40000000 4", "4 1 0x11112222333344445 4", 17, "a base address"},
    {"4 1 0x40000000 4", "4 0 0x40000000 0x40000004", 17, "an address for each active lane"},
    {"4 1 0x40000000 4", "4 2 0x40000000 4 4", 17, "a delta for each active lane"},
    {"4 1 0x40000000 4", "4 1 0x40000002 4", 17, "address 0x40000002 of lane 0 is not aligned"},
    {"4 1 0x40000000 4", "4 1 0x40000000 3", 17, "address 0x40000003 of lane 1 is not aligned"},
    {"ffffffff 1 R2 LDG.E", "f0ffffff 1 R2 LDG.E", 17, "has holes"},
    {"0000ffff 0 STG.E 2 R1 R2 4 1 0x40001000 4",
     "00000003 0 STG.E 2 R1 R2 4 0 0x40001000 0x40001004 0x40001008", 18, "is too much"},
    {"0000ffff 0 STG.E 2 R1 R2 4 1 0x40001000 4", "00000003 0 STG.E 2 R1 R2 4 2 0x40001000 4 4", 18,
     "is too much"},
    {"0000ffff 0 STG.E", "0000ffff 0 STL", 18, "outside the window"},
    {"0x40001000 4", "0x10040000000 4", 18, "differ only above bit 40"},
    /* Lanes. */
    {"0030 000000ff 0 EXIT", "0030 000001ff 0 EXIT", 22, "size does not give this warp"},
    {"0030 000000ff 0 EXIT", "0030 0000007f 0 EXIT", 22, "before its lane 7 has executed"},
    {"0020 0000ffff 0 STG.E 2 R1 R2 4 1 0x40001000 4", "0030 00000001 0 EXIT 0 0", 19,
     "lane 0, which has exited"},
    /* What cannot be run. */
    {"0000ffff 0 STG.E 2 R1 R2 4 1 0x40001000 4",
     "00000001 1 R2 ATOMG.E.CAS.128 2 R1 R2 16 2 0x40001000", 18, "atomics of 2, 4 and 8"},
    {"0000ffff 0 STG.E 2 R1 R2 4 1 0x40001000 4", "0000ffff 0 STG.E.256 2 R1 R2 32 1 0x40001000 32",
     18, "a lane accesses at most 16 bytes"},
};

static void check(const struct refusal *refusal)
{
    char start[32];
    int result = scan_changed(refusal->old, refusal->new);

    forget();
    snprintf(start, sizeof start, "k.traceg:%u: ", refusal->line);
    if (result == 0 || strncmp(message, start, strlen(start)) != 0 ||
        !strstr(message, refusal->reason)) {
        fail_msg("'%s' for '%s': expected \"%s...%s\", got %d \"%s\"", refusal->new, refusal->old,
                 start, refusal->reason, result, message);
    }
}

static void heads_and_blocks(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof REFUSALS / sizeof REFUSALS[0]; r++) {
        check(&REFUSALS[r]);
    }
}

static void addresses_and_lanes(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof ADDRESSES / sizeof ADDRESSES[0]; r++) {
        check(&ADDRESSES[r]);
    }
}

/* Cut anywhere, the sound trace is refused: only its own length is whole. */
static void cut_anywhere(void **state)
{
    char *text = changed("", "");
    size_t n = strlen(text);

    (void)state;
    for (size_t cut = 0; cut < n - 1; cut++) {
        assert_int_equal(scan_bytes(text, cut, false), -1);
        assert_memory_equal(message, "k.traceg:", 9);
        forget();
    }
    assert_int_equal(scan_bytes(text, n, false), 0);
    assert_int_equal(kernel.instructions, 7);
    forget();
    free(text);
}

/* Any single byte replaced by any of some others: refused or not, but never worse. */
static void damaged_anywhere(void **state)
{
    static const char REPLACEMENTS[] = {'\0', '\n', ' ', '9', 'f', '-', '#', '\x7f', '\xff'};
    char *text = changed("", "");
    size_t n = strlen(text);

    (void)state;
    for (size_t at = 0; at < n; at++) {
        for (size_t r = 0; r < sizeof REPLACEMENTS; r++) {
            char was = text[at];

            text[at] = REPLACEMENTS[r];
            if (scan_bytes(text, n, false) != 0) {
                assert_memory_equal(message, "k.traceg:", 9);
            }
            forget();
            text[at] = was;
        }
    }
    free(text);
}

static void unknown_as_alu(void **state)
{
    char *text = changed("LDG.E 1 R1 4 1 0x40000000 4", "FROB.X 1 R1 4 1 0x40000000 4");

    (void)state;
    assert_int_equal(scan_bytes(text, strlen(text), true), 0);
    assert_int_equal(kernel.unknown, 1);
    assert_int_equal(kernel.instructions, 7);
    forget();
    free(text);
}

/* A line that never ends, and one just short enough. */
static void long_lines(void **state)
{
    size_t n = 4 * SASS_LINE_BYTES;
    char *text = malloc(n);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', n);
    assert_int_equal(scan_bytes(text, n, false), -1);
    assert_non_null(strstr(message, "k.traceg:1: a line of more than"));
    forget();
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_and_blocks), cmocka_unit_test(addresses_and_lanes),
        cmocka_unit_test(cut_anywhere),     cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(unknown_as_alu),   cmocka_unit_test(long_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
