// fault.cu - a store out of bounds: the launch itself is good, the next call that waits says 700, and
// so does every later one.  Arguments: trap or align for other faults.
#include <cstring>

#include "common.h"

__global__ void beyond(int *p, int i) { p[i] = 1; }
__global__ void askew(char *p) { *(int *)(p + 1) = 1; }
__global__ void stop() { __trap(); }

int main(int argc, char **argv)
{
    int *p, host;
    cudaError_t want = cudaErrorIllegalAddress;
    CALL(cudaMalloc(&p, 64));
    if (argc > 1 && !strcmp(argv[1], "trap")) {
        stop<<<1, 32>>>();
        want = cudaErrorLaunchFailure;
    } else if (argc > 1 && !strcmp(argv[1], "align")) {
        askew<<<1, 1>>>((char *)p);
        want = cudaErrorMisalignedAddress;
    } else {
        beyond<<<1, 1>>>(p, 1 << 20);
    }
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == want);
    EXPECT(cudaGetLastError() == want && cudaGetLastError() == want);
    EXPECT(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost) == want);
    EXPECT(cudaMalloc(&p, 64) == want);
    puts("PASSED");
    return 0;
}
