/* cmd_litmus.c - `warplock litmus`: litmus tests on a machine with a coherence protocol;
 * every outcome must be one that the protocol's memory model allows.
 *
 * Works after tabbakh2018-coherence 3.6.12.  Exit status: MISMATCH after a forbidden
 * outcome, a unit out of lockstep or a protocol violation. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "cli/run_units.h"
#include "litmus/litmus.h"
#include "mechanisms/mechanism.h"

enum {
    OPTION_TEST = 1000,
    OPTION_SEEDS,
    OPTION_JSON,
    OPTION_SET,
    OPTION_MODEL,
    OPTION_PTX,
    OPTION_THREADS,
    OPTION_VARIANT,
    OPTION_TIMING,
    MAX_SETS = 16,
    N_VARIANTS = 2 * LITMUS_PLACES * LITMUS_LINES
};

struct options {
    const char *protocol, *config, *test, *variant, *json, *backends;
    const char *set[MAX_SETS];
    const struct litmus_model *model;
    struct litmus_timing timing;
    size_t n_sets;
    uint32_t seeds, threads;
    bool ptx, verbose;
};

/* One protocol under test. */
struct session {
    const struct options *options;
    const char *protocol;
    const struct litmus_model *model;
    struct litmus_bench *bench;
    json_t *tests; /* of the JSON report, or NULL */
    uint32_t weak_allowed, weak_seen, forbidden;
};

static const struct argp_option OPTIONS[] = {
    {"mechanism", 'm', "PROTOCOL", 0, "protocol to test, and more mechanisms (default: each)", 0},
    {"config", 'c', "CONFIG", 0, "machine (default: tabbakh2018-ch3)", 0},
    {"backend", 'b', "UNIT=BACKEND,...", 0, "what a unit runs on: c, rtl, netlist, lockstep", 0},
    {"test", OPTION_TEST, "NAME", 0, "this test only", 0},
    {"variant", OPTION_VARIANT, "TEXT", 0, "only variants whose line has this: \"pairs, lines\"",
     0},
    {"seeds", OPTION_SEEDS, "N", 0, "runs of each variant (default 200)", 0},
    {"timing", OPTION_TIMING, "N,N,...", 0,
     "turns that each thread waits, then what it has copied: \"0,40x,7yz\" (default: by seed)", 0},
    {"model", OPTION_MODEL, "NAME", 0, "memory model to hold the machine to: sc, rc, rc-weak, none",
     0},
    {"set", OPTION_SET, "KEY=VALUE", 0, "change a configuration key; may be repeated", 0},
    {"threads", OPTION_THREADS, "N", 0, "threads for the SMs; changes no result", 0},
    {"json", OPTION_JSON, "FILE", 0, "write every histogram there; - is standard output", 0},
    {"ptx", OPTION_PTX, 0, 0, "print the kernels instead of running them", 0},
    {"verbose", 'v', 0, 0, "show every outcome", 0},
    {0}};

static void named_option(int key, const char *arg, struct options *o, struct argp_state *state)
{
    if (key == OPTION_TEST && litmus_find(o->test = arg) < 0) {
        argp_error(state, "--test %s: no such test; litmus --ptx shows all", arg);
    }
    if (key == OPTION_MODEL && (o->model = litmus_model_find(arg)) == NULL) {
        argp_error(state, "--model %s: give sc, rc, rc-weak or none", arg);
    }
    if (key == OPTION_TIMING && !litmus_timing_read(arg, &o->timing)) {
        argp_error(state,
                   "--timing %s: give 0 to 10000 and locations for each of up to %d "
                   "threads: 0,40x,7yz",
                   arg, LITMUS_THREADS);
    }
    if (key == OPTION_SET && o->n_sets == MAX_SETS) {
        argp_error(state, "more than %d --set; put them into a file", MAX_SETS);
    }
    if (key == OPTION_SET) {
        o->set[o->n_sets++] = arg;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'm': o->protocol = arg; break;
    case 'c': o->config = arg; break;
    case 'b': o->backends = arg; break;
    case 'v': o->verbose = true; break;
    case OPTION_PTX: o->ptx = true; break;
    case OPTION_VARIANT: o->variant = arg; break;
    case OPTION_JSON: o->json = arg; break;
    case OPTION_SEEDS: o->seeds = (uint32_t)cli_number("seeds", arg, 1, 1000000, state); break;
    case OPTION_THREADS: o->threads = (uint32_t)cli_number("threads", arg, 1, 64, state); break;
    case OPTION_TEST:
    case OPTION_MODEL:
    case OPTION_TIMING:
    case OPTION_SET: named_option(key, arg, o, state); break;
    case ARGP_KEY_ARG:
        argp_error(state, "%s: not understood; a protocol is given with -m", arg);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static struct litmus_variant variant_of(uint32_t number)
{
    return (struct litmus_variant){number & 1, (uint8_t)(number / 2 % LITMUS_PLACES),
                                   (uint8_t)(number / 2 / LITMUS_PLACES)};
}

static const char *variant_text(const struct litmus_variant *v, char *out, size_t n)
{
    static const char *const places[] = {"SMs", "one SM", "pairs"};
    static const char *const lines[] = {"lines", "one line", "xy in one"};
    snprintf(out, n, "%s, %s, %s", v->fenced ? "fenced" : "no fence", places[v->place],
             lines[v->lines]);
    return out;
}

/* A test without F has no fenced variants, one with a single location none on one line; pairs
 * are of three threads or more, x and y in one line of three locations. */
static bool makes_sense(const struct litmus_test *test, const struct litmus_variant *variant)
{
    return (!variant->fenced || strchr(test->text, 'F') != NULL) &&
           (variant->lines != LITMUS_ONE_LINE || test->n_locations > 1) &&
           (variant->lines != LITMUS_XY || test->n_locations > 2) &&
           (variant->place != LITMUS_PAIRS || test->n_threads > 2);
}

static void print_ptx(const struct options *o)
{
    for (size_t i = 0; i < litmus_count(); i++) {
        const struct litmus_test test = litmus_get(i);
        const struct litmus_variant fenced = {.fenced = true};
        char text[8192];
        if (o->test == NULL || strcmp(o->test, test.name) == 0) {
            litmus_ptx(&test, &fenced, text, sizeof text);
            fputs(text, stdout);
        }
    }
}

/* ---- one test ---- */

struct tally {
    uint64_t histogram[LITMUS_OUTCOMES];
    bool allowed[LITMUS_OUTCOMES];
    uint64_t weak; /* runs with the weak outcome */
    bool weak_allowed;
    uint32_t n_allowed, n_seen;
};

static void count(const struct litmus_test *test, struct tally *tally)
{
    for (uint32_t o = 0; o < LITMUS_OUTCOMES; o++) {
        const bool weak = (o & test->weak_mask) == test->weak;
        tally->n_allowed += tally->allowed[o];
        tally->n_seen += tally->histogram[o] > 0;
        tally->weak += weak ? tally->histogram[o] : 0;
        tally->weak_allowed |= weak && tally->allowed[o];
    }
}

/* Every outcome seen that is forbidden, or all of them. */
static void print_outcomes(const struct litmus_test *test, const struct tally *tally, bool all)
{
    char text[64];
    for (uint32_t o = 0; o < LITMUS_OUTCOMES; o++) {
        if (tally->histogram[o] > 0 && (all || !tally->allowed[o])) {
            litmus_outcome_text(test, o, text, sizeof text);
            printf("    %-32s %8" PRIu64 "%s\n", text, tally->histogram[o],
                   tally->allowed[o] ? "" : "  FORBIDDEN");
        }
    }
}

static json_t *json_of(const struct litmus_test *test, const struct litmus_variant *variant,
                       const struct tally *tally)
{
    json_t *outcomes = json_object(), *root = json_object();
    char text[64];
    for (uint32_t o = 0; o < LITMUS_OUTCOMES; o++) {
        if (tally->histogram[o] > 0 || tally->allowed[o]) {
            litmus_outcome_text(test, o, text, sizeof text);
            json_object_set_new(outcomes, text,
                                json_pack("{sIsb}", "seen", (json_int_t)tally->histogram[o],
                                          "allowed", tally->allowed[o]));
        }
    }
    json_object_set_new(root, "test", json_string(test->name));
    json_object_set_new(root, "threads", json_string(test->text));
    json_object_set_new(root, "variant", json_string(variant_text(variant, text, sizeof text)));
    json_object_set_new(root, "weak", json_string(test->weak_text));
    json_object_set_new(root, "weak_allowed", json_boolean(tally->weak_allowed));
    json_object_set_new(root, "weak_seen", json_integer((json_int_t)tally->weak));
    json_object_set_new(root, "outcomes", outcomes);
    return root;
}

static void report(struct session *session, const struct litmus_test *test,
                   const struct litmus_variant *variant, const struct tally *tally)
{
    uint32_t forbidden = 0;
    char text[64], seen[32];
    for (uint32_t o = 0; o < LITMUS_OUTCOMES; o++) {
        forbidden += tally->histogram[o] > 0 && !tally->allowed[o];
    }
    snprintf(seen, sizeof seen, "seen %" PRIu64, tally->weak);
    printf("  %-5s %-26s %2u of %2u allowed outcomes; %-15s %s, %s%s\n", test->name,
           variant_text(variant, text, sizeof text), tally->n_seen - forbidden, tally->n_allowed,
           test->weak_text, tally->weak_allowed ? "allowed" : "forbidden",
           tally->weak > 0 ? seen : "never seen", forbidden ? "  FORBIDDEN" : "");
    print_outcomes(test, tally, session->options->verbose);
    session->forbidden += forbidden;
    session->weak_allowed += tally->weak_allowed;
    session->weak_seen += tally->weak_allowed && tally->weak > 0;
    if (session->tests != NULL) {
        json_array_append_new(session->tests, json_of(test, variant, tally));
    }
}

static enum verdict run_test(struct session *session, const struct litmus_test *test)
{
    struct tally *tally = malloc(sizeof *tally);
    const char *only = session->options->variant;
    enum verdict verdict = tally != NULL ? VERDICT_PASS : VERDICT_LIMIT;
    char error[8192];
    for (uint32_t v = 0; v < N_VARIANTS && verdict == VERDICT_PASS; v++) {
        const struct litmus_variant variant = variant_of(v);
        char text[64];
        if (!makes_sense(test, &variant) ||
            (only != NULL && strstr(variant_text(&variant, text, sizeof text), only) == NULL)) {
            continue;
        }
        memset(tally, 0, sizeof *tally);
        litmus_allowed(test, &variant, session->model, tally->allowed);
        if (litmus_run(session->bench, test, &variant, session->options->seeds, tally->histogram,
                       error, sizeof error) != 0) {
            fprintf(stderr, "warplock: %s: %s\n", session->protocol, error);
            verdict = VERDICT_STUCK;
        } else {
            count(test, tally);
            report(session, test, &variant, tally);
        }
    }
    free(tally);
    return verdict;
}

/* ---- one protocol ---- */

static enum verdict run_tests(struct session *session)
{
    enum verdict verdict = VERDICT_PASS;
    const char *only = session->options->test;
    for (size_t i = 0; i < litmus_count() && verdict == VERDICT_PASS; i++) {
        const struct litmus_test test = litmus_get(i);
        if (only == NULL || strcmp(only, test.name) == 0) {
            verdict = run_test(session, &test);
        }
    }
    printf("  %u weak outcomes allowed, %u of them seen; %u forbidden outcomes seen\n",
           session->weak_allowed, session->weak_seen, session->forbidden);
    return verdict == VERDICT_PASS && session->forbidden > 0 ? VERDICT_MISMATCH : verdict;
}

static enum verdict run_on(struct session *session, struct gpu *gpu)
{
    const struct options *o = session->options;
    char error[512];
    struct run_units *units = run_units_attach(gpu, session->protocol, o->backends, error,
                                               sizeof error);
    enum verdict verdict = VERDICT_USAGE;
    if (units == NULL) {
        fprintf(stderr, "warplock: %s\n", error);
    } else if ((session->bench = litmus_bench_new(gpu, &o->timing)) == NULL) {
        fprintf(stderr, "warplock: out of memory\n");
    } else {
        printf("%s: held to %s (%s), %u seeds\n", session->protocol, session->model->name,
               session->model->about, o->seeds);
        verdict = run_tests(session);
        if (!run_units_report(units, stdout) && verdict == VERDICT_PASS) {
            verdict = VERDICT_MISMATCH;
        }
        fflush(stdout);
    }
    litmus_bench_free(session->bench);
    run_units_detach(units);
    return verdict;
}

/* The model to hold `protocol` to: as asked for, else what its mechanism promises. */
static const struct litmus_model *model_of(const struct options *o, const char *protocol)
{
    const char *promised = mechanism_memory_model(protocol);
    return o->model != NULL ? o->model : promised != NULL ? litmus_model_find(promised) : NULL;
}

static enum verdict run_protocol(const struct options *o, const struct gpu_config *config,
                                 const char *protocol, json_t *all)
{
    struct session session = {.options = o, .protocol = protocol, .model = model_of(o, protocol)};
    const struct gpu_options options = {.threads = o->threads};
    char error[512] = "out of memory";
    enum verdict verdict = VERDICT_USAGE;
    if (session.model == NULL) {
        fprintf(stderr, "warplock: -m %s: no coherence protocol among them; give --model too\n",
                protocol);
        return VERDICT_USAGE;
    }
    if (all != NULL) {
        json_object_set_new(all, protocol, session.tests = json_array());
    }
    struct memory *memory = memory_create();
    struct gpu *gpu = memory != NULL ? gpu_create(config, &options, memory, error, sizeof error)
                                     : NULL;
    if (gpu != NULL) {
        verdict = run_on(&session, gpu);
    } else {
        fprintf(stderr, "warplock: %s\n", error);
    }
    gpu_destroy(gpu);
    memory_destroy(memory);
    return verdict;
}

/* The protocol of -m, else one after the other every mechanism that promises a memory model and
 * fits the machine. */
static enum verdict run_protocols(const struct options *o, json_t *all)
{
    enum verdict worst = VERDICT_PASS;
    struct gpu_config config;
    char error[512];
    if (cli_read_config(o->config, o->set, o->n_sets, &config, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    if (o->protocol != NULL) {
        return run_protocol(o, &config, o->protocol, all);
    }
    const struct mechanism *mechanism;
    for (size_t i = 0; (mechanism = mechanism_at(i)) != NULL; i++) {
        if (mechanism->memory_model != NULL && mechanism_unmet(mechanism, &config) == NULL) {
            const enum verdict verdict = run_protocol(o, &config, mechanism->name, all);
            worst = worst == VERDICT_PASS ? verdict : worst;
        }
    }
    return worst;
}

static enum verdict write_json(const char *path, json_t *all)
{
    const int result = strcmp(path, "-") == 0
                           ? json_dumpf(all, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER)
                           : json_dump_file(all, path, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    if (result != 0) {
        fprintf(stderr, "warplock: cannot write %s; check the path\n", path);
    }
    return result == 0 ? VERDICT_PASS : VERDICT_USAGE;
}

int cmd_litmus(int argc, char **argv)
{
    static const struct argp argp = {
        OPTIONS,
        parse,
        NULL,
        "Run litmus tests with many timings and compare what comes out with what the protocol's "
        "memory model allows.\vExit status: 0 pass, 1 a forbidden outcome, 2 bad use.",
        NULL,
        NULL,
        NULL};
    /* threads wait by loops: a turn of a few cycles, so that all meetings occur */
    struct options o = {.config = "tabbakh2018-ch3",
                        .seeds = 200,
                        .set = {"icnt.jitter=300", "sm.branch_cycles=4", "pipe.int_latency=4"},
                        .n_sets = 3};
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    if (o.ptx) {
        print_ptx(&o);
        return VERDICT_PASS;
    }
    json_t *all = o.json != NULL ? json_object() : NULL;
    enum verdict worst = run_protocols(&o, all);
    if (all != NULL && worst != VERDICT_USAGE && write_json(o.json, all) != VERDICT_PASS) {
        worst = VERDICT_USAGE;
    }
    json_decref(all);
    return (int)worst;
}
