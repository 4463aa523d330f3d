// triad.cu - a + s b in pieces, each copied and computed in a stream of its own from pinned memory (as SHOC).
#include "common.h"

enum { N = 8192, PIECES = 4, PIECE = N / PIECES };

__global__ void triad(const float *a, const float *b, float *c, float s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + s * b[i];
}

int main()
{
    float *a, *b, *c, *d[3];
    cudaStream_t stream[PIECES];
    cudaEvent_t done[PIECES];
    CALL(cudaMallocHost(&a, N * sizeof(float)));
    CALL(cudaMallocHost(&b, N * sizeof(float)));
    CALL(cudaHostAlloc(&c, N * sizeof(float), cudaHostAllocDefault));
    for (int k = 0; k < 3; k++)
        CALL(cudaMalloc(&d[k], N * sizeof(float)));
    for (int i = 0; i < N; i++) {
        a[i] = i / 4.0f;
        b[i] = (i % 100) / 2.0f;
        c[i] = -1;
    }
    for (int p = 0; p < PIECES; p++) {
        size_t at = p * PIECE, bytes = PIECE * sizeof(float);
        CALL(cudaStreamCreateWithFlags(&stream[p], cudaStreamNonBlocking));
        CALL(cudaEventCreateWithFlags(&done[p], cudaEventDisableTiming));
        CALL(cudaMemcpyAsync(d[0] + at, a + at, bytes, cudaMemcpyHostToDevice, stream[p]));
        CALL(cudaMemcpyAsync(d[1] + at, b + at, bytes, cudaMemcpyHostToDevice, stream[p]));
        triad<<<PIECE / 256, 256, 0, stream[p]>>>(d[0] + at, d[1] + at, d[2] + at, 1.5f);
        CALL(cudaMemcpyAsync(c + at, d[2] + at, bytes, cudaMemcpyDeviceToHost, stream[p]));
        CALL(cudaEventRecord(done[p], stream[p]));
    }
    for (int p = 0; p < PIECES; p++) {
        CALL(cudaEventSynchronize(done[p]));
        CALL(cudaStreamDestroy(stream[p]));
    }
    for (int i = 0; i < N; i++)
        EXPECT(c[i] == i / 4.0f + 1.5f * ((i % 100) / 2.0f));
    CALL(cudaFreeHost(a));
    return passed();
}
