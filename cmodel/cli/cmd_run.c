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

#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "cli/run_kernels.h"
#include "cli/run_options.h"
#include "cli/run_report.h"
#include "cli/run_timed.h"
#include "cli/run_trace.h"
#include "cli/run_units.h"
#include "machine/checker/checker.h"
#include "machine/gpu.h"
#include "machine/host/host_machine.h"
#include "machine/host/launch_file.h"
#include "ptx/ptx_loader.h"
#include "sass/sass_dump.h"
#include "workloads/workload.h"

enum { OPTION_SIZE = 1000, OPTION_SEED, OPTION_PTX, OPTION_LAUNCH, OPTION_TRACE };

struct run {
    struct run_options options;
    struct trace_options traced;
    const char *workload, *size, *ptx, *launch, *trace;
    uint64_t seed;
};

static const struct argp_option OPTIONS[] = {
    {"workload", 'w', "NAME", 0, "run this workload (`warplock list` names them)", 0},
    {"size", OPTION_SIZE, "SIZE", 0, "its size: a name, or key=value,... (default: small)", 0},
    {"ptx", OPTION_PTX, "FILE", 0, "run a kernel of this PTX file instead, with --launch", 0},
    {"launch", OPTION_LAUNCH, "FILE", 0, "kernel, shape, arguments and buffers (INI)", 0},
    {"trace", OPTION_TRACE, "LIST", 0,
     "run a SASS trace instead: its kernelslist.g, or the file of one kernel (.tracez, or text, perhaps "
     "packed by gzip, xz or zstd)",
     0},
    {"seed", OPTION_SEED, "N", 0, "seed of the workload's inputs (default 1)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run *o = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->options;
        state->child_inputs[1] = &o->traced;
        break;
    case 'w': o->workload = arg; break;
    case OPTION_SIZE: o->size = arg; break;
    case OPTION_PTX: o->ptx = arg; break;
    case OPTION_LAUNCH: o->launch = arg; break;
    case OPTION_TRACE: o->trace = arg; break;
    case OPTION_SEED: o->seed = cli_number("seed", arg, 0, UINT64_MAX / 2, state); break;
    case ARGP_KEY_ARG:
        argp_error(state, "%s: not understood; a workload is given with -w", arg);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- the run ---- */

static enum verdict run_workload(const struct run *o, struct host *host, char *error,
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

static enum verdict run_file(const struct run *o, struct host *host, char *error, size_t n_error)
{
    struct launch_file file = {0};
    char module[PATH_MAX];
    int result = -1;

    if (!o->launch) {
        snprintf(error, n_error, "--ptx needs --launch FILE with the kernel and its arguments");
    } else if (!realpath(o->ptx, module)) {
        snprintf(error, n_error, "%.200s: %s; check the path", o->ptx, strerror(errno));
    } else if (launch_file_read(&file, o->launch, error, n_error) == 0) {
        result = launch_file_run(&file, host, module, error, n_error);
    }
    launch_file_release(&file);
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

/* Fences that do not wait for stores are weaker than PTX's: a right result then says less. */
static void remark_on_fences(const struct gpu *gpu)
{
    uint64_t fences = 0;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        fences += sm_stats(sm_at(gpu->sm, s))->fences;
    }
    if (fences && gpu->config.sm_fence == FENCE_REGISTERS) {
        fprintf(stderr,
                "warplock: remark: %llu fences waited for registers only, less than PTX demands; "
                "see docs/machines.md\n",
                (unsigned long long)fences);
    }
}

/* With machine and host made: run, report, return the verdict. */
static enum verdict run_on(const struct run *o, struct gpu *gpu, struct host *host,
                           const struct run_timed *timed, struct run_progress *progress)
{
    char error[8192] = "";
    struct sass_run_result trace;
    enum verdict verdict;

    const struct run_options *m = &o->options;
    const struct run_units_options options = {.names = m->mechanisms,
                                              .backends = m->backends,
                                              .past_steps = m->past_steps,
                                              .wave = m->wave,
                                              .timeline = m->timeline};
    struct run_units *units = run_units_open(gpu, &options, error, sizeof error);
    if (!units) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    verdict = o->trace ? run_trace(gpu, o->trace, &o->traced, &trace, error, sizeof error)
              : o->ptx ? run_file(o, host, error, sizeof error)
                       : run_workload(o, host, error, sizeof error);
    verdict = judge(host, verdict, error, sizeof error);
    run_progress_end(progress);
    if (verdict == VERDICT_PASS && !gpu->n_launches && timed->other[0]) {
        run_timed_none(timed, error, sizeof error);
        verdict = VERDICT_USAGE;
    }
    if (gpu->n_launches) {
        if (!o->trace) {
            remark_on_fences(gpu);
        }
        verdict = run_report(m, gpu, units, o->trace ? run_trace_json(&trace) : NULL, verdict,
                             stdout);
    }
    run_units_detach(units);
    if (error[0]) {
        fprintf(stderr, "warplock: %s\n", error);
    }
    return verdict;
}

/* On a machine: make the host program's view of it, written down if asked, and run. */
static enum verdict run_hosted(const struct run *o, struct gpu *gpu, const char *root,
                               struct run_progress *progress)
{
    struct run_timed timed;
    struct host_backend backend = run_timed_backend(&timed, gpu, o->options.timed);
    struct host_loader loader = ptx_loader(&gpu->n_sms);
    char folder[PATH_MAX + 64], error[PATH_MAX + 128] = "out of memory for the host";
    struct sass_dump *dump = o->options.dump
                                 ? sass_dump_open(o->options.dump, o->options.containers, error,
                                                  sizeof error)
                                 : NULL;
    struct checker *check = NULL;
    struct host *host = NULL;
    enum verdict verdict = VERDICT_USAGE;

    if (dump) {
        backend = sass_dump_backend(dump, &backend);
    }
    if (o->options.checks) {
        check = checker_open(gpu->memory, &backend, o->options.checks, stderr);
        backend = check ? checker_backend(check) : backend;
    }
    snprintf(folder, sizeof folder, "%s/cmodel/workloads", root);
    if ((!o->options.dump || dump) && (!o->options.checks || check)) {
        host = host_create(gpu->memory, &backend, &loader, folder);
    }
    if (host) {
        verdict = run_on(o, gpu, host, &timed, progress);
    } else {
        fprintf(stderr, "warplock: %s\n", error);
    }
    if (dump && sass_dump_close(dump, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        verdict = verdict == VERDICT_PASS ? VERDICT_USAGE : verdict;
    }
    host_destroy(host);
    if (checker_close(check) && verdict == VERDICT_PASS) {
        verdict = VERDICT_MISMATCH;
    }
    return verdict;
}

static enum verdict run(const struct run *o)
{
    const struct run_options *m = &o->options;
    struct run_kernels lines;
    struct run_progress progress;
    struct gpu_options options = {.threads = run_options_threads(m),
                                  .every_cycle = m->every_cycle || m->wave.machine ||
                                                 m->timeline.path,
                                  .max_cycles = m->cycles};
    char root[PATH_MAX], error[512] = "";
    struct memory *memory = NULL;
    struct gpu_config config;
    struct gpu *gpu = NULL;
    enum verdict verdict = VERDICT_USAGE;

    if (run_kernels_open(&lines, m->kernels, &options) != 0) {
        return VERDICT_USAGE;
    }
    tree_root(root, sizeof root);
    run_progress_start(&progress, &options);
    if (cli_read_config(run_options_config(m), m->set, m->n_sets, &config, error, sizeof error) ==
        0) {
        if (m->keys) {
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
    static const struct argp_child children[] = {
        {&run_options_argp, 0, NULL, 0}, {&trace_options_argp, 0, "Of a trace:", 0}, {0}};
    static const struct argp argp = {
        OPTIONS,
        parse,
        NULL,
        "Run a workload, a kernel of any PTX file, or a SASS trace, "
        "on the timed machine and print its statistics.\v"
        "Examples:\n  warplock run -w vecadd\n  warplock run -w spmv "
        "--size small -c aci --json out.json\n"
        "  warplock run --ptx my.ptx --launch my.ini -c "
        "wang2015-oaws\n"
        "  warplock run --trace traces/kernelslist.g -c fermi15\n"
        "Exit status: 0 pass, 1 wrong result or a finding of --check, 2 bad use or a fault "
        "of the kernel, 3 stuck, 4 internal "
        "error, 5 cycle limit.",
        children,
        NULL,
        NULL};
    struct run o = {.seed = 1};

    run_options_init(&o.options);
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    if (o.options.counters) {
        gpu_stats_describe(stdout);
        return VERDICT_PASS;
    }
    if (!run_options_check(&o.options)) {
        return VERDICT_USAGE;
    }
    if (!o.options.keys && !!o.workload + !!o.ptx + !!o.trace != 1) {
        fprintf(stderr, "warplock: give one of -w WORKLOAD, --ptx FILE --launch FILE, "
                        "--trace LIST\n");
        return VERDICT_USAGE;
    }
    if (o.trace && o.options.checks) {
        fprintf(stderr, "warplock: --check goes with -w or --ptx; a trace has no values\n");
        return VERDICT_USAGE;
    }
    if (!o.trace && o.traced.allocations.n > 0) {
        fprintf(stderr, "warplock: --allocations goes with --trace; other programs allocate\n");
        return VERDICT_USAGE;
    }
    if (o.trace && o.options.dump) {
        fprintf(stderr, "warplock: --dump-trace goes with -w or --ptx; a trace is there already\n");
        return VERDICT_USAGE;
    }
    if (o.trace && o.options.timed) {
        fprintf(stderr, "warplock: --timed goes with -w or --ptx; a trace's other kernels have no "
                        "values: take them from its list\n");
        return VERDICT_USAGE;
    }
    const enum verdict verdict = run(&o);
    trace_options_free(&o.traced);
    return (int)verdict;
}
