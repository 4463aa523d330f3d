/* cuda_options.c - see cuda_options.h. */
#include "cli/cuda_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/options.h"
#include "cuda/cuda_machine.h"

enum {
    OPTION_CAPABILITY = 3000,
    OPTION_MEMORY,
    OPTION_LOCKSTEP,
    OPTION_UNTIMED,
    MAX_WORDS = 512,
    SEPARATOR = '\x1f'
};

static const struct argp_option OPTIONS[] = {
    {"capability", OPTION_CAPABILITY, "NN", 0,
     "compute capability: 75 is 7.5; chooses among the program's PTX (default 75)", 0},
    {"memory", OPTION_MEMORY, "BYTES", 0, "memory that the GPU seems to have (default 4 GiB)", 0},
    {"lockstep-warps", OPTION_LOCKSTEP, 0, 0,
     "lanes of a warp wait for each other, also where the target promises progress to each thread",
     0},
    {"untimed", OPTION_UNTIMED, 0, 0,
     "execute kernels without a machine: results alone, some ten times sooner; no statistics, and for "
     "events a warp instruction is a cycle",
     0},
    {"quiet", 'q', 0, 0, "no statistics on standard error", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cuda_options *o = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->run; break;
    case OPTION_CAPABILITY:
        o->capability = (uint32_t)cli_number("capability", arg, 20, 999, state);
        break;
    case OPTION_MEMORY:
        o->memory_bytes = cli_number("memory", arg, 1 << 20, UINT64_C(512) << 30, state);
        break;
    case OPTION_LOCKSTEP: o->lockstep_warps = true; break;
    case OPTION_UNTIMED: o->untimed = true; break;
    case 'q': o->quiet = true; break;
    case ARGP_KEY_ARGS:
        o->program = state->argv + state->next;
        o->n_options = state->next;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void cuda_options_parse(struct cuda_options *o, int argc, char **argv)
{
    static const struct argp_child children[] = {{&run_options_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        OPTIONS,
        parse,
        "-- PROGRAM [ARGUMENTS]",
        "Run a CUDA program, compiled by nvcc with -cudart shared, with its kernels on the timed "
        "machine.\vThe program keeps its standard output and its exit status; statistics go to "
        "standard error.\nExamples:\n  nvcc -cudart shared -arch=sm_75 prog.cu -o prog\n"
        "  warplock cuda -- ./prog 1000\n  warplock cuda -c wang2015-oaws -m oaws-dyn "
        "--json out.json -- ./prog\n"
        "Exit status: the program's; 2 when it cannot be started so; 1 instead of 0 when --check "
        "found something.",
        children,
        NULL,
        NULL};

    *o = (struct cuda_options){.capability = 75, .memory_bytes = UINT64_C(4) << 30};
    run_options_init(&o->run);
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, o);
}

bool cuda_options_to_environment(const struct cuda_options *o, char **argv)
{
    size_t room = 1;
    char *text;
    bool good;

    for (int a = 1; a < o->n_options; a++) {
        room += strlen(argv[a]) + 1;
    }
    text = calloc(room, 1);
    for (int a = 1; text && a < o->n_options; a++) {
        if (strcmp(argv[a], "--") != 0) {
            size_t used = strlen(text);

            snprintf(text + used, room - used, "%s%c", argv[a], SEPARATOR);
        }
    }
    good = text && setenv(CUDA_OPTIONS_VARIABLE, text, 1) == 0;
    free(text);
    return good;
}

/* The words stay as long as the process: options point into them. */
void cuda_options_from_environment(struct cuda_options *o)
{
    static char name[] = "warplock cuda";
    const char *from = getenv(CUDA_OPTIONS_VARIABLE);
    char *text = strdup(from ? from : ""), *argv[MAX_WORDS] = {name};
    int argc = 1;

    for (char *at = text; at && *at && argc + 1 < MAX_WORDS; argc++) {
        char *end = strchr(at, SEPARATOR);

        argv[argc] = at;
        if (end) {
            *end = '\0';
        }
        at = end ? end + 1 : NULL;
    }
    cuda_options_parse(o, argc, argv);
}

bool cuda_options_check(const struct cuda_options *o)
{
    const struct run_options *r = &o->run;

    if (o->untimed && (r->mechanisms || r->backends || r->json || r->kernels || r->timed ||
                       r->cycles || r->wave.path || r->timeline.path)) {
        fprintf(stderr, "warplock: --untimed runs no machine, which mechanisms, units, statistics, "
                        "waveforms, timelines and --cycles are of; leave one of them out\n");
        return false;
    }
    return run_options_check(r);
}

const char *cuda_options_config(const struct cuda_options *o)
{
    return o->run.config ? o->run.config : "cuda75";
}
