// rdc_main.cu - with rdc_part.cu a program of two translation units whose device code refers to each
// other (nvcc -rdc=true): functions, variables, constants, one template in both.
#include "common.h"
#include "rdc_part.h"

__device__ int here = 11;
static __device__ int local_name = 100;

__global__ void use(int *out)
{
    out[0] = elsewhere(5);
    out[1] = shared_variable + table[2];
    out[2] = twice<int>(21);
    out[3] = local_name;
    shared_variable = 77;
}

int main()
{
    int *out, host[8];
    CALL(cudaMalloc(&out, sizeof host));
    use<<<1, 1>>>(out);
    part_run(out + 4);
    CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 5 * 3 + 11 && host[1] == 40 + 30 && host[2] == 42 && host[3] == 100);
    EXPECT(host[4] == 77 && host[5] == 200 && host[6] == 14);
    return passed();
}
