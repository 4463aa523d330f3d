/* api_properties.c - what the device is: properties, attributes, versions; there is no driver to enter.
 *
 * The properties are those of the simulated machine.
 */
#include <stdio.h>
#include <string.h>

#include "cuda/cuda_errors.h"
#include "cuda/cuda_properties.h"
#include "cuda/cuda_runtime.h"
#include "cuda/cuda_version.h"

enum { CONST_BYTES = 65536, STANDARD_SHARED = 49152, VERSION = 13000 };

static const struct gpu_config *config(void)
{
    return &cuda_runtime.machine->gpu->config;
}

static int shared_standard(void)
{
    return (int)(config()->sm_shared_bytes < STANDARD_SHARED ? config()->sm_shared_bytes
                                                             : STANDARD_SHARED);
}

static int l2_bytes(void)
{
    const struct gpu_config *c = config();

    return (int)(c->l2_partitions * c->l2_banks * c->l2_sets * c->l2_ways * BLOCK_BYTES);
}

static int threads_per_block(void)
{
    return (int)(config()->sm_threads < 1024 ? config()->sm_threads : 1024);
}

/* Both layouts name these fields alike. */
#define FILL(p, c, m) \
    do { \
        snprintf((p)->name, sizeof(p)->name, "Simulated GPU %s", (m)->name); \
        memcpy((p)->uuid, "warplock-sim-gpu", 16); \
        (p)->global_bytes = (m)->memory_bytes; \
        (p)->shared_per_block = (size_t)shared_standard(); \
        (p)->registers_per_block = (p)->registers_per_sm = (int)(c)->sm_registers; \
        (p)->warp = 32; \
        (p)->pitch = INT32_MAX; \
        (p)->threads_per_block = threads_per_block(); \
        (p)->block[0] = (p)->block[1] = threads_per_block(); \
        (p)->block[2] = 64; \
        (p)->grid[0] = INT32_MAX; \
        (p)->grid[1] = (p)->grid[2] = 65535; \
        (p)->const_bytes = CONST_BYTES; \
        (p)->major = (int)(m)->capability / 10; \
        (p)->minor = (int)(m)->capability % 10; \
        (p)->texture_alignment = 512; \
        (p)->texture_pitch_alignment = 32; \
        (p)->surface_alignment = 512; \
        (p)->sms = (int)(c)->machine_sms; \
        (p)->map_host = (p)->unified_addressing = (p)->managed = (p)->concurrent_managed = 1; \
        (p)->concurrent_kernels = (p)->cooperative = (p)->copy_engines = 1; \
        (p)->global_l1 = (p)->local_l1 = 1; \
        (p)->pci_bus = 1; \
        (p)->bus_bits = (int)((c)->dram_channels * (c)->dram_bus_bytes * 8); \
        (p)->l2_bytes = l2_bytes(); \
        (p)->threads_per_sm = (int)(c)->sm_threads; \
        (p)->shared_per_sm = (p)->shared_optin = (c)->sm_shared_bytes; \
        (p)->blocks_per_sm = (int)(c)->sm_ctas; \
    } while (0)

static int properties_12(struct cuda_properties_12 *out, size_t bytes, int device)
{
    const struct cuda_machine *m = cuda_runtime.machine;
    int error = cuda_enter(CUDA_USE_DEVICE);

    error = error ? error : !out ? CUDA_INVALID_VALUE : cuda_check_device(device);
    m = cuda_runtime.machine;
    if (!error) {
        memset(out, 0, bytes);
        FILL(out, config(), m);
        out->clock_khz = (int)config()->clock_core_khz;
        out->memory_khz = (int)config()->clock_dram_khz;
        out->double_ratio = 2;
        out->overlap = 1;
        cuda_texture_limits(out->texture, true);
    }
    return cuda_leave(error);
}

API(cudaGetDeviceProperties_v2, void *out, int device)
{
    return properties_12(out, CUDA_PROPERTIES_12_BYTES, device);
}

API(cudaGetDeviceProperties, void *out, int device)
{
    const struct cuda_machine *m;
    int error;

    if (cuda_major < 13) {
        return properties_12(out, sizeof(struct cuda_properties_12), device);
    }
    error = cuda_enter(CUDA_USE_DEVICE);
    error = error ? error : !out ? CUDA_INVALID_VALUE : cuda_check_device(device);
    m = cuda_runtime.machine;
    if (!error) {
        struct cuda_properties *p = out;

        memset(p, 0, sizeof *p);
        FILL(p, config(), m);
        p->host_register = p->pools = 1;
        cuda_texture_limits(p->texture, false);
    }
    return cuda_leave(error);
}

/* Attribute `number`; false: there is none of that number. */
static bool attribute(int number, int *value)
{
    const struct gpu_config *c = config();
    const struct {
        int number, value;
    } known[] = {{1, threads_per_block()},
                 {2, threads_per_block()},
                 {3, threads_per_block()},
                 {4, 64},
                 {5, INT32_MAX},
                 {6, 65535},
                 {7, 65535},
                 {8, shared_standard()},
                 {9, CONST_BYTES},
                 {10, 32},
                 {11, INT32_MAX},
                 {12, (int)c->sm_registers},
                 {13, (int)c->clock_core_khz},
                 {14, 512},
                 {15, 1},
                 {16, (int)c->machine_sms},
                 {19, 1},
                 {21, CUDA_MOST_WIDTH},
                 {22, CUDA_MOST_WIDTH},
                 {23, CUDA_MOST_HEIGHT},
                 {24, CUDA_MOST_VOLUME},
                 {25, CUDA_MOST_VOLUME},
                 {26, CUDA_MOST_VOLUME},
                 {31, 1},
                 {33, 1},
                 {36, (int)c->clock_dram_khz},
                 {37, (int)(c->dram_channels * c->dram_bus_bytes * 8)},
                 {38, l2_bytes()},
                 {39, (int)c->sm_threads},
                 {40, 1},
                 {41, 1},
                 {75, (int)cuda_runtime.machine->capability / 10},
                 {76, (int)cuda_runtime.machine->capability % 10},
                 {79, 1},
                 {80, 1},
                 {81, (int)c->sm_shared_bytes},
                 {82, (int)c->sm_registers},
                 {83, 1},
                 {87, 2},
                 {89, 1},
                 {95, 1},
                 {97, (int)c->sm_shared_bytes},
                 {99, 1},
                 {106, (int)c->sm_ctas},
                 {115, 1}};

    *value = 0;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        *value = known[k].number == number ? known[k].value : *value;
    }
    return number >= 1 && number <= 149;
}

API(cudaDeviceGetAttribute, int *value, int number, int device)
{
    int error = cuda_enter(CUDA_USE_DEVICE), found = 0;

    error = error ? error : !value ? CUDA_INVALID_VALUE : cuda_check_device(device);
    if (!error && !attribute(number, &found)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        *value = found;
    }
    return cuda_leave(error);
}

API(cudaDriverGetVersion, int *version)
{
    return cuda_put(version, VERSION);
}

API(cudaRuntimeGetVersion, int *version)
{
    return cuda_put(version, cuda_major == 13 ? VERSION : cuda_major * 1000);
}

static int no_entry_point(void **function, int *status)
{
    if (!function) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    *function = NULL;
    if (status) {
        *status = 1; /* symbol not found: there is no driver */
    }
    return CUDA_SUCCESS;
}

API(cudaGetDriverEntryPoint, const char *name, void **function, unsigned long long flags,
    int *status)
{
    (void)name, (void)flags;
    return no_entry_point(function, status);
}

API(cudaGetDriverEntryPointByVersion, const char *name, void **function, unsigned version,
    unsigned long long flags, int *status)
{
    (void)name, (void)version, (void)flags;
    return no_entry_point(function, status);
}
