// lud.cu - LU decomposition by tiles: diagonal, perimeter, interior (as in Rodinia).
#include "common.h"

enum { B = 16, N = 48 };

__global__ void diagonal(float *m, int k)
{
    __shared__ float s[B][B];
    int t = threadIdx.x;
    for (int i = 0; i < B; i++)
        s[i][t] = m[(k + i) * N + k + t];
    __syncthreads();
    for (int i = 0; i < B - 1; i++) {
        if (t > i)
            s[t][i] /= s[i][i];
        __syncthreads();
        if (t > i)
            for (int j = i + 1; j < B; j++)
                s[t][j] -= s[t][i] * s[i][j];
        __syncthreads();
    }
    for (int i = 0; i < B; i++)
        m[(k + i) * N + k + t] = s[i][t];
}

__global__ void perimeter(float *m, int k)
{
    __shared__ float d[B][B];
    int t = threadIdx.x % B, at = k + (blockIdx.x + 1) * B;
    bool row = threadIdx.x < B;
    for (int i = row ? 0 : B / 2; i < (row ? B / 2 : B); i++)
        d[i][t] = m[(k + i) * N + k + t];
    __syncthreads();
    if (row) { // L of the diagonal: one column a thread
        for (int i = 1; i < B; i++)
            for (int j = 0; j < i; j++)
                m[(k + i) * N + at + t] -= d[i][j] * m[(k + j) * N + at + t];
    } else { // U of the diagonal: one row a thread
        for (int i = 0; i < B; i++) {
            for (int j = 0; j < i; j++)
                m[(at + t) * N + k + i] -= m[(at + t) * N + k + j] * d[j][i];
            m[(at + t) * N + k + i] /= d[i][i];
        }
    }
}

__global__ void interior(float *m, int k)
{
    __shared__ float l[B][B], u[B][B];
    int x = threadIdx.x, y = threadIdx.y;
    int row = k + (blockIdx.y + 1) * B + y, col = k + (blockIdx.x + 1) * B + x;
    l[y][x] = m[row * N + k + x];
    u[y][x] = m[(k + y) * N + col];
    __syncthreads();
    float s = 0;
    for (int i = 0; i < B; i++)
        s += l[y][i] * u[i][x];
    m[row * N + col] -= s;
}

int main()
{
    static float a[N * N], lu[N * N];
    float *d;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = i == j ? N : 1.0f / (1 + abs(i - j));
    CALL(cudaMalloc(&d, sizeof a));
    CALL(cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice));
    for (int k = 0; k < N; k += B) {
        int rest = (N - k) / B - 1;
        diagonal<<<1, B>>>(d, k);
        if (rest) {
            perimeter<<<rest, 2 * B>>>(d, k);
            interior<<<dim3(rest, rest), dim3(B, B)>>>(d, k);
        }
    }
    CALL(cudaMemcpy(lu, d, sizeof lu, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) // L times U is the matrix
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k <= (i < j ? i : j); k++)
                s += (k == i ? 1.0 : lu[i * N + k]) * lu[k * N + j];
            EXPECT(fabs(s - a[i * N + j]) < 1e-4);
        }
    return passed();
}
