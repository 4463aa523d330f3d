/* test_ptx.h - running small PTX texts on the untimed executor from a test.
 *
 * Memory is one flat array at device address TEST_BASE; a kernel gets addresses
 * into it.  Knows ptx.h and ptx_reference.h only.
 */
#ifndef WARPLOCK_TEST_PTX_H
#define WARPLOCK_TEST_PTX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ptx/ptx.h"
#include "ptx/ptx_reference.h"

#define TEST_BASE UINT64_C(0x100000)
enum { TEST_BYTES = 1 << 20, TEST_LOCAL = TEST_BYTES / 2, TEST_VARIABLES = TEST_BYTES / 4 * 3 };

struct test_gpu {
    uint8_t memory[TEST_BYTES];
    char error[512];
    uint64_t steps;
    const struct ptx_texture *textures; /* of the launch: [n_textures] */
    size_t n_textures;
};

static inline uint8_t *test_at(void *context, uint64_t address, uint32_t bytes)
{
    struct test_gpu *gpu = context;
    bool inside = address >= TEST_BASE && address - TEST_BASE <= TEST_BYTES - bytes;
    return inside ? gpu->memory + (address - TEST_BASE) : NULL;
}

static inline bool test_read(void *context, uint64_t address, void *to, size_t bytes)
{
    const uint8_t *at = test_at(context, address, (uint32_t)bytes);
    if (at != NULL) {
        memcpy(to, at, bytes);
    }
    return at != NULL;
}

/* Give every variable an address and its initial bytes. */
static inline void test_place(struct test_gpu *gpu, struct ptx_module *module)
{
    uint64_t at = TEST_BASE + TEST_VARIABLES;
    for (size_t i = 0; i < ptx_variable_count(module); i++) {
        struct ptx_variable_info v = ptx_variable_get(module, i);
        at = (at + v.align_bytes - 1) / v.align_bytes * v.align_bytes;
        ptx_variable_place(module, i, at);
        at += v.bytes;
    }
    for (size_t i = 0; i < ptx_variable_count(module); i++) {
        struct ptx_variable_info v = ptx_variable_get(module, i);
        ptx_variable_initial(module, i, gpu->memory + (v.address - TEST_BASE));
    }
}

/* Run kernel `name` of `module` with 64-bit parameters; 0, or -1 with gpu->error. */
static inline int test_run_module(struct test_gpu *gpu, struct ptx_module *module, const char *name,
                                  struct isa_dim3 grid, struct isa_dim3 block,
                                  uint32_t shared_bytes, const uint64_t *params, size_t n_params)
{
    const struct isa_kernel *kernel = ptx_kernel(module, name);
    struct isa_launch launch;
    struct ptx_reference_result result;
    struct ptx_memory memory = {.context = gpu, .at = test_at};
    assert_non_null(kernel);
    assert_true(ptx_local_total_bytes(kernel, grid, block) <= TEST_VARIABLES - TEST_LOCAL);
    struct ptx_launch_config config = {.grid = grid,
                                       .block = block,
                                       .dynamic_shared_bytes = shared_bytes,
                                       .param_block = (const uint8_t *)params,
                                       .n_param_block = n_params * sizeof(*params),
                                       .local_base = TEST_BASE + TEST_LOCAL,
                                       .n_sms = 1,
                                       .textures = gpu->textures,
                                       .n_textures = gpu->n_textures,
                                       .read = test_read,
                                       .read_context = gpu};
    if (ptx_launch_init(&launch, module, kernel, &config, gpu->error, sizeof(gpu->error)) != 0) {
        return -1;
    }
    int status = ptx_reference_run(&launch, &memory, 10 * 1000 * 1000, &result, gpu->error,
                                   sizeof(gpu->error));
    gpu->steps = result.steps;
    ptx_launch_release(&launch);
    return status;
}

#define TEST_HEADER ".version 7.0\n.target sm_80\n.address_size 64\n"

/* Parse `text` behind the usual header; fails the test with the message when it does not parse. */
static inline struct ptx_module *test_parse(const char *text)
{
    char error[512] = "";
    size_t n = strlen(text) + sizeof(TEST_HEADER);
    char *whole = malloc(n);
    snprintf(whole, n, "%s%s", TEST_HEADER, text);
    struct ptx_module *module = ptx_module_parse("test.ptx", whole, strlen(whole), error,
                                                 sizeof(error));
    if (module == NULL) {
        print_message("%s\n%s\n", error, whole);
    }
    free(whole);
    assert_non_null(module);
    return module;
}

/* A kernel `k(out)` with this body, one CTA of `threads`; `out` is the start of memory. */
static inline int test_run_body(struct test_gpu *gpu, const char *body, uint32_t threads)
{
    size_t n = strlen(body) + 1024;
    char *text = malloc(n);
    uint64_t params[] = {TEST_BASE};
    snprintf(text, n,
             ".visible .entry k(.param .u64 out)\n{\n"
             ".reg .pred %%p<20>;\n.reg .b16 %%h<20>;\n.reg .b32 %%r<60>;\n.reg .b64 %%d<40>;\n"
             "ld.param.u64 %%d0, [out];\nmov.u32 %%r0, %%tid.x;\nmul.wide.u32 %%d1, %%r0, 4;\n"
             "add.u64 %%d1, %%d1, %%d0;\n%s\n}\n",
             body);
    struct ptx_module *module = test_parse(text);
    struct isa_dim3 grid = {1, 1, 1}, block = {threads, 1, 1};
    test_place(gpu, module);
    int status = test_run_module(gpu, module, "k", grid, block, 4096, params, 1);
    ptx_module_free(module);
    free(text);
    return status;
}

static inline uint32_t test_word(const struct test_gpu *gpu, uint32_t index)
{
    uint32_t word;
    memcpy(&word, gpu->memory + 4 * (size_t)index, sizeof(word));
    return word;
}

/* Operands: corner values crossed with each other, then random bits (a fixed generator). */
static inline uint64_t test_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* One instruction over 1024 threads.  `shape`: destination then sources, h 16, w 32, d 64 bits,
 * p predicate (a source's bit 0; a destination gives 0 or 1). */
struct test_op {
    const char *text; /* opcode and modifiers; "%s" forms are not needed */
    const char *shape;
    uint64_t (*expected)(uint64_t a, uint64_t b, uint64_t c);
    const char *tail; /* constant operands behind the registers, or NULL */
};

enum {
    TEST_THREADS = 1024,
    TEST_A = 0,
    TEST_D = 3 * 8 * TEST_THREADS,
    TEST_GUARD = 4 * 8 * TEST_THREADS
};

static inline uint32_t test_width(char shape)
{
    return shape == 'h' ? 16 : shape == 'w' ? 32 : shape == 'd' ? 64 : 1;
}

static inline uint64_t test_mask(char shape)
{
    uint32_t width = test_width(shape);
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The kernel for one operation: operands from arrays of 64-bit words at out, +8K, +16K; result to
 * +24K where the guard word is odd. */
static inline void test_op_text(const struct test_op *op, char *text, size_t n)
{
    static const char *const types[] = {['h'] = "u16", ['w'] = "u32", ['d'] = "u64"};
    size_t used = (size_t)snprintf(
        text, n,
        "mul.wide.u32 %%d2, %%r0, 8;\nadd.u64 %%d2, %%d2, %%d0;\n"
        "ld.global.u32 %%r1, [%%d2+%d];\nand.b32 %%r1, %%r1, 1;\nsetp.eq.u32 %%p0, %%r1, 1;\n",
        TEST_GUARD);
    for (size_t i = 1; op->shape[i] != '\0'; i++) {
        int at = (int)(i - 1) * 8 * TEST_THREADS;
        if (op->shape[i] == 'p') {
            used += (size_t)snprintf(
                text + used, n - used,
                "ld.global.u32 %%r%zu, [%%d2+%d];\nand.b32 %%r%zu, %%r%zu, 1;\n"
                "setp.ne.u32 %%p%zu, %%r%zu, 0;\n",
                9 + i, at, 9 + i, 9 + i, 9 + i, 9 + i);
        } else {
            used += (size_t)snprintf(text + used, n - used, "ld.global.%s %%%c%zu, [%%d2+%d];\n",
                                     types[(int)op->shape[i]],
                                     op->shape[i] == 'w' ? 'r' : op->shape[i], 9 + i, at);
        }
    }
    char d = op->shape[0] == 'w' ? 'r' : op->shape[0];
    used += (size_t)snprintf(text + used, n - used, "@%%p0 %s %%%c9", op->text, d);
    for (size_t i = 1; op->shape[i] != '\0'; i++) {
        used += (size_t)snprintf(text + used, n - used, ", %%%c%zu",
                                 op->shape[i] == 'w' ? 'r' : op->shape[i], 9 + i);
    }
    used += (size_t)snprintf(text + used, n - used, "%s%s;\n", op->tail != NULL ? ", " : "",
                             op->tail != NULL ? op->tail : "");
    if (op->shape[0] == 'p') {
        snprintf(text + used, n - used,
                 "selp.u32 %%r9, 1, 0, %%p9;\n@%%p0 st.global.u32 [%%d2+%d], "
                 "%%r9;\nret;",
                 TEST_D);
    } else {
        snprintf(text + used, n - used, "@%%p0 st.global.%s [%%d2+%d], %%%c9;\nret;",
                 types[(int)op->shape[0]], TEST_D, d);
    }
}

static inline void test_fill(struct test_gpu *gpu, const uint64_t *corners, size_t n_corners,
                             uint64_t seed, bool masked)
{
    uint64_t state = seed * 2 + 88172645463325252u;
    memset(gpu->memory, 0, sizeof(gpu->memory));
    for (size_t i = 0; i < TEST_THREADS; i++) {
        uint64_t v[3] = {test_random(&state), test_random(&state), test_random(&state)};
        for (size_t k = 0; k < 3; k++) {
            bool corner = i < TEST_THREADS / 2 || (v[k] >> 20) % 3 == 0;
            v[k] = corner ? corners[(v[k] >> 33) % n_corners] : v[k];
            memcpy(gpu->memory + (k * TEST_THREADS + i) * 8, &v[k], 8);
        }
        uint64_t guard = masked ? test_random(&state) >> 40 & 1 : 1;
        memcpy(gpu->memory + TEST_GUARD + i * 8, &guard, 8);
        uint64_t untouched = UINT64_C(0xa5a5a5a5a5a5a5a5);
        memcpy(gpu->memory + TEST_D + i * 8, &untouched, 8);
    }
}

static inline void test_compare(const struct test_gpu *gpu, const struct test_op *op,
                                const uint64_t *input)
{
    for (size_t i = 0; i < TEST_THREADS; i++) {
        uint64_t v[3], got, guard, expected = UINT64_C(0xa5a5a5a5a5a5a5a5);
        for (size_t k = 0; k < 3; k++) {
            v[k] = k + 1 < strlen(op->shape)
                       ? input[k * TEST_THREADS + i] & test_mask(op->shape[k + 1])
                       : 0;
        }
        memcpy(&got, gpu->memory + TEST_D + i * 8, 8);
        memcpy(&guard, gpu->memory + TEST_GUARD + i * 8, 8);
        uint64_t mask = test_mask(op->shape[0] == 'p' ? 'w' : op->shape[0]);
        if ((guard & 1) != 0) {
            expected = (op->expected(v[0], v[1], v[2]) & mask) | (expected & ~mask);
        }
        if (got != expected) {
            fail_msg("%s: thread %zu: a=%llx b=%llx c=%llx gives %llx, expected %llx", op->text, i,
                     (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
                     (unsigned long long)got, (unsigned long long)expected);
        }
    }
}

/* The operation with all lanes on, then with random lanes off. */
static inline void test_op(const struct test_op *op, const uint64_t *corners, size_t n_corners)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    char text[4096];
    test_op_text(op, text, sizeof(text));
    for (uint64_t round = 0; round < 3; round++) {
        test_fill(gpu, corners, n_corners, round + 1, round != 0);
        uint64_t *input = malloc(TEST_D);
        memcpy(input, gpu->memory, TEST_D);
        if (test_run_body(gpu, text, TEST_THREADS) != 0) {
            fail_msg("%s: %s", op->text, gpu->error);
        }
        test_compare(gpu, op, input);
        free(input);
    }
    free(gpu);
}

#endif
