/* What goes on without the warp that started it, from traces: cycles against sums of configured
 * stages, worked out by hand.
 *
 * One SM or two, all clocks equal, one warp a block, so that an instruction issues a cycle after the
 * one before unless it waits.  A kernel ends a fixed time after its last EXIT has issued; each
 * expectation is the difference to a kernel whose EXIT issues in a known cycle.  A request that the
 * L1D takes in cycle p, and whose block is in the L2, is back, where messages are one flit and L2
 * ports as wide as a block, in p + 1 + icnt 4 + L2 120 + (1 flit + icnt 4) + fill 1 = p + 131.
 */
#include "test_gpu_front_machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/host/host_machine.h"
#include "sass/sass_run.h"

enum { BACK = 131, SHARED = 24, START = 32, CLUSTER = 90 };

static char message[1024], folder[64];
static struct sass_run_result result;

#define NOP "0000 ffffffff 0 NOP 0 0 0 0 NoVal\n"
#define EXIT "0fff ffffffff 0 EXIT 0 0 0 0 NoVal\n"
/* The mbarrier at 0x400 expects one arrival; it arrives; it arrives and 1024 bytes are to come; the
 * warp waits for its first phase. */
#define INIT \
    "0010 00000001 1 UR255 SYNCS.EXCH.64 2 R255 UR8 8 2 0x400 0 0 Val 1 0 1 0 1 001ffffe001ffffe\n"
#define ARRIVE "0020 00000001 0 SYNCS.ARRIVE.TRANS64.A1T0 2 R255 UR9 8 2 0x400 0 0 Val 1 0 1 0\n"
#define EXPECT(bytes) \
    "0030 00000001 0 SYNCS.ARRIVE.TRANS64 2 R255 UR9 8 2 0x400 0 0 Val 1 0 1 " bytes "\n"
#define WAIT "0040 00000001 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R255 UR9 8 2 0x400 0 0 Val 1 0 1 0\n"

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;

    for (; *text; text++) {
        n += *text == '\n';
    }
    return n;
}

static void put(const char *name, const char *text)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Blocks of one warp each, `n` of them, all in one cluster. */
static void put_kernel(const char *const *lines, uint32_t n)
{
    char text[8192];
    int at = snprintf(text, sizeof text,
                      "-kernel name = k\n-grid dim = (%u,1,1)\n-block dim = (32,1,1)\n"
                      "-shmem = 4096\n-nregs = 8\n-binary version = 90\n"
                      "-accelsim tracer version = 6\n#traces format\n",
                      n);

    for (uint32_t b = 0; b < n; b++) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "#BEGIN_TB\nthread block = %u,0,0\ncluster id = 0,0,0\n"
                       "cluster cta = %u,0,0\ncluster rank = %u\nwarp = 0\ninsts = %u\n%s%s"
                       "#END_TB\n",
                       b, b, b, count_lines(lines[b]) + 1, lines[b], EXIT);
    }
    assert_true((size_t)at < sizeof text);
    put("kernel-1.traceg", text);
    put("list.g", "kernel-1.traceg\nkernel-1.traceg\n");
}

/* Cycles of the kernel when the L2 has what it reads. */
static uint64_t cycles_of(const char *const *lines, uint32_t n, const char *const *set)
{
    struct sass_opcodes *opcodes = sass_opcodes_new();
    const struct sass_scan_options options = {.opcodes = opcodes};
    struct host_backend backend;
    struct rig rig = {0};
    uint64_t cycles;
    char path[128];

    put_kernel(lines, n);
    snprintf(path, sizeof path, "%s/list.g", folder);
    rig_make(&rig, set);
    backend = host_timed(rig.gpu);
    message[0] = '\0';
    if (sass_run(path, rig.memory, &backend, &options, &result, message, sizeof message) != 0) {
        fail_msg("%s", message);
    }
    assert_int_equal(rig.gpu->n_launches, 2);
    cycles = rig.gpu->launches[1].end_cycle - rig.gpu->launches[1].start_cycle;
    rig_free(&rig);
    sass_opcodes_free(opcodes);
    return cycles;
}

static const char *const ONE_SM[] = {"sm.branch_cycles=1", "icnt.flit_bytes=256",
                                     "l2.port_bytes=128", NULL};
static const char *const TWO_SMS[] = {"sm.branch_cycles=1", "icnt.flit_bytes=256",
                                      "l2.port_bytes=128", "machine.sms=2", NULL};
static const char *const NARROW[] = {"sm.branch_cycles=1", "icnt.flit_bytes=256",
                                     "l2.port_bytes=128",  "machine.sms=2",
                                     "cluster.bytes=8",    NULL};

/* The cycle in which the last EXIT of `lines` issues: as much later as the kernel is longer than
 * three instructions, whose EXIT issues in cycle 2. */
static uint64_t exit_cycle(const char *const *lines, uint32_t n, const char *const *set)
{
    const char *const plain[] = {NOP NOP, NOP NOP};

    return cycles_of(lines, n, set) - cycles_of(plain, n, set) + 2;
}

#define LDGSTS(address) \
    "0050 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R6 16 1 " address " 16 0 0 NoVal\n"
#define COMMIT "0060 ffffffff 0 LDGDEPBAR 0 0 0 0 Val\n"
#define DEPBAR(left) "0070 ffffffff 0 DEPBAR.LE 0 0 " left " 0 Val\n"

static void async_loads(void **state)
{
    const char *const none[] = {COMMIT DEPBAR("0")};
    const char *const one[] = {LDGSTS("0x40000000") COMMIT DEPBAR("0")};
    const char *const two[] = {LDGSTS("0x40000000") COMMIT LDGSTS("0x40001000") COMMIT DEPBAR("0")};
    const char *const first[] = {LDGSTS("0x40000000") COMMIT LDGSTS("0x40001000") COMMIT DEPBAR("1")
                                     LDGSTS("0x40002000") DEPBAR("0")};

    (void)state;
    assert_int_equal(exit_cycle(none, 1, ONE_SM), 2);
    /* 512 bytes are four requests: the first is presented in 0 + ldst.latency 1, one a cycle. */
    assert_int_equal(exit_cycle(one, 1, ONE_SM), 1 + 3 + BACK);
    /* The second issues in 2, and has the port from 5 to 8. */
    assert_int_equal(exit_cycle(two, 1, ONE_SM), 8 + BACK);
    /* One group may be open: the third load issues when the first is back, in 4 + BACK.  It is in
     * no group; the second one is back in 8 + BACK, and the EXIT issues.  The warp leaves when the
     * third load is back, as if its EXIT had issued then: its last request is presented 4 cycles
     * after its issue. */
    assert_int_equal(exit_cycle(first, 1, ONE_SM), 4 + BACK + 4 + BACK);
}

#define COPY "0080 00000001 0 UBLKCP.S.G 0 512 0x00000400 0 1024 0 4 0x40000000 2 512 0 0 NoVal\n"

static void bulk_copy(void **state)
{
    const char *const arrives[] = {INIT ARRIVE NOP WAIT};
    const char *const waits[] = {INIT EXPECT("400") COPY WAIT};

    (void)state;
    /* The wait looks when its shared access is over, and finds that the phase has ended. */
    assert_int_equal(exit_cycle(arrives, 1, ONE_SM), 3 + SHARED);
    /* The copy issues in 2 and starts START later, 512 bytes a cycle; these are four requests each,
     * of which the port takes the first a cycle later, then one a cycle.  The last of the eight
     * ends the phase. */
    assert_int_equal(exit_cycle(waits, 1, ONE_SM), 2 + START + 1 + 7 + BACK);
}

#define ARV "0090 ffffffff 0 UCGABAR_ARV 0 0 0 0 Val\n"
#define CGA_WAIT "00a0 ffffffff 0 UCGABAR_WAIT 0 0 0 0 Val\n"
#define ADD "00b0 ffffffff 1 R1 IADD3 1 R1 0 0 0 NoVal\n"

static void cluster_barrier(void **state)
{
    const char *const both[] = {ARV CGA_WAIT, ARV CGA_WAIT};
    const char *const late[] = {ARV CGA_WAIT, ADD ADD ADD ARV CGA_WAIT};

    (void)state;
    /* What arrives in cycle 0 is known everywhere CLUSTER later. */
    assert_int_equal(exit_cycle(both, 2, TWO_SMS), CLUSTER);
    /* Three dependent additions issue in 0, 4 and 8; the arrival is in 9. */
    assert_int_equal(exit_cycle(late, 2, TWO_SMS), 9 + CLUSTER);
}

#define STAS "00c0 0000000f 0 STAS.64 2 R6 R12 8 1 0x00000600 8 0 0 NoVal\n"

static void remote_store(void **state)
{
    const char *const one[] = {INIT EXPECT("20") WAIT, STAS};
    const char *const two[] = {INIT EXPECT("40") WAIT, STAS STAS};

    (void)state;
    /* 32 bytes leave when the shared access is over, in SHARED. */
    assert_int_equal(exit_cycle(one, 2, TWO_SMS), SHARED + CLUSTER);
    assert_int_equal(exit_cycle(two, 2, TWO_SMS), 1 + SHARED + CLUSTER);
    /* A port of 8 bytes a cycle is free for the second four cycles later. */
    assert_int_equal(exit_cycle(two, 2, NARROW), SHARED + 4 + CLUSTER);
}

#define HGMMA "00d0 ffffffff 1 R24 HGMMA.64x64x16.F32 2 UR4 R24 1 0 0 0 NoVal\n"
#define GROUPS(left) "00e0 ffffffff 0 WARPGROUP.DEPBAR.LE 0 0 " left " 0 NoVal\n"
#define HMMA(d) "00f0 ffffffff 1 " d " HMMA.16816.F32 2 R24 " d " 0 0 0 NoVal\n"
#define UADD(d) "0100 ffffffff 1 " d " UIADD3 1 " d " 0 0 0 NoVal\n"

static void matrices(void **state)
{
    static const char *const units[] = {"sm.branch_cycles=1",
                                        "pipe.tensor_units=1",
                                        "pipe.tensor_latency=30",
                                        "pipe.tensor_interval=8",
                                        "pipe.uniform_units=1",
                                        "pipe.uniform_latency=13",
                                        NULL};
    const char *const group[] = {HGMMA HGMMA GROUPS("0")};
    const char *const one_left[] = {HGMMA HGMMA GROUPS("1")};
    const char *const chain[] = {HMMA("R1") HMMA("R1") HMMA("R1") HMMA("R1")};
    const char *const apart[] = {HMMA("R1") HMMA("R2") HMMA("R3") HMMA("R4")};
    const char *const uniform[] = {UADD("UR1") UADD("UR1") UADD("UR1") UADD("UR1")};

    (void)state;
    /* N = 64 keeps the unit for 32 cycles: 0 to 31, 32 to 63. */
    assert_int_equal(exit_cycle(group, 1, units), 64);
    /* The first is done when the second has issued, so nothing waits; but the warp leaves when the
     * second is done. */
    assert_int_equal(exit_cycle(one_left, 1, units), 64);
    /* It leaves when its last result is there, too. */
    assert_int_equal(exit_cycle(chain, 1, units), 3 * 30 + 30);
    assert_int_equal(exit_cycle(apart, 1, units), 3 * 8 + 30);
    assert_int_equal(exit_cycle(uniform, 1, units), 3 * 13 + 13);
}

/* A barrier that nobody completes is a report, not a run without end. */
static void never(void **state)
{
    static const char *const set[] = {"machine.stuck_cycles=1000", NULL};
    const char *const lines[] = {INIT WAIT};
    struct sass_opcodes *opcodes = sass_opcodes_new();
    const struct sass_scan_options options = {.opcodes = opcodes};
    struct host_backend backend;
    struct rig rig = {0};
    char path[128];

    (void)state;
    put_kernel(lines, 1);
    snprintf(path, sizeof path, "%s/list.g", folder);
    rig_make(&rig, set);
    backend = host_timed(rig.gpu);
    assert_int_equal(
        sass_run(path, rig.memory, &backend, &options, &result, message, sizeof message), -1);
    assert_int_equal(result.status, GPU_STUCK);
    assert_non_null(strstr(message, "1 at an mbarrier"));
    rig_free(&rig);
    sass_opcodes_free(opcodes);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_sass_async.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(async_loads),     cmocka_unit_test(bulk_copy),
        cmocka_unit_test(cluster_barrier), cmocka_unit_test(remote_store),
        cmocka_unit_test(matrices),        cmocka_unit_test(never),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
