// compact.cu - stream compaction by ballot and popc, and a warp-wide match of equal keys (HeCBench).
#include "common.h"

enum { N = 700, BLOCK = 128 };

__global__ void compact(const int *in, int *out, int *n)
{
    __shared__ int base[BLOCK / 32];
    int i = blockIdx.x * BLOCK + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    bool keep = i < N && in[i] % 3 == 0;
    unsigned mask = __ballot_sync(~0u, keep);
    if (lane == 0)
        base[warp] = atomicAdd(n, __popc(mask));
    __syncwarp();
    if (keep)
        out[base[warp] + __popc(mask & ((1u << lane) - 1))] = in[i];
}

__global__ void equals(const int *in, unsigned *mask, int *leader)
{
    int t = threadIdx.x;
    unsigned same = __match_any_sync(~0u, in[t] % 5);
    mask[t] = same;
    leader[t] = __ffs(same) - 1;
}

int main()
{
    static int in[N], out[N], seen[4 * N];
    int *din, *dout, *dn, n, leader[64], kept = 0;
    unsigned mask[64], *dm, state = 41;
    for (int i = 0; i < N; i++)
        in[i] = (int)(random_word(&state) % (4 * N));
    CALL(cudaMalloc(&din, sizeof in));
    CALL(cudaMalloc(&dout, sizeof out));
    CALL(cudaMalloc(&dn, sizeof n));
    CALL(cudaMalloc(&dm, sizeof mask));
    CALL(cudaMemset(dn, 0, sizeof n));
    CALL(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
    compact<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(din, dout, dn);
    CALL(cudaMemcpy(&n, dn, sizeof n, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        if (in[i] % 3 == 0) {
            seen[in[i]]++;
            kept++;
        }
    EXPECT(n == kept);
    for (int i = 0; i < n; i++)
        EXPECT(--seen[out[i]] >= 0);
    equals<<<1, 64>>>(din, dm, dout);
    CALL(cudaMemcpy(mask, dm, sizeof mask, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(leader, dout, sizeof leader, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++) {
        int first = 32;
        for (int k = 31; k >= 0; k--) {
            bool same = in[t / 32 * 32 + k] % 5 == in[t] % 5;
            EXPECT((mask[t] >> k & 1) == same);
            first = same ? k : first;
        }
        EXPECT(leader[t] == first);
    }
    return passed();
}
