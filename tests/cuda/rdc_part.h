// rdc_part.h - what the two translation units of rdc_main.cu share.
#pragma once
extern __device__ int here;
extern __device__ int shared_variable;
extern __constant__ int table[4];
__device__ int elsewhere(int x);
template <typename T> __device__ __noinline__ T twice(T x)
{
    return x + x;
}
void part_run(int *out);
