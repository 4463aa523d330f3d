/* mriq.cu - the Q matrix of non-Cartesian MRI, k-space samples in constant memory
 * (Parboil). */
#include "cuda.h"

enum { MAX_SAMPLES = 2048 };

/* A k-space sample: place and squared magnitude. */
struct sample {
    float x, y, z, phi;
};

__constant__ struct sample samples[MAX_SAMPLES];

KERNEL mriq(const float *x, const float *y, const float *z, float *q_real, float *q_imaginary,
            unsigned n_samples)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    float at_x = x[t], at_y = y[t], at_z = z[t];
    float real = q_real[t], imaginary = q_imaginary[t];
    ROLLED
    for (unsigned k = 0; k < n_samples; k++) {
        float turns = samples[k].x * at_x + samples[k].y * at_y + samples[k].z * at_z;
        /* The hardware's sine and cosine are specified near zero. */
        float angle = (turns - __builtin_rintf(turns)) * 6.2831853071795864769f;
        real += samples[k].phi * __nvvm_cos_approx_f(angle);
        imaginary += samples[k].phi * __nvvm_sin_approx_f(angle);
    }
    q_real[t] = real;
    q_imaginary[t] = imaginary;
}
