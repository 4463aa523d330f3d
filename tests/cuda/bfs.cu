// bfs.cu - levels of a graph, a kernel a level until a flag stays down (Rodinia, SHOC, Parboil).
#include <queue>
#include <vector>

#include "common.h"

struct graph {
    const int *first, *target;
    int n;
};

__global__ void level(graph g, int *distance, int now, int *more)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n || distance[v] != now) return;
    for (int e = g.first[v]; e < g.first[v + 1]; e++) {
        if (atomicCAS(&distance[g.target[e]], -1, now + 1) == -1) *more = 1;
    }
}

int main()
{
    const int n = 3000;
    std::vector<int> first(n + 1), target, want(n, -1), got(n);
    unsigned state = 11;
    for (int v = 0; v < n; v++) {
        first[v] = (int)target.size();
        for (unsigned e = random_word(&state) % 5; e; e--) target.push_back((int)(random_word(&state) % n));
    }
    first[n] = (int)target.size();
    std::queue<int> next;
    next.push(0);
    want[0] = 0;
    for (; !next.empty(); next.pop()) {
        int v = next.front();
        for (int e = first[v]; e < first[v + 1]; e++) {
            if (want[target[e]] < 0) want[target[e]] = want[v] + 1, next.push(target[e]);
        }
    }
    int *df, *dt, *distance, *more, go = 1;
    CALL(cudaMalloc(&df, (n + 1) * sizeof(int)));
    CALL(cudaMalloc(&dt, target.size() * sizeof(int)));
    CALL(cudaMalloc(&distance, n * sizeof(int)));
    CALL(cudaMalloc(&more, sizeof(int)));
    CALL(cudaMemcpy(df, first.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dt, target.data(), target.size() * sizeof(int), cudaMemcpyHostToDevice));
    CALL(cudaMemset(distance, 0xff, n * sizeof(int)));
    CALL(cudaMemset(distance, 0, sizeof(int)));
    for (int now = 0; go; now++) {
        CALL(cudaMemset(more, 0, sizeof(int)));
        level<<<(n + 127) / 128, 128>>>({df, dt, n}, distance, now, more);
        CALL(cudaMemcpy(&go, more, sizeof(int), cudaMemcpyDeviceToHost));
    }
    CALL(cudaMemcpy(got.data(), distance, n * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(got == want);
    return passed();
}
