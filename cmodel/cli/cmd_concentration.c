/* cmd_concentration.c - `warplock concentration`: how many of a divergent load's
 * accesses fall into one set, for every set index and kernel (wang2015 3.7, 3.8).
 *
 * Plays the address streams of the documents' kernels through the index units,
 * each on the backend asked for, and prints the intra-warp concentration: accesses
 * of a load / distinct sets, mean over the divergent loads (Eq 3.1, D-ICM-1). */
#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "tb/lockstep.h"
#include "tb/report.h"

enum { LANES = 32, MAX_SETS = 4096 };

/* A kernel's divergent loads: lane l of warp w, iteration k reads
 * base + (w * 32 + l) * stride_bytes + 4 k (wang2015 6). */
static const struct stream {
    const char *name, *what;
    uint64_t base, stride_bytes;
    unsigned warps, iterations, arrays;
} streams[] = {
    {"ATAX", "A[i*8192+j], row per thread", 0x80000000, 32768, 256, 128, 1},
    {"BICG", "A[i*8192+j], row per thread", 0x80000000, 32768, 256, 128, 1},
    {"MVT", "a[i*8192+j], row per thread", 0x80000000, 32768, 256, 128, 1},
    {"GES", "A, B[i*4096+j], row per thread", 0x80000000, 16384, 128, 128, 2},
    {"SYRK", "a[j*512+k], j by lane", 0x80000000, 2048, 16, 128, 1},
    {"SYR2K", "a, b[j*256+k], j by lane", 0x80000000, 1024, 8, 128, 2},
    {"33 lines", "stride 33 x 128 B, the counter-example", 0, 4224, 1, 1, 1},
};
static const struct scheme {
    const char *unit, *title;
} schemes[] = {{"conv", "CONV"},   {"bxor", "BXOR"}, {"rxi", "Fermi"},   {"pmod", "pMOD"},
               {"pdisp", "pDisp"}, {"pli", "PLI"},   {"fup20", "FUP20"}, {"fup28", "FUP28"}};
enum { N_STREAMS = sizeof streams / sizeof *streams, N_SCHEMES = sizeof schemes / sizeof *schemes };

struct options {
    const char *form;
    bool json;
};

/* One unit under one backend, and what it has given. */
struct index_unit {
    const struct unit_backend *backend;
    void *self;
    uint64_t in[64], out[64];
    unsigned addr_slot, set_slot;
    uint64_t addr_mask;
    double concentration[N_STREAMS];
    unsigned sets_touched[N_STREAMS]; /* by the first load */
};

static const struct argp_option option_table[] = {
    {"backend", 'b', "B", 0, "c, rtl, netlist, lockstep (standard) or a pair A+B", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'b': options->form = arg; return 0;
    case 'j': options->json = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static unsigned slot_of(const struct unit_port *ports, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(ports[i].name, name) == 0) {
            return ports[i].slot;
        }
    }
    return 0;
}

static bool open_unit(struct library *library, struct index_unit *unit, const char *name,
                      const char *form, struct failure *failure)
{
    unit->backend = library_open(library, name, "", form, failure);
    if (unit->backend == NULL) {
        return false;
    }
    const struct unit_desc *desc = unit->backend->desc;
    unit->addr_slot = slot_of(desc->in, desc->n_in, "addr");
    unit->set_slot = slot_of(desc->out, desc->n_out, "set_index");
    const unsigned width = desc->in[0].width;
    unit->addr_mask = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    unit->self = unit->backend->create(unit->backend->context, 1);
    return unit->self != NULL;
}

/* Distinct sets that the 32 lanes of one load touch. */
static unsigned sets_of_load(struct index_unit *unit, uint64_t base, uint64_t stride_bytes)
{
    uint64_t touched[MAX_SETS / 64] = {0};
    unsigned sets = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        unit->in[unit->addr_slot] = (base + lane * stride_bytes) & unit->addr_mask;
        unit->backend->comb(unit->self, unit->in, unit->out);
        const uint64_t set = unit->out[unit->set_slot] % MAX_SETS;
        sets += (touched[set / 64] >> (set % 64) & 1) == 0;
        touched[set / 64] |= UINT64_C(1) << (set % 64);
    }
    return sets;
}

static void play_stream(struct index_unit *unit, size_t which)
{
    const struct stream *s = &streams[which];
    double sum = 0;
    uint64_t loads = 0;
    for (unsigned warp = 0; warp < s->warps; warp++) {
        for (unsigned k = 0; k < s->iterations; k++) {
            for (unsigned array = 0; array < s->arrays; array++) {
                /* Arrays lie one after the other, on 1 MB boundaries. */
                const uint64_t bytes = (uint64_t)s->warps * LANES * s->stride_bytes;
                const uint64_t apart = (bytes + 0xFFFFF) & ~UINT64_C(0xFFFFF);
                const uint64_t base = s->base + array * apart +
                                      (uint64_t)warp * LANES * s->stride_bytes + 4 * k;
                const unsigned sets = sets_of_load(unit, base, s->stride_bytes);
                if (loads == 0) {
                    unit->sets_touched[which] = sets;
                }
                sum += (double)LANES / sets;
                loads++;
            }
        }
    }
    unit->concentration[which] = sum / (double)loads;
}

static void print_text(const struct index_unit *units, const char *form, uint64_t evaluations)
{
    printf("Intra-warp concentration of divergent loads: accesses of a load / distinct sets\n"
           "(1 is ideal, 32 the worst; sets touched by the first load in brackets)\n\n%-9s",
           "");
    for (size_t i = 0; i < N_SCHEMES; i++) {
        printf(" %10s", schemes[i].title);
    }
    printf("\n");
    for (size_t s = 0; s < N_STREAMS; s++) {
        printf("%-9s", streams[s].name);
        for (size_t i = 0; i < N_SCHEMES; i++) {
            printf(" %6.3f[%2u]", units[i].concentration[s], units[i].sets_touched[s]);
        }
        printf("\n");
    }
    printf("\nbackend %s: %" PRIu64 " evaluations", form, evaluations);
}

static json_t *to_json(const struct index_unit *units)
{
    json_t *root = json_object();
    for (size_t s = 0; s < N_STREAMS; s++) {
        json_t *row = json_object();
        for (size_t i = 0; i < N_SCHEMES; i++) {
            json_object_set_new(row, schemes[i].unit,
                                json_pack("{s:f, s:i}", "concentration", units[i].concentration[s],
                                          "sets_touched", units[i].sets_touched[s]));
        }
        json_object_set_new(root, streams[s].name, row);
    }
    return root;
}

/* PASS, or MISMATCH with a report of every pair that differed. */
static enum verdict judge(const struct index_unit *units, FILE *to, uint64_t *evaluations)
{
    enum verdict verdict = VERDICT_PASS;
    *evaluations = 0;
    for (size_t i = 0; i < N_SCHEMES; i++) {
        if (units[i].self != NULL && lockstep_is(units[i].backend)) {
            struct lockstep_report report;
            const struct report_context context = {1, NULL, NULL};
            lockstep_get(units[i].self, &report);
            *evaluations += report.steps;
            if (report.mismatch) {
                verdict = VERDICT_MISMATCH;
                report_mismatch(to, units[i].backend->desc, &report, &context);
            }
        }
    }
    return verdict;
}

int cmd_concentration(int argc, char **argv)
{
    struct options options = {"lockstep", false};
    const struct argp argp = {option_table,
                              parse,
                              "",
                              "Print the intra-warp concentration of the documents' kernels under "
                              "every set index, computed by the units themselves.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct library *library = library_new(NULL);
    struct index_unit units[N_SCHEMES] = {0};
    struct failure failure = {VERDICT_PASS, ""};
    for (size_t i = 0; i < N_SCHEMES && failure.verdict == VERDICT_PASS; i++) {
        if (open_unit(library, &units[i], schemes[i].unit, options.form, &failure)) {
            for (size_t s = 0; s < N_STREAMS; s++) {
                play_stream(&units[i], s);
            }
        }
    }
    if (failure.verdict != VERDICT_PASS) {
        cli_print_failure(&failure);
    } else {
        uint64_t evaluations;
        failure.verdict = judge(units, options.json ? stderr : stdout, &evaluations);
        if (options.json) {
            cli_print_json(to_json(units));
        } else {
            print_text(units, options.form, evaluations);
            printf(" compared, %s\n", verdict_word(failure.verdict));
        }
    }
    for (size_t i = 0; i < N_SCHEMES; i++) {
        if (units[i].self != NULL) {
            units[i].backend->destroy(units[i].self);
        }
    }
    library_free(library);
    return (int)failure.verdict;
}
