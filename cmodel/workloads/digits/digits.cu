/* digits.cu - a network that reads handwritten digits (ISPASS-2009's NN, Tabbakh 2018 Fig 2.2).
 * Its two last layers: a CTA of one thread for each neuron (x) of each image (y).
 * CTAs of equal y read the same neurons of the layer below, those of equal x the same weights.
 * Its two first: a CTA for each map (x) of each image (y), a thread for each neuron of the map, whose
 * window of 5 x 5 neurons below begins two further for the next thread. */
#include "cuda.h"

/* 1.7159 tanh(2/3 x): tanh y = 1 - 2 / (1 + e^2y), and 4/3 log2 e = 1.9235934. */
static __device__ inline float sigmoid(float x)
{
    return 1.7159f * (1.0f - 2.0f / (1.0f + exp2_approx(1.9235934f * x)));
}

KERNEL digits_third(const float *Layer3_Neurons_GPU, const float *Layer3_Weights_GPU,
                    float *Layer4_Neurons_GPU)
{
    const int bx = (int)blockIdx.x, by = (int)blockIdx.y;
    int weightBegin = bx * 1251;
    float result = Layer3_Weights_GPU[weightBegin];
    ++weightBegin;
    ROLLED
    for (int i = 0; i < 1250; ++i)
        result += Layer3_Neurons_GPU[i + (1250 * by)] * Layer3_Weights_GPU[weightBegin + i];
    Layer4_Neurons_GPU[bx + (100 * by)] = sigmoid(result);
}

KERNEL digits_fourth(const float *Layer4_Neurons_GPU, const float *Layer4_Weights_GPU,
                     float *Layer5_Neurons_GPU)
{
    const int bx = (int)blockIdx.x, by = (int)blockIdx.y;
    int weightBegin = bx * 101;
    float result = Layer4_Weights_GPU[weightBegin];
    ++weightBegin;
    ROLLED
    for (int i = 0; i < 100; ++i)
        result += Layer4_Neurons_GPU[i + (100 * by)] * Layer4_Weights_GPU[weightBegin + i];
    Layer5_Neurons_GPU[bx + (10 * by)] = sigmoid(result);
}

/* Where the neurons of a window are from its first, in rows of 29 and of 13. */
__constant__ int kernelTemplate[25] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
                                       61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
__constant__ int kernelTemplate2[25] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
                                        29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

/* e^x as CUDA's library has it then: whole powers of two apart, the rest by ln 2 in two parts. */
static __device__ inline float exp_library(float x)
{
    const float log2_e = 1.4426950f, ln2_high = 0.69314575f, ln2_low = 1.4286068e-6f;
    const float whole = __builtin_truncf(x * log2_e);
    const float rest = fma_rn(whole, -ln2_low, fma_rn(whole, -ln2_high, x));
    return exp2_approx(rest * log2_e) * exp2_approx(whole);
}

/* tanh x in the library's two branches, the lower one with a fit of our own. */
static __device__ inline float tanh_library(float x)
{
    const float size = __builtin_fabsf(x);
    if (size >= 0.55f) {
        const float far = size >= 88.0f
                              ? 1.0f
                              : 1.0f - __nvvm_div_approx_f(2.0f, exp_library(2.0f * size) + 1.0f);
        return __builtin_copysignf(far, x);
    }
    const float square = x * x;
    float ratio = fma_rn(0.016458763f, square, -0.052684146f);
    ratio = fma_rn(ratio, square, 0.13320942f);
    ratio = fma_rn(ratio, square, -0.33332957f);
    return fma_rn(ratio * square, x, x);
}

/* Constants make both products double. */
static __device__ inline float sigmoid_double(float x)
{
    return (float)(1.7159 * tanh_library((float)(0.66666667 * x)));
}

KERNEL digits_first(const float *Layer1_Neurons_GPU, const float *Layer1_Weights_GPU,
                    float *Layer2_Neurons_GPU)
{
    const int map = (int)blockIdx.x, image = (int)blockIdx.y;
    const int pixelX = (int)threadIdx.x, pixelY = (int)threadIdx.y;
    const int window = 2 * pixelY * 29 + 2 * pixelX + 29 * 29 * image;
    int weightBegin = map * 26;
    float result = Layer1_Weights_GPU[weightBegin];
    ++weightBegin;
    ROLLED
    for (int i = 0; i < 25; ++i)
        result += Layer1_Neurons_GPU[window + kernelTemplate[i]] *
                  Layer1_Weights_GPU[weightBegin + i];
    Layer2_Neurons_GPU[13 * 13 * map + pixelY * 13 + pixelX + 13 * 13 * 6 * image] =
        sigmoid_double(result);
}

/* The six maps below one after another at each place of the window. */
KERNEL digits_second(const float *Layer2_Neurons_GPU, const float *Layer2_Weights_GPU,
                     float *Layer3_Neurons_GPU)
{
    const int map = (int)blockIdx.x, image = (int)blockIdx.y;
    const int pixelX = (int)threadIdx.x, pixelY = (int)threadIdx.y;
    const int window = 2 * pixelX + 13 * 2 * pixelY + 13 * 13 * 6 * image;
    int weightBegin = map * 26 * 6;
    float result = Layer2_Weights_GPU[weightBegin];
    ++weightBegin;
    ROLLED
    for (int i = 0; i < 25; ++i) {
        const float *below = &Layer2_Neurons_GPU[window + kernelTemplate2[i]];
        const float *weight = &Layer2_Weights_GPU[weightBegin + i * 6];
        UNROLLED
        for (int m = 0; m < 6; ++m)
            result += below[13 * 13 * m] * weight[m];
    }
    Layer3_Neurons_GPU[5 * 5 * map + pixelY * 5 + pixelX + 1250 * image] = sigmoid_double(result);
}
