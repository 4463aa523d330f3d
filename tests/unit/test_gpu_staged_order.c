/* A thread sees its own stores on a machine whose operand collectors and queues change the order of
 * instructions (sm_operands.h, sm_memory_unit.h): random programs whose every result is known. */
#include "test_gpu_front_machine.h"
#include "test_random_program.h"

#include "machine/config/config_file.h"

enum { PROGRAMS = 150 };

#define FERMI "cmodel/machine/configs/gtx480-trace.ini"
#define VOLTA "cmodel/machine/configs/qv100-trace.ini"

static void run(const char *config, const char *const *changes)
{
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        char error[512] = "";
        struct rig rig = {0};
        struct program program;

        config_defaults(&rig.config);
        assert_int_equal(
            config_read(&rig.config, config, "cmodel/machine/configs", NULL, error, sizeof error),
            0);
        for (size_t k = 0; changes[k]; k++) {
            assert_int_equal(config_set(&rig.config, changes[k], error, sizeof error), 0);
        }
        rig_open(&rig);
        make_program(&program, seed, rig.memory);
        rig_run(&rig, program.op, program.n, CTAS, 32);
        check_memory(rig.gpu, &program);
        rig_free(&rig);
    }
}

static void as_it_stands(void **state)
{
    static const char *const none[] = {NULL};

    (void)state;
    run(FERMI, none);
}

/* Every CTA on one SM, whose banks are in demand: a store has two registers to read, a load one. */
static void few_banks(void **state)
{
    static const char *const few[] = {"machine.sms=1",    "operands.banks=1", "l1d.sets=1",
                                      "l1d.index=linear", "l2.sets=2",        NULL};

    (void)state;
    run(FERMI, few);
}

/* Many collectors, and a short way past a long queue. */
static void long_queue(void **state)
{
    static const char *const long_way[] = {"machine.sms=1",        "operands.mem=8",
                                           "operands.mem_ports=2", "operands.mem_registers=4",
                                           "l1d.stages=64",        NULL};

    (void)state;
    run(FERMI, long_way);
}

/* Every CTA on one SM with an L1D of two lines a set, whose sectors are of each size. */
static void by_sectors(void **state)
{
    static const char *const sizes[][9] = {
        {"machine.sms=1", "l1d.carveout=no", "l1d.ways=2", "l1d.sector_bytes=32", NULL},
        {"machine.sms=1", "l1d.carveout=no", "l1d.ways=2", "l1d.sector_bytes=64", NULL},
        {"machine.sms=1", "l1d.carveout=no", "l1d.ways=2", "l1d.sector_bytes=128", NULL},
        {"machine.sms=1", "l1d.carveout=no", "l1d.sets=1", "l1d.ways=4", "l1d.banks=1",
         "l1d.mshrs=2", "l1d.mshr_targets=2", "l1d.dirty_percent=0", NULL},
        {"machine.sms=2", "l1d.stages=64", "operands.banks=4", NULL}};

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        run(VOLTA, sizes[s]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_it_stands), cmocka_unit_test(few_banks),
                                       cmocka_unit_test(long_queue), cmocka_unit_test(by_sectors)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
