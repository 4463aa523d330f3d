/* The content of device memory: bytes across pages and leaves, what a removed buffer leaves behind.
 *
 * Every byte written is a function of its address, so that what comes back says where it was kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/memory/memory.h"

/* memory.c keeps 64 MiB at a time together, in pages of 4 KiB. */
static const uint64_t LEAF = UINT64_C(64) << 20, PAGE = 4096, BLOCK = 128;

static uint8_t at(uint64_t address)
{
    return (uint8_t)(1 + (address * UINT64_C(0x9e3779b97f4a7c15) >> 32) % 255);
}

static void fill(struct memory *memory, uint64_t from, uint64_t to)
{
    uint8_t *bytes = malloc(to - from);

    assert_non_null(bytes);
    for (uint64_t n = 0; n < to - from; n++) {
        bytes[n] = at(from + n);
    }
    memory_write(memory, from, bytes, to - from);
    free(bytes);
}

/* The bytes that are not as they were filled, or not zero; block by block and in one piece. */
static uint64_t wrong(struct memory *memory, uint64_t from, uint64_t to, bool zero)
{
    uint8_t *bytes = malloc(to - from);
    uint64_t wrong = 0;

    assert_non_null(bytes);
    memory_read(memory, from, bytes, to - from);
    for (uint64_t n = 0; n < to - from; n++) {
        const uint64_t address = from + n;
        const uint8_t *block = memory_block(memory, address / BLOCK * BLOCK);
        const uint8_t want = zero ? 0 : at(address);

        wrong += bytes[n] != want || block[address % BLOCK] != want;
    }
    free(bytes);
    return wrong;
}

static void test_bytes_stay_where_they_were_put(void **state)
{
    struct memory *memory = memory_create();
    const uint64_t first = 5 * LEAF - 3 * PAGE, bytes = 6 * PAGE;

    (void)state;
    assert_non_null(memory);
    assert_int_equal(memory_place(memory, "two leaves", first, bytes), 0);
    assert_int_equal(wrong(memory, first, first + bytes, true), 0);
    fill(memory, first, first + bytes);
    assert_int_equal(wrong(memory, first, first + bytes, false), 0);
    assert_int_equal(wrong(memory, first - PAGE, first, true), 0);
    assert_int_equal(wrong(memory, first + bytes, first + bytes + PAGE, true), 0);
    memory_destroy(memory);
}

/* Whole pages of a removed buffer are zero when they are somebody's again; a page that it shares with a
 * neighbour is left alone. */
static void check_removed(uint64_t first, uint64_t bytes)
{
    struct memory *memory = memory_create();
    const uint64_t end = first + bytes;
    const uint64_t own = (first + PAGE - 1) / PAGE * PAGE, own_end = end / PAGE * PAGE;

    assert_non_null(memory);
    assert_int_equal(memory_place(memory, "below", first - 2 * PAGE, 2 * PAGE), 0);
    assert_int_equal(memory_place(memory, "removed", first, bytes), 0);
    assert_int_equal(memory_place(memory, "above", end, 2 * PAGE), 0);
    fill(memory, first - 2 * PAGE, end + 2 * PAGE);
    memory_remove(memory, first);
    assert_int_equal(wrong(memory, first - 2 * PAGE, own < end ? own : end, false), 0);
    if (own < own_end) {
        assert_int_equal(wrong(memory, own, own_end, true), 0);
        assert_int_equal(wrong(memory, own_end, end + 2 * PAGE, false), 0);
    }
    memory_destroy(memory);
}

static void test_removed_buffers_leave_zeros(void **state)
{
    (void)state;
    check_removed(2 * LEAF + 8 * PAGE, 4 * PAGE);          /* pages of its own */
    check_removed(2 * LEAF + 8 * PAGE + 256, 5 * PAGE);    /* shared at both ends */
    check_removed(2 * LEAF + 8 * PAGE + 256, PAGE);        /* none of its own */
    check_removed(2 * LEAF + 8 * PAGE + 512, 2 * PAGE);    /* one */
    check_removed(3 * LEAF - 2 * PAGE, 4 * PAGE);          /* in two leaves */
    check_removed(3 * LEAF - 2 * PAGE + 256, LEAF + PAGE); /* in three */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_stay_where_they_were_put),
        cmocka_unit_test(test_removed_buffers_leave_zeros),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
