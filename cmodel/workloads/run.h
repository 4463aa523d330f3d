/* run.h - what every workload's run function needs: its size's values, CPU
 * arrays with one owner, device arrays, launches, and the verdict at the end.
 *
 * Use: run_begin; CPU arrays; stop when run_failed; device arrays; RUN_LAUNCH;
 * run_download; checks; return run_end.
 */
#ifndef WARPLOCK_WORKLOADS_RUN_H
#define WARPLOCK_WORKLOADS_RUN_H

#include "workloads/rng.h"
#include "workloads/workload.h"

/* Device arrays start on this boundary, so that powers of two up to it show
 * unbroken in the addresses ([D-WL-1] of Wang 2015). */
enum { RUN_ALIGN_BYTES = 1 << 20 };

struct run_block;

struct run {
    struct host *host;
    const struct workload_size *size;
    struct workload_result *result;
    const char *module; /* PTX, relative to the workload folder */
    uint64_t seed;
    struct rng rng;           /* seeded by `seed`; one draw per statement, for the order */
    struct run_block *blocks; /* CPU arrays, freed by run_end */
    bool failed;              /* refused, or out of memory */
};

struct run run_begin(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result, const char *module);

/* The value of a parameter of the size. */
uint32_t run_u32(const struct run *run, const char *key);

/* Which of the `n` words the size's parameter `key` is; another is refused, and 0 is returned. */
uint32_t run_word(struct run *run, const char *key, const char *const *words, uint32_t n);

/* Give up with one line of explanation; the run's status becomes WORKLOAD_ERROR. */
__attribute__((format(printf, 2, 3))) void run_refuse(struct run *run, const char *format, ...);

/* A zeroed CPU array, freed by run_end; NULL and a failed run without memory. */
void *run_array(struct run *run, size_t n, size_t element_bytes);
#define RUN_ARRAY(run, type, n) ((type *)run_array(run, n, sizeof(type)))

/* A CPU array of n floats drawn uniformly from [-1, 1), or NULL as run_array. */
float *run_random_f32(struct run *run, size_t n);

/* Device memory, zeroed, or with a copy of `data`. */
gpu_ptr run_alloc(struct run *run, const char *name, size_t bytes);
gpu_ptr run_upload(struct run *run, const char *name, const void *data, size_t bytes);
void run_download(struct run *run, void *to, gpu_ptr from, size_t bytes);

/* Write a variable of the run's module, in constant or global memory. */
void run_write_symbol(struct run *run, const char *name, const void *data, size_t bytes);

/* Launch a kernel of the run's module; arguments are struct host_arg values. */
#define RUN_LAUNCH(run, kernel, grid, block, ...) \
    run_launch(run, kernel, grid, block, (const struct host_arg[]){__VA_ARGS__}, \
               sizeof((const struct host_arg[]){__VA_ARGS__}) / sizeof(struct host_arg))
void run_launch(struct run *run, const char *kernel, struct isa_dim3 grid, struct isa_dim3 block,
                const struct host_arg *args, size_t n_args);

/* Free the CPU arrays; the status from the host's error and the checks. */
int run_end(struct run *run);

static inline struct isa_dim3 dim1(uint32_t x)
{
    return (struct isa_dim3){.x = x, .y = 1, .z = 1};
}

static inline struct isa_dim3 dim2(uint32_t x, uint32_t y)
{
    return (struct isa_dim3){.x = x, .y = y, .z = 1};
}

/* How many CTAs of `block` threads cover n; block > 0. */
static inline uint32_t cover(uint32_t n, uint32_t block)
{
    return n / block + (n % block != 0);
}

#endif
