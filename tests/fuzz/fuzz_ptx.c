/* fuzz_ptx.c - libFuzzer entry: any bytes as PTX text, parsed and lowered; every kernel that
 * results runs some thousand steps on the untimed executor with a small memory.
 *
 * Seeds: tests/ptx and the workloads' modules.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/ptx_reference.h"

#define BASE UINT64_C(0x10000)
enum {
    MEMORY_BYTES = 1 << 16,
    MAX_STEPS = 3000,
    MAX_LOCAL_BYTES = 1 << 20,
    MAX_SHARED_BYTES = 1 << 20
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every address leads somewhere: the fuzzer is after the front end, not after bounds of memory. */
static uint8_t *memory_at(void *context, uint64_t address, uint32_t bytes)
{
    (void)bytes;
    return (uint8_t *)context + address % (MEMORY_BYTES - 16);
}

static bool memory_read(void *context, uint64_t address, void *to, size_t bytes)
{
    (void)address;
    if (bytes > MEMORY_BYTES) {
        return false;
    }
    memcpy(to, context, bytes);
    return true;
}

static void run_kernel(struct ptx_module *module, const struct isa_kernel *kernel, uint8_t *memory)
{
    struct isa_dim3 grid = {2, 1, 1}, block = {40, 1, 1};
    struct isa_launch launch;
    char error[512];
    size_t n_params = ptx_param_block_bytes(module, kernel);
    uint8_t *params = calloc(1, n_params + 1);
    if (kernel->shared_bytes > MAX_SHARED_BYTES || kernel->local_bytes > MAX_LOCAL_BYTES ||
        params == NULL) {
        free(params);
        return;
    }
    for (size_t i = 2; i < n_params; i += 8) { /* plausible pointers */
        params[i] = 1;
    }
    struct ptx_launch_config config = {.grid = grid,
                                       .block = block,
                                       .dynamic_shared_bytes = 256,
                                       .param_block = params,
                                       .n_param_block = n_params,
                                       .local_base = BASE,
                                       .n_sms = 1,
                                       .read = memory_read,
                                       .read_context = memory};
    if (ptx_launch_init(&launch, module, kernel, &config, error, sizeof(error)) == 0) {
        struct ptx_memory access = {.context = memory, .at = memory_at};
        ptx_reference_run(&launch, &access, MAX_STEPS, NULL, error, sizeof(error));
        ptx_launch_release(&launch);
    }
    free(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[512];
    struct ptx_module *module = ptx_module_parse("fuzz.ptx", (const char *)data, size, error,
                                                 sizeof(error));
    uint8_t *memory = module != NULL ? calloc(1, MEMORY_BYTES) : NULL;
    for (size_t i = 0; module != NULL && i < ptx_variable_count(module); i++) {
        ptx_variable_place(module, i, BASE + 64 * i);
    }
    for (size_t i = 0; module != NULL && i < ptx_variable_count(module); i++) {
        struct ptx_variable_info v = ptx_variable_get(module, i);
        uint8_t *bytes = v.bytes <= MEMORY_BYTES ? malloc(v.bytes + 1) : NULL;
        if (bytes != NULL) {
            ptx_variable_initial(module, i, bytes);
        }
        free(bytes);
    }
    for (size_t i = 0; module != NULL && memory != NULL && i < ptx_kernel_count(module); i++) {
        run_kernel(module, ptx_kernel_at(module, i), memory);
    }
    free(memory);
    ptx_module_free(module);
    return 0;
}
