// streams.cu - asynchronous copies and kernels in several streams, events between them, callbacks, launches
// from several host threads.
#include <atomic>
#include <thread>
#include <vector>

#include "common.h"

__global__ void step(float *x, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * 2 + by;
}

static std::atomic<int> called;
static void CUDART_CB count(void *data) { called += *(int *)data; }
static void CUDART_CB status(cudaStream_t, cudaError_t e, void *data) { called += e == cudaSuccess ? *(int *)data : 1000; }

int main()
{
    const int n = 4096, k = 3;
    float *host, *device;
    cudaStream_t stream[k];
    cudaEvent_t start, stop, half;
    int one = 1;
    CALL(cudaMallocHost(&host, k * n * sizeof(float)));
    CALL(cudaMalloc(&device, k * n * sizeof(float)));
    CALL(cudaEventCreate(&start));
    CALL(cudaEventCreate(&stop));
    CALL(cudaEventCreateWithFlags(&half, cudaEventDisableTiming));
    for (int i = 0; i < k * n; i++) host[i] = (float)i;
    CALL(cudaEventRecord(start));
    for (int s = 0; s < k; s++) {
        float *h = host + s * n, *d = device + s * n;
        CALL(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
        CALL(cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, stream[s]));
        step<<<n / 256, 256, 0, stream[s]>>>(d, n, (float)s);
        CALL(cudaEventRecord(half, stream[s]));
        CALL(cudaStreamWaitEvent(stream[(s + k - 1) % k], half, 0));
        CALL(cudaLaunchHostFunc(stream[s], count, &one));
        CALL(cudaStreamAddCallback(stream[s], status, &one, 0));
        CALL(cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, stream[s]));
    }
    CALL(cudaEventRecord(stop));
    CALL(cudaEventSynchronize(stop));
    float ms = 0;
    CALL(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0 && ms < 10);
    for (int s = 0; s < k; s++) {
        CALL(cudaStreamSynchronize(stream[s]));
        EXPECT(cudaStreamQuery(stream[s]) == cudaSuccess);
        for (int i = 0; i < n; i++) EXPECT(host[s * n + i] == 2.0f * (float)(s * n + i) + (float)s);
        CALL(cudaStreamDestroy(stream[s]));
    }
    EXPECT(called == 2 * k);
    std::vector<std::thread> threads;
    std::atomic<int> wrong(0);
    for (int t = 0; t < 4; t++) {
        threads.emplace_back([t, &wrong] {
            float *d, v[64];
            for (int i = 0; i < 64; i++) v[i] = (float)t;
            if (cudaMalloc(&d, sizeof v) || cudaMemcpy(d, v, sizeof v, cudaMemcpyHostToDevice)) wrong++;
            for (int r = 0; r < 5; r++) step<<<1, 64>>>(d, 64, 1);
            if (cudaMemcpy(v, d, sizeof v, cudaMemcpyDeviceToHost) || v[63] != 32.0f * t + 31) wrong++;
            cudaFree(d);
        });
    }
    for (auto &t : threads) t.join();
    EXPECT(wrong == 0);
    return passed();
}
