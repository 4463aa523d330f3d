// bulk.cu - bulk copies by one thread or several, an mbarrier that counts their bytes, copies back by
// groups, sums into global memory.  For compute_90.
#include <cstdint>

#include "common.h"

enum { WORDS = 1024, BLOCKS = 4, ROUNDS = 6 };

__device__ static unsigned shared_at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ static void wait(const uint64_t *bar, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nagain: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;\n}" ::"r"(shared_at(bar)), "r"(parity) : "memory");
}

__device__ static void expect(uint64_t *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_at(bar)), "r"(bytes) : "memory");
}

__device__ static void load(void *to, const void *from, unsigned bytes, uint64_t *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_at(to)),
                 "l"(from), "r"(bytes), "r"(shared_at(bar)) : "memory");
}

// Rounds through two tiles: come, are changed, go back, and are summed over all blocks.
__global__ void tiles(const int *in, int *out, int *sum)
{
    __shared__ __align__(128) int tile[2][WORDS];
    __shared__ uint64_t bar[2];
    const int t = threadIdx.x;
    const int *mine = in + blockIdx.x * ROUNDS * WORDS;
    if (t < 2) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_at(&bar[t])) : "memory");
    __syncthreads();
    for (int round = 0; round < ROUNDS; round++) {
        int *at = tile[round % 2];
        if (t == 0) {
            asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
            expect(&bar[round % 2], sizeof tile[0]);
            load(at, mine + round * WORDS, sizeof tile[0], &bar[round % 2]);
        }
        wait(&bar[round % 2], round / 2 % 2);
        for (int i = t; i < WORDS; i += blockDim.x) at[i] = 3 * at[i] + round;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                             out + (blockIdx.x * ROUNDS + round) * WORDS),
                         "r"(shared_at(at)), "r"((unsigned)sizeof tile[0]) : "memory");
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(sum),
                         "r"(shared_at(at)), "r"((unsigned)sizeof tile[0]) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
    if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Each thread of a warp copies its own row, of another length.
__global__ void rows(const int4 *in, int4 *out)
{
    __shared__ __align__(16) int4 row[32][32];
    __shared__ uint64_t bar;
    const int t = threadIdx.x;
    for (int i = 0; i < 32; i++) row[t][i] = make_int4(-1, -1, -1, -1);
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(shared_at(&bar)) : "memory");
    __syncwarp();
    expect(&bar, 16 * t);
    load(row[t], in + 32 * t, 16 * t, &bar);
    wait(&bar, 0);
    for (int i = 0; i < 32; i++) out[32 * t + i] = row[(t + 1) % 32][i];
}

__global__ void askew(const char *in)
{
    __shared__ __align__(16) char to[64];
    __shared__ uint64_t bar;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_at(&bar)) : "memory");
    load(to, in + 4, 16, &bar);
}

int main(int argc, char **argv)
{
    const int n = BLOCKS * ROUNDS * WORDS;
    int *in, *out, *sum, total = 0;
    CALL(cudaMallocManaged(&in, n * sizeof *in));
    CALL(cudaMallocManaged(&out, n * sizeof *out));
    CALL(cudaMallocManaged(&sum, WORDS * sizeof *sum));
    unsigned state = 31;
    for (int i = 0; i < n; i++) in[i] = (int)random_word(&state) % 1000;
    for (int i = 0; i < WORDS; i++) sum[i] = i;
    tiles<<<BLOCKS, 128>>>(in, out, sum);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) EXPECT(out[i] == 3 * in[i] + i / WORDS % ROUNDS);
    for (int i = 0; i < WORDS; i++) {
        total = i;
        for (int k = i; k < n; k += WORDS) total += out[k];
        EXPECT(sum[i] == total);
    }
    rows<<<1, 32>>>((const int4 *)in, (int4 *)out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++)
        for (int i = 0; i < 128; i++) {
            int from = (t + 1) % 32;
            EXPECT(out[128 * t + i] == (i < 4 * from ? in[128 * from + i] : -1));
        }
    if (argc > 1 && argv[1][0] == 'a') {
        askew<<<1, 1>>>((const char *)in);
        EXPECT(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
        puts("PASSED");
        return 0;
    }
    return passed();
}
