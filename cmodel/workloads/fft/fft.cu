/* fft.cu - Fourier transforms of 512 complex points, one per CTA of 64 threads.
 *
 * Three passes of radix 8.  With n = 64 i + 8 j + u and k = a + 8 b + 64 c,
 * each index 0 … 7:
 *   W512^(nk) = W8^(ia) W512^((8j+u) a) W8^(jb) W64^(ub) W8^(uc)
 * so pass one sums over i, two over j, three over u, each thread eight points. */
#include "cuda.h"

#define POINTS 512
#define THREADS 64

typedef float complex __attribute__((ext_vector_type(2)));

/* exp(-2 pi i e / 512) */
extern "C" {
__constant__ complex fft_twiddle[POINTS];
}

static __device__ inline complex mul(complex a, complex b)
{
    return (complex){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static __device__ inline void dft4(complex *a, complex *b, complex *c, complex *d)
{
    complex even = *a + *c, even_less = *a - *c, odd = *b + *d, odd_less = *b - *d;
    complex turned = {odd_less.y, -odd_less.x};
    *a = even + odd;
    *b = even_less + turned;
    *c = even - odd;
    *d = even_less - turned;
}

/* In natural order in and out. */
static __device__ inline void dft8(complex v[8])
{
    const float half_root = 0.70710678118654752f;
    dft4(&v[0], &v[2], &v[4], &v[6]);
    dft4(&v[1], &v[3], &v[5], &v[7]);
    complex odd[4] = {
        v[1],
        (complex){(v[3].x + v[3].y) * half_root, (v[3].y - v[3].x) * half_root},
        (complex){v[5].y, -v[5].x},
        (complex){(v[7].y - v[7].x) * half_root, (v[7].x + v[7].y) * -half_root},
    };
    complex even[4] = {v[0], v[2], v[4], v[6]};
    UNROLLED
    for (int i = 0; i < 4; i++) {
        v[i] = even[i] + odd[i];
        v[i + 4] = even[i] - odd[i];
    }
}

KERNEL fft(const complex *in, complex *out)
{
    __shared__ complex work[POINTS];
    const unsigned t = threadIdx.x, high = t / 8, low = t % 8;
    complex v[8];
    in += blockIdx.x * POINTS;
    out += blockIdx.x * POINTS;

    UNROLLED
    for (unsigned i = 0; i < 8; i++) {
        work[64 * i + t] = in[64 * i + t];
        IN_ORDER; /* the next load stays behind this store */
    }
    UNROLLED
    for (unsigned i = 0; i < 8; i++)
        v[i] = work[64 * i + t];
    dft8(v);
    UNROLLED
    for (unsigned a = 0; a < 8; a++)
        work[64 * a + t] = mul(v[a], fft_twiddle[t * a]);
    __syncthreads();

    UNROLLED
    for (unsigned j = 0; j < 8; j++)
        v[j] = work[64 * high + 8 * j + low];
    dft8(v);
    UNROLLED
    for (unsigned b = 0; b < 8; b++)
        work[64 * high + 8 * b + low] = mul(v[b], fft_twiddle[8 * low * b]);
    __syncthreads();

    UNROLLED
    for (unsigned u = 0; u < 8; u++)
        v[u] = work[64 * low + 8 * high + u];
    dft8(v);
    UNROLLED
    for (unsigned c = 0; c < 8; c++)
        out[64 * c + t] = v[c];
}
