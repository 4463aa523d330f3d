/* test_experiments - experiments as data: what a file may say and what is refused with its line;
 * expressions over counters; means, the best of several columns and verdicts, on numbers made by
 * hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "experiments/results.h"

static bool is(double value, double expected)
{
    return fabs(value - expected) < 1e-9;
}

static char path[] = "/tmp/experiment-XXXXXX";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* What reading `text` complains of behind the file's name; NULL for nothing. */
static const char *refused(const char *text)
{
    static char error[1024];
    write_file(text);
    struct experiment *experiment = experiment_read(path, error, sizeof error);
    experiment_free(experiment);
    return experiment != NULL ? NULL : error + strlen(path) + 1;
}

#define HEAD \
    "{\n \"title\": \"t\", \"machine\": \"m\", \"workloads\": [\"a\", \"b:tiny\", \"c\"],\n"
#define METRICS " \"metrics\": [{\"name\": \"ipc\", \"of\": \"x.ipc\", \"over_baseline\": true}],\n"
#define SCHEMES " \"schemes\": [{\"name\": \"base\"}, {\"name\": \"two\", \"mechanisms\": \"q\"}]"

static void refusals(void **state)
{
    (void)state;
    assert_null(refused(HEAD METRICS SCHEMES "}"));
    assert_non_null(strstr(refused(HEAD METRICS SCHEMES ",\n \"clams\": []}"),
                           "5: 'clams' is not known here; there is: title"));
    assert_non_null(strstr(refused("{\n\n \"title\": 3}"), "3: 'title' must be there, a text"));
    assert_non_null(strstr(refused(HEAD METRICS SCHEMES), "4: "));
    assert_non_null(strstr(refused(HEAD METRICS SCHEMES
                                   ",\n \"causes\": [{\"text\": \"x\", \"run\": \"y\",\n  "
                                   "\"figures\": [{\"metric\": \"ipc\", \"scheme\": \"two\", "
                                   "\"workload\": \"d\", \"value\": 1}]}]}"),
                           "6: there is no workload 'd'; name one of 'workloads'"));
    assert_non_null(
        strstr(refused(HEAD METRICS " \"schemes\": [{\"name\": \"a\"},\n  {\"name\": \"a\"}]}"),
               "5: two schemes are named 'a'"));
    assert_non_null(strstr(refused(HEAD METRICS SCHEMES
                                   ",\n \"claims\": [\n  {\"metric\": \"ipc\",\n   \"scheme\": "
                                   "\"three\", \"value\": 1}]}"),
                           "7: there is no scheme 'three'"));
    assert_non_null(strstr(refused(HEAD METRICS SCHEMES ",\n \"claims\": [\n  {\"metric\": \"ip\", "
                                                        "\"scheme\": \"two\", \"value\": 1}]}"),
                           "6: there is no metric 'ip'"));
    assert_non_null(
        strstr(refused(HEAD METRICS SCHEMES ",\n \"claims\": [\n  {\"metric\": \"ipc\", "
                                            "\"scheme\": \"two\", \"value\": 1,\n "
                                            "\"tolerance\": 0.2}]}"),
               "7: a tolerance above 0.1 needs a 'tolerance_reason'"));
    assert_non_null(
        strstr(refused(HEAD METRICS SCHEMES ",\n \"claims\": [\n  {\"metric\": \"ipc\", "
                                            "\"scheme\": \"two\", \"value\": 1,\n "
                                            "\"words\": 1}]}"),
               "7: 'words' is true or false"));
    assert_non_null(strstr(
        refused(HEAD " \"metrics\": [\n  {\"name\": \"n\", \"of\": \"x +\"}],\n" SCHEMES "}"),
        "4: 'of': 'x +' is no expression over counters"));
    assert_non_null(strstr(refused(HEAD " \"metrics\": [\n  \"nowhere.json\"],\n" SCHEMES "}"),
                           "4: /tmp/nowhere.json: No such file"));
    assert_non_null(
        strstr(refused(HEAD METRICS " \"schemes\": [{\"name\": \"a\", \"best_of\": [\"a\"], "
                                    "\"by\": \"ipc\"}]}"),
               "4: there is no scheme 'a'"));
#define CHOSEN(rest) \
    HEAD METRICS " \"schemes\": [{\"name\": \"x\"}, {\"name\": \"y\", \"chosen\": " rest "}]}"
    assert_non_null(strstr(refused(CHOSEN("{\"a\": \"x\"}")), "4: no scheme is chosen for 'b"));
    assert_non_null(
        strstr(refused(CHOSEN("{\"q\": \"x\"}, \"else\": \"x\"")), "4: there is no workload 'q'"));
    assert_non_null(
        strstr(refused(CHOSEN("{\"a\": \"y\"}, \"else\": \"x\"")), "4: there is no scheme 'y'"));
    assert_non_null(strstr(refused(CHOSEN("[]")), "4: 'chosen' must be an object"));
    assert_non_null(strstr(refused(CHOSEN("{}, \"best_of\": [\"x\"], \"by\": \"ipc\"")),
                           "4: 'best_of' and 'chosen' exclude each other"));
    assert_non_null(
        strstr(refused(HEAD METRICS " \"schemes\": [{\"name\": \"x\", \"else\": \"x\"}]}"),
               "4: 'else' has no meaning without 'chosen'"));
#undef CHOSEN
}

/* A file with the workloads, beside the experiment, is as if they stood in it. */
static void named_list(void **state)
{
#define NAMED(rest) "{\n \"title\": \"t\", \"machine\": \"m\",\n \"workloads\": " rest
    (void)state;
    char list[] = "/tmp/workloads-XXXXXX", text[1024], error[1024];
    const int fd = mkstemp(list);
    assert_true(write(fd, "[\"a\",\n \"b:tiny\",\"c\"]", 20) == 20 && close(fd) == 0);
    struct experiment *in_it = experiment_read_text(path, HEAD METRICS SCHEMES "}", error,
                                                    sizeof error);
    snprintf(text, sizeof text, NAMED("\"%s\",\n") METRICS SCHEMES "}", strrchr(list, '/') + 1);
    struct experiment *named = experiment_read_text(path, text, error, sizeof error);
    assert_non_null(in_it);
    assert_non_null(named);
    assert_int_equal(named->n_workloads, 3);
    assert_string_equal(named->workloads[1], "b:tiny");
    assert_string_equal(named->workload_places[1] + strlen(list), ":2");
    assert_string_equal(named->digest, in_it->digest);
    experiment_free(in_it);
    experiment_free(named);
    assert_int_equal(truncate(list, 1), 0);
    assert_non_null(strstr(refused(text), ":1: "));
    unlink(list);
    assert_non_null(strstr(refused(text), "3: /tmp/workloads-"));
    assert_non_null(strstr(refused(NAMED("[],\n") METRICS SCHEMES "}"),
                           "3: 'workloads' must be a list of 1 or more"));
    assert_non_null(strstr(refused(NAMED("3,\n") METRICS SCHEMES "}"),
                           "3: 'workloads' must be a list of 1 or more"));
#undef NAMED
}

/* Keys joined by dots; _ is every member; what a mechanism or a kernel did not count is 0. */
static void expressions(void **state)
{
    char error[256];
    double value;
    (void)state;
    json_t *run = json_pack("{s:{s:i, s:{s:{s:i}, s:{s:i}}, s:[{s:i}, {s:i}]}, s:{}}", "x", "a", 6,
                            "net", "read", "n", 10, "write", "n", 4, "slots", "s", 1, "s", 2,
                            "mechanisms");
    struct expression *e = expression_new("x.a * (x.net._.n + x.slots._.s) / 2 - mechanisms.q.z",
                                          error, sizeof error);
    assert_non_null(e);
    assert_true(expression_value(e, run, &value, error, sizeof error));
    assert_true(is(value, 51));
    expression_free(e);
    e = expression_new("x.b + 1", error, sizeof error);
    assert_false(expression_value(e, run, &value, error, sizeof error));
    assert_non_null(strstr(error, "no counter 'x.b'"));
    expression_free(e);
    /* A kernel that was not launched has counted 0; what no kernel counts is refused. */
    json_object_set_new(run, "statistics", json_pack("{s:{s:{s:i}}}", "kernels", "k", "cycles", 9));
    e = expression_new("statistics.kernels.k.cycles + statistics.kernels.other.cycles", error,
                       sizeof error);
    assert_true(expression_has(run, "statistics.kernels.other.cycles"));
    assert_true(expression_value(e, run, &value, error, sizeof error));
    assert_true(is(value, 9));
    expression_free(e);
    assert_false(expression_has(run, "statistics.kernels.k.hits"));
    assert_false(expression_has(run, "statistics.kernel.k.cycles"));
    json_decref(run);
}

static struct experiment *experiment_of(const char *metric, const char *more)
{
    char text[2000], error[512];
    snprintf(text, sizeof text,
             HEAD " \"metrics\": [%s],\n \"schemes\": [{\"name\": \"base\"}, {\"name\": \"one\"}, "
                  "{\"name\": \"two\"}, {\"name\": \"best\", \"best_of\": [\"base\", \"one\", "
                  "\"two\"], \"by\": \"ipc\"}, {\"name\": \"picked\", "
                  "\"chosen\": {\"b\": \"one\"}, \"else\": \"two\"}]%s}",
             metric, more);
    write_file(text);
    struct experiment *experiment = experiment_read(path, error, sizeof error);
    if (experiment == NULL) {
        fail_msg("%s", error);
    }
    return experiment;
}

/* ipc of a, b, c under base, one, two. */
static void fill(struct results *results, const struct experiment *experiment)
{
    static const double ipc[3][3] = {{1, 2, 4}, {2, 2, 1}, {4, 16, 4}};
    char error[256];
    assert_true(results_new(results, experiment));
    for (size_t w = 0; w < 3; w++) {
        for (size_t s = 0; s < 3; s++) {
            json_t *run = json_pack("{s:{s:f, s:i}}", "x", "ipc", ipc[w][s], "weight", (int)w + 1);
            assert_true(results_add(results, w, s, run, error, sizeof error));
            json_decref(run);
        }
    }
    results_take_columns(results);
}

static double mean_of(const char *how, size_t scheme)
{
    char metric[200];
    struct results results;
    snprintf(metric, sizeof metric, "{\"name\": \"ipc\", \"of\": \"x.ipc\", \"mean\": %s}", how);
    struct experiment *experiment = experiment_of(metric, "");
    fill(&results, experiment);
    const double mean = results_mean(&results, 0, scheme, experiment->n_schemes);
    results_free(&results);
    experiment_free(experiment);
    return mean;
}

static void means(void **state)
{
    (void)state;
    assert_true(is(mean_of("\"geometric\"", 1), 4)); /* (2 2 16)^(1/3) */
    assert_true(is(mean_of("\"geometric\", \"over_baseline\": true", 1), 2));
    assert_true(is(mean_of("\"arithmetic\"", 1), 20. / 3));
    assert_true(is(mean_of("\"harmonic\"", 2), 2)); /* 3 / (1/4 + 1 + 1/4) */
    assert_true(is(mean_of("\"weighted\", \"weight\": \"x.weight\"", 1), 9));
    assert_true(is(mean_of("\"arithmetic\", \"where\": \"x.ipc - 2\"", 1), 16));
    assert_true(is(mean_of("\"arithmetic\"", 3), 22. / 3)); /* the best */
    assert_true(is(mean_of("\"arithmetic\"", 4), 10. / 3)); /* 4 2 4, as chosen */
}

static enum claim_verdict verdict_of(const char *claim)
{
    char more[300];
    double ours;
    struct results results;
    snprintf(more, sizeof more, ", \"claims\": [{\"metric\": \"ipc\", %s}]", claim);
    struct experiment *experiment = experiment_of(
        "{\"name\": \"ipc\", \"of\": \"x.ipc\", \"over_baseline\": true}", more);
    fill(&results, experiment);
    const enum claim_verdict verdict = results_claim(&results, &experiment->claims[0], &ours);
    results_free(&results);
    experiment_free(experiment);
    return verdict;
}

/* `one` is 2 times the baseline, `two` is (4 .5 1)^(1/3) = 1.26, `two` over `one` 0.63. */
static void verdicts(void **state)
{
    (void)state;
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 1.9"), CLAIM_AGREES);
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 1.5"), CLAIM_DIRECTION);
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 1.5, \"tolerance\": 0.4, "
                                "\"tolerance_reason\": \"read off a plot\""),
                     CLAIM_AGREES);
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 0.9"), CLAIM_DIFFERS);
    /* What is printed as more than 1.00 is more, however little; what is printed as 1.00 is not. */
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 1.01"), CLAIM_DIRECTION);
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 1.004"), CLAIM_DIFFERS);
    assert_int_equal(verdict_of("\"scheme\": \"two\", \"over\": \"one\", \"value\": 0.98"),
                     CLAIM_DIRECTION);
    assert_int_equal(verdict_of("\"scheme\": \"two\", \"over\": \"one\", \"value\": 0.63"),
                     CLAIM_AGREES);
    assert_int_equal(verdict_of("\"scheme\": \"two\", \"over\": \"one\", \"value\": 1.2"),
                     CLAIM_DIFFERS);
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 2.1, \"bound\": \"below\""),
                     CLAIM_AGREES);
    assert_int_equal(verdict_of("\"scheme\": \"one\", \"value\": 1.99, \"bound\": \"below\""),
                     CLAIM_DIFFERS);
}

/* What a cause says of the results is held against them: `one` over the baseline is 2, 1 and 4. */
static void contradicted(void **state)
{
    (void)state;
    char printed[2000] = "";
    struct results results;
    struct experiment *experiment = experiment_of(
        "{\"name\": \"ipc\", \"of\": \"x.ipc\", \"over_baseline\": true, \"digits\": 2}",
        ", \"causes\": [{\"text\": \"It is so.\", \"run\": \"again\", \"figures\": ["
        "{\"metric\": \"ipc\", \"scheme\": \"one\", \"value\": 2},"
        "{\"metric\": \"ipc\", \"scheme\": \"one\", \"workload\": \"b\", \"value\": 1},"
        "{\"metric\": \"ipc\", \"scheme\": \"one\", \"workload\": \"c\", \"value\": 3},"
        "{\"metric\": \"ipc\", \"scheme\": \"two\", \"over\": \"one\", \"workload\": \"a\", "
        "\"value\": 1.5, \"bound\": \"below\"}]}]");
    fill(&results, experiment);
    FILE *out = fmemopen(printed, sizeof printed, "w");
    assert_non_null(out);
    results_print_foot(&results, 1, out);
    fclose(out);
    assert_non_null(strstr(printed, "It is so.\n"
                                    "  not so: ipc of one over base, c: 4.00 here, and the cause "
                                    "says 3.00\n"
                                    "  not so: ipc of two over one, a: 2.00 here, and the cause "
                                    "says at most 1.50\n"
                                    "  again: again\n"));
    results_free(&results);
    experiment_free(experiment);
}

/* A run that is missing leaves the claim open, whatever the others give. */
static void missing_runs(void **state)
{
    struct results results;
    double ours;
    (void)state;
    struct experiment *experiment = experiment_of(
        "{\"name\": \"ipc\", \"of\": \"x.ipc\", \"over_baseline\": true}",
        ", \"claims\": [{\"metric\": \"ipc\", \"scheme\": \"one\", \"value\": 2}]");
    fill(&results, experiment);
    assert_int_equal(results_claim(&results, &experiment->claims[0], &ours), CLAIM_AGREES);
    results.value[0 * 4 + 1] = NAN;
    assert_int_equal(results_claim(&results, &experiment->claims[0], &ours), CLAIM_OPEN);
    results_free(&results);
    experiment_free(experiment);
}

static struct experiment *swept_experiment(const char *parameters, const char *more)
{
    char text[2000], error[512];
    snprintf(text, sizeof text,
             "{\"title\": \"t\", \"machine\": \"m\", \"workloads\": [\"w:n={a}\"], \"set\": "
             "[\"k={b}{c}{d}\"],\n" METRICS SCHEMES ", \"parameters\": [%s]%s}",
             parameters, more);
    write_file(text);
    struct experiment *experiment = experiment_read(path, error, sizeof error);
    if (experiment == NULL) {
        fail_msg("%s", error);
    }
    return experiment;
}

/* Axes are crossed, the last the fastest; those of a zip go together; one is made of others. */
static void settings(void **state)
{
    char text[PARAMETER_TEXT];
    (void)state;
    struct experiment *e = swept_experiment(
        "{\"name\": \"a\", \"from\": 1, \"to\": 8, \"factor\": 2}, {\"zip\": [{\"name\": \"b\", "
        "\"values\": [1, 2.5, true]}, {\"name\": \"c\", \"values\": [\"x\", \"y\", \"z\"]}]}, "
        "{\"name\": \"d\", \"of\": \"a * b + 1\"}",
        ", \"claims\": [{\"metric\": \"ipc\", \"scheme\": \"two\", \"value\": 1, \"at\": {\"a\": "
        "4, \"c\": \"y\"}}]");
    assert_int_equal(e->parameters.n_settings, 12);
    parameters_describe(&e->parameters, 7, text, sizeof text);
    assert_string_equal(text, "a=4 b=2.5 c=y d=11");
    assert_true(parameters_fill(&e->parameters, 7, e->set[0], text, sizeof text));
    assert_string_equal(text, "k=2.5y11");
    assert_true(parameters_fill(&e->parameters, 11, e->workloads[0], text, sizeof text));
    assert_string_equal(text, "w:n=8");
    assert_false(parameters_fill(&e->parameters, 7, "12345{a}", text, 6));
    assert_int_equal(e->claims[0].setting, 7);
    experiment_free(e);
    e = swept_experiment("{\"name\": \"a\", \"from\": 0.1, \"to\": 0.5, \"step\": 0.1}, {\"name\": "
                         "\"b\", \"values\": [0]}, {\"name\": \"c\", \"of\": \"a\"}, {\"name\": "
                         "\"d\", \"of\": \"c\"}",
                         "");
    assert_int_equal(e->parameters.n_settings, 5);
    parameters_describe(&e->parameters, 4, text, sizeof text);
    assert_string_equal(text, "a=0.5 b=0 c=0.5 d=0.5");
    experiment_free(e);
}

/* A cell is the mean over its seeds, and has no value while one of them is missing. */
static void seeds(void **state)
{
    struct results results;
    (void)state;
    struct experiment *e = experiment_of("{\"name\": \"ipc\", \"of\": \"x.ipc\"}", "");
    assert_true(results_new(&results, e));
    for (size_t w = 0; w < 3; w++) {
        for (size_t s = 0; s < 3; s++) {
            results_put(&results, 0, w, s, &(struct measured){.value = 2, .weight = 1});
            results_put(&results, 0, w, s, &(struct measured){.value = 5, .weight = 3});
        }
    }
    results_miss(&results, 1, 2);
    results_average(&results);
    assert_true(is(results_raw(&results, 0, 0, 0), 3.5));
    assert_true(is(results.weight[0], 2));
    assert_true(isnan(results_raw(&results, 0, 1, 2)));
    assert_true(is(results_raw(&results, 0, 1, 1), 3.5));
    results_free(&results);
    experiment_free(e);
}

/* Launches of the kernel k as {instructions, cycles}, ended by 0, with another kernel between. */
static void add_launches(struct results *results, size_t scheme, const int launch[][2])
{
    char error[256];
    json_t *list = json_array();
    for (int at = 100; (*launch)[0] != 0; at += 1000, launch++) {
        json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:i}", "kernel", "k", "start_cycle",
                                              at, "end_cycle", at + (*launch)[1],
                                              "warp_instructions", (*launch)[0]));
        json_array_append_new(list,
                              json_pack("{s:s, s:i, s:i, s:i}", "kernel", "other", "start_cycle",
                                        at + 500, "end_cycle", at + 501, "warp_instructions", 999));
    }
    json_t *run = json_pack("{s:{s:o}}", "statistics", "launches", list);
    for (size_t w = 0; w < 3; w++) {
        assert_true(results_add(results, w, scheme, run, error, sizeof error));
    }
    json_decref(run);
}

/* One over another is taken launch by launch: of those that both have, and for which "where" holds. */
static void launches(void **state)
{
    static const struct {
        const char *mean;
        double one, best, two_over_one, raw;
    } of[] = {{"harmonic", .8, 2.4, 12 / 7., 8 / 3.}, /* of 1/2 and 8/4; 6/2 and 8/4; 6/1 and 8/8 */
              {"arithmetic", 1.25, 2.5, 3.5, 3},
              {"geometric", 1, sqrt(6), sqrt(6), sqrt(8)}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char metric[300];
        struct results results;
        snprintf(metric, sizeof metric,
                 "{\"name\": \"ipc\", \"launches\": [\"j\", \"k\"], \"of\": "
                 "\"launch.warp_instructions / launch.cycles\", \"where\": "
                 "\"launch.warp_instructions - 10\", \"over_baseline\": true, \"mean\": \"%s\"}",
                 of[i].mean);
        struct experiment *e = experiment_of(metric, "");
        assert_true(results_new(&results, e));
        add_launches(&results, 0, (const int[][2]){{20, 10}, {40, 10}, {10, 2}, {0, 0}});
        add_launches(&results, 1, (const int[][2]){{20, 20}, {40, 5}, {11, 1}, {90, 9}, {0, 0}});
        add_launches(&results, 2, (const int[][2]){{60, 10}, {80, 10}, {0, 0}});
        results_take_columns(&results);
        assert_true(is(results_mean(&results, 0, 1, e->n_schemes), of[i].one));
        assert_true(is(results_mean(&results, 0, 2, 1), of[i].two_over_one));
        assert_true(is(results_value(&results, 0, 2, 2), of[i].best));
        assert_true(is(results_raw(&results, 0, 1, 0), of[i].raw));
        results_free(&results);
        experiment_free(e);
    }
}

/* What is stored comes back, the launches without a value too. */
static void stored_launches(void **state)
{
    double values[] = {.1, NAN, 3};
    struct by_launch read;
    (void)state;
    char *text = by_launch_text(&(struct by_launch){values, 3});
    assert_true(by_launch_read(&read, text));
    assert_int_equal(read.n, 3);
    assert_true(read.value[0] == .1 && isnan(read.value[1]) && read.value[2] == 3);
    free(text);
    by_launch_free(&read);
    assert_false(by_launch_read(&read, "[1"));
    assert_false(by_launch_read(&read, NULL));
}

/* Rows of the same workload are told apart by the items of their sizes that others lack. */
static void rows(void **state)
{
    static const char *const names[][3] = {
        {"w", "w form=warp,launches=8", "w form=warp,launches=4"},
        {"v graph=web", "v graph=streets", "w"},
        {"w n=2", "w n=8,m=2", "w n=8,m=3"}};
    static const char *const lists[] = {
        "\"w:small,n={a}\", \"w:small,n={a},form=warp,launches={a}\", "
        "\"w:small,n={a},form=warp,launches=4\"",
        "\"v:n={a},graph=web,edges=9\", \"v:n={a},graph=streets,edges=1\", \"w\"",
        "\"w:n=2,m=2\", \"w:n={a},m=2\", \"w:n={a},m=3\""};
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[1000], error[512], name[ROW_NAME];
        snprintf(text, sizeof text,
                 "{\"title\": \"t\", \"machine\": \"m\", \"workloads\": [%s],"
                 "\"parameters\": [{\"name\": \"a\", \"values\": [1, 8]}]," METRICS SCHEMES "}",
                 lists[i]);
        struct experiment *e = experiment_read_text(path, text, error, sizeof error);
        assert_non_null(e);
        for (size_t w = 0; w < 3; w++) {
            experiment_row_name(e, 1, w, name);
            assert_string_equal(name, names[i][w]);
        }
        experiment_row_name(e, 2, 1, name);
        assert_string_equal(name, i == 0   ? "w form=warp,launches={a}"
                                  : i == 1 ? "v graph=streets"
                                           : "w n={a},m=2");
        experiment_free(e);
    }
    assert_non_null(strstr(refused("{\n \"title\": \"t\", \"machine\": \"m\", \"workloads\": "
                                   "[\"a\",\n\"b\",\n\"a\"],\n" METRICS SCHEMES "}"),
                           "4: 'a' is there twice"));
}

/* Kernels that take time are those of all metrics' launches, each once. */
static void timed(void **state)
{
#define OF(name, launches) \
    "{\"name\": \"" name "\", \"launches\": [" launches "], \"of\": \"launch.cycles\"}"
    (void)state;
    const char *two = OF("ipc", "\"j\", \"k\"") ", " OF("i", "\"i\", \"j\"");
    struct experiment *all = experiment_of(two, ""),
                      *some = experiment_of(two, ", \"timed\": true");
    assert_int_equal(all->n_timed, 0);
    assert_int_equal(some->n_timed, 3);
    assert_string_equal(some->timed[0], "j");
    assert_string_equal(some->timed[1], "k");
    assert_string_equal(some->timed[2], "i");
    experiment_free(all);
    experiment_free(some);
    some = experiment_of(two, ", \"timed\": {\"i\": 3, \"j\": 2}");
    assert_int_equal(some->n_timed, 3);
    assert_string_equal(some->timed[0], "j/2");
    assert_string_equal(some->timed[1], "k");
    assert_string_equal(some->timed[2], "i/3");
    experiment_free(some);
#undef OF
}

static void refused_launches(void **state)
{
#define LAUNCHES(of, more) \
    HEAD " \"metrics\": [{\"name\": \"n\", \"launches\": [\"k\"],\n\"of\": \"" of "\"" more \
         "}],\n" SCHEMES
    (void)state;
    assert_null(refused(LAUNCHES("launch.cycles", "") "}"));
    assert_non_null(strstr(refused(LAUNCHES("launch.cycle", "") "}"),
                           "4: a launch has no 'launch.cycle'; name launch.cycles or"));
    assert_non_null(strstr(refused(LAUNCHES("launch.cycles", ", \"where\": \"x.y\"") "}"),
                           "4: a launch has no 'x.y'"));
    assert_non_null(strstr(
        refused(LAUNCHES("launch.cycles", ", \"mean\": \"weighted\", \"weight\": \"1\"") "}"),
        "3: the mean over launches is not weighted"));
    assert_non_null(
        strstr(refused(HEAD " \"metrics\": [{\"name\": \"n\", \"launches\": [\"k\",\n\"k,i\"],"
                            " \"of\": \"1\"}],\n" SCHEMES "}"),
               "4: a text of 'launches' is one kernel's name"));
    assert_non_null(strstr(refused(LAUNCHES("launch.cycles", "") ", \"seeds\": [1, 2]}"),
                           "3: launches are compared one by one, of one seed"));
    assert_null(refused(LAUNCHES("launch.cycles", "") ", \"timed\": true}"));
    assert_non_null(strstr(refused(LAUNCHES("launch.cycles", "") ",\n\"timed\": [\"k\"]}"),
                           "6: 'timed' is true or false"));
    assert_null(refused(LAUNCHES("launch.cycles", "") ", \"timed\": {\"k\": 3}}"));
    assert_non_null(strstr(refused(LAUNCHES("launch.cycles", "") ",\n\"timed\": {\"i\": 3}}"),
                           "6: no metric has launches of 'i'"));
    assert_non_null(strstr(refused(LAUNCHES("launch.cycles", "") ",\n\"timed\": {\"k\": 1}}"),
                           "6: of 'k' one launch in 2 to 1000"));
    assert_non_null(strstr(refused(LAUNCHES("launch.cycles", "") ",\n\"timed\": {\"k\": 2.5}}"),
                           "6: of 'k' one launch in 2 to 1000"));
    assert_non_null(
        strstr(refused(HEAD METRICS SCHEMES ",\n\"timed\": true}"), "no metric has 'launches'"));
#undef LAUNCHES
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),        cmocka_unit_test(named_list),
        cmocka_unit_test(expressions),     cmocka_unit_test(means),
        cmocka_unit_test(verdicts),        cmocka_unit_test(contradicted),
        cmocka_unit_test(missing_runs),    cmocka_unit_test(settings),
        cmocka_unit_test(seeds),           cmocka_unit_test(launches),
        cmocka_unit_test(stored_launches), cmocka_unit_test(refused_launches),
        cmocka_unit_test(timed),           cmocka_unit_test(rows)};
    close(mkstemp(path));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
