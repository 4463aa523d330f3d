/* leukocyte.cu - where a frame has cells: gradient inverse coefficient of variation along circles
 * around each pixel, then its dilation; and the field around each cell by which it is followed into
 * the next frame (Rodinia).
 *
 * dilate_rodinia and track_rodinia are as the suite (2.x) has them; its gicov is the one here. */
#include "cuda.h"

enum { MOST_CIRCLES = 7, MOST_POINTS = 150, MOST_DISC = 25 };
enum { CELL_ROWS = 41, CELL_COLUMNS = 81, CELL = CELL_ROWS * CELL_COLUMNS, THREADS = 320 };

__constant__ float sine[MOST_POINTS], cosine[MOST_POINTS];
/* A point's place on its circle, from the centre. */
__constant__ int circle_x[MOST_CIRCLES * MOST_POINTS], circle_y[MOST_CIRCLES * MOST_POINTS];
__constant__ unsigned char disc[MOST_DISC * MOST_DISC];

/* One CTA for each column, a thread for each pixel of it; `margin` pixels around have no score. */
KERNEL gicov(const float *gradient_x, const float *gradient_y, float *score, int rows, int margin,
             int circles, int points)
{
    const int i = (int)blockIdx.x + margin, j = (int)threadIdx.x + margin;
    float best = 0;
    ROLLED
    for (int k = 0; k < circles; k++) {
        float sum = 0, mean = 0, m2 = 0;
        ROLLED
        for (int n = 0; n < points; n++) {
            const int y = j + circle_y[k * points + n], x = i + circle_x[k * points + n];
            const int at = x * rows + y;
            const float p = gradient_x[at] * cosine[n] + gradient_y[at] * sine[n];
            sum += p;
            const float delta = p - mean;
            mean += delta / (float)(n + 1);
            m2 += delta * (p - mean);
        }
        mean = sum / (float)points;
        const float variance = m2 / (float)(points - 1);
        const float here = mean * mean / variance;
        best = here > best ? here : best;
    }
    score[i * rows + j] = best;
}

/* The best score within the disc around each pixel. */
KERNEL dilate(const float *score, float *dilated, int rows, int columns, int radius)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int i = thread / rows, j = thread % rows, across = 2 * radius + 1;
    float best = 0;
    if (i >= columns)
        return;
    ROLLED
    for (int a = 0; a < across; a++) {
        const int x = i - radius + a;
        if (x < 0 || x >= columns)
            continue;
        ROLLED
        for (int b = 0; b < across; b++) {
            const int y = j - radius + b;
            if (y >= 0 && y < rows && disc[a * across + b] != 0) {
                const float here = score[x * rows + y];
                best = here > best ? here : best;
            }
        }
    }
    dilated[i * rows + j] = best;
}

/* How a cell moves: to the right and down, a pixel of either sign. */
struct motion {
    float x, y;
};

/* What a neighbour at `dx`, `dy`, higher by `rise`, adds: all of it where it rises along the motion,
 * nothing where it falls. */
static __device__ inline float pulled(float rise, int dx, int dy, struct motion motion)
{
    const float along = rise * ((float)dx * motion.x + (float)dy * motion.y);
    return along > 0 ? rise : along < 0 ? 0 : 0.5f * rise;
}

static __device__ inline float pulled_by_neighbours(const float *field, int at, struct motion motion)
{
    const int row = at / CELL_COLUMNS, column = at % CELL_COLUMNS;
    const int step_up = row > 0 ? CELL_COLUMNS : 0;
    const int step_down = row < CELL_ROWS - 1 ? CELL_COLUMNS : 0;
    const int step_left = column > 0 ? 1 : 0, step_right = column < CELL_COLUMNS - 1 ? 1 : 0;
    float sum = 0;
    UNROLLED
    for (int dy = -1; dy <= 1; dy++) {
        UNROLLED
        for (int dx = -1; dx <= 1; dx++) {
            const int to = at + (dy < 0 ? -step_up : dy > 0 ? step_down : 0) +
                           (dx < 0 ? -step_left : dx > 0 ? step_right : 0);
            sum += pulled(field[to] - field[at], dx, dy, motion);
        }
    }
    return sum;
}

/* The sum over the CTA, in thread 0. */
static __device__ inline float sum_of_all(float mine, float *shared)
{
    const int t = (int)threadIdx.x;
    shared[t] = mine;
    ROLLED
    for (int half = 256; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && t + half < THREADS)
            shared[t] += shared[t + half];
    }
    __syncthreads();
    return shared[0];
}

/* One CTA for each cell: the motion gradient vector flow field of its surroundings (Ray and Acton
 * 2004), a pixel drawn to its neighbours along the motion and to the cell's edges, step by step until
 * a step changes it by less than `still` in all.  A pixel is written one round of threads after it was
 * computed, when no neighbour needs what it was. */
KERNEL track(const float *edges, float *fields, const struct motion *motions, unsigned *steps,
             unsigned most, float still)
{
    __shared__ float field[CELL];
    __shared__ float shared[THREADS];
    const int t = (int)threadIdx.x, first = (int)blockIdx.x * CELL;
    const struct motion motion = motions[blockIdx.x];
    ROLLED
    for (int at = t; at < CELL; at += THREADS)
        field[at] = fields[first + at];
    __syncthreads();
    unsigned step = 0;
    float changed;
    do {
        float mine = 0, last = 0;
        ROLLED
        for (int base = 0; base < CELL + THREADS; base += THREADS) {
            const int at = base + t;
            float next = 0;
            if (at < CELL) {
                const float edge = edges[first + at], was = field[at];
                next = fma_rn(0.1f, pulled_by_neighbours(field, at, motion), was);
                next = fma_rn(-0.2f * edge, next - edge, next);
                mine += next > was ? next - was : was - next;
            }
            __syncthreads();
            if (base > 0 && at - THREADS < CELL)
                field[at - THREADS] = last;
            last = next;
        }
        step++;
        changed = sum_of_all(mine, shared);
    } while (step < most && changed >= still);
    ROLLED
    for (int at = t; at < CELL; at += THREADS)
        fields[first + at] = field[at];
    if (t == 0)
        steps[blockIdx.x] = step;
}

/* ---- as Rodinia has them ---- */

__constant__ float strel[MOST_DISC * MOST_DISC];

/* A warp's pixels follow one another in a column, and what is stored goes by rows: a line for each
 * lane.  No thread looks whether its pixel is in the frame. */
KERNEL dilate_rodinia(const float *score, float *dilated, int rows, int columns, int across)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), centre = across / 2;
    const int i = thread % rows, j = thread / rows;
    float best = 0;
    ROLLED
    for (int a = 0; a < across; a++) {
        const int y = i - centre + a;
        if (y < 0 || y >= rows)
            continue;
        ROLLED
        for (int b = 0; b < across; b++) {
            const int x = j - centre + b;
            if (x >= 0 && x < columns && strel[a * across + b] != 0) {
                const float here = score[x * rows + y];
                best = here > best ? here : best;
            }
        }
    }
    dilated[i * columns + j] = best;
}

static __device__ inline double fma_rn(double a, double b, double c)
{
    return __nvvm_fma_rn_d(a, b, c);
}

/* With the steps of CUDA's atanf: the reciprocal above 1, an odd polynomial, and the rest to a
 * right angle.  The coefficients are by interpolation at Chebyshev's points: within 2 ulp. */
static __device__ inline float atan_single(float x)
{
    const float size = __builtin_fabsf(x);
    const float t = size > 1 ? 1 / size : size, square = t * t;
    float sum = 0.00386673887f;
    sum = fma_rn(sum, square, -0.0200267471f);
    sum = fma_rn(sum, square, 0.0489143208f);
    sum = fma_rn(sum, square, -0.0800968185f);
    sum = fma_rn(sum, square, 0.108657591f);
    sum = fma_rn(sum, square, -0.142570451f);
    sum = fma_rn(sum, square, 0.199986815f);
    sum = fma_rn(sum, square, -0.333333224f);
    const float angle = fma_rn(sum * square, t, t);
    return __builtin_copysignf(size > 1 ? 1.57079637f - angle : angle, x);
}

/* atan of a float is a float; the constants make the rest double. */
static __device__ inline float heaviside(float x)
{
    return (float)fma_rn((double)atan_single(x), 1 / 3.14159, 0.5);
}

struct speed {
    float x, y, one_over_e;
};

/* What the eight neighbours of a pixel that is `was` add to it. */
static __device__ inline float pulled_rodinia(const float *field, int i, int j, int m, int n,
                                              float was, speed v)
{
    const int above = i == 0 ? 0 : i - 1, below = i == m - 1 ? m - 1 : i + 1;
    const int left = j == 0 ? 0 : j - 1, right = j == n - 1 ? n - 1 : j + 1;
    const float u = field[above * n + j] - was, d = field[below * n + j] - was;
    const float l = field[i * n + left] - was, r = field[i * n + right] - was;
    const float ur = field[above * n + right] - was, dr = field[below * n + right] - was;
    const float ul = field[above * n + left] - was, dl = field[below * n + left] - was;
    float sum = heaviside(u * -v.y * v.one_over_e) * u;
    sum = fma_rn(heaviside(d * v.y * v.one_over_e), d, sum);
    sum = fma_rn(heaviside(l * -v.x * v.one_over_e), l, sum);
    sum = fma_rn(heaviside(r * v.x * v.one_over_e), r, sum);
    sum = fma_rn(heaviside(ur * (v.x - v.y) * v.one_over_e), ur, sum);
    sum = fma_rn(heaviside(dr * (v.x + v.y) * v.one_over_e), dr, sum);
    sum = fma_rn(heaviside(ul * (-v.x - v.y) * v.one_over_e), ul, sum);
    return fma_rn(heaviside(dl * (-v.x + v.y) * v.one_over_e), dl, sum);
}

/* mu / lambda and 1 / lambda are double: mu is 0.5, lambda 8 mu + 1. */
static __device__ inline float stepped(float was, float pulled, float image)
{
    const float next = (float)fma_rn(0.5 / 5, (double)pulled, (double)was);
    return (float)fma_rn(-(1.0 / 5 * image), (double)(next - image), (double)next);
}

static __device__ inline void copy_cell(float *to, const float *from, int m, int n, int rounds)
{
    ROLLED
    for (int round = 0; round < rounds; round++) {
        const int at = (int)threadIdx.x + round * THREADS, i = at / n, j = at % n;
        if (i < m)
            to[i * n + j] = from[i * n + j];
    }
}

/* One step of all pixels, 320 a round; what it changes those of this thread by.  A value waits in
 * the buffer for a round.  A round's barrier comes before its stores: the suite has it after them,
 * and neighbours may see a value too early.  The row is a product with 1 / n in floats: where n is
 * 41, 47, 55 or 61 some come out one too low, and a first pixel is taken twice, the next never. */
static __device__ inline float step_cell(float *field, float *buffer, const float *image, int m,
                                         int n, int rounds, speed v)
{
    const int t = (int)threadIdx.x, stride = THREADS % n;
    const float one_nth = 1 / (float)n;
    float changed = 0;
    int i = 0, j = t % n - stride;
    ROLLED
    for (int round = 0; round < rounds; round++) {
        const int last_i = i, last_j = j;
        i = (int)((float)(t + round * THREADS) * one_nth);
        j += stride;
        if (j >= n)
            j -= n;
        float next = 0, was = 0;
        if (i < m) {
            was = field[i * n + j];
            const float pulled = pulled_rodinia(field, i, j, m, n, was, v);
            next = stepped(was, pulled, image[i * n + j]);
        }
        __syncthreads();
        if (round > 0 && last_i < m)
            field[last_i * n + last_j] = buffer[t];
        if (round < rounds - 1)
            buffer[t] = next;
        else if (i < m)
            field[i * n + j] = next;
        changed += __builtin_fabsf(next - was);
    }
    return changed;
}

/* The sum of what all threads have in the buffer, in its first element. */
static __device__ inline void sum_buffer(float *buffer)
{
    const int t = (int)threadIdx.x;
    __syncthreads();
    if (t >= 256)
        buffer[t - 256] += buffer[t];
    __syncthreads();
    ROLLED
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            buffer[t] += buffer[t + half];
        __syncthreads();
    }
}

/* A CTA for each cell, by pointers and sizes in memory.  A step's mean change below `cutoff` is the
 * last. */
KERNEL track_rodinia(float *const *fields, const float *const *images, const int *heights,
                     const int *widths, float vx, float vy, float e, int most, float cutoff)
{
    __shared__ float field[CELL];
    __shared__ float buffer[THREADS];
    __shared__ int converged;
    const int cell = (int)blockIdx.x;
    float *const whole = fields[cell];
    const float *const image = images[cell];
    const int m = heights[cell], n = widths[cell], rounds = (m * n + THREADS - 1) / THREADS;
    copy_cell(field, whole, m, n, rounds);
    __syncthreads();
    if (threadIdx.x == 0)
        converged = 0;
    __syncthreads();
    const speed v = {vx, vy, (float)(1.0 / (double)e)};
    ROLLED
    for (int step = 0; !converged && step < most; step++) {
        buffer[threadIdx.x] = step_cell(field, buffer, image, m, n, rounds, v);
        sum_buffer(buffer);
        if (threadIdx.x == 0 && buffer[0] / (float)(m * n) < cutoff)
            converged = 1;
        __syncthreads();
    }
    copy_cell(whole, field, m, n, rounds);
}
