/* heartwall.cu - points of a moving picture: where the template of each matches a frame best, by
 * normalised cross-correlation (Rodinia). */
#include "cuda.h"

enum { THREADS = 128 };

struct place {
    int x, y;
};

/* Sums of products over the template and what of the frame lies under it. */
struct sums {
    unsigned a, b, aa, bb, ab;
};

static __device__ inline struct sums under(const unsigned char *model, const unsigned char *corner,
                                           int side, int width)
{
    struct sums s = {0, 0, 0, 0, 0};
    ROLLED
    for (int r = 0; r < side; r++) {
        ROLLED
        for (int c = 0; c < side; c++) {
            const unsigned a = model[r * side + c], b = corner[r * width + c];
            s.a += a;
            s.b += b;
            s.aa += a * a;
            s.bb += b * b;
            s.ab += a * b;
        }
    }
    return s;
}

/* How alike they are, -1 to 1. */
static __device__ inline float correlation(struct sums s, float n)
{
    const float a = (float)s.a, b = (float)s.b;
    const float both = (float)s.ab - a * b / n;
    const float one = (float)s.aa - a * a / n, other = (float)s.bb - b * b / n;
    return both / sqrt_rn(one * other);
}

/* One CTA for each point: a thread takes every 128th place of the search; the best one, the first of
 * equals, is where the point is now. */
KERNEL heartwall(const unsigned char *frame, const unsigned char *templates, float *scores,
                 struct place *places, int width, int radius, int search)
{
    __shared__ float best[THREADS];
    __shared__ int where[THREADS];
    const int t = (int)threadIdx.x, point = (int)blockIdx.x;
    const int side = 2 * radius + 1, across = 2 * search + 1, n = across * across;
    const int left = places[point].x - search - radius, top = places[point].y - search - radius;
    const unsigned char *model = templates + point * side * side;
    float most = -2;
    int at = 0;
    ROLLED
    for (int o = t; o < n; o += THREADS) {
        const unsigned char *corner = frame + (top + o / across) * width + left + o % across;
        const float here = correlation(under(model, corner, side, width), (float)(side * side));
        scores[point * n + o] = here;
        if (here > most) {
            most = here;
            at = o;
        }
    }
    best[t] = most;
    where[t] = at;
    ROLLED
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            const float other = best[t + half];
            if (other > best[t] || (other == best[t] && where[t + half] < where[t])) {
                best[t] = other;
                where[t] = where[t + half];
            }
        }
    }
    if (t == 0) {
        places[point].x = left + radius + where[0] % across;
        places[point].y = top + radius + where[0] / across;
    }
}
