/* cuda_load.c - the PTX of a module: found in its fat binary, linked from its parts, its variables
 * placed in device memory.  See cuda_module.h.
 */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cubin.h"
#include "cuda/cuda_module.h"
#include "cuda/fatbin.h"

enum { MAX_PARTS = 4096, NAME_BYTES = 64 };

struct parts {
    struct ptx_text *text;
    size_t n;
    bool machine_code; /* a container without PTX was seen */
};

/* ---- how much of a container is there ---- */

struct extent {
    uintptr_t from;
    size_t bytes;
};

static int look(struct dl_phdr_info *info, size_t size, void *self)
{
    struct extent *extent = self;

    (void)size;
    for (size_t h = 0; h < info->dlpi_phnum; h++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[h].p_vaddr;

        if (info->dlpi_phdr[h].p_type == PT_LOAD &&
            extent->from - start < info->dlpi_phdr[h].p_memsz) {
            extent->bytes = info->dlpi_phdr[h].p_memsz - (extent->from - start);
            return 1;
        }
    }
    return 0;
}

/* Bytes that are mapped from `container` on; memory of the heap is trusted as far as it says. */
static size_t mapped_bytes(const void *container)
{
    struct extent extent = {.from = (uintptr_t)container};

    dl_iterate_phdr(look, &extent);
    return extent.bytes ? extent.bytes : fatbin_bytes(container);
}

/* ---- texts ---- */

static void warn(const struct fatbin_entry *entry, bool above, bool foreign, uint32_t capability)
{
    static bool warned;

    if ((above || foreign) && !warned) {
        warned = true;
        fprintf(stderr,
                "warplock: the program has PTX for compute_%u%s only, the simulated GPU is %u; "
                "taken nevertheless (rebuild with -arch=compute_%u)\n",
                entry->architecture, foreign ? "a" : "", capability, capability);
    }
}

/* A device runtime for kernels that launch kernels: linked into programs that have none. */
static bool is_device_runtime(const char *text)
{
    return strstr(text, "cnpDeviceGetAttribute") || strstr(text, "__cudaCDP2GetParameterBuffer(") ||
           strstr(text, ".visible .func  (.param .b32 func_retval0) cudaDeviceGetAttribute");
}

static int add_part(struct parts *parts, const uint8_t *container, uint32_t capability)
{
    size_t n = mapped_bytes(container);
    struct fatbin_entry entry;
    bool above, foreign;
    char error[256], *text, *name;
    int found = fatbin_choose(container, n, FATBIN_PTX, capability, &entry, &above, &foreign, error,
                              sizeof error);

    if (found == 1) {
        parts->machine_code |= fatbin_bytes(container) > 16;
        return CUDA_SUCCESS;
    }
    struct ptx_text *more = realloc(parts->text, (parts->n + 1) * sizeof *more);
    parts->text = more ? more : parts->text;
    size_t bytes = 0;
    text = found == 0 && more ? fatbin_text(&entry, &bytes, error, sizeof error) : NULL;
    name = malloc(NAME_BYTES);
    if (!text || !name) {
        fprintf(stderr, "warplock: %s\n", more ? error : "out of memory for PTX");
        free(text);
        free(name);
        return CUDA_INVALID_PTX;
    }
    warn(&entry, above, foreign, capability);
    if (parts->n && is_device_runtime(text)) {
        free(text);
        free(name);
        return CUDA_SUCCESS;
    }
    snprintf(name, NAME_BYTES, "PTX part %zu", parts->n + 1);
    parts->text[parts->n++] = (struct ptx_text){.file = name, .text = text, .n = bytes};
    return CUDA_SUCCESS;
}

static int collect(const struct cuda_wrapper *wrapper, struct parts *parts, uint32_t capability)
{
    int error = CUDA_SUCCESS;

    if (wrapper->magic != CUDA_WRAPPER_MAGIC) {
        fprintf(stderr, "warplock: what the program registers is no fat binary\n");
        return CUDA_INVALID_PTX;
    }
    if (wrapper->version == 1 || !wrapper->parts) {
        return add_part(parts, wrapper->container, capability);
    }
    for (size_t p = 0; p < MAX_PARTS && wrapper->parts[p] && !error; p++) {
        error = add_part(parts, wrapper->parts[p], capability);
    }
    return error;
}

/* ---- registers ---- */

static void note_registers(void *context, const char *name, uint32_t registers)
{
    struct cuda_module *module = context;
    struct cuda_registers *more = realloc(module->registers,
                                          (module->n_registers + 1) * sizeof *more);
    char *copy = strdup(name);

    module->registers = more ? more : module->registers;
    if (!more || !copy) { /* the PTX's own count serves */
        free(copy);
        return;
    }
    more[module->n_registers++] = (struct cuda_registers){copy, registers};
}

/* Of the machine code nearest to the GPU's; where there is none, or it cannot be read, nothing. */
static void find_registers(struct cuda_module *module, uint32_t capability)
{
    const uint8_t *container = module->wrapper->container;
    struct fatbin_entry entry;
    bool above, foreign;
    char error[256], *elf;
    size_t n;

    if (!container || fatbin_choose(container, mapped_bytes(container), FATBIN_ELF, capability,
                                    &entry, &above, &foreign, error, sizeof error) != 0) {
        return;
    }
    elf = fatbin_unpack(&entry, &n, error, sizeof error);
    if (elf) {
        cubin_registers((const uint8_t *)elf, n, note_registers, module);
    }
    free(elf);
}

void cuda_module_forget_registers(struct cuda_module *module)
{
    for (size_t r = 0; r < module->n_registers; r++) {
        free(module->registers[r].name);
    }
    free(module->registers);
    module->registers = NULL;
    module->n_registers = 0;
}

uint32_t cuda_module_registers(const struct cuda_module *module, const char *kernel)
{
    for (size_t r = 0; r < module->n_registers; r++) {
        if (!strcmp(module->registers[r].name, kernel)) {
            return module->registers[r].n;
        }
    }
    return 0;
}

static void release(struct parts *parts)
{
    for (size_t p = 0; p < parts->n; p++) {
        free((char *)(uintptr_t)parts->text[p].text);
        free((char *)(uintptr_t)parts->text[p].file);
    }
    free(parts->text);
}

/* ---- variables ---- */

static struct cuda_variable *variable_named(const struct cuda_module *module, const char *name)
{
    for (struct cuda_variable *v = module->variables; v; v = v->next) {
        if (!strcmp(v->name, name)) {
            return v;
        }
    }
    return NULL;
}

static uint64_t address_for(struct cuda_module *module, struct cuda_space *space,
                            const struct ptx_variable_info *info)
{
    struct cuda_variable *v = variable_named(module, info->name);
    uint64_t bytes = info->bytes ? info->bytes : 1;
    struct cuda_block *block;

    if (v && v->is_managed) {
        return v->address;
    }
    block = cuda_space_take(space, info->name, bytes, CUDA_BLOCK_INTERNAL, NULL);
    if (block && v) {
        v->address = block->base;
    }
    return block ? block->base : 0;
}

/* The initial bytes: of a managed variable they go where the host sees them. */
static int initialise(struct cuda_space *space, const struct ptx_module *ptx, size_t index)
{
    struct ptx_variable_info info = ptx_variable_get(ptx, index);
    struct cuda_block *block = cuda_space_find(space, info.address);
    uint8_t *bytes = malloc(info.bytes + 1);

    if (!bytes || !block) {
        free(bytes);
        return CUDA_MEMORY_ALLOCATION;
    }
    ptx_variable_initial(ptx, index, bytes);
    if (block->host && info.has_initial) {
        memcpy(block->host, bytes, info.bytes);
    } else if (!block->host) {
        space->backend->write(space->backend->self, info.address, bytes, info.bytes);
    }
    free(bytes);
    return CUDA_SUCCESS;
}

static int place_variables(struct cuda_module *module, struct cuda_space *space)
{
    size_t n = ptx_variable_count(module->ptx);
    int error = CUDA_SUCCESS;

    for (size_t i = 0; i < n && !error; i++) {
        struct ptx_variable_info info = ptx_variable_get(module->ptx, i);
        uint64_t address = address_for(module, space, &info);

        ptx_variable_place(module->ptx, i, address);
        error = address ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
    }
    for (size_t i = 0; i < n && !error; i++) {
        error = initialise(space, module->ptx, i);
    }
    return error;
}

static int load(struct cuda_module *module, struct cuda_space *space, uint32_t capability)
{
    struct parts parts = {0};
    char error[1024];
    int status = collect(module->wrapper, &parts, capability);

    if (!status && !parts.n) {
        fprintf(stderr,
                "warplock: the program has machine code only, which cannot be simulated; rebuild "
                "with -gencode arch=compute_%u,code=compute_%u to add PTX\n",
                capability, capability);
        status = CUDA_NO_KERNEL_IMAGE;
    }
    if (!status) {
        module->ptx = ptx_module_link(parts.text, parts.n, error, sizeof error);
        if (!module->ptx) {
            fprintf(stderr, "warplock: %s\n", error);
            status = CUDA_INVALID_PTX;
        }
    }
    release(&parts);
    if (!status) {
        find_registers(module, capability);
    }
    return status ? status : place_variables(module, space);
}

int cuda_module_load(struct cuda_module *module, struct cuda_space *space, uint32_t capability)
{
    if (!module->tried) {
        module->tried = true;
        module->error = load(module, space, capability);
    }
    return module->error;
}

void cuda_module_unload(struct cuda_module *module, struct cuda_space *space)
{
    for (size_t i = 0; module->ptx && i < ptx_variable_count(module->ptx); i++) {
        struct ptx_variable_info info = ptx_variable_get(module->ptx, i);
        const struct cuda_variable *v = variable_named(module, info.name);

        if (!v || !v->is_managed) {
            cuda_space_give(space, info.address);
        }
    }
    for (struct cuda_variable *v = module->variables; v; v = v->next) {
        v->address = v->is_managed ? v->address : 0;
    }
    cuda_module_forget_registers(module);
    ptx_module_free(module->ptx);
    module->ptx = NULL;
    module->tried = false;
}
