/* ptx_module.c - modules, kernels and launches: the functions of ptx.h.
 *
 * Reads a module, lowers every kernel in it at once so that an unsupported
 * instruction is reported before anything runs, and prepares launches.
 */
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_image.h"

static void lower_kernels(struct ptx_diag *diag, struct ptx_module *module)
{
    for (size_t i = 0; i < module->n_functions; i++) {
        const struct ptx_function *f = module->functions[i];
        if (f->is_entry && f->has_body) {
            struct ptx_image *image = ptx_lower(diag, module, f);
            module->images = ptx_grow(diag, module->images, module->n_images, sizeof(image));
            module->images[module->n_images++] = image;
        }
    }
}

static bool parse_into(struct ptx_module *module, const struct ptx_text *parts, size_t n_parts,
                       bool lower, char *error, size_t n_error)
{
    struct ptx_diag diag = {
        .arena = &module->arena, .file = parts[0].file, .error = error, .n_error = n_error};
    if (setjmp(diag.escape) != 0) {
        return false;
    }
    module->file = ptx_strndup(&diag, parts[0].file, strlen(parts[0].file));
    ptx_parse(&diag, module, parts, n_parts);
    if (lower) {
        lower_kernels(&diag, module);
    }
    return true;
}

static struct ptx_module *parse(const struct ptx_text *parts, size_t n_parts, bool lower,
                                char *error, size_t n_error)
{
    struct ptx_module *module = calloc(1, sizeof(*module));
    if (module == NULL) {
        snprintf(error, n_error, "%s: no memory to read it", parts[0].file);
        return NULL;
    }
    if (!parse_into(module, parts, n_parts, lower, error, n_error)) {
        ptx_module_free(module);
        return NULL;
    }
    return module;
}

struct ptx_module *ptx_module_parse(const char *file, const char *text, size_t n, char *error,
                                    size_t n_error)
{
    const struct ptx_text part = {file, text, n};
    return parse(&part, 1, true, error, n_error);
}

struct ptx_module *ptx_module_link(const struct ptx_text *parts, size_t n_parts, char *error,
                                   size_t n_error)
{
    return parse(parts, n_parts, false, error, n_error);
}

static char *read_file(const char *path, size_t *n, char *error, size_t n_error)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, used = 0, got = 1;
    if (f == NULL) {
        snprintf(error, n_error, "%s: cannot be opened; check the path", path);
        return NULL;
    }
    while (got != 0) {
        if (used == room) {
            room = room == 0 ? 65536 : room * 2;
            char *larger = realloc(text, room);
            if (larger == NULL) {
                break;
            }
            text = larger;
        }
        got = fread(text + used, 1, room - used, f);
        used += got;
    }
    bool failed = ferror(f) != 0 || got != 0;
    fclose(f);
    if (failed) {
        snprintf(error, n_error, "%s: cannot be read", path);
        free(text);
        return NULL;
    }
    *n = used;
    return text;
}

struct ptx_module *ptx_module_load(const char *path, char *error, size_t n_error)
{
    size_t n = 0;
    char *text = read_file(path, &n, error, n_error);
    if (text == NULL) {
        return NULL;
    }
    struct ptx_module *module = ptx_module_parse(path, text, n, error, n_error);
    free(text);
    return module;
}

void ptx_module_free(struct ptx_module *module)
{
    if (module != NULL) {
        ptx_arena_free(&module->arena);
        free(module);
    }
}

/* Variables */

size_t ptx_variable_count(const struct ptx_module *module)
{
    return module->n_variables;
}

struct ptx_variable_info ptx_variable_get(const struct ptx_module *module, size_t index)
{
    const struct ptx_variable *v = module->variables[index];
    return (struct ptx_variable_info){.name = v->name,
                                      .space = v->space,
                                      .bytes = v->bytes,
                                      .align_bytes = v->align,
                                      .address = v->address,
                                      .has_initial = v->n_initial != 0 || v->n_relocations != 0};
}

static void patch_pool(const struct ptx_image *image)
{
    for (uint32_t p = 0; p < image->n_patches; p++) {
        const struct ptx_pool_patch *patch = &image->patches[p];
        uint64_t value = patch->variable->address + (uint64_t)patch->addend;
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            memcpy(image->pool + patch->offset + lane * sizeof(value), &value, sizeof(value));
        }
    }
}

static void patch_pools(const struct ptx_module *module)
{
    for (size_t i = 0; i < module->n_images; i++) {
        patch_pool(module->images[i]);
    }
}

void ptx_variable_place(struct ptx_module *module, size_t index, uint64_t address)
{
    module->variables[index]->address = address;
    patch_pools(module);
}

void ptx_variable_initial(const struct ptx_module *module, size_t index, uint8_t *bytes)
{
    const struct ptx_variable *v = module->variables[index];
    uint64_t n = v->n_initial < v->bytes ? v->n_initial : v->bytes;
    memset(bytes, 0, v->bytes);
    if (n != 0) {
        memcpy(bytes, v->initial, n);
    }
    for (size_t i = 0; i < v->n_relocations; i++) {
        const struct ptx_relocation *r = &v->relocations[i];
        uint64_t value = (r->variable->address + (uint64_t)r->addend) >> r->shift;
        memcpy(bytes + r->at, &value, r->bytes);
    }
}

/* Kernels */

size_t ptx_kernel_count(const struct ptx_module *module)
{
    return module->n_images;
}

const struct isa_kernel *ptx_kernel_at(const struct ptx_module *module, size_t index)
{
    return &module->images[index]->isa;
}

const struct isa_kernel *ptx_kernel(const struct ptx_module *module, const char *name)
{
    for (size_t i = 0; i < module->n_images; i++) {
        if (strcmp(module->images[i]->isa.name, name) == 0) {
            return &module->images[i]->isa;
        }
    }
    return NULL;
}

static const struct ptx_function *entry_named(const struct ptx_module *module, const char *name)
{
    for (size_t i = 0; i < module->n_functions; i++) {
        const struct ptx_function *f = module->functions[i];
        if (f->is_entry && f->has_body && strcmp(f->name, name) == 0) {
            return f;
        }
    }
    return NULL;
}

bool ptx_kernel_exists(const struct ptx_module *module, const char *name)
{
    return entry_named(module, name) != NULL;
}

/* Lower `entry` behind a place to jump to; NULL with the message in `error`. */
static struct ptx_image *lower_one(struct ptx_module *module, const struct ptx_function *entry,
                                   char *error, size_t n_error)
{
    struct ptx_diag diag = {
        .arena = &module->arena, .file = entry->file, .error = error, .n_error = n_error};
    if (setjmp(diag.escape) != 0) {
        return NULL;
    }
    struct ptx_image *image = ptx_lower(&diag, module, entry);
    module->images = ptx_grow(&diag, module->images, module->n_images, sizeof(image));
    module->images[module->n_images++] = image;
    return image;
}

const struct isa_kernel *ptx_kernel_ready(struct ptx_module *module, const char *name, char *error,
                                          size_t n_error)
{
    const struct isa_kernel *known = ptx_kernel(module, name);
    const struct ptx_function *entry = known == NULL ? entry_named(module, name) : NULL;
    if (known != NULL || entry == NULL) {
        if (known == NULL) {
            snprintf(error, n_error, "%s: no kernel %s", module->file, name);
        }
        return known;
    }
    struct ptx_image *image = lower_one(module, entry, error, n_error);
    if (image == NULL) {
        return NULL;
    }
    patch_pool(image);
    return &image->isa;
}

void ptx_kernel_set_registers(struct ptx_module *module, const char *name, uint32_t registers)
{
    for (size_t i = 0; i < module->n_images && registers != 0; i++) {
        if (strcmp(module->images[i]->isa.name, name) == 0) {
            module->images[i]->isa.registers_per_thread = registers;
        }
    }
}

uint32_t ptx_module_target(const struct ptx_module *module)
{
    return module->target;
}

static const struct ptx_image *image_of(const struct isa_kernel *kernel)
{
    _Static_assert(offsetof(struct ptx_image, isa) == 0, "an image starts with its kernel");
    return (const struct ptx_image *)(const void *)kernel;
}

static const struct ptx_function *entry_in(const struct ptx_module *module,
                                           const struct isa_kernel *kernel)
{
    static const struct ptx_function none;
    for (size_t i = 0; i < module->n_images; i++) {
        if (&module->images[i]->isa == kernel) {
            return module->images[i]->entry;
        }
    }
    return &none;
}

size_t ptx_param_count(const struct ptx_module *module, const struct isa_kernel *kernel)
{
    return entry_in(module, kernel)->n_params;
}

struct ptx_param_info ptx_param_get(const struct ptx_module *module,
                                    const struct isa_kernel *kernel, size_t index)
{
    const struct ptx_variable *v = entry_in(module, kernel)->params[index];
    return (struct ptx_param_info){
        .name = v->name, .bytes = v->bytes, .align_bytes = v->align, .offset = v->offset};
}

size_t ptx_param_block_bytes(const struct ptx_module *module, const struct isa_kernel *kernel)
{
    return entry_in(module, kernel)->param_bytes;
}

uint64_t ptx_kernel_max_threads(const struct isa_kernel *kernel)
{
    const struct ptx_function *entry = image_of(kernel)->entry;
    const struct isa_dim3 *r = &entry->required_block;
    return r->x != 0 ? (uint64_t)r->x * r->y * r->z : entry->max_threads;
}

uint64_t ptx_local_total_bytes(const struct isa_kernel *kernel, struct isa_dim3 grid,
                               struct isa_dim3 block)
{
    uint64_t granule = image_of(kernel)->local_granule_bytes;
    uint64_t per_thread = (kernel->local_bytes + granule - 1) / granule * granule;
    uint64_t warps = ((uint64_t)block.x * block.y * block.z + ISA_LANES - 1) / ISA_LANES;
    return (uint64_t)grid.x * grid.y * grid.z * warps * ISA_LANES * per_thread;
}

/* Launches */

static int check_launch(const struct ptx_image *image, const struct ptx_launch_config *c,
                        char *error, size_t n_error)
{
    const struct isa_dim3 *b = &c->block, *r = &image->entry->required_block;
    uint64_t threads = (uint64_t)b->x * b->y * b->z, max = image->entry->max_threads;
    const char *name = image->isa.name;
    if (threads == 0 || b->x > 1024 || b->y > 1024 || b->z > 64 || threads > 1024) {
        snprintf(error, n_error, "kernel %s: a block of %ux%ux%u threads; use 1 to 1024", name,
                 b->x, b->y, b->z);
    } else if (c->grid.x == 0 || c->grid.y == 0 || c->grid.z == 0 || c->grid.y > 65535 ||
               c->grid.z > 65535 || c->grid.x > INT32_MAX) {
        snprintf(error, n_error, "kernel %s: a grid of %ux%ux%u CTAs is not allowed", name,
                 c->grid.x, c->grid.y, c->grid.z);
    } else if (c->n_param_block != image->entry->param_bytes) {
        snprintf(error, n_error, "kernel %s: %zu bytes of parameters where it has %llu", name,
                 c->n_param_block, (unsigned long long)image->entry->param_bytes);
    } else if (max != 0 && threads > max) {
        snprintf(error, n_error, "kernel %s: %llu threads where .maxntid allows %llu", name,
                 (unsigned long long)threads, (unsigned long long)max);
    } else if (r->x != 0 && (b->x != r->x || b->y != r->y || b->z != r->z)) {
        snprintf(error, n_error, "kernel %s: a block of %ux%ux%u where .reqntid wants %ux%ux%u",
                 name, b->x, b->y, b->z, r->x, r->y, r->z);
    } else {
        return 0;
    }
    return -1;
}

static void launch_free(struct ptx_launch *l)
{
    for (size_t i = 0; l != NULL && i < l->n_constants; i++) {
        free(l->constants[i].data);
    }
    if (l != NULL) {
        free(l->constants);
        free(l->params);
        free(l->uniform);
        free(l);
    }
}

/* The .const variables as they are in device memory now. */
static int fetch_constants(struct ptx_launch *l, const struct ptx_launch_config *c, char *error,
                           size_t n_error)
{
    const struct ptx_module *m = l->module;
    l->constants = calloc(m->n_variables + 1, sizeof(*l->constants));
    for (size_t i = 0; l->constants != NULL && i < m->n_variables; i++) {
        const struct ptx_variable *v = m->variables[i];
        if (v->space != ISA_SPACE_CONST || v->is_external) {
            continue;
        }
        struct ptx_const_bytes *k = &l->constants[l->n_constants++];
        *k = (struct ptx_const_bytes){v->address, v->bytes, malloc(v->bytes + 1)};
        if (k->data == NULL || c->read == NULL ||
            !c->read(c->read_context, v->address, k->data, v->bytes)) {
            snprintf(error, n_error, "kernel %s: constant \"%s\" cannot be read; place it first",
                     l->image->isa.name, v->name);
            return -1;
        }
    }
    return l->constants == NULL ? -1 : 0;
}

int ptx_launch_init(struct isa_launch *out, const struct ptx_module *module,
                    const struct isa_kernel *kernel, const struct ptx_launch_config *config,
                    char *error, size_t n_error)
{
    const struct ptx_image *image = image_of(kernel);
    if (check_launch(image, config, error, n_error) != 0) {
        return -1;
    }
    struct ptx_launch *l = calloc(1, sizeof(*l));
    snprintf(error, n_error, "kernel %s: no memory for the launch", kernel->name);
    if (l == NULL) {
        return -1;
    }
    *l = (struct ptx_launch){.module = module,
                             .image = image,
                             .grid = config->grid,
                             .block = config->block,
                             .n_sms = config->n_sms,
                             .dynamic_shared_bytes = config->dynamic_shared_bytes,
                             .local_base = config->local_base,
                             .grid_sync = config->grid_sync,
                             .progress = config->threads_progress,
                             .read = config->read,
                             .read_context = config->read_context,
                             .outside = config->outside,
                             .outside_context = config->outside_context,
                             .textures = config->textures,
                             .n_textures = config->n_textures,
                             .n_params = config->n_param_block,
                             .params = calloc(1, config->n_param_block + ISA_LANE_BYTES)};
    if (l->params == NULL || fetch_constants(l, config, error, n_error) != 0) {
        launch_free(l);
        return -1;
    }
    if (l->n_params != 0) {
        memcpy(l->params, config->param_block, l->n_params);
    }
    l->uniform = ptx_uniform_values(l);
    if (l->uniform == NULL) {
        snprintf(error, n_error, "kernel %s: no memory for the launch", kernel->name);
        launch_free(l);
        return -1;
    }
    *out = (struct isa_launch){.kernel = kernel,
                               .grid = config->grid,
                               .block = config->block,
                               .dynamic_shared_bytes = config->dynamic_shared_bytes,
                               .carries_values = true,
                               .lanes_apart = config->threads_progress,
                               .asynchronous = image->asynchronous,
                               .loads_alone = !image->bulk,
                               .copyable = !image->has_calls && !config->threads_progress &&
                                           !image->asynchronous && !image->samples,
                               .local_base = config->local_base,
                               .local_granule_bytes = image->local_granule_bytes,
                               .warp_bytes = ptx_warp_bytes(image),
                               .self = l,
                               .warp_start = ptx_warp_start,
                               .step = ptx_warp_step,
                               .retire = ptx_warp_retire,
                               .digest = ptx_warp_digest,
                               .operand = ptx_warp_operand,
                               .warp_end = ptx_warp_end};
    error[0] = '\0';
    return 0;
}

void ptx_launch_release(struct isa_launch *launch)
{
    launch_free(launch->self);
    launch->self = NULL;
}
