/* cuda_session.c - the machine of a CUDA program, inside that program: see cuda/cuda_machine.h.
 *
 * `warplock cuda` hands its options over in the environment; without it, the standard ones hold.
 * All that is said goes to stderr: standard output is the program's.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cuda_options.h"
#include "cli/machine.h"
#include "cli/run_kernels.h"
#include "cli/run_report.h"
#include "cli/run_timed.h"
#include "cli/run_units.h"
#include "cuda/cuda_machine.h"
#include "machine/checker/checker.h"
#include "sass/sass_dump.h"

struct session {
    struct cuda_machine machine; /* first: what the library sees */
    struct cuda_options options;
    struct run_kernels lines;
    struct run_progress progress;
    struct run_units *units;
    struct host_backend plain;
    struct run_timed timed;
    struct sass_dump *dump;
    struct checker *check;
    char folder[PATH_MAX]; /* where the program was started: it may go elsewhere */
};

static int open_gpu(struct session *s, char *error, size_t n_error)
{
    const struct run_options *m = &s->options.run;
    struct gpu_options options = {.threads = run_options_threads(m),
                                  .every_cycle = m->every_cycle || m->wave.machine ||
                                                 m->timeline.path,
                                  .max_cycles = m->cycles};
    const struct run_units_options units = {.names = m->mechanisms,
                                            .backends = m->backends,
                                            .past_steps = m->past_steps,
                                            .wave = m->wave,
                                            .timeline = m->timeline};
    struct gpu_config config;

    if (run_kernels_open(&s->lines, m->kernels, &options) != 0) {
        snprintf(error, n_error, "no file for --kernels");
        return -1;
    }
    if (isatty(STDERR_FILENO)) {
        run_progress_start(&s->progress, &options);
    }
    if (cli_read_config(cuda_options_config(&s->options), m->set, m->n_sets, &config, error,
                        n_error) != 0) {
        return -1;
    }
    s->machine.memory = memory_create();
    s->machine.gpu = s->machine.memory
                         ? gpu_create(&config, &options, s->machine.memory, error, n_error)
                         : NULL;
    if (!s->machine.gpu) {
        return -1;
    }
    s->units = run_units_open(s->machine.gpu, &units, error, n_error);
    return s->units ? 0 : -1;
}

static int open_backend(struct session *s, char *error, size_t n_error)
{
    const char *folder = s->options.run.dump;

    s->machine.backend = run_timed_backend(&s->timed, s->machine.gpu, s->options.run.timed);
    if (s->options.untimed) {
        s->machine.backend = untimed_backend(&s->timed.untimed);
    }
    if (folder) {
        s->plain = s->machine.backend;
        s->dump = sass_dump_open(folder, s->options.run.containers, error, n_error);
        if (!s->dump) {
            return -1;
        }
        s->machine.backend = sass_dump_backend(s->dump, &s->plain);
    }
    if (s->options.run.checks) {
        s->check = checker_open(s->machine.memory, &s->machine.backend, s->options.run.checks,
                                stderr);
        if (!s->check) {
            snprintf(error, n_error, "out of memory for --check");
            return -1;
        }
        s->machine.backend = checker_backend(s->check);
    }
    return 0;
}

static void release(struct session *s)
{
    run_units_detach(s->units);
    gpu_destroy(s->machine.gpu);
    memory_destroy(s->machine.memory);
    free(s);
}

struct cuda_machine *cuda_machine_open(void)
{
    struct session *s = calloc(1, sizeof *s);
    char error[PATH_MAX + 512] = "out of memory";

    if (!s) {
        return NULL;
    }
    cuda_options_from_environment(&s->options);
    if (!getcwd(s->folder, sizeof s->folder) || open_gpu(s, error, sizeof error) != 0 ||
        open_backend(s, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        release(s);
        return NULL;
    }
    s->machine.capability = s->options.capability;
    s->machine.memory_bytes = s->options.memory_bytes;
    s->machine.cycle = s->options.untimed ? &s->timed.untimed.steps : &s->machine.gpu->now;
    s->machine.name = cuda_options_config(&s->options);
    s->machine.threads_progress = !s->options.lockstep_warps;
    return &s->machine;
}

/* Paths of output files are relative to where the program was started. */
static void report(struct session *s, bool failed)
{
    char now[PATH_MAX];
    bool back = getcwd(now, sizeof now) && chdir(s->folder) == 0;

    run_progress_end(&s->progress);
    if (s->machine.gpu->n_launches && !s->options.quiet) {
        run_report(&s->options.run, s->machine.gpu, s->units, NULL,
                   failed ? VERDICT_USAGE : VERDICT_PASS, stderr);
    }
    if (!s->machine.gpu->n_launches && s->timed.other[0]) {
        char error[512];

        run_timed_none(&s->timed, error, sizeof error);
        fprintf(stderr, "warplock: %s\n", error);
    }
    if (back && chdir(now) != 0) {
        fprintf(stderr, "warplock: the working folder %s is gone\n", now);
    }
}

bool cuda_machine_close(struct cuda_machine *machine, bool failed)
{
    struct session *s = (struct session *)(void *)machine;
    char error[512];
    bool found;

    report(s, failed);
    found = checker_close(s->check) != 0;
    if (s->dump && sass_dump_close(s->dump, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
    }
    run_kernels_close(&s->lines);
    release(s);
    return found;
}
