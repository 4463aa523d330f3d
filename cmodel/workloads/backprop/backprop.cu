/* backprop.cu - input to hidden layer of a neural network, 16 hidden units.
 *
 * Forward: a CTA of 16 x 16 threads sums 16 inputs' contributions to every hidden
 * unit.  Adjust: the weights move along the error with momentum.  Weights lie in
 * rows of 17 (unit 0 is the bias), hence rows 68 bytes apart. */
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
