/* run_timed.c - see run_timed.h. */
#include "cli/run_timed.h"

#include <stdio.h>
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

static bool is_timed(const char *kernels, const char *kernel)
{
    const size_t n = strlen(kernel);

    for (const char *name = kernels; *name; name += strcspn(name, ","), name += *name == ',') {
        if (strcspn(name, ",") == n && strncmp(name, kernel, n) == 0) {
            return true;
        }
    }
    return false;
}

static int launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    struct run_timed *timed = self;
    const struct host_backend untimed = untimed_backend(&timed->untimed);
    int status;

    if (is_timed(timed->kernels, launch->kernel->name)) {
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
    snprintf(error, n_error, "no kernel of --timed=%.200s was launched; %s was, name it",
             timed->kernels, timed->other);
}
