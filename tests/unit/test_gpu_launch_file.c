/* Launch files: what is understood, and errors with file, line and remedy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/host/launch_file.h"

static char message[512];
static struct launch_file file;

static int parse(const char *text)
{
    return launch_file_parse(&file, "l.ini", text, message, sizeof message);
}

static void understood(void **state)
{
    static const char text[] =
        "[launch]\nkernel = saxpy\ngrid = 4, 2\nblock = 64\nshared = 128\n"
        "[args]\nn = u32 256\nk = u32 -1\na = f32 0.5\nx = buffer x\nbig = u64 0x100000000\n"
        "[buffer x]\nbytes = 1024\ninit = random 7\ndump = out.bin\n";
    uint32_t value;

    (void)state;
    if (parse(text) != 0) {
        fail_msg("%s", message);
    }
    assert_string_equal(file.kernel, "saxpy");
    assert_int_equal(file.grid.x, 4);
    assert_int_equal(file.grid.y, 2);
    assert_int_equal(file.grid.z, 1);
    assert_int_equal(file.block.x, 64);
    assert_int_equal(file.shared_bytes, 128);
    assert_int_equal(file.n_args, 5);
    memcpy(&value, file.arg[1].value.value, 4);
    assert_int_equal(value, UINT32_MAX);
    assert_int_equal(file.arg[3].buffer, 0);
    assert_int_equal(file.arg[4].value.bytes, 8);
    assert_int_equal(file.buffer[0].init, LAUNCH_RANDOM);
    assert_int_equal(file.buffer[0].seed, 7);
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
    expect("[launch]\nkernel = k\n[args]\na = buffer b\n", "l.ini:0: ", "[buffer b]");
    expect("[launch]\nkernel = k\n[buffer b]\ninit = zero\n", "l.ini:0: ", "no size");
    expect("[launch]\ngrid = 1\n", "l.ini:0: ", "no kernel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(understood), cmocka_unit_test(errors)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
