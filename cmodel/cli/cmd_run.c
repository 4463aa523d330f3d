/* cmd_run.c - `warplock run`: a workload, any PTX kernel, or a SASS trace, on the timed machine.
 *
 * Exit status: verdict.h; a fault of the kernel or a bad option is USAGE, a wrong
 * result MISMATCH, a violated counter identity ASSERT.
 */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/seconds.h"
#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "cli/run_kernels.h"
#include "cli/run_trace.h"
#include "cli/run_units.h"
#include "machine/gpu.h"
#include "machine/host/host_machine.h"
#include "machine/host/launch_file.h"
#include "ptx/ptx_loader.h"
#include "sass/sass_dump.h"
#include "tb/past.h"
#include "workloads/workload.h"

enum {
    OPTION_SIZE = 1000,
    OPTION_SET,
    OPTION_JSON,
    OPTION_KERNELS,
    OPTION_CYCLES,
    OPTION_THREADS,
    OPTION_EVERY,
    OPTION_SEED,
    OPTION_PTX,
    OPTION_LAUNCH,
    OPTION_KEYS,
    OPTION_COUNTERS,
    OPTION_TRACE,
    OPTION_DUMP,
    OPTION_FORM,
    OPTION_WAVE,
    OPTION_WAVE_UNIT,
    OPTION_WAVE_WINDOW,
    OPTION_WAVE_MACHINE,
    OPTION_WAVE_INSIDE,
    OPTION_PAST,
    MAX_SETS = 64
};

struct run_options {
    const char *workload, *size, *config, *mechanisms, *backends, *json, *kernels, *ptx, *launch;
    const char *trace, *dump;
    const char *set[MAX_SETS];
    uint32_t n_sets;
    uint64_t seed, cycles;
    uint32_t threads;
    bool every_cycle, keys, counters, containers;
    struct trace_options traced;
    struct run_wave_request wave;
    uint64_t past_steps;
};

static const struct argp_option OPTIONS[] = {
    {"workload", 'w', "NAME", 0, "run this workload (`warplock list` names them)", 0},
    {"size", OPTION_SIZE, "SIZE", 0, "its size: a name, or key=value,... (default: small)", 0},
    {"ptx", OPTION_PTX, "FILE", 0, "run a kernel of this PTX file instead, with --launch", 0},
    {"launch", OPTION_LAUNCH, "FILE", 0, "kernel, shape, arguments and buffers (INI)", 0},
    {"trace", OPTION_TRACE, "LIST", 0,
     "run a SASS trace instead: its kernelslist.g (files may be gzip, xz or zstd)", 0},
    {"dump-trace", OPTION_DUMP, "DIR", 0, "write what is executed there as a SASS trace", 0},
    {"dump-form", OPTION_FORM, "traceg|tracez", 0,
     "as text or as containers of zstd frames (default: traceg)", 0},
    {"config", 'c', "CONFIG", 0,
     "machine: a configuration's name, or an INI file (default: fermi15)", 0},
    {"mechanism", 'm', "NAMES", 0,
     "mechanisms to plug in, separated by commas; some take options: NAME:KEY=VALUE:...", 0},
    {"backend", 'b', "UNIT=BACKEND,...", 0, "what a unit runs on: c, rtl, netlist, lockstep", 0},
    {"set", OPTION_SET, "KEY=VALUE", 0, "change a configuration key; may be repeated", 0},
    {"json", OPTION_JSON, "FILE", 0, "write all statistics there; - is standard output", 0},
    {"kernels", OPTION_KERNELS, "FILE", 0,
     "write what each kernel adds to each counter there, a line of CSV a kernel", 0},
    {"cycles", OPTION_CYCLES, "N", 0, "stop after N core cycles (exit status 5)", 0},
    {"threads", OPTION_THREADS, "N", 0, "threads for the SMs; changes no result (default 1)", 0},
    {"every-cycle", OPTION_EVERY, 0, 0, "step every component in every cycle; changes no result",
     0},
    {"seed", OPTION_SEED, "N", 0, "seed of the workload's inputs (default 1)", 0},
    {"wave", OPTION_WAVE, "FILE", 0,
     "write an FST waveform of the units, and a layout (one thread)", 0},
    {"wave-unit", OPTION_WAVE_UNIT, "NAMES", 0,
     "of these units only: names or patterns such as sm3.l1d.index,sm*.caps.*", 0},
    {"wave-window", OPTION_WAVE_WINDOW, "FROM:TO", 0, "only these core cycles", 0},
    {"wave-machine", OPTION_WAVE_MACHINE, 0, 0,
     "show warps, schedulers, queues and caches, too (steps every cycle)", 0},
    {"wave-inside", OPTION_WAVE_INSIDE, 0, 0,
     "show every wire of units on rtl or lockstep, too (builds their RTL anew)", 0},
    {"past", OPTION_PAST, "N", 0,
     "steps that a unit in lockstep keeps, for the replay of a mismatch (default 256; 0: none)", 0},
    {"keys", OPTION_KEYS, 0, 0, "show every configuration key with its range and meaning", 0},
    {"counters", OPTION_COUNTERS, 0, 0, "show every counter with its unit and definition", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run_options *o = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->traced; break;
    case 'w': o->workload = arg; break;
    case 'c': o->config = arg; break;
    case 'm': o->mechanisms = arg; break;
    case 'b': o->backends = arg; break;
    case OPTION_SIZE: o->size = arg; break;
    case OPTION_PTX: o->ptx = arg; break;
    case OPTION_LAUNCH: o->launch = arg; break;
    case OPTION_JSON: o->json = arg; break;
    case OPTION_KERNELS: o->kernels = arg; break;
    case OPTION_WAVE: o->wave.path = arg; break;
    case OPTION_WAVE_UNIT: o->wave.units = arg; break;
    case OPTION_WAVE_WINDOW: o->wave.window = cli_window("wave-window", arg, state); break;
    case OPTION_WAVE_MACHINE: o->wave.machine = true; break;
    case OPTION_WAVE_INSIDE: o->wave.inside = true; break;
    case OPTION_PAST: o->past_steps = cli_number("past", arg, 0, 1 << 20, state); break;
    case OPTION_TRACE: o->trace = arg; break;
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
    case OPTION_SEED: o->seed = cli_number("seed", arg, 0, UINT64_MAX / 2, state); break;
    case OPTION_THREADS: o->threads = (uint32_t)cli_number("threads", arg, 1, 64, state); break;
    case OPTION_SET:
        if (o->n_sets == MAX_SETS) {
            argp_error(state, "more than %d --set; put them into a file", MAX_SETS);
        }
        o->set[o->n_sets++] = arg;
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "%s: not understood; a workload is given with -w", arg);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- progress ---- */

struct progress {
    double start, last; /* seconds */
    bool terminal, shown;
};

static void show_progress(void *self, uint64_t cycle, uint64_t instructions, uint64_t ctas_done,
                          uint64_t ctas, const char *kernel)
{
    struct progress *p = self;
    const double now = seconds_now();

    if (now - p->last < (p->terminal ? 0.5 : 10.0)) {
        return;
    }
    p->last = now;
    p->shown = true;
    fprintf(stderr, "%s%s: cycle %llu, %llu instructions, CTAs %llu%%, %.0f cycles/s%s",
            p->terminal ? "\r" : "", kernel, (unsigned long long)cycle,
            (unsigned long long)instructions,
            (unsigned long long)(ctas ? 100 * ctas_done / ctas : 0),
            (double)cycle / (now - p->start), p->terminal ? "  " : "\n");
}

static void end_progress(const struct progress *p)
{
    if (p->terminal && p->shown) {
        fputc('\n', stderr);
    }
}

/* ---- the run ---- */

static enum verdict run_workload(const struct run_options *o, struct host *host, char *error,
                                 size_t n_error)
{
    const struct workload *workload = workload_find(o->workload);
    struct workload_result result = {0};
    struct workload_size size;
    int status;

    if (!workload) {
        snprintf(error, n_error, "no workload %s; `warplock list` names them", o->workload);
        return VERDICT_USAGE;
    }
    if (workload_size_parse(workload, o->size ? o->size : "small", &size, error, n_error) != 0) {
        return VERDICT_USAGE;
    }
    status = workload->run(host, &size, o->seed, &result);
    workload_size_free(&size);
    if (host_error(host)) {
        return VERDICT_USAGE; /* refined by the caller, who knows the status */
    }
    if (status != WORKLOAD_OK) {
        snprintf(error, n_error, "%s: %s", workload->name, result.message);
    } else {
        printf("result         %llu values checked, all right\n",
               (unsigned long long)result.checked);
    }
    return status == WORKLOAD_OK      ? VERDICT_PASS
           : status == WORKLOAD_WRONG ? VERDICT_MISMATCH
                                      : VERDICT_USAGE;
}

static enum verdict run_file(const struct run_options *o, struct host *host, char *error,
                             size_t n_error)
{
    struct launch_file *file = malloc(sizeof *file);
    char module[PATH_MAX];
    int result = -1;

    if (!file) {
        snprintf(error, n_error, "out of memory for the launch file");
    } else if (!o->launch) {
        snprintf(error, n_error, "--ptx needs --launch FILE with the kernel and its arguments");
    } else if (!realpath(o->ptx, module)) {
        snprintf(error, n_error, "%.200s: %s; check the path", o->ptx, strerror(errno));
    } else if (launch_file_read(file, o->launch, error, n_error) == 0) {
        result = launch_file_run(file, host, module, error, n_error);
    }
    free(file);
    return result == 0 ? VERDICT_PASS : VERDICT_USAGE;
}

/* The host's own error outranks what the workload made of it. */
static enum verdict judge(const struct host *host, enum verdict verdict, char *error,
                          size_t n_error)
{
    if (!host_error(host)) {
        return verdict;
    }
    snprintf(error, n_error, "%s", host_error(host));
    return run_trace_verdict(host_status(host));
}

static int write_json(const struct run_options *o, struct gpu *gpu, const struct run_units *units,
                      const struct sass_run_result *trace, enum verdict verdict)
{
    json_t *root = json_object();
    int result;

    json_object_set_new(root, "verdict", json_string(verdict_word(verdict)));
    json_object_set_new(root, "configuration", json_string(o->config ? o->config : "fermi15"));
    if (o->trace) {
        json_object_set_new(root, "trace", run_trace_json(trace));
    }
    json_object_set_new(root, "statistics", gpu_stats_json(gpu));
    json_object_set_new(root, "mechanisms", run_units_json(units));
    if (!strcmp(o->json, "-")) {
        result = json_dumpf(root, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        putchar('\n');
    } else {
        result = json_dump_file(root, o->json, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    }
    json_decref(root);
    if (result != 0) {
        fprintf(stderr, "warplock: cannot write %s: %s; check the path\n", o->json,
                strerror(errno));
    }
    return result;
}

/* With machine and host made: run, report, return the verdict. */
static enum verdict run_on(const struct run_options *o, struct gpu *gpu, struct host *host,
                           struct progress *progress)
{
    char error[8192] = "";
    struct sass_run_result trace;
    enum verdict verdict;

    const struct run_units_options options = {o->mechanisms, o->backends, o->past_steps, o->wave};
    struct run_units *units = run_units_open(gpu, &options, error, sizeof error);
    if (!units) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    verdict = o->trace ? run_trace(gpu, o->trace, &o->traced, &trace, error, sizeof error)
              : o->ptx ? run_file(o, host, error, sizeof error)
                       : run_workload(o, host, error, sizeof error);
    verdict = judge(host, verdict, error, sizeof error);
    end_progress(progress);
    if (gpu->n_launches) {
        gpu_stats_text(gpu, stdout);
        printf("speed          %.0f cycles/s\n", (double)gpu->now / gpu->launch_seconds);
        if (!run_units_end_wave(units, stdout) && verdict == VERDICT_PASS) {
            verdict = VERDICT_USAGE;
        }
        if (!run_units_report(units, stdout) && verdict == VERDICT_PASS) {
            verdict = VERDICT_MISMATCH;
        }
        if (o->json && write_json(o, gpu, units, &trace, verdict) != 0 && verdict == VERDICT_PASS) {
            verdict = VERDICT_USAGE;
        }
    }
    run_units_detach(units);
    if (error[0]) {
        fprintf(stderr, "warplock: %s\n", error);
    }
    return verdict;
}

/* On a machine: make the host program's view of it, written down if asked, and run. */
static enum verdict run_hosted(const struct run_options *o, struct gpu *gpu, const char *root,
                               struct progress *progress)
{
    struct host_backend backend = host_timed(gpu);
    struct host_loader loader = ptx_loader(&gpu->n_sms);
    char folder[PATH_MAX + 64], error[PATH_MAX + 128] = "out of memory for the host";
    struct sass_dump *dump = o->dump ? sass_dump_open(o->dump, o->containers, error, sizeof error)
                                     : NULL;
    struct host *host = NULL;
    enum verdict verdict = VERDICT_USAGE;

    if (dump) {
        backend = sass_dump_backend(dump, &backend);
    }
    snprintf(folder, sizeof folder, "%s/cmodel/workloads", root);
    if (!o->dump || dump) {
        host = host_create(gpu->memory, &backend, &loader, folder);
    }
    if (host) {
        verdict = run_on(o, gpu, host, progress);
    } else {
        fprintf(stderr, "warplock: %s\n", error);
    }
    if (dump && sass_dump_close(dump, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        verdict = verdict == VERDICT_PASS ? VERDICT_USAGE : verdict;
    }
    host_destroy(host);
    return verdict;
}

static enum verdict run(const struct run_options *o)
{
    struct run_kernels lines;
    struct progress progress = {.terminal = isatty(STDERR_FILENO)};
    struct gpu_options options = {.threads = o->wave.path ? 1 : o->threads,
                                  .every_cycle = o->every_cycle || o->wave.machine,
                                  .max_cycles = o->cycles,
                                  .progress = show_progress,
                                  .progress_self = &progress};
    char root[PATH_MAX], error[512] = "";
    struct memory *memory = NULL;
    struct gpu_config config;
    struct gpu *gpu = NULL;
    enum verdict verdict = VERDICT_USAGE;

    if (run_kernels_open(&lines, o->kernels, &options) != 0) {
        return VERDICT_USAGE;
    }
    tree_root(root, sizeof root);
    progress.start = progress.last = seconds_now();
    if (cli_read_config(o->config ? o->config : "fermi15", o->set, o->n_sets, &config, error,
                        sizeof error) == 0) {
        if (o->keys) {
            config_print(&config, stdout);
            return VERDICT_PASS;
        }
        memory = memory_create();
        gpu = memory ? gpu_create(&config, &options, memory, error, sizeof error) : NULL;
    }
    if (gpu) {
        verdict = run_hosted(o, gpu, root, &progress);
    } else {
        fprintf(stderr, "warplock: %s\n", error[0] ? error : "out of memory");
    }
    gpu_destroy(gpu);
    memory_destroy(memory);
    if (run_kernels_close(&lines) != 0 && verdict == VERDICT_PASS) {
        verdict = VERDICT_USAGE;
    }
    return verdict;
}

int cmd_run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&trace_options_argp, 0, "Of a trace:", 0}, {0}};
    static const struct argp argp = {OPTIONS,
                                     parse,
                                     NULL,
                                     "Run a workload, a kernel of any PTX file, or a SASS trace, "
                                     "on the timed machine and print its statistics.\v"
                                     "Examples:\n  warplock run -w vecadd\n  warplock run -w spmv "
                                     "--size small -c aci --json out.json\n"
                                     "  warplock run --ptx my.ptx --launch my.ini -c "
                                     "wang2015-oaws\n"
                                     "  warplock run --trace traces/kernelslist.g -c fermi15\n"
                                     "Exit status: 0 pass, 1 wrong result, 2 bad use or a fault "
                                     "of the kernel, 3 stuck, 4 internal "
                                     "error, 5 cycle limit.",
                                     children,
                                     NULL,
                                     NULL};
    struct run_options o = {
        .seed = 1, .past_steps = PAST_STANDARD, .wave = {.window = WAVE_EVERYTHING}};
    enum verdict verdict;

    argp_parse(&argp, argc, argv, 0, NULL, &o);
    if (o.counters) {
        gpu_stats_describe(stdout);
        return VERDICT_PASS;
    }
    if (!o.wave.path && (o.wave.units || o.wave.machine || o.wave.inside || o.wave.window.from ||
                         o.wave.window.to != UINT64_MAX)) {
        fprintf(stderr, "warplock: --wave-unit, -window, -machine and -inside need --wave FILE\n");
        return VERDICT_USAGE;
    }
    if (!o.keys && !!o.workload + !!o.ptx + !!o.trace != 1) {
        fprintf(stderr, "warplock: give one of -w WORKLOAD, --ptx FILE --launch FILE, "
                        "--trace LIST\n");
        return VERDICT_USAGE;
    }
    if (o.trace && o.dump) {
        fprintf(stderr, "warplock: --dump-trace goes with -w or --ptx; a trace is there already\n");
        return VERDICT_USAGE;
    }
    verdict = run(&o);
    trace_options_free(&o.traced);
    return (int)verdict;
}
