/* leukocyte.cu - where a frame has cells: gradient inverse coefficient of variation along circles
 * around each pixel, then its dilation; and the field around each cell by which it is followed into
 * the next frame (Rodinia). */
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
