// rdc_part.cu - see rdc_main.cu.
#include "rdc_part.h"

__device__ int shared_variable = 40;
__constant__ int table[4] = {10, 20, 30, 40};
static __device__ int local_name = 200;

__device__ int elsewhere(int x) { return x * 3 + here; }
__global__ void in_part(int *out)
{
    out[0] = shared_variable;
    out[1] = local_name;
    out[2] = twice<int>(7);
}
void part_run(int *out) { in_part<<<1, 1>>>(out); }
