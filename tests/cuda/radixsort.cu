// radixsort.cu - keys with values, four bits a pass: block histograms, a scan, a stable scatter (as in SHOC).
#include <algorithm>
#include <vector>

#include "common.h"

enum { N = 1024, BLOCK = 128, BLOCKS = N / BLOCK, DIGITS = 16 };

__global__ void count(const unsigned *key, int shift, unsigned *counts)
{
    __shared__ unsigned mine[DIGITS];
    if (threadIdx.x < DIGITS)
        mine[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&mine[key[blockIdx.x * BLOCK + threadIdx.x] >> shift & 15], 1u);
    __syncthreads();
    if (threadIdx.x < DIGITS) // digit-major, so that one scan gives all places
        counts[threadIdx.x * BLOCKS + blockIdx.x] = mine[threadIdx.x];
}

__global__ void scan(unsigned *counts)
{
    __shared__ unsigned s[DIGITS * BLOCKS];
    unsigned t = threadIdx.x, own = counts[t];
    s[t] = own;
    for (unsigned n = 1; n < DIGITS * BLOCKS; n *= 2) {
        __syncthreads();
        unsigned before = t >= n ? s[t - n] : 0;
        __syncthreads();
        s[t] += before;
    }
    counts[t] = s[t] - own;
}

__global__ void scatter(const unsigned *key, const unsigned *value, int shift, const unsigned *counts, unsigned *key_out, unsigned *value_out)
{
    __shared__ unsigned char digit[BLOCK];
    unsigned i = blockIdx.x * BLOCK + threadIdx.x, d = key[i] >> shift & 15, rank = 0;
    digit[threadIdx.x] = d;
    __syncthreads();
    for (unsigned k = 0; k < threadIdx.x; k++)
        rank += digit[k] == d;
    unsigned to = counts[d * BLOCKS + blockIdx.x] + rank;
    key_out[to] = key[i];
    value_out[to] = value[i];
}

int main()
{
    std::vector<std::pair<unsigned, unsigned>> want;
    static unsigned key[N], value[N];
    unsigned *k[2], *v[2], *counts, state = 23;
    for (unsigned i = 0; i < N; i++) {
        key[i] = random_word(&state) % 4000; // some equal: order must stay
        value[i] = i;
        want.push_back({key[i], i});
    }
    std::stable_sort(want.begin(), want.end(), [](auto a, auto b) { return a.first < b.first; });
    for (int b = 0; b < 2; b++) {
        CALL(cudaMalloc(&k[b], sizeof key));
        CALL(cudaMalloc(&v[b], sizeof value));
    }
    CALL(cudaMalloc(&counts, DIGITS * BLOCKS * sizeof *counts));
    CALL(cudaMemcpy(k[0], key, sizeof key, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(v[0], value, sizeof value, cudaMemcpyHostToDevice));
    for (int pass = 0; pass < 3; pass++) {
        int from = pass % 2;
        count<<<BLOCKS, BLOCK>>>(k[from], 4 * pass, counts);
        scan<<<1, DIGITS * BLOCKS>>>(counts);
        scatter<<<BLOCKS, BLOCK>>>(k[from], v[from], 4 * pass, counts, k[!from], v[!from]);
    }
    CALL(cudaMemcpy(key, k[1], sizeof key, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(value, v[1], sizeof value, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        EXPECT(key[i] == want[i].first && value[i] == want[i].second);
    return passed();
}
