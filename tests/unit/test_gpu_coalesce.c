/* The coalescer: wang2015-divergence TV-BASE-2, TV-BASE-3, D-BASE-1, and bank conflicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/sm/coalesce.h"

static struct isa_inst load4 = {.access = ISA_ACCESS_LOAD, .bytes = 4};

static struct mem_inst run(uint32_t mask, uint64_t base, uint64_t stride, struct isa_inst *inst)
{
    struct mem_inst m = {.op = {.inst = inst, .mask = mask}};

    for (uint64_t lane = 0; lane < 32; lane++) {
        m.op.addr[lane] = base + lane * stride;
    }
    coalesce(&m);
    return m;
}

static void coherent(void **state)
{
    struct mem_inst m = run(UINT32_MAX, 0x80000000, 4, &load4);

    (void)state;
    assert_int_equal(m.n, 1); /* TV-BASE-2 */
    assert_int_equal(m.access[0].block, 0x80000000);
    assert_int_equal(m.access[0].lanes, UINT32_MAX);
    assert_int_equal(m.access[0].sectors, 15);
    m = run(UINT32_MAX, 0x80000040, 4, &load4);
    assert_int_equal(m.n, 2);
    assert_int_equal(m.access[0].sectors, 12);
    assert_int_equal(m.access[1].sectors, 3);
    assert_int_equal(m.access[1].lanes, 0xffff0000);
}

static void divergent(void **state)
{
    struct mem_inst m = run(0xffff, 0x80000000, 4096, &load4);

    (void)state;
    assert_int_equal(m.n, 16); /* TV-BASE-3 */
    for (uint32_t a = 0; a < 16; a++) {
        assert_int_equal(m.access[a].lanes, 1u << a);
        assert_int_equal(m.access[a].sectors, 1);
    }
}

/* D-BASE-1: in the order of the lowest lane that touches the block, whatever the address. */
static void order(void **state)
{
    static const uint64_t block[4] = {7, 2, 9, 2};
    struct mem_inst m = {.op = {.inst = &load4, .mask = 15}};

    (void)state;
    for (uint32_t lane = 0; lane < 4; lane++) {
        m.op.addr[lane] = block[lane] * 128 + 4 * lane;
    }
    coalesce(&m);
    assert_int_equal(m.n, 3);
    assert_int_equal(m.access[0].block, 7 * 128);
    assert_int_equal(m.access[1].block, 2 * 128);
    assert_int_equal(m.access[1].lanes, 10);
    assert_int_equal(m.access[2].block, 9 * 128);
}

static void wide(void **state)
{
    struct isa_inst load16 = {.access = ISA_ACCESS_LOAD, .bytes = 16};
    struct mem_inst m = run(UINT32_MAX, 0, 16, &load16);

    (void)state;
    assert_int_equal(m.n, 4);
    for (uint32_t a = 0; a < 4; a++) {
        assert_int_equal(m.access[a].sectors, 15);
    }
    assert_int_equal(run(0, 0, 4, &load4).n, 0);
}

static uint32_t passes(uint64_t stride, uint8_t bytes, uint8_t access)
{
    struct isa_inst inst = {.access = access, .bytes = bytes};
    struct mem_inst m = run(UINT32_MAX, 0, stride, &inst);

    return coalesce_shared_passes(&m.op, 32);
}

static void banks(void **state)
{
    (void)state;
    assert_int_equal(passes(4, 4, ISA_ACCESS_LOAD), 1);
    assert_int_equal(passes(8, 4, ISA_ACCESS_LOAD), 2);
    assert_int_equal(passes(128, 4, ISA_ACCESS_LOAD), 32);
    assert_int_equal(passes(132, 4, ISA_ACCESS_LOAD), 1);
    assert_int_equal(passes(0, 4, ISA_ACCESS_LOAD), 1); /* one word for all */
    assert_int_equal(passes(8, 8, ISA_ACCESS_LOAD), 2); /* 64 words in 32 banks */
    assert_int_equal(passes(16, 16, ISA_ACCESS_LOAD), 4);
    assert_int_equal(passes(0, 4, ISA_ACCESS_ATOMIC), 32); /* one after the other */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coherent), cmocka_unit_test(divergent), cmocka_unit_test(order),
        cmocka_unit_test(wide),     cmocka_unit_test(banks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
