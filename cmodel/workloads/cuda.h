/* cuda.h - the little of CUDA C that the kernels here use, for stock clang.
 *
 * Included by .cu files only, and enough to compile them without any CUDA
 * toolkit.  Indices (threadIdx, blockIdx, blockDim, gridDim, warpSize) are in
 * clang's own header; the rest maps one to one to PTX instructions.
 */
#ifndef WARPLOCK_WORKLOADS_CUDA_H
#define WARPLOCK_WORKLOADS_CUDA_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include "__clang_cuda_builtin_vars.h"

/* Every kernel: C linkage, so that the PTX name is the source name. */
#define KERNEL extern "C" __global__ void


/* Memory accesses stay on their side of this in the compiled code. */
#define IN_ORDER asm volatile("" ::: "memory")

/* clang 14 takes it that a barrier leaves shared variables of the function as they
 * are, and would keep their values in registers across it. */
#define __syncthreads() \
    do {                \
        IN_ORDER;       \
        __syncthreads();\
        IN_ORDER;       \
    } while (0)

/* Atomic operations return the old value; `address` may be shared or global. */
static __device__ inline int atomicAdd(int *address, int value)
{
    return __nvvm_atom_add_gen_i(address, value);
}
static __device__ inline unsigned atomicAdd(unsigned *address, unsigned value)
{
    return (unsigned)__nvvm_atom_add_gen_i((int *)address, (int)value);
}
static __device__ inline float atomicAdd(float *address, float value)
{
    return __nvvm_atom_add_gen_f(address, value);
}
static __device__ inline int atomicMin(int *address, int value)
{
    return __nvvm_atom_min_gen_i(address, value);
}
static __device__ inline unsigned atomicMin(unsigned *address, unsigned value)
{
    return __nvvm_atom_min_gen_ui(address, value);
}
static __device__ inline int atomicMax(int *address, int value)
{
    return __nvvm_atom_max_gen_i(address, value);
}
static __device__ inline int atomicOr(int *address, int value)
{
    return __nvvm_atom_or_gen_i(address, value);
}
static __device__ inline int atomicExch(int *address, int value)
{
    return __nvvm_atom_xchg_gen_i(address, value);
}
static __device__ inline int atomicCAS(int *address, int compare, int value)
{
    return __nvvm_atom_cas_gen_i(address, compare, value);
}

/* Is it so in any active lane of the warp?  In all of them the same answer. */
static __device__ inline bool warp_any(bool that) { return __nvvm_vote_any(that); }

/* Order this thread's accesses as seen by its CTA, and by the whole GPU. */
static __device__ inline void __threadfence_block(void) { __nvvm_membar_cta(); }
static __device__ inline void __threadfence(void) { __nvvm_membar_gl(); }

/* 2^x and log2 x by the special function units; the square root is exactly rounded. */
static __device__ inline float exp2_approx(float x) { return __nvvm_ex2_approx_f(x); }
static __device__ inline float log2_approx(float x) { return __nvvm_lg2_approx_f(x); }
static __device__ inline float sqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }

/* a * b + c, rounded once. */
static __device__ inline float fma_rn(float a, float b, float c)
{
    return __nvvm_fma_rn_f(a, b, c);
}

/* Keep a loop rolled: one load in the source is one load PC, as PC-indexed
 * mechanisms expect. */
#define ROLLED _Pragma("clang loop unroll(disable) vectorize(disable)")
#define UNROLLED _Pragma("unroll")

#endif
