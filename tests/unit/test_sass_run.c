/* Whole traces on a small machine: what is counted, the order of kernels, command lists that
 * are refused.  Expected counts follow from the lines of the traces. */
#include "test_gpu_front_machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/host/host_machine.h"
#include "sass/sass_run.h"

static char message[1024], folder[64];
static struct sass_run_result result;
static size_t keep_bytes;

static int run(struct rig *rig, const char *list, bool unknown_as_alu)
{
    struct sass_opcodes *opcodes = sass_opcodes_new();
    const struct sass_scan_options options = {.opcodes = opcodes,
                                              .unknown = unknown_as_alu ? SASS_UNKNOWN_ALU
                                                                        : SASS_UNKNOWN_ERROR,
                                              .keep_bytes = keep_bytes};
    struct host_backend backend = host_timed(rig->gpu);
    int status;

    message[0] = '\0';
    status = sass_run(list, rig->memory, &backend, &options, &result, message, sizeof message);
    sass_opcodes_free(opcodes);
    return status;
}

/* Every address mode, space and kind of instruction: tests/traces/modes. */
static void every_kind(void **state)
{
    const struct sm_stats *stats;
    struct rig rig = {0};

    (void)state;
    rig_make(&rig, NULL);
    assert_int_equal(run(&rig, "tests/traces/modes/kernelslist.g", false), 0);
    assert_int_equal(result.kernels, 1);
    assert_int_equal(result.instructions, 25);
    assert_int_equal(result.copies, 1);
    assert_int_equal(result.copy_bytes, 4096);
    stats = &rig.gpu->sm[0].stats;
    assert_int_equal(stats->ctas, 2);
    /* The generic load goes out three times: shared, local, global. */
    assert_int_equal(stats->warp_instructions, 25 + 2);
    /* LDG, LDG.64, LDG.U8 and the generic load's local and global part, 1 line each:
     * 0x40000000 to 0x4000007c; 0x40001000 to 0x40001070; 0x40002001, 0x40002005;
     * 8 lanes of one local word are one granule row; 16 words from 0x40000000. */
    assert_int_equal(stats->loads_coherent, 5);
    assert_int_equal(stats->loads_divergent, 0);
    assert_int_equal(stats->stores, 1);
    assert_int_equal(stats->atomics, 1);
    assert_int_equal(stats->shared_instructions, 3);
    assert_int_equal(stats->shared_conflict_cycles, 0);
    assert_int_equal(stats->barriers, 4);
    assert_int_equal(stats->fences, 1);
    assert_int_equal(stats->load_bypasses_coherent, 1); /* .STRONG.GPU */
    rig_free(&rig);
}

/* ---- made-up traces ---- */

static void path_of(char path[128], const char *name)
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static void put(const char *name, const char *text)
{
    char path[128];
    FILE *file;

    path_of(path, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* One block of one warp that executes `lines`, `n` of them, and exits. */
static void put_kernel(const char *name, unsigned version, unsigned n, const char *lines)
{
    char text[2048];

    snprintf(text, sizeof text,
             "-kernel name = %s\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n"
             "-nregs = 8\n-binary version = %u\n-accelsim tracer version = 3\n#traces format\n"
             "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %u\n%s"
             "0100 ffffffff 0 EXIT 0 0\n#END_TB\n",
             name, version, n + 1, lines);
    put(name, text);
}

static void refused(const char *list, const char *start, const char *part)
{
    struct rig rig = {0};
    char path[128];

    put("list.g", list);
    path_of(path, "list.g");
    rig_make(&rig, NULL);
    assert_int_equal(run(&rig, path, false), -1);
    assert_int_equal(result.status, 0);
    assert_memory_equal(message, folder, strlen(folder));
    if (strncmp(message + strlen(folder) + 1, start, strlen(start)) != 0 ||
        !strstr(message, part)) {
        fail_msg("expected \"%s...%s\", got \"%s\"", start, part, message);
    }
    rig_free(&rig);
}

static void lists(void **state)
{
    (void)state;
    put_kernel("kernel-1.traceg", 70, 0, "");
    refused("", "list.g:1: ", "names no kernel");
    refused("MemcpyDtoH,0x0,4\n", "list.g:1: ", "names no kernel");
    refused("\n\nkernel-9.traceg\n", "kernel-9.traceg:1: ", "No such file");
    refused("MemcpyHtoD,0x40000000\n", "list.g:1: ", "no hexadecimal address between");
    refused("\nMemcpyHtoD,0x40000000,x\n", "list.g:2: ", "count of bytes");
    refused("MemcpyHtoD 1 2\n", "list.g:1: ", "is not 'MemcpyHtoD,0xaddress,bytes'");
    refused("kernel-1.traceg\n\xc3\xa4\n", "list.g:2: ", "no printable ASCII");
    refused("../kernel-1.traceg\n", "list.g:1: ", "no kernel; its lines are");
    refused("kernel/../../kernel-1.traceg\n", "list.g:1: ", "leaves the folder of the list");
    refused("kernels/..\n", "list.g:1: ", "leaves the folder of the list");
}

/* Kernels go in the order of the list; a compressed one is found under its plain name. */
static void order(void **state)
{
    struct rig rig = {0};
    char command[256], path[128];

    (void)state;
    put_kernel("kernel-1.traceg", 70, 1, "0000 ffffffff 1 R1 IADD3 0 0\n");
    put_kernel("kernel-2.traceg", 70, 2,
               "0000 ffffffff 1 R1 IADD3 0 0\n"
               "0010 ffffffff 1 R1 IADD3 1 R1 0\n");
    snprintf(command, sizeof command, "xz -f %s/kernel-2.traceg", folder);
    assert_int_equal(system(command), 0);
    put("list.g", "kernel-2.traceg\nMemcpyHtoD,0x10,8\nkernel-1.traceg\nkernel-2.traceg");
    path_of(path, "list.g");
    rig_make(&rig, NULL);
    assert_int_equal(run(&rig, path, false), 0);
    assert_int_equal(result.kernels, 3);
    assert_int_equal(rig.gpu->n_launches, 3);
    assert_int_equal(rig.gpu->launches[0].warp_instructions, 3);
    assert_int_equal(rig.gpu->launches[1].warp_instructions, 2);
    assert_int_equal(rig.gpu->launches[2].warp_instructions, 3);
    rig_free(&rig);
}

/* Lanes with global address 0 make no access; shared address 0 is a word like others. */
static void address_zero(void **state)
{
    const struct sm_stats *stats;
    struct rig rig = {0};
    char path[128];

    (void)state;
    put_kernel("kernel-1.traceg", 70, 3,
               "0000 00000003 1 R1 LDG.E 1 R2 4 0 0x0 0x1000\n"
               "0010 00000003 1 R1 LDG.E 1 R2 4 0 0x0 0x0\n"
               "0020 00000003 1 R1 LDS 1 R2 4 0 0x0 0x80\n");
    put("list.g", "kernel-1.traceg\n");
    path_of(path, "list.g");
    rig_make(&rig, NULL);
    assert_int_equal(run(&rig, path, false), 0);
    stats = &rig.gpu->sm[0].stats;
    assert_int_equal(stats->loads_coherent, 1);
    assert_int_equal(stats->loads_empty, 1);
    /* Words 0 and 32 are in one bank: one more pass. */
    assert_int_equal(stats->shared_conflict_cycles, 1);
    rig_free(&rig);
}

/* A warp at a barrier that its block's other warp has exited past goes on: threads that have
 * exited count as arrived. */
static void barrier_and_exit(void **state)
{
    static const char *const changes[] = {"machine.stuck_cycles=1000", NULL};
    struct rig rig = {0};
    char path[128];

    (void)state;
    put("kernel-1.traceg",
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n"
        "-binary version = 70\n-accelsim tracer version = 3\n#traces format\n#BEGIN_TB\n"
        "thread block = 0,0,0\nwarp = 0\ninsts = 3\n0000 ffffffff 0 BAR.SYNC 0 0\n"
        "0010 ffffffff 0 BAR.SYNC 0 0\n0020 ffffffff 0 EXIT 0 0\nwarp = 1\ninsts = 2\n"
        "0000 ffffffff 0 BAR.SYNC 0 0\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n");
    put("list.g", "kernel-1.traceg\n");
    path_of(path, "list.g");
    rig_make(&rig, changes);
    assert_int_equal(run(&rig, path, false), 0);
    assert_int_equal(rig.gpu->sm[0].stats.barriers, 3);
    rig_free(&rig);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_sass_run.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* 200 blocks of two warps, the second first, one lane fewer in each next block. */
static void put_blocks(const char *name)
{
    char path[128];
    FILE *file;

    path_of(path, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "-kernel name = blocks\n-grid dim = (200,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n"
            "-nregs = 8\n-binary version = 70\n-accelsim tracer version = 3\n#traces format\n");
    for (unsigned block = 0; block < 200; block++) {
        fprintf(file, "#BEGIN_TB\nthread block = %u,0,0\n", block);
        for (unsigned warp = 2; warp-- > 0;) {
            fprintf(file,
                    "warp = %u\ninsts = 2\n0008 %08x 1 R2 LDG.E 1 R4 4 1 0x%x %u\n"
                    "0010 ffffffff 0 EXIT 0 0\n",
                    warp, block % 32 ? 0xffffffffu >> block % 32 : 1u << warp,
                    0x40000000 + 4096 * (2 * block + warp), 4 * (block % 3 + 1));
        }
        fprintf(file, "#END_TB\n");
    }
    assert_int_equal(fclose(file), 0);
}

static uint64_t lanes_of_blocks(void)
{
    uint64_t lanes = 0;

    for (unsigned block = 0; block < 200; block++) {
        lanes += 2 * (block % 32 ? 32 - block % 32 : 1);
    }
    return lanes;
}

/* Kept of the first reading, read again, or given up when the second block comes: the same. */
static void kept(void **state)
{
    static const size_t BYTES[] = {0, 1 << 20, 1};
    uint64_t cycles[3], misses[3];
    char path[128];

    (void)state;
    put_blocks("kernel-1.traceg");
    put("list.g", "kernel-1.traceg\n");
    path_of(path, "list.g");
    for (int b = 0; b < 3; b++) {
        struct rig rig = {0};

        keep_bytes = BYTES[b];
        rig_make(&rig, NULL);
        assert_int_equal(run(&rig, path, false), 0);
        assert_int_equal(result.blocks, 200);
        assert_int_equal(rig.gpu->sm[0].stats.ctas, 200);
        assert_int_equal(rig.gpu->sm[0].stats.thread_instructions,
                         (uint64_t)200 * 64 + lanes_of_blocks());
        cycles[b] = rig.gpu->now;
        misses[b] = rig.gpu->sm[0].stats.loads_coherent + rig.gpu->sm[0].stats.loads_divergent;
        rig_free(&rig);
    }
    keep_bytes = 0;
    assert_true(cycles[1] == cycles[0] && cycles[2] == cycles[0]);
    assert_true(misses[1] == misses[0] && misses[2] == misses[0] && misses[0] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(lists),
        cmocka_unit_test(order),
        cmocka_unit_test(address_zero),
        cmocka_unit_test(barrier_and_exit),
        cmocka_unit_test(kept),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
