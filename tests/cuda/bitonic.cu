// bitonic.cu - a sort of keys with values, 64-bit integers and functors as arguments (samples, HeCBench).
#include <algorithm>
#include <vector>

#include "common.h"

struct item {
    long long key;
    int value;
};
struct ascending {
    __device__ bool operator()(const item &a, const item &b) const { return a.key > b.key; }
};
struct descending {
    __device__ bool operator()(const item &a, const item &b) const { return a.key < b.key; }
};

template <typename Swap> __global__ void pass(item *x, int size, int stride, Swap wrong)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;
    if (other <= i) return;
    bool up = (i & size) == 0;
    item a = x[i], b = x[other];
    if (up ? wrong(a, b) : wrong(b, a)) x[i] = b, x[other] = a;
}

template <typename Swap> static void sort(item *x, int n, Swap wrong)
{
    for (int size = 2; size <= n; size *= 2) {
        for (int stride = size / 2; stride; stride /= 2) pass<<<n / 128, 128>>>(x, size, stride, wrong);
    }
}

int main()
{
    const int n = 1024;
    std::vector<item> x(n), got(n);
    unsigned state = 5;
    for (int i = 0; i < n; i++) x[i] = {(((long long)random_word(&state) << 30) - (1ll << 52)) ^ i, i};
    item *d;
    CALL(cudaMalloc(&d, n * sizeof(item)));
    CALL(cudaMemcpy(d, x.data(), n * sizeof(item), cudaMemcpyHostToDevice));
    for (int down = 0; down < 2; down++) {
        if (down) sort(d, n, descending());
        else sort(d, n, ascending());
        CALL(cudaMemcpy(got.data(), d, n * sizeof(item), cudaMemcpyDeviceToHost));
        std::sort(x.begin(), x.end(), [=](const item &a, const item &b) { return down ? a.key > b.key : a.key < b.key; });
        for (int i = 0; i < n; i++) EXPECT(got[i].key == x[i].key && got[i].value == x[i].value);
    }
    return passed();
}
