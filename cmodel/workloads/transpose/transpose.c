/* transpose.c - matrix transpose, straight and through shared memory.
 *
 * transpose_naive: a fully divergent load (stride 4*cols bytes, 32 requests),
 * each line used again by the 31 columns that follow.  transpose_tiled: a
 * coalesced load (1 request) and a coalesced store.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { TILE = 32, TILE_WARPS = 8 };

static const struct workload_param params[] = {
    {"rows", WORKLOAD_NUMBER, 1, 8192, "rows of the input"},
    {"cols", WORKLOAD_NUMBER, 1, 8192, "columns of the input (stride), words"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "rows=32,cols=1024"},
    {"small", "rows=512,cols=1024"},
    {"doc", "rows=4096,cols=1024"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "transpose_naive",
     .load = 0,
     .nreq = 32,
     .stride_bytes = 1024 * 4,
     .what = "in[row*cols + col]"},
    {.kernel = "transpose_tiled",
     .load = 0,
     .nreq = 1,
     .stride_bytes = 4,
     .what = "in[(row + y)*cols + col]"},
    {0},
};

static void check_transposed(struct run *run, const char *name, gpu_ptr dev_out, uint32_t *out,
                             const uint32_t *want, size_t n)
{
    run_download(run, out, dev_out, n * sizeof *out);
    check_u32(run->result, name, out, want, n);
}

static int run_transpose(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "transpose/transpose.ptx");
    const uint32_t rows = run_u32(&run, "rows"), cols = run_u32(&run, "cols");
    const size_t n = (size_t)rows * cols, bytes = n * sizeof(uint32_t);
    uint32_t *in = RUN_ARRAY(&run, uint32_t, n), *out = RUN_ARRAY(&run, uint32_t, n);
    uint32_t *want = RUN_ARRAY(&run, uint32_t, n);
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < n; i++) {
        /* a positive float's bits, so that no NaN is moved as a float */
        in[i] = rng_u32(&run.rng) >> 2;
        want[i % cols * rows + i / cols] = in[i];
    }

    gpu_ptr dev_in = run_upload(&run, "in", in, bytes);
    gpu_ptr dev_naive = run_alloc(&run, "naive", bytes);
    gpu_ptr dev_tiled = run_alloc(&run, "tiled", bytes);
    RUN_LAUNCH(&run, "transpose_naive", dim2(cover(rows, TILE), cover(cols, TILE_WARPS)),
               dim2(TILE, TILE_WARPS), host_arg_u64(dev_in), host_arg_u64(dev_naive),
               host_arg_u32(rows), host_arg_u32(cols));
    RUN_LAUNCH(&run, "transpose_tiled", dim2(cover(cols, TILE), cover(rows, TILE)),
               dim2(TILE, TILE_WARPS), host_arg_u64(dev_in), host_arg_u64(dev_tiled),
               host_arg_u32(rows), host_arg_u32(cols));
    check_transposed(&run, "naive", dev_naive, out, want, n);
    check_transposed(&run, "tiled", dev_tiled, out, want, n);
    return run_end(&run);
}

const struct workload workload_transpose = {
    .name = "transpose",
    .title = "matrix transpose, straight and tiled",
    .source = "a baseline of this project",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_transpose,
};
