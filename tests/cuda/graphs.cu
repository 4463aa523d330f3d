// graphs.cu - graphs that streams record and graphs put together by hand: nothing runs while it is
// recorded, arguments are those of that moment, dependencies order what was added in another order.
#include "common.h"

__global__ void add(float *a, float v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += v;
}

__global__ void scale(float *a, float v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= v;
}

static void CUDART_CB count(void *to) { ++*(int *)to; }

static float first(const float *d)
{
    float h;
    CALL(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}

static void recorded(float *d, int n)
{
    cudaStream_t s, other;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaStreamCaptureStatus status;
    int calls = 0;
    size_t nodes = 0;
    CALL(cudaStreamCreate(&s));
    CALL(cudaStreamCreate(&other));
    CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMemsetAsync(d, 0, n * sizeof *d, s));
    for (int i = 0; i < 3; i++) add<<<2, 128, 0, s>>>(d, i, n); // 0 + 1 + 2
    CALL(cudaEventRecord(fork, s));
    CALL(cudaStreamWaitEvent(other, fork, 0));
    scale<<<2, 128, 0, other>>>(d, 10, n);
    CALL(cudaEventRecord(join, other));
    CALL(cudaStreamWaitEvent(s, join, 0));
    CALL(cudaLaunchHostFunc(s, count, &calls));
    CALL(cudaStreamIsCapturing(other, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    EXPECT(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaGetLastError() == cudaErrorStreamCaptureUnsupported);
    CALL(cudaStreamEndCapture(s, &graph));
    EXPECT(first(d) == 7 && calls == 0);
    CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 6);
    CALL(cudaGraphInstantiate(&run, graph, 0));
    CALL(cudaGraphDestroy(graph));
    for (int i = 0; i < 4; i++) CALL(cudaGraphLaunch(run, s));
    CALL(cudaStreamSynchronize(s));
    EXPECT(first(d) == 30 && calls == 4);
    add<<<2, 128, 0, other>>>(d, 1, n); // it records no longer
    EXPECT(first(d) == 31);
    CALL(cudaGraphExecDestroy(run));
    EXPECT(cudaGraphExecDestroy(run) != cudaSuccess && cudaGetLastError() != cudaSuccess);
    EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) != cudaSuccess);
    cudaGetLastError();
}

static void by_hand(float *d, int n)
{
    cudaGraph_t graph, copy;
    cudaGraphExec_t run;
    cudaGraphNode_t adds, scales, back, clears;
    float v = 2, w = 5, *out = (float *)malloc(n * sizeof *out);
    void *add_args[] = {&d, &v, &n}, *scale_args[] = {&d, &w, &n};
    cudaKernelNodeParams kernel = {};
    cudaMemsetParams clear = {};
    size_t roots = 0;
    kernel.gridDim = dim3(2), kernel.blockDim = dim3(128);
    clear.dst = d, clear.elementSize = 4, clear.width = n, clear.height = 1, clear.value = 0x40000000; // 2.0f
    CALL(cudaGraphCreate(&graph, 0));
    kernel.func = (void *)scale, kernel.kernelParams = scale_args;
    CALL(cudaGraphAddKernelNode(&scales, graph, nullptr, 0, &kernel));
    kernel.func = (void *)add, kernel.kernelParams = add_args;
    CALL(cudaGraphAddKernelNode(&adds, graph, nullptr, 0, &kernel));
    CALL(cudaGraphAddMemcpyNode1D(&back, graph, &scales, 1, out, d, n * sizeof *out, cudaMemcpyDeviceToHost));
    CALL(cudaGraphAddMemsetNode(&clears, graph, nullptr, 0, &clear));
    CALL(cudaGraphAddDependencies(graph, &adds, &scales, nullptr, 1));
    CALL(cudaGraphAddDependencies(graph, &clears, &adds, nullptr, 1));
    CALL(cudaGraphGetRootNodes(graph, nullptr, &roots));
    EXPECT(roots == 1);
    CALL(cudaGraphClone(&copy, graph));
    CALL(cudaGraphInstantiate(&run, graph, 0));
    v = 100; // too late
    CALL(cudaGraphLaunch(run, 0));
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) EXPECT(out[i] == 20); // (2 + 2) * 5
    CALL(cudaGraphExecKernelNodeSetParams(run, adds, &kernel));
    CALL(cudaGraphLaunch(run, 0));
    CALL(cudaDeviceSynchronize());
    EXPECT(out[n - 1] == 510);
    CALL(cudaGraphAddDependencies(graph, &back, &clears, nullptr, 1)); // goes round
    EXPECT(cudaGraphInstantiate(&run, graph, 0) != cudaSuccess && cudaGetLastError() != cudaSuccess);
    CALL(cudaGraphInstantiate(&run, copy, 0)); // the copy does not
    CALL(cudaGraphLaunch(run, 0));
    CALL(cudaDeviceSynchronize());
    EXPECT(out[0] == 20);
    free(out);
}

static void pools()
{
    cudaMemPool_t pool;
    cudaStream_t s;
    unsigned long long threshold = 1 << 20, back = 0;
    float *a;
    CALL(cudaStreamCreate(&s));
    CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
    CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back));
    EXPECT(back == threshold);
    CALL(cudaMallocFromPoolAsync(&a, 1024, pool, s));
    CALL(cudaMemsetAsync(a, 0, 1024, s));
    add<<<1, 256, 0, s>>>(a, 3, 256);
    EXPECT(first(a) == 3);
    CALL(cudaFreeAsync(a, s));
    CALL(cudaMemPoolTrimTo(pool, 0));
    EXPECT(cudaMemPoolDestroy(pool) != cudaSuccess && cudaGetLastError() != cudaSuccess); // the device's
}

int main()
{
    const int n = 256;
    float *d, seven[n];
    for (int i = 0; i < n; i++) seven[i] = 7;
    CALL(cudaMalloc(&d, sizeof seven));
    CALL(cudaMemcpy(d, seven, sizeof seven, cudaMemcpyHostToDevice));
    recorded(d, n);
    by_hand(d, n);
    pools();
    return passed();
}
