/* Configuration: errors with file, line and remedy; a file takes from its base what it does not
 * say itself; every file of the tree loads, passes the cross-checks and reproduces its
 * document's table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/config/config_file.h"

#define CONFIGS "cmodel/machine/configs"

static char message[2048];

static int read_text(const char *text)
{
    struct gpu_config config;

    config_defaults(&config);
    message[0] = '\0';
    return config_read_text(&config, "x.ini", text, CONFIGS, message, sizeof message);
}

static void expect(const char *text, const char *start, const char *part)
{
    assert_int_equal(read_text(text), -1);
    assert_memory_equal(message, start, strlen(start));
    assert_non_null(strstr(message, part));
}

static void errors(void **state)
{
    (void)state;
    expect("[sm]\nwarps = 48\nwarbs = 4\n", "x.ini:3: ", "unknown key sm.warbs");
    expect("[sm]\n\nwarps = 0\n", "x.ini:3: ", "from 1 to 64");
    expect("[sm]\nwarps = 65\n", "x.ini:2: ", "from 1 to 64");
    expect("[sm]\nwarps = -1\n", "x.ini:2: ", "from 1 to 64");
    expect("[sm]\nwarps = 4 8\n", "x.ini:2: ", "from 1 to 64");
    expect("[sm]\nwarps =\n", "x.ini:2: ", "from 1 to 64");
    expect("[sm]\nscheduler = fifo\n", "x.ini:2: ", "gto|lrr|two-level");
    expect("; fine\n[sm\n", "x.ini:2: ", "neither");
    expect("[sm]\nwarps\n", "x.ini:2: ", "neither");
    expect("warps = 3\n", "x.ini:1: ", "unknown key");
    expect("[sm]\nwarps = 3\n[l1d]\nways = 2\n[sm]\nwarps = 3\n", "x.ini:6: ", "in line 2 already");
    expect("base = aci\nbase = caps\n", "x.ini:2: ", "after that of line 1");
    expect("\nbase = nosuch\n", "x.ini:2: base = nosuch: ", "warplock list configurations");
    expect("base = nowhere/x.ini\n", "x.ini:1: ", "cannot be read");
    expect("base = ../caps\n", "x.ini:1: ", "ends in .ini");
    expect("base =\n", "x.ini:1: ", "no configuration of that name");
    expect("[sm]\nbase = aci\n", "x.ini:2: ", "unknown key sm.base");
    assert_int_equal(read_text("[sm]\nwarps = 0x20 ; comment\nscheduler = lrr\n"), 0);
}

static void missing_file(void **state)
{
    struct gpu_config config;

    (void)state;
    config_defaults(&config);
    assert_int_equal(
        config_read(&config, "/nowhere/none.ini", CONFIGS, NULL, message, sizeof message), -1);
    assert_memory_equal(message, "/nowhere/none.ini:0: cannot open", 32);
}

/* Files of a fresh folder; `at` is given its path. */
static void write_files(char *at, const char *const (*files)[2], size_t n)
{
    strcpy(at, "/tmp/test_config_XXXXXX");
    assert_non_null(mkdtemp(at));
    for (size_t f = 0; f < n; f++) {
        char path[256];
        FILE *file;

        snprintf(path, sizeof path, "%s/%s", at, files[f][0]);
        file = fopen(path, "w");
        assert_non_null(file);
        fputs(files[f][1], file);
        fclose(file);
    }
}

static void forget_files(const char *at, const char *const (*files)[2], size_t n)
{
    for (size_t f = 0; f < n; f++) {
        char path[256];

        snprintf(path, sizeof path, "%s/%s", at, files[f][0]);
        remove(path);
    }
    remove(at);
}

static const char *const FILES[][2] = {
    {"top.ini", "base = middle.ini\n[sm]\nwarps = 24\n"},
    {"middle.ini", "base = ./tabbakh.ini\n[sm]\nwarps = 32\nthreads = 768\n"},
    {"tabbakh.ini", "; rests on one of the tree\nbase = tabbakh2018-ch3\n[sm]\nthreads = 512\n"},
    {"loop.ini", "; here and back\nbase = pool.ini\n"},
    {"pool.ini", "base = loop.ini\n"},
    {"wrong.ini", "base = bad.ini\n"},
    {"bad.ini", "\n[sm]\nwarps = 65\n"},
};
enum { N_FILES = sizeof FILES / sizeof FILES[0] };

static int read_file(const char *at, const char *name, struct gpu_config *config,
                     struct config_origins *origins)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", at, name);
    config_defaults(config);
    return config_read(config, path, CONFIGS, origins, message, sizeof message);
}

/* Is `key` written in line `line` of the n-th file of the chain? */
static void from(const struct config_origins *origins, const char *key, size_t file, unsigned line)
{
    for (size_t k = 0; k < CONFIG_KEYS; k++) {
        char name[64];

        config_key_name(k, name, sizeof name);
        if (!strcmp(name, key)) {
            assert_int_equal(origins->of[k].line, line);
            assert_int_equal(origins->of[k].file, file);
            return;
        }
    }
    fail_msg("no key %s", key);
}

static void bases(void **state)
{
    struct config_origins origins;
    struct gpu_config config;
    char at[64], expected[256];

    (void)state;
    write_files(at, FILES, N_FILES);
    assert_int_equal(read_file(at, "top.ini", &config, &origins), 0);
    assert_int_equal(config.sm_warps, 24);    /* its own, over its base's 32 */
    assert_int_equal(config.sm_threads, 768); /* its base's, over that one's 512 */
    assert_int_equal(config.clock_l2_khz, 700000);
    assert_int_equal(config.icnt_topology, TOPOLOGY_MESH);
    assert_int_equal(config.dram_tWL, 4);
    assert_int_equal(origins.n_files, 6); /* ..., tabbakh2018-ch3, -ch2, gtx480 */
    from(&origins, "sm.warps", 0, 3);
    from(&origins, "sm.threads", 1, 4);
    from(&origins, "machine.stuck_cycles", 0, 0);
    assert_string_equal(origins.files[5], CONFIGS "/gtx480.ini");

    assert_int_equal(read_file(at, "loop.ini", &config, NULL), -1);
    snprintf(expected, sizeof expected, "%s/pool.ini:1: base = loop.ini: ", at);
    assert_memory_equal(message, expected, strlen(expected));
    assert_non_null(strstr(message, "a circle"));

    assert_int_equal(read_file(at, "wrong.ini", &config, NULL), -1);
    snprintf(expected, sizeof expected, "%s/bad.ini:3: sm.warps = 65: ", at);
    assert_memory_equal(message, expected, strlen(expected));
    forget_files(at, FILES, N_FILES);
}

static void too_many_bases(void **state)
{
    char names[CONFIG_FILES + 1][8], texts[CONFIG_FILES + 1][32], at[64];
    const char *files[CONFIG_FILES + 1][2];
    struct gpu_config config;

    (void)state;
    for (int f = 0; f <= CONFIG_FILES; f++) {
        snprintf(names[f], sizeof names[f], "%d.ini", f);
        snprintf(texts[f], sizeof texts[f], f < CONFIG_FILES ? "base = %d.ini\n" : "", f + 1);
        files[f][0] = names[f];
        files[f][1] = texts[f];
    }
    write_files(at, (const char *const(*)[2])files, CONFIG_FILES + 1);
    assert_int_equal(read_file(at, "1.ini", &config, NULL), 0);
    assert_int_equal(read_file(at, "0.ini", &config, NULL), -1);
    assert_non_null(strstr(message, "/7.ini:1: base = 8.ini: too many bases"));
    forget_files(at, (const char *const(*)[2])files, CONFIG_FILES + 1);
}

static void assignments(void **state)
{
    struct gpu_config config;

    (void)state;
    config_defaults(&config);
    assert_int_equal(config_set(&config, "l1d.ways=8", message, sizeof message), 0);
    assert_int_equal(config.l1d_ways, 8);
    assert_int_equal(config_set(&config, "l1d.ways", message, sizeof message), -1);
    assert_int_equal(config_set(&config, "ways=3", message, sizeof message), -1);
    assert_int_equal(config_set(&config, "l1d.ways=257", message, sizeof message), -1);
    assert_non_null(strstr(message, "--set l1d.ways=257: "));
}

static void cross_checks(void **state)
{
    static const char *const broken[] = {
        "sm.warps=47",        "machine.sms_per_node=2", "l2.interleave_bytes=384",
        "dram.row_bytes=128", "dram.bank_groups=3",     "dram.tRC=39",
        "dram.tCCDL=1",       "machine.sms=65",         "l1d.ways=33",
        "l1d.mshrs=257",      "l1d.sector_bytes=32",    "l1d.banks=2",
        "l1d.carveout=yes",   "pipe.fp16_interval=1",   "l2.slices=polynomial",
        "l2.index=polynomial"};
    struct gpu_config config;

    (void)state;
    config_defaults(&config);
    assert_int_equal(config_check(&config, message, sizeof message), 0);
    for (size_t b = 0; b < sizeof broken / sizeof broken[0]; b++) {
        config_defaults(&config);
        assert_int_equal(config_set(&config, broken[b], message, sizeof message), 0);
        assert_int_equal(config_check(&config, message, sizeof message), -1);
        assert_non_null(strchr(message, ';'));
    }
}

/* What the parts of a Volta are not built for. */
static void cross_checks_of_volta(void **state)
{
    static const char *const broken[] = {"operands.general=6",     "operands.mem_registers=3",
                                         "pipe.sfu_units=1",       "l1d.sector_bytes=48",
                                         "l1d.sector_bytes=16",    "l1d.banks=3",
                                         "l1d.sector_bytes=0",     "l1d.local_write=back",
                                         "l1d.allocate=on-fill",   "l2.sectors=no",
                                         "l2.partitions=16",       "l2.sets=64",
                                         "sm.shared_bytes=131072", "icnt.speedup=2",
                                         "icnt.inject_flits=9",    "icnt.switch=flits",
                                         "icnt.jitter=3",          "icnt.topology=mesh"};
    struct gpu_config config;

    (void)state;
    for (size_t b = 0; b < sizeof broken / sizeof broken[0]; b++) {
        config_defaults(&config);
        assert_int_equal(config_read(&config, CONFIGS "/qv100-trace.ini", CONFIGS, NULL, message,
                                     sizeof message),
                         0);
        assert_int_equal(config_check(&config, message, sizeof message), 0);
        assert_int_equal(config_set(&config, broken[b], message, sizeof message), 0);
        assert_int_equal(config_check(&config, message, sizeof message), -1);
    }
}

static struct gpu_config load(const char *name)
{
    struct gpu_config config;
    char path[256];

    config_defaults(&config);
    snprintf(path, sizeof path, CONFIGS "/%s.ini", name);
    if (config_read(&config, path, CONFIGS, NULL, message, sizeof message) != 0 ||
        config_check(&config, message, sizeof message) != 0) {
        fail_msg("%s", message);
    }
    return config;
}

/* SMs, L1D bytes and ways, L2 bytes in all, L2 ways, channels: the tables' rows. */
static const struct row {
    const char *name;
    uint32_t sms, l1d_kib, l1d_ways, l2_kib, l2_ways, channels, threads, core_mhz;
} ROWS[] = {
    {"wang2015-fup", 30, 32, 8, 768, 16, 6, 1024, 700},
    {"wang2015-dacache", 30, 32, 8, 768, 16, 6, 1024, 700},
    {"wang2015-oaws", 30, 32, 8, 768, 16, 6, 1024, 700},
    {"caps", 15, 16, 4, 768, 8, 6, 1536, 1400},
    {"lakshminarayana2014", 16, 48, 6, 768, 8, 8, 1536, 1200},
    {"lakshminarayana2014-hierarchy", 16, 48, 6, 768, 8, 8, 1536, 1200},
    {"lakshminarayana2014-hierarchy-144", 16, 48, 6, 768, 8, 8, 1536, 1200},
    {"lakshminarayana2014-64kb", 16, 64, 8, 768, 8, 8, 1536, 1200},
    {"lakshminarayana2014-unified", 16, 96, 12, 768, 8, 8, 1536, 1200},
    {"lakshminarayana2014-k40c", 15, 16, 4, 1536, 8, 12, 2048, 745},
    {"aci", 16, 16, 4, 768, 8, 6, 1536, 700},
    {"iacm", 16, 16, 4, 768, 8, 6, 1536, 700},
    {"blpp", 15, 16, 4, 1024, 8, 8, 1536, 700},
    {"tabbakh2018", 15, 16, 4, 768, 8, 6, 1536, 1400},
    {"tabbakh2018-ch2", 15, 16, 4, 768, 8, 6, 1536, 700},
    {"tabbakh2018-kepler", 15, 16, 4, 2052, 8, 6, 1536, 700},
    {"tabbakh2018-ch3", 16, 16, 4, 1024, 8, 8, 1536, 1400},
    {"tabbakh2018-ch4", 16, 16, 4, 768, 8, 6, 1536, 1400},
    {"fermi15", 15, 16, 4, 768, 8, 6, 1536, 700},
    {"gtx480", 15, 16, 4, 768, 8, 6, 1536, 700},
    {"qv100-trace", 80, 128, 256, 6144, 24, 32, 2048, 1447},
};

static void tables(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof ROWS / sizeof ROWS[0]; r++) {
        struct gpu_config c = load(ROWS[r].name);

        assert_int_equal(c.machine_sms, ROWS[r].sms);
        assert_int_equal(c.l1d_sets * c.l1d_ways * 128 / 1024, ROWS[r].l1d_kib);
        assert_int_equal(c.l1d_ways, ROWS[r].l1d_ways);
        assert_int_equal(c.l2_partitions * c.l2_banks * c.l2_sets * c.l2_ways * 128 / 1024,
                         ROWS[r].l2_kib);
        assert_int_equal(c.l2_ways, ROWS[r].l2_ways);
        assert_int_equal(c.dram_channels, ROWS[r].channels);
        assert_int_equal(c.sm_threads, ROWS[r].threads);
        assert_int_equal(c.clock_core_khz, ROWS[r].core_mhz * 1000);
    }
}

/* GB/s of the documents: 177.4 (GTX480), 200 (blpp), 100.8 (Lakshminarayana). */
static uint64_t bandwidth_mbps(const struct gpu_config *c)
{
    return (uint64_t)c->dram_channels * c->dram_bus_bytes * c->clock_dram_khz / 1000;
}

static void bandwidths(void **state)
{
    struct gpu_config c = load("aci");

    (void)state;
    assert_int_equal(bandwidth_mbps(&c), 177408);
    c = load("blpp");
    assert_int_equal(bandwidth_mbps(&c), 200000);
    c = load("lakshminarayana2014");
    assert_int_equal(bandwidth_mbps(&c), 100800);
    c = load("lakshminarayana2014-k40c");
    assert_int_equal(bandwidth_mbps(&c), 288000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors),
        cmocka_unit_test(missing_file),
        cmocka_unit_test(bases),
        cmocka_unit_test(too_many_bases),
        cmocka_unit_test(assignments),
        cmocka_unit_test(cross_checks),
        cmocka_unit_test(cross_checks_of_volta),
        cmocka_unit_test(tables),
        cmocka_unit_test(bandwidths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
