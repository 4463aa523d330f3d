/* test_cta_dispatch - which CTA goes to which SM (tabbakh2018 3.1), sa_cta_sched in both forms:
 * traces of every policy on three grids, and kernels drawn at random of which no CTA may be lost or
 * issued twice.  CTA_LAUNCHES=10000000 draws so many (standard: 20000).
 *
 * The lists were made by going through the pseudo-code of 3.1.3: 3 SMs of two slots; all slots are
 * filled; then SMs 2, 0, 0, 1, 2 and so on end a CTA each, if they have one, and before the next one
 * ends every SM that can be served is. */
#include <stdlib.h>

#include "tb/random.h"
#include "test_dacache.h"

enum { SMS = 3, SLOTS = 2, MOST_CTAS = 256 };
enum policy { RR, GROUP, ADAPTIVE, BCS };

struct trace {
    const char *name;
    unsigned grid[3];
    enum policy policy;
    unsigned group;
    const char *want; /* SM:CTA */
};

static const struct trace traces[] = {
    {"RR",
     {7, 5, 1},
     0,
     1,
     "0:0 1:1 2:2 0:3 1:4 2:5 2:6 0:7 0:8 1:9 2:10 2:11 0:12 0:13 1:14 2:15 2:16 "
     "0:17 0:18 1:19 2:20 2:21 0:22 0:23 1:24 2:25 2:26 0:27 0:28 1:29 2:30 2:31 "
     "0:32 0:33 1:34"},
    {"q8",
     {7, 5, 1},
     1,
     8,
     "0:0 1:8 2:16 0:1 1:9 2:17 2:18 0:2 0:3 1:10 2:19 2:20 0:4 0:5 1:11 2:21 "
     "2:22 0:6 0:7 1:12 2:23 2:24 0:32 0:33 1:13 2:25 2:26 0:34 1:14 2:27 2:28 "
     "1:15 2:29 2:30 2:31"},
    {"q16",
     {7, 5, 1},
     1,
     16,
     "0:0 1:16 2:32 0:1 1:17 2:33 2:34 0:2 0:3 1:18 0:4 0:5 1:19 0:6 0:7 1:20 0:8 "
     "0:9 1:21 0:10 0:11 1:22 0:12 0:13 1:23 0:14 0:15 1:24 1:25 1:26 1:27 1:28 "
     "1:29 1:30 1:31"},
    {"qx",
     {7, 5, 1},
     1,
     7,
     "0:0 1:7 2:14 0:1 1:8 2:15 2:16 0:2 0:3 1:9 2:17 2:18 0:4 0:5 1:10 2:19 2:20 "
     "0:6 0:21 1:11 2:28 2:29 0:22 0:23 1:12 2:30 2:31 0:24 0:25 1:13 2:32 2:33 "
     "0:26 0:27 2:34"},
    {"q8_adpt",
     {7, 5, 1},
     2,
     8,
     "0:0 1:8 2:16 0:1 1:9 2:17 2:18 0:2 0:3 1:10 2:19 2:20 0:4 0:5 1:11 2:21 "
     "2:22 0:6 0:7 1:12 2:23 2:24 0:25 0:26 1:13 2:27 2:28 0:29 0:30 1:14 2:31 "
     "2:32 0:33 0:34 1:15"},
    {"q16_adpt",
     {7, 5, 1},
     2,
     16,
     "0:0 1:16 2:32 0:1 1:17 2:33 2:34 0:2 0:3 1:18 0:4 0:5 1:19 0:6 0:7 1:20 0:8 "
     "0:9 1:21 0:10 0:11 1:22 0:12 0:13 1:23 0:14 0:15 1:24 1:25 1:26 1:27 1:28 "
     "1:29 1:30 1:31"},
    {"qx_adpt",
     {7, 5, 1},
     2,
     7,
     "0:0 1:7 2:14 0:1 1:8 2:15 2:16 0:2 0:3 1:9 2:17 2:18 0:4 0:5 1:10 2:19 2:20 "
     "0:6 0:21 1:11 2:22 2:23 0:24 0:25 1:12 2:26 2:27 0:28 0:29 1:13 2:30 2:31 "
     "0:32 0:33 1:34"},
    {"BCS",
     {7, 5, 1},
     3,
     1,
     "0:0 1:2 2:4 0:1 1:3 2:5 0:6 0:7 2:8 2:9 0:10 0:11 1:12 1:13 2:14 2:15 0:16 "
     "0:17 2:18 2:19 0:20 0:21 1:22 1:23 2:24 2:25 0:26 0:27 2:28 2:29 0:30 0:31 "
     "1:32 2:34 1:33"},
    {"RR",
     {3, 2, 4},
     0,
     1,
     "0:0 1:1 2:2 0:3 1:4 2:5 2:6 0:7 0:8 1:9 2:10 2:11 0:12 0:13 1:14 2:15 2:16 "
     "0:17 0:18 1:19 2:20 2:21 0:22 0:23"},
    {"q8",
     {3, 2, 4},
     1,
     8,
     "0:0 1:8 2:16 0:1 1:9 2:17 2:18 0:2 0:3 1:10 2:19 2:20 0:4 0:5 1:11 2:21 "
     "2:22 0:6 0:7 1:12 2:23 1:13 1:14 1:15"},
    {"q16",
     {3, 2, 4},
     1,
     16,
     "0:0 1:16 0:1 1:17 0:2 0:3 1:18 0:4 0:5 1:19 0:6 0:7 1:20 0:8 0:9 1:21 0:10 "
     "0:11 1:22 0:12 0:13 1:23 0:14 0:15"},
    {"qx",
     {3, 2, 4},
     1,
     3,
     "0:0 1:3 2:6 0:1 1:4 2:7 2:8 0:2 0:9 1:5 2:12 2:13 0:10 0:11 1:15 2:14 2:18 "
     "0:21 0:22 1:16 2:19 2:20 0:23 1:17"},
    {"q8_adpt",
     {3, 2, 4},
     2,
     8,
     "0:0 1:8 2:16 0:1 1:9 2:17 2:18 0:2 0:3 1:10 2:19 2:20 0:4 0:5 1:11 2:21 "
     "2:22 0:6 0:7 1:12 2:23 1:13 1:14 1:15"},
    {"q16_adpt",
     {3, 2, 4},
     2,
     16,
     "0:0 1:1 2:2 0:3 1:4 2:5 2:6 0:7 0:8 1:9 2:10 2:11 0:12 0:13 1:14 2:15 2:16 "
     "0:17 0:18 1:19 2:20 2:21 0:22 0:23"},
    {"qx_adpt",
     {3, 2, 4},
     2,
     3,
     "0:0 1:3 2:6 0:1 1:4 2:7 2:8 0:2 0:9 1:5 2:12 2:13 0:10 0:11 1:15 2:14 2:18 "
     "0:19 0:20 1:16 2:21 2:22 0:23 1:17"},
    {"BCS",
     {3, 2, 4},
     3,
     1,
     "0:0 1:2 2:4 0:1 1:3 2:5 0:6 0:7 2:8 2:9 0:10 0:11 1:12 1:13 2:14 2:15 0:16 "
     "0:17 2:18 2:19 0:20 0:21 1:22 1:23"},
    {"RR",
     {20, 1, 1},
     0,
     1,
     "0:0 1:1 2:2 0:3 1:4 2:5 2:6 0:7 0:8 1:9 2:10 2:11 0:12 0:13 1:14 2:15 2:16 "
     "0:17 0:18 1:19"},
    {"q8",
     {20, 1, 1},
     1,
     8,
     "0:0 1:8 2:16 0:1 1:9 2:17 2:18 0:2 0:3 1:10 2:19 0:4 0:5 1:11 0:6 0:7 1:12 "
     "1:13 1:14 1:15"},
    {"q16",
     {20, 1, 1},
     1,
     16,
     "0:0 1:16 0:1 1:17 0:2 0:3 1:18 0:4 0:5 1:19 0:6 0:7 0:8 0:9 0:10 0:11 0:12 "
     "0:13 0:14 0:15"},
    {"qx",
     {20, 1, 1},
     1,
     20,
     "0:0 0:1 0:2 0:3 0:4 0:5 0:6 0:7 0:8 0:9 0:10 0:11 0:12 0:13 0:14 0:15 0:16 "
     "0:17 0:18 0:19"},
    {"q8_adpt",
     {20, 1, 1},
     2,
     8,
     "0:0 1:8 2:16 0:1 1:9 2:17 2:18 0:2 0:3 1:10 2:19 0:4 0:5 1:11 0:6 0:7 1:12 "
     "1:13 1:14 1:15"},
    {"q16_adpt",
     {20, 1, 1},
     2,
     16,
     "0:0 1:1 2:2 0:3 1:4 2:5 2:6 0:7 0:8 1:9 2:10 2:11 0:12 0:13 1:14 2:15 2:16 "
     "0:17 0:18 1:19"},
    {"qx_adpt",
     {20, 1, 1},
     2,
     20,
     "0:0 1:1 2:2 0:3 1:4 2:5 2:6 0:7 0:8 1:9 2:10 2:11 0:12 0:13 1:14 2:15 2:16 "
     "0:17 0:18 1:19"},
    {"BCS",
     {20, 1, 1},
     3,
     1,
     "0:0 1:2 2:4 0:1 1:3 2:5 0:6 0:7 2:8 2:9 0:10 0:11 1:12 1:13 2:14 2:15 0:16 "
     "0:17 2:18 2:19"},
};

/* The unit with SMs that have room for so many CTAs. */
struct dispatch {
    struct pins unit;
    unsigned n_sms, slots, used[32];
    uint64_t served; /* SMs that got a CTA in this cycle */
};

static void launch(struct dispatch *d, unsigned total, enum policy policy, unsigned group)
{
    pin_set(&d->unit, "launch_valid", 1);
    pin_set(&d->unit, "launch_policy", policy);
    pin_set(&d->unit, "launch_total", total);
    pin_set(&d->unit, "launch_group", group);
    pin_set(&d->unit, "launch_groups", (total + group - 1) / group);
    pin_set(&d->unit, "launch_limit", d->slots);
    pin_set(&d->unit, "sm_free", 0);
    pin_set(&d->unit, "sm_free2", 0);
    unit_edge(&d->unit);
    pin_set(&d->unit, "launch_valid", 0);
    unit_comb(&d->unit);
    while (pin_get(&d->unit, "busy")) {
        unit_edge(&d->unit);
        unit_comb(&d->unit);
    }
}

/* The next CTA of this cycle and its SM, or -1. */
static int next(struct dispatch *d, unsigned *sm)
{
    uint64_t one = 0, two = 0;
    for (unsigned s = 0; s < d->n_sms; s++) {
        const uint64_t bit = UINT64_C(1) << s & ~d->served;
        one |= d->used[s] < d->slots ? bit : 0;
        two |= d->used[s] + 1 < d->slots ? bit : 0;
    }
    pin_set(&d->unit, "sm_free", one);
    pin_set(&d->unit, "sm_free2", two);
    for (unsigned edge = 0; edge < 2; edge++) {
        unit_edge(&d->unit);
        unit_comb(&d->unit);
        if (pin_get(&d->unit, "issue_valid")) {
            *sm = (unsigned)pin_get(&d->unit, "issue_sm");
            assert_true(*sm < d->n_sms && (one >> *sm & 1));
            d->used[*sm]++;
            d->served |= UINT64_C(1) << *sm;
            return (int)pin_get(&d->unit, "issue_cta");
        }
    }
    return -1;
}

static void append(char *text, size_t n, unsigned sm, int cta)
{
    const size_t used = strlen(text);
    snprintf(text + used, n - used, "%s%u:%d", used > 0 ? " " : "", sm, cta);
}

/* Cycle after cycle, until no SM can be served. */
static void settle(struct dispatch *d, char *text, size_t n)
{
    int cta;
    unsigned sm;
    do {
        d->served = 0;
        while ((cta = next(d, &sm)) >= 0) {
            append(text, n, sm, cta);
        }
    } while (d->served != 0);
}

static void play(void **state, const char *form)
{
    static const unsigned ends[] = {2, 0, 0, 1, 2};
    struct dispatch d = {.n_sms = SMS, .slots = SLOTS};
    unit_open(&d.unit, state, "sa_cta_sched", form, "c");
    for (size_t t = 0; t < sizeof traces / sizeof *traces; t++) {
        const struct trace *trace = &traces[t];
        const unsigned total = trace->grid[0] * trace->grid[1] * trace->grid[2];
        char got[2048] = "";
        launch(&d, total, trace->policy, trace->group);
        settle(&d, got, sizeof got);
        for (unsigned i = 0; d.used[0] + d.used[1] + d.used[2] > 0; i++) {
            const unsigned sm = ends[i % (sizeof ends / sizeof *ends)];
            if (d.used[sm] > 0) {
                d.used[sm]--;
                settle(&d, got, sizeof got);
            }
        }
        if (strcmp(got, trace->want) != 0) {
            fail_msg("%s on (%u,%u,%u):\n  want %s\n  got  %s", trace->name, trace->grid[0],
                     trace->grid[1], trace->grid[2], trace->want, got);
        }
    }
}

static void golden_traces(void **state)
{
    play(state, "NSM=3,ONE_CYCLE=1");
}

static void golden_traces_of_the_other_form(void **state)
{
    play(state, "NSM=3");
}

/* C-5: the linear id of a CTA in a grid of three dimensions. */
static void linear_ids(void **state)
{
    (void)state;
    const unsigned grid[] = {5, 2, 3}, cta[] = {4, 1, 2};
    assert_int_equal(cta[0] + cta[1] * grid[0] + cta[2] * grid[0] * grid[1], 29);
}

/* A kernel to its end, CTAs ending at random. */
static void run_random(struct dispatch *d, struct tb_random *random)
{
    bool issued[MOST_CTAS] = {false};
    const unsigned total = (unsigned)tb_random_below(random,
                                                     tb_random_below(random, 8) ? 40 : MOST_CTAS);
    unsigned sm, left = total, idle = 0;
    int cta;
    d->slots = 1 + (unsigned)tb_random_below(random, 8);
    memset(d->used, 0, sizeof d->used);
    launch(d, total, (enum policy)tb_random_below(random, 4),
           1 + (unsigned)tb_random_below(random, 20));
    while (left > 0) {
        d->served = 0;
        while ((cta = next(d, &sm)) >= 0) {
            assert_true((unsigned)cta < total && !issued[cta]);
            issued[cta] = true;
            left--;
            idle = 0;
        }
        assert_true(++idle < 10000);
        for (unsigned s = 0; s < d->n_sms; s++) {
            d->used[s] -= d->used[s] > 0 && tb_random_below(random, 2);
        }
    }
    d->served = 0;
    memset(d->used, 0, sizeof d->used);
    assert_int_equal(next(d, &sm), -1);
    unit_comb(&d->unit);
    assert_true(pin_get(&d->unit, "all_issued"));
}

static void random_launches(void **state)
{
    const char *asked = getenv("CTA_LAUNCHES");
    const unsigned long launches = asked != NULL ? strtoul(asked, NULL, 10) : 20000;
    static const char *const sets[] = {"NSM=3", "NSM=15", "NSM=3,EXEMPT=0,POOL_FIRST=0",
                                       "NSM=15,BCS_INITIAL=0,ROTATE=0"};
    for (size_t f = 0; f < sizeof sets / sizeof *sets; f++) {
        struct dispatch d = {.n_sms = strncmp(sets[f], "NSM=3", 5) == 0 ? 3 : 15};
        struct tb_random random;
        tb_random_seed(&random, f + 1);
        unit_open(&d.unit, state, "sa_cta_sched", sets[f], "c");
        for (unsigned long i = 0; i < launches / 4; i++) {
            run_random(&d, &random);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_traces), cmocka_unit_test(golden_traces_of_the_other_form),
        cmocka_unit_test(linear_ids), cmocka_unit_test(random_launches)};
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
