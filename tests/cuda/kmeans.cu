// kmeans.cu - clustering: assignment by distance, centres by atomics, until nothing moves (as in Rodinia).
#include "common.h"

enum { POINTS = 512, CLUSTERS = 4, MOST = 20 };
struct point {
    float x, y;
};
struct sums {
    int x[CLUSTERS], y[CLUSTERS], n[CLUSTERS], moved;
};

__constant__ point centres[CLUSTERS];

__global__ void assign(const point *p, int *of, sums *s)
{
    __shared__ sums mine;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = threadIdx.x; k < (int)(sizeof mine / 4); k += blockDim.x)
        ((int *)&mine)[k] = 0;
    __syncthreads();
    int best = 0;
    float least = 1e30f;
    for (int c = 0; c < CLUSTERS; c++) {
        float dx = p[i].x - centres[c].x, dy = p[i].y - centres[c].y, d = dx * dx + dy * dy;
        if (d < least) {
            least = d;
            best = c;
        }
    }
    if (of[i] != best)
        atomicAdd(&mine.moved, 1);
    of[i] = best;
    atomicAdd(&mine.x[best], (int)p[i].x); // coordinates are whole numbers
    atomicAdd(&mine.y[best], (int)p[i].y);
    atomicAdd(&mine.n[best], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < (int)(sizeof mine / 4); k += blockDim.x)
        atomicAdd((int *)s + k, ((int *)&mine)[k]);
}

int main()
{
    static point p[POINTS];
    point c[CLUSTERS], *dp;
    static int of[POINTS];
    int *dof, round = 0;
    sums s, *ds;
    unsigned state = 5;
    for (int i = 0; i < POINTS; i++) // four squares apart from each other
        p[i] = {(float)(random_word(&state) % 40 + 100 * (i & 1)), (float)(random_word(&state) % 40 + 100 * (i >> 1 & 1))};
    for (int k = 0; k < CLUSTERS; k++)
        c[k] = p[k];
    CALL(cudaMalloc(&dp, sizeof p));
    CALL(cudaMalloc(&dof, sizeof of));
    CALL(cudaMalloc(&ds, sizeof s));
    CALL(cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice));
    CALL(cudaMemset(dof, 0xff, sizeof of));
    do {
        CALL(cudaMemcpyToSymbol(centres, c, sizeof c));
        CALL(cudaMemset(ds, 0, sizeof s));
        assign<<<POINTS / 128, 128>>>(dp, dof, ds);
        CALL(cudaMemcpy(&s, ds, sizeof s, cudaMemcpyDeviceToHost));
        for (int k = 0; k < CLUSTERS; k++)
            c[k] = {(float)s.x[k] / s.n[k], (float)s.y[k] / s.n[k]};
    } while (s.moved && ++round < MOST);
    EXPECT(round < MOST);
    CALL(cudaMemcpy(of, dof, sizeof of, cudaMemcpyDeviceToHost));
    for (int i = 0; i < POINTS; i++) // each square is one cluster
        EXPECT(of[i] == of[i & 3] && s.n[of[i]] == POINTS / 4);
    return passed();
}
