/* cuda_launch.c - a launch: checks, arguments, shared memory made equal, the run, its faults.
 *
 * Kernels run inside the call that launches them; a fault is kept until a call asks for it.  See
 * cuda_runtime.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_calls.h"
#include "cuda/cuda_runtime.h"

enum { STANDARD_SHARED = 49152, MAX_BLOCK = 1024, MAX_BLOCK_Z = 64, MAX_GRID_YZ = 65535 };
enum { FIRST_PROGRESS = 70 }; /* targets from sm_70 on promise progress to each thread */

uint32_t cuda_occupancy(const struct isa_kernel *kernel, uint64_t threads, uint64_t dynamic_shared)
{
    return gpu_occupancy(&cuda_runtime.machine->gpu->config, threads, kernel->registers_per_thread,
                         kernel->shared_bytes + dynamic_shared);
}

uint32_t cuda_shared_limit(const struct cuda_kernel *kernel)
{
    uint32_t has = cuda_runtime.machine->gpu->config.sm_shared_bytes;
    uint32_t standard = has < STANDARD_SHARED ? has : STANDARD_SHARED;

    return kernel->max_dynamic_shared > (int)standard ? has : standard;
}

void cuda_make_do(const struct cuda_kernel *kernel, const struct isa_kernel *k, uint64_t threads)
{
    uint64_t rounded = (threads + ISA_LANES - 1) / ISA_LANES * ISA_LANES;
    uint64_t most = rounded ? cuda_runtime.machine->gpu->config.sm_registers / rounded : 0;

    if (cuda_module_registers(kernel->module, kernel->name) == 0 && most &&
        k->registers_per_thread > most) {
        ptx_kernel_set_registers(kernel->module->ptx, kernel->name, (uint32_t)most);
    }
}

int cuda_kernel_of(const void *function, struct cuda_kernel **kernel,
                   const struct isa_kernel **lowered)
{
    struct cuda_runtime *rt = &cuda_runtime;
    struct cuda_kernel *found = cuda_code_kernel(&rt->code, function);
    char error[1024];
    int status;

    *kernel = found;
    if (!found) {
        return CUDA_INVALID_DEVICE_FUNCTION;
    }
    status = cuda_module_load(found->module, &rt->space, rt->machine->capability);
    if (status) {
        return status;
    }
    if (!ptx_kernel_exists(found->module->ptx, found->name)) {
        return CUDA_INVALID_DEVICE_FUNCTION;
    }
    *lowered = ptx_kernel_ready(found->module->ptx, found->name, error, sizeof error);
    if (!*lowered) {
        fprintf(stderr, "warplock: kernel %s cannot be simulated: %s\n", found->name, error);
        return CUDA_INVALID_PTX;
    }
    ptx_kernel_set_registers(found->module->ptx, found->name,
                             cuda_module_registers(found->module, found->name));
    cuda_make_do(found, *lowered, ptx_kernel_max_threads(*lowered));
    return CUDA_SUCCESS;
}

/* ---- what is wrong before anything runs ---- */

static int check(const struct cuda_kernel *kernel, const struct isa_kernel *k,
                 struct cuda_dim3 grid, struct cuda_dim3 block, size_t shared_bytes,
                 bool cooperative)
{
    const struct gpu_config *c = &cuda_runtime.machine->gpu->config;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    uint64_t ctas = (uint64_t)grid.x * grid.y * grid.z;
    uint64_t registers = (threads + ISA_LANES - 1) / ISA_LANES * ISA_LANES *
                         k->registers_per_thread;
    uint64_t max = ptx_kernel_max_threads(k);

    if (threads == 0 || ctas == 0 || grid.x > INT32_MAX || grid.y > MAX_GRID_YZ ||
        grid.z > MAX_GRID_YZ || block.x > MAX_BLOCK || block.y > MAX_BLOCK ||
        block.z > MAX_BLOCK_Z || threads > MAX_BLOCK || threads > c->sm_threads) {
        return CUDA_INVALID_CONFIGURATION;
    }
    if ((max && threads > max) || shared_bytes > UINT32_MAX ||
        k->shared_bytes + shared_bytes > cuda_shared_limit(kernel)) {
        fprintf(
            stderr,
            "warplock: kernel %s: %llu threads, where its launch bounds allow %llu (0: any), and "
            "%llu bytes of shared memory, where it may have %u\n",
            kernel->name, (unsigned long long)threads, (unsigned long long)max,
            (unsigned long long)(k->shared_bytes + shared_bytes), cuda_shared_limit(kernel));
        return CUDA_INVALID_VALUE;
    }
    if (registers > c->sm_registers) {
        fprintf(stderr,
                "warplock: kernel %s: %llu threads of %u registers, an SM has %u registers; use "
                "smaller blocks or --set sm.registers=%llu\n",
                kernel->name, (unsigned long long)threads, k->registers_per_thread, c->sm_registers,
                (unsigned long long)registers);
        return CUDA_LAUNCH_OUT_OF_RESOURCES;
    }
    if (cooperative && ctas > (uint64_t)cuda_occupancy(k, threads, shared_bytes) * c->machine_sms) {
        return CUDA_COOPERATIVE_TOO_LARGE;
    }
    return CUDA_SUCCESS;
}

/* ---- what the kernel gets ---- */

static uint8_t *parameters(const struct ptx_module *ptx, const struct isa_kernel *k, void **args,
                           size_t *n_bytes)
{
    size_t n = ptx_param_count(ptx, k);
    uint8_t *block;

    *n_bytes = ptx_param_block_bytes(ptx, k);
    block = calloc(*n_bytes + 1, 1);
    for (size_t p = 0; block && p < n; p++) {
        struct ptx_param_info info = ptx_param_get(ptx, k, p);

        memcpy(block + info.offset, args[p], info.bytes);
    }
    return block;
}

static bool read_device(void *context, uint64_t address, void *to, size_t bytes)
{
    struct cuda_runtime *rt = context;
    uint32_t hint = 0;
    const struct memory_buffer *buffer = memory_find(rt->machine->memory, address, &hint);

    if (!buffer || bytes > buffer->bytes - (address - buffer->base)) {
        return false;
    }
    rt->machine->backend.read(rt->machine->backend.self, address, to, bytes);
    return true;
}

/* Device memory that the library keeps for launches: at least `bytes`. */
static uint64_t keep(struct cuda_space *space, const char *name, uint64_t *at, uint64_t *has,
                     uint64_t bytes)
{
    if (bytes > *has) {
        struct cuda_block *block;

        if (*at) {
            cuda_space_give(space, *at);
        }
        block = cuda_space_take(space, name, bytes, CUDA_BLOCK_INTERNAL, NULL);
        *at = block ? block->base : 0;
        *has = block ? bytes : 0;
    }
    return *at;
}

static int barrier_words(struct cuda_runtime *rt, uint64_t *address)
{
    static const uint8_t zero[64];
    uint64_t has = rt->grid_sync ? sizeof zero : 0;

    *address = keep(&rt->space, "grid barrier", &rt->grid_sync, &has, sizeof zero);
    if (!*address) {
        return CUDA_MEMORY_ALLOCATION;
    }
    rt->machine->backend.write(rt->machine->backend.self, *address, zero, sizeof zero);
    return CUDA_SUCCESS;
}

/* ---- the run ---- */

/* What the simulator's words are for CUDA: the first line that fits. */
static int fault_of(enum gpu_status status, const char *words, bool asserted)
{
    static const struct {
        const char *word;
        int code;
    } faults[] = {{"misaligned", CUDA_MISALIGNED_ADDRESS},
                  {"not aligned", CUDA_MISALIGNED_ADDRESS},
                  {"not allocated", CUDA_ILLEGAL_ADDRESS},
                  {"outside", CUDA_ILLEGAL_ADDRESS}};

    if (asserted) {
        return CUDA_ASSERT;
    }
    if (status == GPU_STUCK || status == GPU_LIMIT) {
        return CUDA_LAUNCH_TIMEOUT;
    }
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        if (strstr(words, faults[f].word)) {
            return faults[f].code;
        }
    }
    return status == GPU_INTERNAL ? CUDA_UNKNOWN : CUDA_LAUNCH_FAILURE;
}

static void run(struct cuda_runtime *rt, struct isa_launch *launch, struct cuda_calls *calls)
{
    char words[8192] = "";
    int status;

    cuda_space_to_device(&rt->space);
    status = rt->machine->backend.launch(rt->machine->backend.self, launch, words, sizeof words);
    cuda_calls_write(calls);
    if (status != GPU_OK) {
        rt->fault = fault_of((enum gpu_status)status, words, calls->asserted);
        fprintf(stderr, "warplock: %s\n", words);
        if (status == GPU_STUCK) {
            fprintf(stderr, "warplock: a kernel that waits for the host, or for another kernel, "
                            "waits for ever: each runs by itself, inside its launch\n");
        }
    }
    cuda_space_to_host(&rt->space);
}

static int prepare(struct cuda_runtime *rt, const struct cuda_kernel *kernel,
                   const struct isa_kernel *k, struct ptx_launch_config *config, void **args)
{
    uint64_t local = ptx_local_total_bytes(k, config->grid, config->block);
    uint8_t *block = parameters(kernel->module->ptx, k, args, &config->n_param_block);

    config->param_block = block;
    config->local_base = local
                             ? keep(&rt->space, "local memory", &rt->local, &rt->local_bytes, local)
                             : 0;
    return !block || (local && !config->local_base) ? CUDA_MEMORY_ALLOCATION : CUDA_SUCCESS;
}

int cuda_launch(const struct cuda_kernel *kernel, struct cuda_dim3 grid, struct cuda_dim3 block,
                void **args, size_t shared_bytes, bool cooperative)
{
    struct cuda_runtime *rt = &cuda_runtime;
    struct cuda_kernel *self;
    const struct isa_kernel *k;
    struct isa_launch launch;
    struct cuda_calls calls = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .space = &rt->space,
                               .heap = &rt->heap,
                               .heap_bytes = rt->limit[2] ? rt->limit[2] : (size_t)8 << 20};
    struct ptx_launch_config config = {.grid = {grid.x, grid.y, grid.z},
                                       .block = {block.x, block.y, block.z},
                                       .dynamic_shared_bytes = (uint32_t)shared_bytes,
                                       .n_sms = rt->machine->gpu->n_sms,
                                       .textures = rt->textures.at,
                                       .n_textures = rt->textures.n,
                                       .read = read_device,
                                       .read_context = rt,
                                       .outside = cuda_outside,
                                       .outside_context = &calls};
    char error[512];
    int status = cuda_kernel_of(kernel, &self, &k);

    if (!status) {
        cuda_make_do(self, k, (uint64_t)block.x * block.y * block.z);
    }
    status = status ? status : check(self, k, grid, block, shared_bytes, cooperative);
    if (!status && cooperative) {
        status = barrier_words(rt, &config.grid_sync);
    }
    config.threads_progress = !status && rt->machine->threads_progress &&
                              ptx_module_target(self->module->ptx) >= FIRST_PROGRESS;
    status = status ? status : prepare(rt, self, k, &config, args);
    if (!status &&
        ptx_launch_init(&launch, self->module->ptx, k, &config, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        status = CUDA_INVALID_VALUE;
    }
    if (!status) {
        run(rt, &launch, &calls);
        ptx_launch_release(&launch);
    }
    free((uint8_t *)(uintptr_t)config.param_block);
    return status;
}
