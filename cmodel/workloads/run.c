/* run.c - see run.h. */
#include "workloads/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run_block {
    struct run_block *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct run run_begin(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result, const char *module)
{
    memset(result, 0, sizeof *result);
    return (struct run){
        .host = host,
        .size = size,
        .result = result,
        .module = module,
        .seed = seed,
        .rng = rng_seeded(seed),
    };
}

uint32_t run_u32(const struct run *run, const char *key)
{
    return workload_u32(run->size, key);
}

uint32_t run_word(struct run *run, const char *key, const char *const *words, uint32_t n)
{
    char given[32], use[160] = "";
    const bool whole = workload_text(run->size, key, given, sizeof given) == 0;
    for (uint32_t i = 0; i < n; i++) {
        const size_t used = strlen(use);
        if (whole && strcmp(given, words[i]) == 0) {
            return i;
        }
        snprintf(use + used, sizeof use - used, "%s%s",
                 i == 0      ? ""
                 : i + 1 < n ? ", "
                             : " or ",
                 words[i]);
    }
    run_refuse(run, "%s=%s is none; use %s", key, given, use);
    return 0;
}

void run_refuse(struct run *run, const char *format, ...)
{
    if (run->failed) {
        return;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(run->result->message, sizeof run->result->message, format, args);
    va_end(args);
    run->failed = true;
}

void *run_array(struct run *run, size_t n, size_t element_bytes)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, element_bytes, &bytes) ||
        __builtin_add_overflow(bytes, sizeof(struct run_block), &bytes)) {
        bytes = SIZE_MAX;
    }
    struct run_block *block = bytes < SIZE_MAX ? calloc(1, bytes) : NULL;
    if (!block) {
        run_refuse(run, "out of memory for %zu elements of %zu bytes; use a smaller size", n,
                   element_bytes);
        return NULL;
    }
    block->next = run->blocks;
    run->blocks = block;
    return block->bytes;
}

float *run_random_f32(struct run *run, size_t n)
{
    float *array = RUN_ARRAY(run, float, n);
    for (size_t i = 0; array && i < n; i++) {
        array[i] = rng_f32_signed(&run->rng);
    }
    return array;
}

gpu_ptr run_alloc(struct run *run, const char *name, size_t bytes)
{
    return host_alloc(run->host, name, bytes, RUN_ALIGN_BYTES);
}

gpu_ptr run_upload(struct run *run, const char *name, const void *data, size_t bytes)
{
    gpu_ptr to = run_alloc(run, name, bytes);
    host_write(run->host, to, data, bytes);
    return to;
}

void run_download(struct run *run, void *to, gpu_ptr from, size_t bytes)
{
    host_read(run->host, to, from, bytes);
}

void run_write_symbol(struct run *run, const char *name, const void *data, size_t bytes)
{
    host_write(run->host, host_symbol(run->host, run->module, name), data, bytes);
}

void run_launch(struct run *run, const char *kernel, struct isa_dim3 grid, struct isa_dim3 block,
                const struct host_arg *args, size_t n_args)
{
    host_launch(run->host, run->module, kernel, grid, block, 0, args, n_args);
}

int run_end(struct run *run)
{
    const char *error = host_error(run->host);
    while (run->blocks) {
        struct run_block *next = run->blocks->next;
        free(run->blocks);
        run->blocks = next;
    }
    if (error) {
        snprintf(run->result->message, sizeof run->result->message, "%s", error);
    }
    if (error || run->failed) {
        return WORKLOAD_ERROR;
    }
    return run->result->wrong ? WORKLOAD_WRONG : WORKLOAD_OK;
}
