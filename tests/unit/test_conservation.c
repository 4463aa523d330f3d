/* What comes in goes out: after whole workloads, whose results are right, every level of the
 * machine is in balance by the ledgers of test_ledger.h, which count from events and tags alone.
 *
 * Loads are hits, merges, misses and bypasses; a line that came has been evicted, dropped or is
 * there; each request has had one reply; dirty lines were written back or are there; DRAM has read
 * what the L2 missed, and written what it wrote back. */
#include "test_ledger.h"

#include "machine/host/host_machine.h"
#include "ptx/ptx_loader.h"
#include "workloads/workload.h"

static void run_workload(struct gpu *gpu, const char *name)
{
    const struct workload *workload = workload_find(name);
    struct host_backend backend = host_timed(gpu);
    struct host_loader loader = ptx_loader(&gpu->n_sms);
    struct host *host = host_create(gpu->memory, &backend, &loader, "cmodel/workloads");
    struct workload_result result = {0};
    struct workload_size size;
    char error[200] = "";

    assert_non_null(workload);
    assert_non_null(host);
    workload_size_parse(workload, "tiny", &size, error, sizeof error);
    assert_string_equal(error, "");
    assert_int_equal(workload->run(host, &size, 1, &result), WORKLOAD_OK);
    assert_true(result.checked > 0);
    assert_int_equal(result.wrong, 0);
    workload_size_free(&size);
    host_destroy(host);
}

/* Returns the dirty lines of local memory that were evicted. */
static uint64_t check(const char *const *set, const char *name)
{
    struct rig rig = {.options = {.max_cycles = 5000000}};
    struct ledger *l1d, *bank;
    uint64_t written_back = 0;

    rig_make(&rig, set);
    l1d = calloc(rig.gpu->n_sms, sizeof *l1d);
    bank = calloc(rig.gpu->n_banks, sizeof *bank);
    for (uint32_t s = 0; s < rig.gpu->n_sms; s++) {
        ledger_of_l1d(&l1d[s], rig.gpu, s);
    }
    for (uint32_t b = 0; b < rig.gpu->n_banks; b++) {
        ledger_of_bank(&bank[b], rig.gpu, b);
    }
    run_workload(rig.gpu, name);
    for (uint32_t s = 0; s < rig.gpu->n_sms; s++) {
        ledger_check_l1d(&l1d[s], rig.gpu, s);
        written_back += l1d[s].evicted_dirty;
        ledger_close(&l1d[s]);
    }
    for (uint32_t b = 0; b < rig.gpu->n_banks; b++) {
        ledger_check_bank(&bank[b], rig.gpu, b);
        ledger_close(&bank[b]);
    }
    ledger_check_machine(rig.gpu);
    free(l1d);
    free(bank);
    rig_free(&rig);
    return written_back;
}

static const char *const machines[][12] = {
    {"machine.sms=4", "l2.partitions=2", "l2.banks=2", "dram.channels=2", NULL},
    {"machine.sms=3", "l1d.allocate=on-fill", "l1d.sets=2", "l1d.ways=2", "l2.sets=4", "l2.ways=2",
     "dram.channels=2", "clock.dram_khz=924000", NULL},
    {"machine.sms=2", "l1d.global_write=through", "l1d.mshrs=4", "l2.write=back-fetch", "l2.sets=8",
     "l2.mshrs=4", "clock.l2_khz=700000", NULL},
    {"machine.sms=4", "icnt.topology=mesh", "l2.partitions=4", "l2.write=evict", "l2.sets=4",
     "l1d.miss_queue=2", "dram.channels=4", NULL},
};

static void workloads_balance(void **state)
{
    static const char *const names[] = {"atax",      "bfs",     "histogram",
                                        "transpose", "nqueens", "invindex"};

    uint64_t written_back = 0;

    (void)state;
    for (size_t m = 0; m < COUNT(machines); m++) {
        for (size_t w = 0; w < COUNT(names); w++) {
            print_message("machine %zu, %s\n", m, names[w]);
            written_back += check(machines[m], names[w]);
        }
    }
    assert_true(written_back > 0); /* else the balance of dirty lines says nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(workloads_balance)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
