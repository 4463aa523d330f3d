/* digits.cu - the two last layers of a network that reads handwritten digits (ISPASS-2009's NN,
 * Tabbakh 2018 Fig 2.2): a CTA of one thread for each neuron (x) of each image (y).
 * CTAs of equal y read the same neurons of the layer below, those of equal x the same weights. */
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
