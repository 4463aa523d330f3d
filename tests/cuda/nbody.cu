// nbody.cu - forces between all bodies, tiles of float4 in dynamic shared memory, rsqrtf (samples, HeCBench).
#include "common.h"

enum { N = 128, TILE = 64 };

__global__ void forces(const float4 *body, float3 *force)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float3 f = make_float3(0, 0, 0);
    for (int t = 0; t < N; t += TILE) {
        tile[threadIdx.x] = body[t + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < TILE; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float s = tile[j].w * inverse * inverse * inverse;
            f.x += dx * s;
            f.y += dy * s;
            f.z += dz * s;
        }
        __syncthreads();
    }
    force[i] = f;
}

int main()
{
    static float4 body[N];
    static float3 force[N];
    float4 *db;
    float3 *df;
    unsigned state = 29;
    for (int i = 0; i < N; i++) {
        float *p = &body[i].x;
        for (int k = 0; k < 4; k++)
            p[k] = random_word(&state) % 1000 / 500.0f;
    }
    CALL(cudaMalloc(&db, sizeof body));
    CALL(cudaMalloc(&df, sizeof force));
    CALL(cudaMemcpy(db, body, sizeof body, cudaMemcpyHostToDevice));
    forces<<<N / TILE, TILE, TILE * sizeof(float4)>>>(db, df);
    CALL(cudaMemcpy(force, df, sizeof force, cudaMemcpyDeviceToHost));
    double total[3] = {0, 0, 0}, size = 0;
    for (int i = 0; i < N; i++) {
        double f[3] = {0, 0, 0};
        for (int j = 0; j < N; j++) {
            double d[] = {(double)body[j].x - body[i].x, (double)body[j].y - body[i].y, (double)body[j].z - body[i].z};
            double s = body[j].w / pow(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01, 1.5);
            for (int k = 0; k < 3; k++)
                f[k] += d[k] * s;
        }
        const float got[] = {force[i].x, force[i].y, force[i].z};
        for (int k = 0; k < 3; k++) {
            EXPECT(fabs(got[k] - f[k]) < 1e-2 + 1e-4 * fabs(f[k]));
            total[k] += (double)got[k] * body[i].w; // action and reaction
            size += fabs((double)got[k] * body[i].w);
        }
    }
    for (int k = 0; k < 3; k++)
        EXPECT(fabs(total[k]) < 1e-4 * size);
    return passed();
}
