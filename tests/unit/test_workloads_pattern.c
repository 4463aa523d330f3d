/* test_workloads_pattern.c - the loads of every workload ask for the lines that its
 * table of closed-form patterns promises.
 *
 * The program brings a host of its own that runs kernels on the untimed executor and
 * looks at every global load of a full warp: how many 128-byte lines, and how far
 * lane 1 is from lane 0.  Run from the top folder.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "ptx/ptx.h"
#include "ptx/ptx_reference.h"
#include "workloads/workload.h"

enum { MAX_PCS = 4096, LINE_BYTES = 128, MAX_KERNELS = 16, TINY_LIMIT = 200000 };
static const uint64_t memory_bytes = UINT64_C(1) << 32;

/* What a load instruction did, over all its executions by full warps. */
struct observed {
    uint64_t executions;
    unsigned least, most; /* lines */
    int64_t stride;
    bool stride_varies;
};

struct observed_kernel {
    const struct isa_kernel *kernel;
    struct observed pc[MAX_PCS];
};

struct host {
    uint8_t *memory;
    uint64_t used;
    struct ptx_module *module;
    char error[256];
    uint64_t warp_instructions;
    struct observed_kernel *kernels; /* [MAX_KERNELS], ends with kernel == NULL */
};

static struct host open_host(void)
{
    struct host host = {.used = 1 << 20};
    host.memory = mmap(NULL, memory_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(host.memory, MAP_FAILED);
    host.kernels = calloc(MAX_KERNELS, sizeof *host.kernels);
    assert_non_null(host.kernels);
    return host;
}

static void close_host(struct host *host)
{
    ptx_module_free(host->module);
    munmap(host->memory, memory_bytes);
    free(host->kernels);
}

gpu_ptr host_alloc(struct host *host, const char *name, size_t bytes, size_t align_bytes)
{
    (void)name;
    const uint64_t at = (host->used + align_bytes - 1) & ~(uint64_t)(align_bytes - 1);
    assert_true(at + bytes <= memory_bytes);
    host->used = at + bytes;
    return at;
}

void host_write(struct host *host, gpu_ptr to, const void *from, size_t bytes)
{
    memcpy(host->memory + to, from, bytes);
}

void host_read(struct host *host, void *to, gpu_ptr from, size_t bytes)
{
    memcpy(to, host->memory + from, bytes);
}

static struct host_arg arg(uint8_t bytes, const void *value)
{
    struct host_arg a = {.bytes = bytes};
    memcpy(a.value, value, bytes);
    return a;
}

struct host_arg host_arg_u32(uint32_t value)
{
    return arg(4, &value);
}
struct host_arg host_arg_f32(float value)
{
    return arg(4, &value);
}
struct host_arg host_arg_u64(uint64_t value)
{
    return arg(8, &value);
}
struct host_arg host_arg_f64(double value)
{
    return arg(8, &value);
}

const char *host_error(const struct host *host)
{
    return host->error[0] ? host->error : NULL;
}

static void load_module(struct host *host, const char *module)
{
    char path[256];
    if (host->module) {
        return;
    }
    snprintf(path, sizeof path, "cmodel/workloads/%s", module);
    host->module = ptx_module_load(path, host->error, sizeof host->error);
    assert_string_equal(host->error, "");
    for (size_t i = 0; i < ptx_variable_count(host->module); i++) {
        const struct ptx_variable_info info = ptx_variable_get(host->module, i);
        ptx_variable_place(host->module, i, host_alloc(host, info.name, info.bytes, 256));
    }
    for (size_t i = 0; i < ptx_variable_count(host->module); i++) {
        const struct ptx_variable_info info = ptx_variable_get(host->module, i);
        if (info.has_initial) {
            ptx_variable_initial(host->module, i, host->memory + info.address);
        }
    }
}

gpu_ptr host_symbol(struct host *host, const char *module, const char *name)
{
    load_module(host, module);
    for (size_t i = 0; i < ptx_variable_count(host->module); i++) {
        if (strcmp(ptx_variable_get(host->module, i).name, name) == 0) {
            return ptx_variable_get(host->module, i).address;
        }
    }
    fail_msg("no variable %s", name);
    return 0;
}

/* ---- looking at loads ---- */

static struct observed *observe_pc(struct host *host, const struct isa_kernel *kernel, uint32_t pc)
{
    struct observed_kernel *k = host->kernels;
    while (k->kernel && k->kernel != kernel) {
        k++;
    }
    assert_true(k < host->kernels + MAX_KERNELS - 1 && pc < MAX_PCS);
    k->kernel = kernel;
    return &k->pc[pc];
}

static unsigned count_lines(const struct isa_memop *op)
{
    uint64_t lines[2 * ISA_LANES];
    unsigned n = 0;
    for (int lane = 0; lane < ISA_LANES; lane++) {
        for (int end = 0; end < 2; end++) {
            const uint64_t byte = op->addr[lane] + (end ? op->inst->bytes - 1u : 0);
            unsigned i = 0;
            while (i < n && lines[i] != byte / LINE_BYTES) {
                i++;
            }
            if (i == n) {
                lines[n++] = byte / LINE_BYTES;
            }
        }
    }
    return n;
}

static void observe(struct host *host, const struct isa_kernel *kernel, const struct isa_memop *op)
{
    if (op->mask != UINT32_MAX || op->inst->access != ISA_ACCESS_LOAD ||
        op->inst->space != ISA_SPACE_GLOBAL) {
        return;
    }
    struct observed *seen = observe_pc(host, kernel, (uint32_t)(op->inst - kernel->inst));
    const unsigned lines = count_lines(op);
    const int64_t stride = (int64_t)(op->addr[1] - op->addr[0]);
    if (seen->executions++ == 0) {
        *seen = (struct observed){.executions = 1, .least = lines, .most = lines, .stride = stride};
    }
    seen->least = lines < seen->least ? lines : seen->least;
    seen->most = lines > seen->most ? lines : seen->most;
    seen->stride_varies |= stride != seen->stride;
}

/* ---- executing ---- */

/* A launch in front of another one: passes everything on and looks at the accesses. */
struct watched {
    struct host *host;
    const struct isa_launch *launch;
};

static void watch_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place)
{
    const struct watched *w = self;
    w->launch->warp_start(w->launch->self, warp, place);
}

static void watch_step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                       struct isa_memop *memop)
{
    const struct watched *w = self;
    w->launch->step(w->launch->self, warp, cycle, step, memop);
    if (step->kind == ISA_STEP_MEMORY) {
        observe(w->host, w->launch->kernel, memop);
    }
}

static void watch_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    const struct watched *w = self;
    w->launch->retire(w->launch->self, warp, memop);
}

static void watch_end(void *self, struct isa_warp *warp)
{
    const struct watched *w = self;
    w->launch->warp_end(w->launch->self, warp);
}

static bool read_memory(void *context, uint64_t address, void *to, size_t bytes)
{
    host_read(context, to, address, bytes);
    return true;
}

static uint8_t *memory_at(void *context, uint64_t address, uint32_t bytes)
{
    struct host *host = context;
    return address + bytes <= host->used ? host->memory + address : NULL;
}

static void run_launch_watched(struct host *host, const struct isa_launch *launch)
{
    struct watched watched = {.host = host, .launch = launch};
    const struct ptx_memory memory = {.context = host, .at = memory_at};
    struct ptx_reference_result result = {0};
    struct isa_launch front = *launch;
    front.self = &watched;
    front.warp_start = watch_start;
    front.step = watch_step;
    front.retire = watch_retire;
    front.warp_end = watch_end;
    ptx_reference_run(&front, &memory, 0, &result, host->error, sizeof host->error);
    host->warp_instructions += result.steps;
}

void host_launch(struct host *host, const char *module, const char *kernel, struct isa_dim3 grid,
                 struct isa_dim3 block, uint32_t dynamic_shared_bytes, const struct host_arg *args,
                 size_t n_args)
{
    uint8_t params[1024] = {0};
    struct isa_launch launch;
    load_module(host, module);
    const struct isa_kernel *k = ptx_kernel(host->module, kernel);
    assert_non_null(k);
    assert_int_equal(ptx_param_count(host->module, k), n_args);
    for (size_t i = 0; i < n_args; i++) {
        const struct ptx_param_info info = ptx_param_get(host->module, k, i);
        assert_int_equal(info.bytes, args[i].bytes);
        memcpy(params + info.offset, args[i].value, args[i].bytes);
    }
    const struct ptx_launch_config config = {
        .grid = grid,
        .block = block,
        .dynamic_shared_bytes = dynamic_shared_bytes,
        .param_block = params,
        .n_param_block = ptx_param_block_bytes(host->module, k),
        .local_base = host_alloc(host, "local", ptx_local_total_bytes(k, grid, block), 4096),
        .n_sms = 1,
        .read = read_memory,
        .read_context = host,
    };
    ptx_launch_init(&launch, host->module, k, &config, host->error, sizeof host->error);
    assert_string_equal(host->error, "");
    run_launch_watched(host, &launch);
    ptx_launch_release(&launch);
}

/* ---- comparing ---- */

/* The program counter of the kernel's load number `ordinal`, or n_inst. */
static uint32_t find_load(const struct isa_kernel *kernel, unsigned ordinal)
{
    uint32_t pc = 0;
    for (; pc < kernel->n_inst; pc++) {
        if (kernel->inst[pc].access == ISA_ACCESS_LOAD &&
            kernel->inst[pc].space == ISA_SPACE_GLOBAL && ordinal-- == 0) {
            break;
        }
    }
    return pc;
}

static bool compare(struct host *host, const struct workload *workload,
                    const struct workload_expect *expect)
{
    const struct isa_kernel *kernel = ptx_kernel(host->module, expect->kernel);
    assert_non_null(kernel);
    const uint32_t pc = find_load(kernel, expect->load);
    assert_true(pc < kernel->n_inst);
    const struct observed *seen = observe_pc(host, kernel, pc);
    const unsigned most = expect->nreq_max ? expect->nreq_max : expect->nreq;
    const bool stride_right = expect->stride_bytes == WORKLOAD_STRIDE_VARIES ||
                              (!seen->stride_varies && seen->stride == expect->stride_bytes);
    if (seen->executions && seen->least >= expect->nreq && seen->most <= most && stride_right) {
        return true;
    }
    print_message("%s: %s load %u (%s): %llu times by full warps, %u to %u lines, stride %lld%s\n",
                  workload->name, expect->kernel, expect->load, expect->what,
                  (unsigned long long)seen->executions, seen->least, seen->most,
                  (long long)seen->stride, seen->stride_varies ? " and others" : "");
    return false;
}

static void run_tiny(struct host *host, const struct workload *workload)
{
    struct workload_size size;
    struct workload_result result;
    char error[200] = "";
    workload_size_parse(workload, "tiny", &size, error, sizeof error);
    assert_string_equal(error, "");
    if (workload->run(host, &size, 1, &result) != WORKLOAD_OK) {
        fail_msg("%s: %s", workload->name, result.message);
    }
    workload_size_free(&size);
}

static void loads_have_their_closed_form(void **state)
{
    (void)state;
    bool right = true;
    for (const struct workload *const *w = workload_list(); *w; w++) {
        struct host host = open_host();
        if ((*w)->together) { /* here one CTA runs after the other */
            close_host(&host);
            continue;
        }
        run_tiny(&host, *w);
        print_message("%-14s %8llu warp instructions\n", (*w)->name,
                      (unsigned long long)host.warp_instructions);
        assert_true(host.warp_instructions < TINY_LIMIT);
        for (const struct workload_expect *e = (*w)->expect; e && e->kernel; e++) {
            right &= compare(&host, *w, e);
        }
        close_host(&host);
    }
    assert_true(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_have_their_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
