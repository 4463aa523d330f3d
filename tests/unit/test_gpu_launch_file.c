/* Launch files: what is understood, and errors with file, line and remedy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/host/launch_file.h"

static char message[512];
static struct launch_file file;

static int parse(const char *text)
{
    launch_file_release(&file);
    return launch_file_parse(&file, "l.ini", text, message, sizeof message);
}

static void understood(void **state)
{
    static const char text[] =
        "[launch]\nkernel = saxpy\ngrid = 4, 2\nblock = 64\nshared = 128\n"
        "[args]\nn = u32 256\nk = u32 -1\na = f32 0.5\nx = buffer x\nbig = u64 0x100000000\n"
        "[launch second]\nkernel = other<int>(int*, int)\n[args second]\ns = bytes 01 02fF\n"
        "[buffer x]\nbytes = 1024\ninit = random 7\ndump = out.bin\n";
    static const uint8_t structure[] = {1, 2, 255};
    const struct launch_call *call;
    uint32_t value;

    (void)state;
    if (parse(text) != 0) {
        fail_msg("%s", message);
    }
    assert_int_equal(file.n_calls, 2);
    call = &file.call[0];
    assert_string_equal(call->kernel, "saxpy");
    assert_int_equal(call->grid.x, 4);
    assert_int_equal(call->grid.y, 2);
    assert_int_equal(call->grid.z, 1);
    assert_int_equal(call->block.x, 64);
    assert_int_equal(call->shared_bytes, 128);
    assert_int_equal(call->n_args, 5);
    memcpy(&value, call->arg[1].value, 4);
    assert_int_equal(value, UINT32_MAX);
    assert_string_equal(call->arg[3].buffer_name, "x");
    assert_int_equal(call->arg[3].buffer, 0);
    assert_int_equal(call->arg[4].bytes, 8);
    assert_string_equal(file.call[1].kernel, "other<int>(int*, int)");
    assert_int_equal(file.call[1].arg[0].bytes, sizeof structure);
    assert_memory_equal(file.call[1].arg[0].value, structure, sizeof structure);
    assert_int_equal(file.buffer[0].init, LAUNCH_RANDOM);
    assert_int_equal(file.buffer[0].seed, 7);
}

/* The bytes of `text`, little-endian, as a number; its size in `bytes`, 0 when it is refused. */
static uint64_t value_of(const char *type, const char *text, uint32_t *bytes)
{
    uint64_t value = 0;
    uint8_t *at;

    *bytes = 0;
    at = launch_value(type, text, bytes);
    if (at) {
        memcpy(&value, at, *bytes);
    }
    free(at);
    return value;
}

/* Both ends of each integer type, one beyond refused; floats by their bit patterns (IEEE 754). */
static void values(void **state)
{
    static const struct {
        const char *type, *text;
        uint32_t bytes;
        uint64_t value;
    } rows[] = {{"s8", "-128", 1, 0x80},
                {"s8", "127", 1, 0x7f},
                {"s8", "128", 0, 0},
                {"s8", "-129", 0, 0},
                {"u8", "255", 1, 0xff},
                {"u8", "256", 0, 0},
                {"b16", "0xffff", 2, 0xffff},
                {"s16", "-32768", 2, 0x8000},
                {"s16", "32768", 0, 0},
                {"u16", "65536", 0, 0},
                {"s32", "-2147483648", 4, 0x80000000},
                {"s32", "2147483648", 0, 0},
                {"s64", "-9223372036854775808", 8, UINT64_C(1) << 63},
                {"s64", "9223372036854775808", 0, 0},
                {"u64", "18446744073709551615", 8, UINT64_MAX},
                {"u64", "18446744073709551616", 0, 0},
                {"f16", "1", 2, 0x3c00},
                {"f16", "-65504", 2, 0xfbff},
                {"f16", "65520", 0, 0},
                {"f16", "5.9604644775390625e-8", 2, 0x0001},
                {"f16", "-inf", 2, 0xfc00},
                {"f32", "1e39", 0, 0},
                {"f32", "0.1", 4, 0x3dcccccd},
                {"f64", "-0", 8, UINT64_C(1) << 63},
                {"f8", "1", 0, 0},
                {"u32", "", 0, 0},
                {"u32", "1x", 0, 0},
                {"u32", "--1", 0, 0},
                {"bytes", "", 0, 0},
                {"bytes", "123", 0, 0},
                {"bytes", "zz", 0, 0},
                {"", "1", 0, 0}};

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        uint32_t bytes;
        uint64_t value = value_of(rows[r].type, rows[r].text, &bytes);

        if (bytes != rows[r].bytes || value != rows[r].value) {
            fail_msg("%s %s: %u bytes, 0x%llx", rows[r].type, rows[r].text, bytes,
                     (unsigned long long)value);
        }
    }
}

/* inih reads lines of up to 200 characters; names of templates are longer. */
static void long_lines(void **state)
{
    char text[2000], name[1001];

    (void)state;
    memset(name, 'k', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "[launch]\nkernel = %s  ; a comment\nblock = 64\n", name);
    assert_int_equal(parse(text), 0);
    assert_string_equal(file.call[0].kernel, name);
    assert_int_equal(file.call[0].block.x, 64);
    snprintf(text, sizeof text, "[launch]\n%s\n", name);
    assert_int_equal(parse(text), -1);
    assert_non_null(strstr(message, "l.ini:2: line longer"));
}

static void expect(const char *text, const char *start, const char *part)
{
    message[0] = '\0';
    assert_int_equal(parse(text), -1);
    assert_memory_equal(message, start, strlen(start));
    assert_non_null(strstr(message, part));
}

static void errors(void **state)
{
    (void)state;
    expect("[launch]\nkernel =\n", "l.ini:2: ", "name");
    expect("[launch]\nkernel = k\ngrid = 0\n", "l.ini:3: ", "grid");
    expect("[launch]\nkernel = k\ngrid = 1,2,3,4\n", "l.ini:3: ", "grid");
    expect("[launch]\nkernel = k\nblock = 1025\n", "l.ini:3: ", "block");
    expect("[launch]\nkernel = k\nshared = 9999999\n", "l.ini:3: ", "shared");
    expect("[launch]\nkernel = k\nfoo = 1\n", "l.ini:3: ", "unknown key");
    expect("[args]\na = i8 3\n", "l.ini:2: ", "argument");
    expect("[args]\na = u32 4294967296\n", "l.ini:2: ", "argument");
    expect("[buffer x]\nbytes = 0\n", "l.ini:2: ", "bytes");
    expect("[buffer x]\nbytes = 4\ninit = ones\n", "l.ini:3: ", "init");
    expect("[buffers]\nbytes = 4\n", "l.ini:2: ", "unknown section");
    expect("[launch]\nkernel = k\n[args]\na = buffer b\n", "l.ini:4: ", "[buffer b]");
    expect("[launch]\nkernel = k\n[buffer b]\ninit = zero\n", "l.ini:4: ", "no size");
    expect("[launch]\nkernel = k\n[launch b]\n[args b]\nx = u32 1\n", "l.ini:5: ", "[launch b]");
    expect("[launch]\ngrid = 1\n", "l.ini:2: ", "no kernel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(understood), cmocka_unit_test(values),
                                       cmocka_unit_test(long_lines), cmocka_unit_test(errors)};

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    launch_file_release(&file);
    return failed;
}
