// Kernels in the style of application code, compiled by nvcc (see README.md).
#include <cuda_fp16.h>

template <int TILE>
__global__ void multiply(const float *__restrict__ a, const float *__restrict__ b, float *c, long long n)
{
    __shared__ float sa[TILE][TILE + 1], sb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        sa[y][x] = a[row * n + k + x];
        sb[y][x] = b[(k + y) * n + column];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < TILE; j++)
            sum += sa[y][j] * sb[j][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
template __global__ void multiply<8>(const float *, const float *, float *, long long);

struct particle { double x, v; int id; short kind; char flag; };
struct world { particle *all; double dt; long long n; };

__device__ __noinline__ particle moved(particle p, double dt)
{
    p.x += p.v * dt;
    p.v = p.kind > 2 ? -p.v : p.v / 3.0;
    p.flag += p.id & 1;
    return p;
}

extern "C" __global__ void step_world(world w)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < w.n)
        w.all[i] = moved(w.all[i], w.dt);
}

extern "C" __global__ void reduce(const int *in, int *out, long long n)
{
    __shared__ int partial[32];
    int sum = 0, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < (blockDim.x >> 5) ? partial[lane] : 0;
        for (int d = 16; d > 0; d >>= 1)
            sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (lane == 0)
            atomicAdd(out, sum);
    }
    unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);
    if (threadIdx.x == 0)
        atomicMax(out + 1, __popc(odd) + blockIdx.x);
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__constant__ int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int counters[4];
__device__ int *which[2] = {&counters[1], &counters[3]};

extern "C" __global__ void branches(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    switch (t % 11) {
    case 0: r = fibonacci(t % 7 + 3); break;
    case 1: r = t * 3; break;
    case 2: r = t ^ 0x55;
    case 3: r += weights[t & 7]; break;
    case 4: for (int i = 0; i < t; i++) { if (i % 5 == 3) continue; r += i; if (r > 500) break; } break;
    case 5: r = __clz(t); break;
    case 6: r = __brev(t); break;
    case 7: r = t > 60 ? t / 7 : t % 7; break;
    case 8: r = __float2int_rn(sqrtf((float)t) * 100.0f); break;
    case 9: return;
    default: r = -t; break;
    }
    atomicAdd(which[t & 1], 1);
    out[t] = r;
}

extern "C" __global__ void histogram(const unsigned char *in, int *out, long long n)
{
    int local[16];
    for (int i = 0; i < 16; i++)
        local[i] = 0;
    for (long long i = threadIdx.x; i < n; i += blockDim.x)
        local[in[i] & 15]++;
    for (int i = 0; i < 16; i++)
        atomicAdd(&out[i], local[i]);
}

extern "C" __global__ void scan(const float *in, float *out)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        float add = t >= d ? s[t - d] : 0.0f;
        __syncthreads();
        s[t] += add;
        __syncthreads();
    }
    out[t] = s[t];
}

extern "C" __global__ void halves(const __half *a, const __half *b, __half *out)
{
    int t = threadIdx.x;
    out[t] = __hfma(a[t], b[t], __float2half(1.5f));
}
