// packed.cu - numbers side by side in a register: the SIMD intrinsics on bytes and halfwords and those of
// dynamic programming, against the same written out field by field.  For compute_75 and compute_90.
#include "common.h"

enum { TESTS = 64, RESULTS = 24 };

__global__ void device(const unsigned *in, unsigned *out)
{
    unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2], i = 0;
    unsigned *o = out + RESULTS * threadIdx.x;
    o[i++] = __vabsdiffu4(a, b), o[i++] = __vabsdiffs4(a, b), o[i++] = __vabsdiffu2(a, b), o[i++] = __vabsdiffs2(a, b);
    o[i++] = __vsadu4(a, b), o[i++] = __vsads4(a, b), o[i++] = __vsadu2(a, b), o[i++] = __vsads2(a, b);
    o[i++] = __vadd4(a, b), o[i++] = __vadd2(a, b), o[i++] = __vsub2(a, b), o[i++] = __vaddus4(a, b);
    o[i++] = __vsubss2(a, b), o[i++] = __vmaxs4(a, b), o[i++] = __vmins2(a, b), o[i++] = __vavgs2(a, b);
    o[i++] = __vimax3_s16x2(a, b, c), o[i++] = __vimin3_u16x2(a, b, c), o[i++] = __viaddmax_s16x2(a, b, c);
    o[i++] = __vimax_s16x2_relu(a, b), o[i++] = __vimax3_s32_relu(a, b, c), o[i++] = __viaddmin_s32(a, b, c);
    o[i++] = __vcmpges2(a, b), o[i++] = __vneg2(a);
}

template <class T> static long at(unsigned v, int f) { return (T)(v >> 8 * sizeof(T) * f); }

// Field by field: `what` of the fields of a, b and c, cut to the field.
template <class T, class F> static unsigned each(unsigned a, unsigned b, unsigned c, F what)
{
    unsigned long long r = 0, ones = (1ull << 8 * sizeof(T)) - 1;
    for (int f = 0; f < (int)(4 / sizeof(T)); f++)
        r |= (what(at<T>(a, f), at<T>(b, f), at<T>(c, f)) & ones) << 8 * sizeof(T) * f;
    return (unsigned)r;
}

template <class T> static unsigned sum_of_differences(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (int f = 0; f < (int)(4 / sizeof(T)); f++) sum += labs(at<T>(a, f) - at<T>(b, f));
    return sum;
}

static long between(long v, long low, long high) { return v < low ? low : v > high ? high : v; }

int main()
{
    typedef unsigned char u8;
    typedef signed char s8;
    typedef unsigned short u16;
    typedef short s16;
    unsigned *in, *out, state = 5;
    CALL(cudaMallocManaged(&in, 3 * TESTS * sizeof *in));
    CALL(cudaMallocManaged(&out, RESULTS * TESTS * sizeof *out));
    for (int i = 0; i < 3 * TESTS; i++) in[i] = random_word(&state) << 16 | (random_word(&state) & 0xffff);
    in[0] = 0x80ff017f, in[1] = 0x7f800080, in[2] = 0x80008000;
    device<<<1, TESTS>>>(in, out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < TESTS; t++) {
        unsigned a = in[3 * t], b = in[3 * t + 1], c = in[3 * t + 2], i = 0, *o = out + RESULTS * t;
        auto difference = [](long x, long y, long) { return labs(x - y); };
        EXPECT(o[i++] == each<u8>(a, b, c, difference) && o[i++] == each<s8>(a, b, c, difference));
        EXPECT(o[i++] == each<u16>(a, b, c, difference) && o[i++] == each<s16>(a, b, c, difference));
        EXPECT(o[i++] == sum_of_differences<u8>(a, b) && o[i++] == sum_of_differences<s8>(a, b));
        EXPECT(o[i++] == sum_of_differences<u16>(a, b) && o[i++] == sum_of_differences<s16>(a, b));
        auto sum = [](long x, long y, long) { return x + y; };
        EXPECT(o[i++] == each<u8>(a, b, c, sum) && o[i++] == each<u16>(a, b, c, sum));
        EXPECT(o[i++] == each<u16>(a, b, c, [](long x, long y, long) { return x - y; }));
        EXPECT(o[i++] == each<u8>(a, b, c, [](long x, long y, long) { return between(x + y, 0, 255); }));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long y, long) { return between(x - y, -32768, 32767); }));
        EXPECT(o[i++] == each<s8>(a, b, c, [](long x, long y, long) { return x > y ? x : y; }));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long y, long) { return x < y ? x : y; }));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long y, long) { return (x + y + (x + y >= 0)) >> 1; }));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long y, long z) { return x > y ? x > z ? x : z : y > z ? y : z; }));
        EXPECT(o[i++] == each<u16>(a, b, c, [](long x, long y, long z) { return x < y ? x < z ? x : z : y < z ? y : z; }));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long y, long z) { x = (s16)(x + y); return x > z ? x : z; }));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long y, long) { x = x > y ? x : y; return x > 0 ? x : 0; }));
        long most = (int)a > (int)b ? (int)a : (int)b;
        most = most > (int)c ? most : (int)c;
        EXPECT(o[i++] == (unsigned)(most > 0 ? most : 0));
        EXPECT(o[i++] == (unsigned)((int)(a + b) < (int)c ? (int)(a + b) : (int)c));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long y, long) { return x >= y ? 0xffff : 0; }));
        EXPECT(o[i++] == each<s16>(a, b, c, [](long x, long, long) { return -x; }));
    }
    return passed();
}
