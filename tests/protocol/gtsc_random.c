/* gtsc_random.c - random protocol tester of the G-TSC units.
 *
 * Drives gtsc_l1 of several SMs, gtsc_l2 of several banks and gtsc_reset_ctl through the unit
 * interface, on any backend, with messages in random order, small caches and timestamps, and
 * checks every load against a memory in logical time (golden.h).  Works after tabbakh2018
 * 3.6.8 (model check) and 3.6.9. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "machine.h"

struct options {
    struct machine_config config;
    const char *form, *record;
    uint64_t accesses, seed, runs;
    bool shrink;
};

enum { KEY_LIST = 1000, MOST_RECORDED_ACCESSES = 100000 };
static const struct argp_option argp_options[] = {
    {"backend", 'b', "FORM", 0, "c (default), rtl, netlist, lockstep", 0},
    {"accesses", 'n', "N", 0, "accesses of one run (1000000)", 0},
    {"seed", 's', "S", 0, "seed of the first run (1)", 0},
    {"runs", 'r', "N", 0, "runs, each with the next seed (1)", 0},
    {"set", 'k', "KEY=V,...", 0, "the machine; --keys lists", 0},
    {"l1", '1', "P=V,...", 0, "parameters of gtsc_l1", 0},
    {"l2", '2', "P=V,...", 0, "parameters of gtsc_l2", 0},
    {"reset-mode", 'm', "M", 0, "RESET_MODE of gtsc_reset_ctl (0)", 0},
    {"plant", 'p', "FLAW", 0,
     "a fault around the units: no-mem-ts, old-data, no-probe, only-d-g15, reorder", 0},
    {"shrink", 'S', NULL, 0, "after a failure look for a shorter one among other seeds", 0},
    {"record", 'w', "FOLDER", 0,
     "the failing run again, waves and sequences of its units in FOLDER", 0},
    {"keys", KEY_LIST, NULL, 0, "list the keys of --set", 0},
    {0}};

static const char *const flaws[] = {"no-mem-ts", "old-data", "no-probe", "only-d-g15", "reorder"};

static bool set_key(struct machine_config *c, const char *key, int64_t value)
{
#define K(name, standard, least, greatest, doc) \
    if (strcmp(key, #name) == 0 && value >= (least) && value <= (greatest)) { \
        c->name = value; \
        return true; \
    }
    MACHINE_KEYS(K)
#undef K
    return false;
}

static void set_keys(struct argp_state *state, struct machine_config *c, const char *text)
{
    char copy[400], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *one = strtok_r(copy, ",", &save); one != NULL; one = strtok_r(NULL, ",", &save)) {
        char *equals = strchr(one, '='), *end = NULL;
        const long long value = equals != NULL ? strtoll(equals + 1, &end, 0) : 0;
        if (equals != NULL) {
            *equals = '\0';
        }
        if (equals == NULL || *end != '\0' || end == equals + 1 || !set_key(c, one, value)) {
            argp_error(state, "--set %s: unknown key or value out of range; --keys lists them",
                       one);
        }
    }
}

static void list_keys(void)
{
#define K(name, standard, least, greatest, doc) \
    printf("%-12s %d (%d..%d)  %s\n", #name, standard, least, greatest, doc);
    MACHINE_KEYS(K)
#undef K
}

static uint64_t number(struct argp_state *state, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || value < 0 || value > 1e15) {
        argp_error(state, "%s: not a number", text);
    }
    return (uint64_t)value;
}

static void plant(struct argp_state *state, struct machine_config *c, const char *name)
{
    for (unsigned i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        if (strcmp(name, flaws[i]) == 0) {
            c->plant |= 1u << i;
            return;
        }
    }
    argp_error(state, "--plant %s: no such flaw", name);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'b': o->form = arg; break;
    case 'n': o->accesses = number(state, arg); break;
    case 's': o->seed = number(state, arg); break;
    case 'r': o->runs = number(state, arg); break;
    case 'k': set_keys(state, &o->config, arg); break;
    case '1': snprintf(o->config.l1_overrides, sizeof o->config.l1_overrides, "%s", arg); break;
    case '2': snprintf(o->config.l2_overrides, sizeof o->config.l2_overrides, "%s", arg); break;
    case 'm': o->config.reset_mode = (int)number(state, arg); break;
    case 'p': plant(state, &o->config, arg); break;
    case 'S': o->shrink = true; break;
    case 'w': o->record = arg; break;
    case KEY_LIST: list_keys(); exit(0);
    case ARGP_KEY_ARG: argp_error(state, "%s: takes no arguments", arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static enum verdict verdict_of(const struct machine *m)
{
    return m->mismatch ? VERDICT_MISMATCH
           : m->failed ? VERDICT_ASSERT
           : m->stuck  ? VERDICT_STUCK
                       : VERDICT_PASS;
}

/* One run; VERDICT_USAGE when the machine cannot be opened.  `record`: a folder, or NULL. */
static enum verdict run(struct library *library, const struct options *o, uint64_t seed,
                        uint64_t accesses, const char *record, struct machine *m)
{
    enum verdict verdict = VERDICT_USAGE;
    if (machine_open(m, library, &o->config, o->form, seed) &&
        (record == NULL || machine_record(m, record))) {
        machine_run(m, accesses);
        verdict = verdict_of(m);
    }
    machine_close(m);
    return verdict;
}

static void report(const struct machine *m, uint64_t seed, enum verdict verdict)
{
    uint64_t hits = 0;
    for (unsigned s = 0; s < MOST_SMS; s++) {
        hits += m->sm[s].hits;
    }
    printf("%s  seed %" PRIu64 ": %" PRIu64 " accesses, %" PRIu64 " hits, %" PRIu64
           " renewals, %" PRIu64 " lines replaced with one in flight, %" PRIu64
           " evictions, %" PRIu64 " merges lost, %" PRIu64 " resets; %" PRIu64
           " loads checked, %" PRIu64 " too old to check\n",
           verdict_word(verdict), seed, m->performed, hits, m->renewals, m->renewals_orphaned,
           m->evictions, m->merges_lost, m->full_epoch, m->golden.loads_checked,
           m->golden.loads_too_old);
    if (verdict == VERDICT_ASSERT) {
        printf("      %s\n", m->error);
    } else if (verdict == VERDICT_STUCK) {
        printf("      no progress since event %" PRIu64 " of %" PRIu64 "\n", m->last_progress,
               m->events);
    }
}

/* A seed whose run fails after fewer accesses. */
static uint64_t shorter(struct library *library, const struct options *o, uint64_t seed,
                        uint64_t accesses, struct machine *m)
{
    uint64_t best = accesses, best_seed = seed;
    for (uint64_t s = 1; s <= 3000 && best > 4; s++) {
        if (run(library, o, seed + s, best - 1, NULL, m) == VERDICT_ASSERT) {
            best = m->performed;
            best_seed = seed + s;
        }
    }
    return best_seed;
}

/* The failing run once more, every step of its units kept. */
static void record(struct library *library, const struct options *o, uint64_t seed,
                   struct machine *m)
{
    if (m->performed > MOST_RECORDED_ACCESSES) {
        printf("      not recorded: more than %d accesses; look for a shorter run with --shrink\n",
               MOST_RECORDED_ACCESSES);
        return;
    }
    (void)mkdir(o->record, 0777);
    (void)run(library, o, seed, o->accesses, o->record, m);
    printf("waves %s/*.fst (gtkwave .gtkw), the units' steps %s/*.seq (warplock replay)\n",
           o->record, o->record);
}

static enum verdict run_all(struct library *library, const struct options *o, struct machine *m)
{
    enum verdict verdict = VERDICT_PASS;
    uint64_t seed = o->seed;
    for (uint64_t r = 0; r < o->runs && verdict == VERDICT_PASS; r++, seed++) {
        verdict = run(library, o, seed, o->accesses, NULL, m);
        if (verdict != VERDICT_USAGE) {
            report(m, seed, verdict);
        }
    }
    seed--;
    if (verdict == VERDICT_ASSERT && o->shrink) {
        seed = shorter(library, o, seed, m->performed, m);
        (void)run(library, o, seed, o->accesses, NULL, m);
        report(m, seed, verdict);
    }
    if (verdict != VERDICT_PASS && verdict != VERDICT_USAGE && o->record != NULL) {
        record(library, o, seed, m);
    }
    return verdict;
}

int main(int argc, char **argv)
{
    struct options o = {.form = "c", .accesses = 1000000, .seed = 1, .runs = 1};
#define K(name, standard, least, greatest, doc) o.config.name = standard;
    MACHINE_KEYS(K)
#undef K
    const struct argp argp = {
        argp_options, parse, "", "Random protocol tester of the G-TSC units.", NULL, NULL, NULL};
    argp_err_exit_status = VERDICT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    if (2 * o.config.lease + 2 >= INT64_C(1) << o.config.ts_bits) {
        fprintf(stderr, "gtsc_random: lease %d does not fit ts_bits %d; 2 * lease + 2 must\n",
                (int)o.config.lease, (int)o.config.ts_bits);
        return VERDICT_USAGE;
    }
    struct library *library = library_new(NULL);
    struct machine *m = calloc(1, sizeof *m);
    const clock_t started = clock();
    enum verdict verdict = library != NULL && m != NULL ? run_all(library, &o, m) : VERDICT_LIMIT;
    const double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
    if (verdict == VERDICT_PASS) {
        printf("      %.2f M accesses/s of processor time\n",
               (double)o.accesses * (double)o.runs / 1e6 / seconds);
    }
    free(m);
    library_free(library);
    return (int)verdict;
}
