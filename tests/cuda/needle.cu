// needle.cu - Needleman-Wunsch alignment, tiles along anti-diagonals in shared memory (as in Rodinia).
#include "common.h"

enum { TILE = 16, N = 64, W = N + 1, PENALTY = 10 };

__device__ __host__ static int max3(int a, int b, int c)
{
    return a > b ? (a > c ? a : c) : b > c ? b : c;
}

__global__ void diagonal(int *score, const int *match, int sum)
{
    __shared__ int s[TILE + 1][TILE + 1], m[TILE][TILE];
    int by = blockIdx.x + (sum < N / TILE ? 0 : sum - N / TILE + 1), bx = sum - by, t = threadIdx.x;
    int base = by * TILE * W + bx * TILE;
    for (int y = 0; y < TILE; y++)
        m[y][t] = match[(by * TILE + y) * N + bx * TILE + t];
    s[t + 1][0] = score[base + (t + 1) * W];
    s[0][t + 1] = score[base + t + 1];
    if (t == 0)
        s[0][0] = score[base];
    __syncthreads();
    for (int d = 0; d < 2 * TILE - 1; d++) {
        int y = d - t;
        if (y >= 0 && y < TILE)
            s[y + 1][t + 1] = max3(s[y][t] + m[y][t], s[y + 1][t] - PENALTY, s[y][t + 1] - PENALTY);
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++)
        score[base + (y + 1) * W + t + 1] = s[y + 1][t + 1];
}

int main()
{
    static int score[W * W], want[W * W], match[N * N];
    int *ds, *dm;
    unsigned state = 11;
    for (int i = 0; i < N * N; i++)
        match[i] = (int)(random_word(&state) % 21) - 10;
    for (int i = 0; i < W; i++)
        score[i] = score[i * W] = want[i] = want[i * W] = -PENALTY * i;
    CALL(cudaMalloc(&ds, sizeof score));
    CALL(cudaMalloc(&dm, sizeof match));
    CALL(cudaMemcpy(ds, score, sizeof score, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dm, match, sizeof match, cudaMemcpyHostToDevice));
    for (int sum = 0; sum < 2 * N / TILE - 1; sum++)
        diagonal<<<sum < N / TILE ? sum + 1 : 2 * N / TILE - 1 - sum, TILE>>>(ds, dm, sum);
    CALL(cudaMemcpy(score, ds, sizeof score, cudaMemcpyDeviceToHost));
    for (int y = 1; y < W; y++)
        for (int x = 1; x < W; x++) {
            want[y * W + x] = max3(want[(y - 1) * W + x - 1] + match[(y - 1) * N + x - 1],
                                   want[y * W + x - 1] - PENALTY, want[(y - 1) * W + x] - PENALTY);
            EXPECT(score[y * W + x] == want[y * W + x]);
        }
    return passed();
}
