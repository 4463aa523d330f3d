/* backprop.cu - input to hidden layer of a neural network, 16 hidden units.
 *
 * Forward: a CTA of 16 x 16 threads sums 16 inputs' contributions to every hidden
 * unit.  Adjust: the weights move along the error with momentum.  Weights lie in
 * rows of 17 (unit 0 is the bias), hence rows 68 bytes apart.  Both lean and as Rodinia has them. */
#include "cuda.h"

#define HID 16
#define PITCH (HID + 1)

KERNEL backprop_forward(const float *input, const float *weights, float *partial)
{
    __shared__ float node[HID], product[HID][HID];
    const unsigned by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    if (tx == 0)
        node[ty] = input[HID * by + ty + 1];
    __syncthreads();
    product[ty][tx] = weights[PITCH * HID * by + PITCH * ty + tx + 1 + PITCH] * node[ty];
    __syncthreads();
    ROLLED
    for (unsigned half = HID / 2; half > 0; half /= 2) {
        if (ty < half)
            product[ty][tx] += product[ty + half][tx];
        __syncthreads();
    }
    if (tx == 0)
        partial[by * HID + ty] = product[0][ty];
}

KERNEL backprop_adjust(const float *delta, const float *input, float *weights, float *changes,
                       float eta, float momentum)
{
    const unsigned by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    const unsigned at = PITCH * HID * by + PITCH * ty + tx + 1 + PITCH;
    float change = eta * delta[tx + 1] * input[HID * by + ty + 1] + momentum * changes[at];
    weights[at] += change;
    changes[at] = change;
    if (by == 0 && ty == 0) {
        change = eta * delta[tx + 1] + momentum * changes[tx + 1];
        weights[tx + 1] += change;
        changes[tx + 1] = change;
    }
}

/* Rodinia's: powers of two by the special function units, a remainder for each thread, and the
 * products go back over the weights, which the host then restores. */
KERNEL backprop_forward_rodinia(const float *input, float *weights, float *partial)
{
    __shared__ float node[HID], product[HID][HID];
    const unsigned by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    const unsigned at = PITCH * HID * by + PITCH * ty + tx + 1 + PITCH;
    if (tx == 0)
        node[ty] = input[HID * by + ty + 1];
    __syncthreads();
    product[ty][tx] = weights[at];
    __syncthreads();
    product[ty][tx] = product[ty][tx] * node[ty];
    __syncthreads();
    ROLLED
    for (int i = 1; (float)i <= log2_approx(HID); i++) {
        const unsigned power = (unsigned)exp2_approx((float)i * log2_approx(2));
        if (ty % power == 0)
            product[ty][tx] += product[ty + power / 2][tx];
        __syncthreads();
    }
    weights[at] = product[ty][tx];
    __syncthreads();
    if (tx == 0)
        partial[by * HID + ty] = product[tx][ty];
}

/* Rodinia's: the rates are constants of double precision. */
KERNEL backprop_adjust_rodinia(const float *delta, const float *input, float *weights,
                               float *changes)
{
    const unsigned by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    const unsigned at = PITCH * HID * by + PITCH * ty + tx + 1 + PITCH;
    const unsigned x = tx + 1, y = HID * by + ty + 1;
    weights[at] += (float)(0.3 * delta[x] * input[y] + 0.3 * changes[at]);
    changes[at] = (float)(0.3 * delta[x] * input[y] + 0.3 * changes[at]);
    __syncthreads();
    if (ty == 0 && by == 0) {
        weights[x] += (float)(0.3 * delta[x] + 0.3 * changes[x]);
        changes[x] = (float)(0.3 * delta[x] + 0.3 * changes[x]);
    }
}
