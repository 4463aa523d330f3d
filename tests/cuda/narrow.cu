// narrow.cu - numbers of 8 bits and .tf32: every one of 256 bytes both ways, rounding of ties, what is
// too large, NaN; sums of bfloat16 by atomics.  Expected values by powers of two.  For compute_90.
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <mma.h>

#include "common.h"

__global__ void to_float(float *e4, float *e5)
{
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = threadIdx.x;
    e4[threadIdx.x] = float(a);
    e5[threadIdx.x] = float(b);
}

__global__ void to_byte(const float *in, unsigned char *e4, unsigned char *e5, float *tf32)
{
    int i = threadIdx.x;
    e4[i] = __nv_fp8_e4m3(in[i]).__x;
    e5[i] = __nv_fp8_e5m2(in[i]).__x;
    tf32[i] = nvcuda::wmma::__float_to_tf32(in[i]);
}

__global__ void halves(const float *in, unsigned short *e4)
{
    __nv_fp8x2_e4m3 pair(__floats2half2_rn(in[threadIdx.x], -in[threadIdx.x]));
    e4[threadIdx.x] = pair.__x;
}

__global__ void sums(__nv_bfloat16 *one, __nv_bfloat162 *two)
{
    atomicAdd(one, __float2bfloat16(1));
    atomicAdd(two, __floats2bfloat162_rn(1, -2));
}

// The number that a byte is: sign, `exponent` bits of bias 2^(exponent-1)-1, the rest a fraction.
static double value(int byte, int exponent)
{
    int fraction_bits = 7 - exponent, bias = (1 << (exponent - 1)) - 1;
    int e = (byte & 127) >> fraction_bits, f = byte & ((1 << fraction_bits) - 1);
    double magnitude = e == 0 ? ldexp(f, 1 - bias - fraction_bits)
                              : ldexp(f + (1 << fraction_bits), e - bias - fraction_bits);
    return byte & 128 ? -magnitude : magnitude;
}

int main()
{
    float *e4, *e5, *in, *tf32;
    unsigned char *b4, *b5;
    unsigned short *pairs;
    CALL(cudaMallocManaged(&e4, 1024));
    CALL(cudaMallocManaged(&e5, 1024));
    CALL(cudaMallocManaged(&in, 1024));
    CALL(cudaMallocManaged(&tf32, 1024));
    CALL(cudaMallocManaged(&b4, 256));
    CALL(cudaMallocManaged(&b5, 256));
    CALL(cudaMallocManaged(&pairs, 512));
    to_float<<<1, 256>>>(e4, e5);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++) {
        EXPECT((i & 127) == 127 ? std::isnan(e4[i]) : e4[i] == value(i, 4));
        EXPECT((i & 127) > 124 ? std::isnan(e5[i]) : (i & 127) == 124 ? std::isinf(e5[i]) : e5[i] == value(i, 5));
    }
    // Each byte's number comes back; between two neighbours the even one is nearest.
    for (int i = 0; i < 256; i++) in[i] = value(i, 4);
    to_byte<<<1, 256>>>(in, b4, b5, tf32);
    halves<<<1, 256>>>(in, pairs);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++) {
        if ((i & 127) == 127) continue;
        EXPECT(b4[i] == i && tf32[i] == in[i] && pairs[i] == (((i ^ 128) << 8) | i));
    }
    for (int i = 0; i < 126; i++) in[i] = (value(i, 4) + value(i + 1, 4)) / 2;
    in[126] = 480, in[127] = INFINITY, in[128] = NAN, in[129] = -1e30f;
    in[130] = 1 + ldexpf(1, -11), in[131] = 1 + ldexpf(3, -11), in[132] = 1 + ldexpf(1, -11) - ldexpf(1, -20);
    to_byte<<<1, 256>>>(in, b4, b5, tf32);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 126; i++) EXPECT(b4[i] == i + (i & 1));
    EXPECT(b4[126] == 0x7e && b4[127] == 0x7e && (b4[128] & 127) == 127 && b4[129] == 0xfe);
    EXPECT(b5[127] == 0x7b && b5[129] == 0xfb);
    EXPECT(tf32[130] == 1 + ldexpf(1, -10) && tf32[131] == 1 + ldexpf(2, -10) && tf32[132] == 1); // away
    __nv_bfloat16 *one = (__nv_bfloat16 *)e4;
    __nv_bfloat162 *two = (__nv_bfloat162 *)(e4 + 1);
    e4[0] = e4[1] = 0;
    sums<<<3, 64>>>(one, two);
    CALL(cudaDeviceSynchronize());
    // 192 ones; of twos below -256 and above 256 each is of the last place: 2 is kept.
    EXPECT(__bfloat162float(*one) == 192 && __bfloat162float(two->x) == 192 && __bfloat162float(two->y) == -384);
    return passed();
}
