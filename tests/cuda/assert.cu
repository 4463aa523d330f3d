// assert.cu - a failed assertion in one thread: its line on standard error, 710 from then on.
#include <cassert>

#include "common.h"

__global__ void check(int limit) { assert(threadIdx.x < limit && "too large"); }

int main()
{
    check<<<1, 4>>>(10);
    CALL(cudaDeviceSynchronize());
    check<<<2, 4>>>(3);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    EXPECT(cudaGetLastError() == cudaErrorAssert);
    puts("PASSED");
    return 0;
}
