/* Configuration: errors with file, line and remedy; every file of the tree loads,
 * passes the cross-checks and reproduces its document's table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/config/config.h"

static char message[512];

static int read_text(const char *text)
{
    struct gpu_config config;

    config_defaults(&config);
    message[0] = '\0';
    return config_read_text(&config, "x.ini", text, message, sizeof message);
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
    assert_int_equal(read_text("[sm]\nwarps = 0x20 ; comment\nscheduler = lrr\n"), 0);
}

static void missing_file(void **state)
{
    struct gpu_config config;

    (void)state;
    config_defaults(&config);
    assert_int_equal(config_read(&config, "/nowhere/none.ini", message, sizeof message), -1);
    assert_memory_equal(message, "/nowhere/none.ini:0: cannot open", 32);
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
    assert_int_equal(config_set(&config, "l1d.ways=33", message, sizeof message), -1);
    assert_non_null(strstr(message, "--set l1d.ways=33: "));
}

static void cross_checks(void **state)
{
    static const char *const broken[] = {
        "sm.warps=47",        "machine.sms_per_node=2", "l2.interleave_bytes=384",
        "dram.row_bytes=128", "dram.bank_groups=3",     "dram.tRC=39",
        "dram.tCCDL=1"};
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

static struct gpu_config load(const char *name)
{
    struct gpu_config config;
    char path[256];

    config_defaults(&config);
    snprintf(path, sizeof path, "cmodel/machine/configs/%s.ini", name);
    if (config_read(&config, path, message, sizeof message) != 0 ||
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
    {"wang2015-fup", 30, 32, 8, 768, 16, 6, 1024, 1400},
    {"wang2015-dacache", 30, 32, 8, 768, 16, 6, 1024, 1400},
    {"wang2015-oaws", 30, 32, 8, 768, 16, 6, 1024, 1400},
    {"caps", 15, 16, 4, 768, 8, 6, 1536, 1400},
    {"lakshminarayana2014", 16, 48, 6, 768, 8, 8, 1536, 1200},
    {"aci", 16, 16, 4, 768, 8, 6, 1536, 700},
    {"iacm", 16, 16, 4, 768, 8, 6, 1536, 700},
    {"blpp", 15, 16, 4, 1024, 8, 8, 1536, 700},
    {"tabbakh2018-ch2", 15, 16, 4, 768, 8, 6, 1536, 1400},
    {"tabbakh2018-ch3", 16, 16, 4, 1024, 8, 8, 1536, 1400},
    {"tabbakh2018-ch4", 16, 16, 4, 768, 8, 6, 1536, 1400},
    {"fermi15", 15, 16, 4, 768, 8, 6, 1536, 700},
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors),      cmocka_unit_test(missing_file),
        cmocka_unit_test(assignments), cmocka_unit_test(cross_checks),
        cmocka_unit_test(tables),      cmocka_unit_test(bandwidths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
