// async.cu - tiles that come while others are worked on: cp.async by groups, by an mbarrier and by
// cuda::barrier; sizes of 4, 8 and 16 bytes; zeros where a copy is short.  For compute_80.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include "common.h"

#pragma nv_diag_suppress static_var_with_dynamic_init
enum { TILE = 256, TILES = 8 };

// Sum over tiles of each thread's four words, two tiles under way.
__global__ void groups(const int4 *in, int *out)
{
    __shared__ int4 tile[2][TILE];
    int t = threadIdx.x, sum = 0;
    const int4 *mine = in + blockIdx.x * TILES * TILE;
    __pipeline_memcpy_async(&tile[0][t], &mine[t], 16);
    __pipeline_commit();
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES) __pipeline_memcpy_async(&tile[(i + 1) % 2][t], &mine[(i + 1) * TILE + t], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        int4 v = tile[i % 2][(t + 1) % TILE];
        sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
        __syncthreads();
    }
    out[blockIdx.x * TILE + t] = sum;
}

// The last `missing` bytes of each thread's copy are zeros.
template <int BYTES> __global__ void short_copies(const unsigned char *in, unsigned char *out)
{
    __shared__ __align__(16) unsigned char at[64 * BYTES];
    int t = threadIdx.x;
    for (int i = 0; i < BYTES; i++) at[t * BYTES + i] = 0xee;
    __pipeline_memcpy_async(&at[t * BYTES], &in[t * BYTES], BYTES, t % (BYTES + 1));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < BYTES; i++) out[t * BYTES + i] = at[t * BYTES + i];
}

// Half of the block copies, half adds up; they meet at two mbarriers.
__global__ void roles(const int *in, int *out)
{
    __shared__ int tile[2][128];
    __shared__ cuda::barrier<cuda::thread_scope_block> full[2], empty[2];
    int t = threadIdx.x % 128;
    bool copies = threadIdx.x < 128;
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) init(&full[i], 256), init(&empty[i], 256);
    __syncthreads();
    if (copies) {
        for (int i = 0; i < TILES; i++) {
            if (i >= 2) empty[i % 2].arrive_and_wait();
            __pipeline_memcpy_async(&tile[i % 2][t], &in[i * 128 + t], 4);
            __pipeline_arrive_on(reinterpret_cast<__mbarrier_t *>(cuda::device::barrier_native_handle(full[i % 2])));
            (void)full[i % 2].arrive();
        }
    } else {
        int sum = 0;
        for (int i = 0; i < TILES; i++) {
            full[i % 2].arrive_and_wait();
            sum += (i + 1) * tile[i % 2][127 - t];
            if (i + 2 < TILES) (void)empty[i % 2].arrive();
        }
        out[t] = sum;
    }
}

// libcu++'s pipeline of a block, two stages.
__global__ void pipeline(const int *in, int *out)
{
    __shared__ __align__(16) int tile[2][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0, next = 0;
    for (int i = 0; i < TILES; i++) {
        for (; next < TILES && next < i + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[next % 2], in + next * TILE, cuda::aligned_size_t<16>(sizeof tile[0]), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += (i + 1) * tile[i % 2][TILE - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// Phases of a barrier, by states and by parity.
__global__ void phases(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int count;
    if (threadIdx.x == 0) init(&bar, blockDim.x), count = 0;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        atomicAdd(&count, 1);
        auto token = bar.arrive();
        bar.wait(std::move(token));
        if (count != (i + 1) * (int)blockDim.x) out[threadIdx.x] = -1;
        bar.arrive_and_wait();
    }
    if (threadIdx.x >= 32) {
        bar.arrive_and_drop();
    } else {
        bar.arrive_and_wait();
        out[threadIdx.x] += count;
    }
}

template <int BYTES> void check_short(const unsigned char *in, unsigned char *out)
{
    short_copies<BYTES><<<1, 64>>>(in, out);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 64 * BYTES; i++) EXPECT(out[i] == (i % BYTES < BYTES - i / BYTES % (BYTES + 1) ? in[i] : 0));
}

// What a copy is short of may be nobody's: the buffer ends with the fifth word.
__global__ void at_end(const int *in, int *out)
{
    __shared__ int4 to;
    to = make_int4(-1, -1, -1, -1);
    __pipeline_memcpy_async(&to, in + 4, 16, 12);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[0] = to.x, out[1] = to.y, out[2] = to.z, out[3] = to.w;
}

int main()
{
    int *in, *out;
    const int n = 2 * TILES * TILE * 4;
    CALL(cudaMallocManaged(&in, n * sizeof *in));
    CALL(cudaMallocManaged(&out, 4096 * sizeof *out));
    for (int i = 0; i < n; i++) in[i] = (i * 7919) % 1009;
    groups<<<2, TILE>>>((int4 *)in, out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 2 * TILE; t++) {
        int want = 0;
        for (int i = 0; i < TILES; i++)
            for (int e = 0; e < 4; e++) want += (e + 1) * in[(t / TILE * TILES * TILE + i * TILE + (t % TILE + 1) % TILE) * 4 + e];
        EXPECT(out[t] == want);
    }
    check_short<4>((unsigned char *)in, (unsigned char *)out);
    check_short<8>((unsigned char *)in, (unsigned char *)out);
    check_short<16>((unsigned char *)in, (unsigned char *)out);
    roles<<<1, 256>>>(in, out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 128; t++) {
        int want = 0;
        for (int i = 0; i < TILES; i++) want += (i + 1) * in[i * 128 + 127 - t];
        EXPECT(out[t] == want);
    }
    pipeline<<<1, TILE>>>(in, out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < TILE; t++) {
        int want = 0;
        for (int i = 0; i < TILES; i++) want += (i + 1) * in[i * TILE + TILE - 1 - t];
        EXPECT(out[t] == want);
    }
    for (int t = 0; t < 96; t++) out[t] = 0;
    phases<<<1, 96>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 96; t++) EXPECT(out[t] == (t < 32 ? 5 * 96 : 0));
    int five[5] = {1, 2, 3, 4, 5}, *end;
    CALL(cudaMalloc(&end, sizeof five));
    CALL(cudaMemcpy(end, five, sizeof five, cudaMemcpyHostToDevice));
    at_end<<<1, 1>>>(end, out);
    CALL(cudaDeviceSynchronize());
    EXPECT(out[0] == 5 && out[1] == 0 && out[2] == 0 && out[3] == 0);
    return passed();
}
