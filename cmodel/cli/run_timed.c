/* run_timed.c - see run_timed.h. */
#include "cli/run_timed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/gpu.h"

/* CTAs that the machine would hold at once, and so may wait for each other. */
static uint32_t resident_ctas(const void *context, const struct isa_launch *launch)
{
    const struct gpu_config *config = context;
    const uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    const uint64_t shared = (uint64_t)launch->kernel->shared_bytes + launch->dynamic_shared_bytes;
    const uint32_t each = gpu_occupancy(config, threads, launch->kernel->registers_per_thread,
                                        shared);

    return each ? each * config->machine_sms : 1;
}

/* ---- the list ---- */

static const char *next_name(const char *name)
{
    name += strcspn(name, ",");
    return name + (*name == ',');
}

/* One launch in how many: the N of NAME/N, 1 of NAME; 0 where it is neither. */
static unsigned long one_in(const char *name)
{
    const char *slash = name + strcspn(name, ",/");
    char *end;

    if (slash == name || *slash != '/') {
        return slash > name;
    }
    if (slash[1] < '1' || slash[1] > '9') {
        return 0;
    }
    const unsigned long n = strtoul(slash + 1, &end, 10);
    return (*end == ',' || *end == '\0') && n >= 2 && n <= 1000 ? n : 0;
}

bool run_timed_check(const char *kernels, char *error, size_t n_error)
{
    size_t n = 0;

    for (const char *name = kernels; *name; name = next_name(name), n++) {
        if (one_in(name) == 0) {
            snprintf(error, n_error, "'%.*s' is no kernel's name, nor a name and /2 to /1000",
                     (int)strcspn(name, ","), name);
            return false;
        }
    }
    snprintf(error, n_error, "give 1 to %d kernels", RUN_TIMED_KERNELS);
    return n > 0 && n <= RUN_TIMED_KERNELS;
}

/* Counts the launch. */
static bool is_timed(struct run_timed *timed, const char *kernel)
{
    const size_t n = strlen(kernel);
    size_t k = 0;

    for (const char *name = timed->kernels; *name; name = next_name(name), k++) {
        if (strcspn(name, ",/") == n && strncmp(name, kernel, n) == 0) {
            const unsigned long in = one_in(name);
            return timed->launched[k]++ % in == in / 2;
        }
    }
    return false;
}

/* ---- the backend ---- */

static int launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    struct run_timed *timed = self;
    const struct host_backend untimed = untimed_backend(&timed->untimed);
    int status;

    if (is_timed(timed, launch->kernel->name)) {
        return timed->machine.launch(timed->machine.self, launch, error, n_error);
    }
    snprintf(timed->other, sizeof timed->other, "%s", launch->kernel->name);
    gpu_lend_memory(timed->gpu);
    status = untimed.launch(untimed.self, launch, error, n_error);
    gpu_take_memory(timed->gpu);
    return status;
}

static void read_device(void *self, uint64_t address, void *to, uint64_t bytes)
{
    struct run_timed *timed = self;

    timed->machine.read(timed->machine.self, address, to, bytes);
}

static void write_device(void *self, uint64_t address, const void *from, uint64_t bytes)
{
    struct run_timed *timed = self;

    timed->machine.write(timed->machine.self, address, from, bytes);
}

struct host_backend run_timed_backend(struct run_timed *timed, struct gpu *gpu, const char *kernels)
{
    const struct host_backend machine = host_timed(gpu);
    *timed = (struct run_timed){.gpu = gpu,
                                .kernels = kernels,
                                .machine = machine,
                                .untimed = {.memory = gpu->memory,
                                            .resident_ctas = resident_ctas,
                                            .context = &gpu->config}};
    if (!kernels) {
        return machine;
    }
    return (struct host_backend){
        .self = timed, .launch = launch, .read = read_device, .write = write_device};
}

void run_timed_none(const struct run_timed *timed, char *error, size_t n_error)
{
    size_t k = 0;

    for (const char *name = timed->kernels; *name; name = next_name(name), k++) {
        if (timed->launched[k] > 0) {
            snprintf(error, n_error,
                     "of the %" PRIu64
                     " launches of %.*s that --timed=%.200s looks at it takes none; "
                     "give a smaller number",
                     timed->launched[k], (int)strcspn(name, ",/"), name, timed->kernels);
            return;
        }
    }
    snprintf(error, n_error, "no kernel of --timed=%.200s was launched; %s was, name it",
             timed->kernels, timed->other);
}
