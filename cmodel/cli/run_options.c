/* run_options.c - see run_options.h. */
#include "cli/run_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/run_timed.h"
#include "machine/checker/checker.h"
#include "tb/past.h"

enum {
    OPTION_SET = 2000,
    OPTION_JSON,
    OPTION_KERNELS,
    OPTION_TIMED,
    OPTION_CYCLES,
    OPTION_THREADS,
    OPTION_EVERY,
    OPTION_KEYS,
    OPTION_COUNTERS,
    OPTION_DUMP,
    OPTION_FORM,
    OPTION_WAVE,
    OPTION_WAVE_UNIT,
    OPTION_WAVE_WINDOW,
    OPTION_WAVE_MACHINE,
    OPTION_WAVE_INSIDE,
    OPTION_TIMELINE,
    OPTION_TIMELINE_WINDOW,
    OPTION_PAST,
    OPTION_CHECK
};

static const struct argp_option options[] = {
    {"dump-trace", OPTION_DUMP, "DIR", 0, "write what is executed there as a SASS trace", 0},
    {"dump-form", OPTION_FORM, "traceg|tracez", 0,
     "as text or as containers of zstd frames (default: traceg)", 0},
    {"config", 'c', "CONFIG", 0,
     "machine: a configuration's name, or an INI file (default: fermi15, for CUDA programs cuda75)",
     0},
    {"mechanism", 'm', "NAMES", 0,
     "mechanisms to plug in, separated by commas; some take options: NAME:KEY=VALUE:...", 0},
    {"backend", 'b', "UNIT=BACKEND,...", 0, "what a unit runs on: c, rtl, netlist, lockstep", 0},
    {"set", OPTION_SET, "KEY=VALUE", 0, "change a configuration key; may be repeated", 0},
    {"json", OPTION_JSON, "FILE", 0, "write all statistics there; - is standard output", 0},
    {"kernels", OPTION_KERNELS, "FILE", 0,
     "write what each kernel adds to each counter there, a line of CSV a kernel", 0},
    {"timed", OPTION_TIMED, "KERNEL[/N],...", 0,
     "these kernels alone go through the machine, with /N the launch in the middle of each N; the "
     "others change memory and take no time",
     0},
    {"cycles", OPTION_CYCLES, "N", 0, "stop after N core cycles (exit status 5)", 0},
    {"threads", OPTION_THREADS, "N", 0, "threads for the SMs; changes no result (default 1)", 0},
    {"every-cycle", OPTION_EVERY, 0, 0, "step every component in every cycle; changes no result",
     0},
    {"wave", OPTION_WAVE, "FILE", 0,
     "write an FST waveform of the units, and a layout (one thread)", 0},
    {"wave-unit", OPTION_WAVE_UNIT, "NAMES", 0,
     "of these units only: names or patterns such as sm3.l1d.index,sm*.caps.*", 0},
    {"wave-window", OPTION_WAVE_WINDOW, "FROM:TO", 0, "only these core cycles", 0},
    {"wave-machine", OPTION_WAVE_MACHINE, 0, 0,
     "show warps, schedulers, queues and caches, too (steps every cycle)", 0},
    {"wave-inside", OPTION_WAVE_INSIDE, 0, 0,
     "show every wire of units on rtl or lockstep, too (builds their RTL anew)", 0},
    {"timeline", OPTION_TIMELINE, "FILE", 0,
     "write what warps, queues, MSHRs, DRAM banks and mechanisms do as trace events, which Perfetto "
     "opens (steps every cycle)",
     0},
    {"timeline-window", OPTION_TIMELINE_WINDOW, "FROM:TO", 0, "only these core cycles", 0},
    {"check", OPTION_CHECK, "memory,race,init,race-global", 0,
     "look for accesses out of bounds or misaligned, for races in shared memory or, within a grid, in global memory, for reads of what was "
     "never written; a finding makes the exit status 1 (one thread)",
     0},
    {"past", OPTION_PAST, "N", 0,
     "steps that a unit in lockstep keeps, for the replay of a mismatch (default 256; 0: none)", 0},
    {"keys", OPTION_KEYS, 0, 0, "show every configuration key with its range and meaning", 0},
    {"counters", OPTION_COUNTERS, 0, 0, "show every counter with its unit and definition", 0},
    {0}};

void run_options_init(struct run_options *o)
{
    *o = (struct run_options){.past_steps = PAST_STANDARD,
                              .wave = {.window = WAVE_EVERYTHING},
                              .timeline = {.window = WAVE_EVERYTHING}};
}

static const char *timed_kernels(const char *arg, struct argp_state *state)
{
    char error[256];
    if (!run_timed_check(arg, error, sizeof error)) {
        argp_error(state, "--timed %s: %s", arg, error);
    }
    return arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run_options *o = state->input;

    switch (key) {
    case 'c': o->config = arg; break;
    case 'm': o->mechanisms = arg; break;
    case 'b': o->backends = arg; break;
    case OPTION_JSON: o->json = arg; break;
    case OPTION_KERNELS: o->kernels = arg; break;
    case OPTION_TIMED: o->timed = timed_kernels(arg, state); break;
    case OPTION_WAVE: o->wave.path = arg; break;
    case OPTION_WAVE_UNIT: o->wave.units = arg; break;
    case OPTION_WAVE_WINDOW: o->wave.window = cli_window("wave-window", arg, state); break;
    case OPTION_WAVE_MACHINE: o->wave.machine = true; break;
    case OPTION_WAVE_INSIDE: o->wave.inside = true; break;
    case OPTION_TIMELINE: o->timeline.path = arg; break;
    case OPTION_TIMELINE_WINDOW:
        o->timeline.window = cli_window("timeline-window", arg, state);
        break;
    case OPTION_PAST: o->past_steps = cli_number("past", arg, 0, 1 << 20, state); break;
    case OPTION_CHECK:
        if (!checker_parse(arg, &o->checks)) {
            argp_error(
                state,
                "--check %s: write memory, race and init, or race-global, separated by commas",
                arg);
        }
        break;
    case OPTION_DUMP: o->dump = arg; break;
    case OPTION_FORM:
        o->containers = strcmp(arg, "tracez") == 0;
        if (!o->containers && strcmp(arg, "traceg") != 0) {
            argp_error(state, "--dump-form %s: write traceg or tracez", arg);
        }
        break;
    case OPTION_KEYS: o->keys = true; break;
    case OPTION_COUNTERS: o->counters = true; break;
    case OPTION_EVERY: o->every_cycle = true; break;
    case OPTION_CYCLES: o->cycles = cli_number("cycles", arg, 1, UINT64_MAX / 2, state); break;
    case OPTION_THREADS: o->threads = (uint32_t)cli_number("threads", arg, 1, 64, state); break;
    case OPTION_SET:
        if (o->n_sets == RUN_MAX_SETS) {
            argp_error(state, "more than %d --set; put them into a file", RUN_MAX_SETS);
        }
        o->set[o->n_sets++] = arg;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp run_options_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

bool run_options_check(const struct run_options *o)
{
    if (o->timeline.path && o->wave.path) {
        fprintf(stderr, "warplock: --timeline and --wave look at the same cycles; give one\n");
        return false;
    }
    if (!o->timeline.path && (o->timeline.window.from || o->timeline.window.to != UINT64_MAX)) {
        fprintf(stderr, "warplock: --timeline-window needs --timeline FILE\n");
        return false;
    }
    if (!o->wave.path && (o->wave.units || o->wave.machine || o->wave.inside ||
                          o->wave.window.from || o->wave.window.to != UINT64_MAX)) {
        fprintf(stderr, "warplock: --wave-unit, -window, -machine and -inside need --wave FILE\n");
        return false;
    }
    return true;
}

uint32_t run_options_threads(const struct run_options *o)
{
    return o->wave.path || o->checks ? 1 : o->threads;
}

const char *run_options_config(const struct run_options *o)
{
    return o->config ? o->config : "fermi15";
}
