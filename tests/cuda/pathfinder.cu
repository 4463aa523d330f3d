// pathfinder.cu - cheapest way through a grid, ghost zones and two buffers in turn (as in Rodinia).
#include "common.h"

enum { COLS = 500, ROWS = 21, STEPS = 5, BLOCK = 128, INNER = BLOCK - 2 * STEPS };

__global__ void rows(const int *wall, const int *from, int *to, int first)
{
    __shared__ int prev[BLOCK], next[BLOCK];
    int t = threadIdx.x, x = (int)blockIdx.x * INNER - STEPS + t;
    bool inside = x >= 0 && x < COLS;
    prev[t] = inside ? from[x] : 1 << 29;
    __syncthreads();
    for (int s = 0; s < STEPS; s++) {
        if (inside && t > s && t < BLOCK - 1 - s) {
            int best = min(prev[t], min(prev[t - 1], prev[t + 1]));
            next[t] = best + wall[(first + s) * COLS + x];
        } else {
            next[t] = 1 << 29;
        }
        __syncthreads();
        prev[t] = next[t];
        __syncthreads();
    }
    if (inside && t >= STEPS && t < BLOCK - STEPS)
        to[x] = prev[t];
}

int main()
{
    static int wall[ROWS * COLS], want[COLS], got[COLS];
    int *dw, *d[2];
    unsigned state = 3;
    for (int i = 0; i < ROWS * COLS; i++)
        wall[i] = random_word(&state) % 10;
    CALL(cudaMalloc(&dw, sizeof wall));
    CALL(cudaMalloc(&d[0], sizeof got));
    CALL(cudaMalloc(&d[1], sizeof got));
    CALL(cudaMemcpy(dw, wall, sizeof wall, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(d[0], wall, sizeof got, cudaMemcpyHostToDevice));
    int now = 0;
    for (int r = 1; r < ROWS; r += STEPS, now = !now)
        rows<<<(COLS + INNER - 1) / INNER, BLOCK>>>(dw, d[now], d[!now], r);
    CALL(cudaMemcpy(got, d[now], sizeof got, cudaMemcpyDeviceToHost));
    for (int x = 0; x < COLS; x++)
        want[x] = wall[x];
    for (int r = 1; r < ROWS; r++) {
        int row[COLS];
        for (int x = 0; x < COLS; x++) {
            int best = want[x];
            if (x > 0 && want[x - 1] < best) best = want[x - 1];
            if (x < COLS - 1 && want[x + 1] < best) best = want[x + 1];
            row[x] = best + wall[r * COLS + x];
        }
        for (int x = 0; x < COLS; x++)
            want[x] = row[x];
    }
    for (int x = 0; x < COLS; x++)
        EXPECT(got[x] == want[x]);
    return passed();
}
