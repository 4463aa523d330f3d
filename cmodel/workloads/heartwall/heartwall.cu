/* heartwall.cu - points of a moving picture: where the template of each matches a frame best, by
 * normalised cross-correlation, lean and as Rodinia has it. */
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

/* ---- form=rodinia: the suite's own kernel, a phase a function ---- */

#define GLOBAL __attribute__((address_space(1)))
/* Elements 0 to n - 1, shared out among the CTA's threads. */
#define EACH(e, n) ROLLED for (int e = (int)threadIdx.x; e < (n); e += (int)blockDim.x)

enum { MOST_POINTS = 51, MOST_SIDE = 51, MOST_PLACES = 131, UPDATE = 10 };

/* Matrices lie column by column: an element is at column * rows + row.  Sides of the template; of
 * the block that is searched; of their convolution, which is one less than both; of the block with
 * a template's width of zeros on each side.  `slices`: elements of convolution x padded. */
struct shape {
    int radius, reach, move, frames, frame_rows;
    int side, area, block_side, block_area, places_side, places, padded_side, padded, slices;
    float keep; /* of a template that is updated */
};

struct now {
    GLOBAL const float *frame;
    int number;
};

/* A point's place in the frame at the last update (row, column) and in each frame (rows, columns),
 * counted from one; its template, and the arrays between phases. */
struct point {
    GLOBAL int *row, *column, *rows, *columns;
    GLOBAL float *model;
    GLOBAL float *block, *convolution, *padded, *below, *slices, *beside, *sums, *block_squares,
        *scores, *model_squares, *mask, *masked;
    int number, first; /* its own among points, and its template's first element */
};

__constant__ struct shape heartwall_shape;
__constant__ struct now heartwall_now;
__constant__ struct point heartwall_points[MOST_POINTS];

struct shared {
    float turned[MOST_SIDE * MOST_SIDE];
    float sums[MOST_SIDE], squares[MOST_SIDE];
    float sum, square, deviation;
    float best[MOST_PLACES];
    int where[MOST_PLACES];
};

struct cell {
    int row, column;
};

/* Of element e; the suite counts from one and puts right the last of a column. */
static __device__ inline struct cell cell_of(int e, int rows)
{
    struct cell c = {(e + 1) % rows - 1, (e + 1) / rows};
    if ((e + 1) % rows == 0) {
        c.row = rows - 1;
        c.column--;
    }
    return c;
}

/* The frame's pixel that is under element c of a square whose middle is at the point. */
static __device__ inline float pixel(const struct point *p, struct cell c, int radius)
{
    const int row = p->row[p->number] - radius + c.row - 1;
    const int column = p->column[p->number] - radius + c.column - 1;
    return heartwall_now.frame[column * heartwall_shape.frame_rows + row];
}

/* The first frame: templates are cut out of it. */
static __device__ inline void start(const struct point *p, GLOBAL float *model)
{
    const struct shape *s = &heartwall_shape;
    if (threadIdx.x == 0) {
        const int at = p->number * s->frames + heartwall_now.number;
        p->rows[at] = p->row[p->number];
        p->columns[at] = p->column[p->number];
    }
    EACH(e, s->area) {
        const struct cell c = cell_of(e, s->side);
        model[c.column * s->side + c.row] = pixel(p, c, s->radius);
    }
}

static __device__ inline void copy_block(const struct point *p)
{
    const struct shape *s = &heartwall_shape;
    const int top = p->row[p->number] - s->reach, left = p->column[p->number] - s->reach;
    EACH(e, s->block_area) {
        const struct cell c = cell_of(e, s->block_side);
        p->block[e] = heartwall_now.frame[(c.column + left - 1) * s->frame_rows + c.row + top - 1];
    }
    __syncthreads();
}

static __device__ inline void turn(GLOBAL const float *model, float *turned)
{
    const struct shape *s = &heartwall_shape;
    EACH(e, s->area) {
        const struct cell c = cell_of(e, s->side);
        turned[e] = model[(s->side - 1 - c.column) * s->side + s->side - 1 - c.row];
    }
    __syncthreads();
}

/* First and last of a convolution's terms, from one, for its element i of one coordinate. */
struct terms {
    int first, last;
};
static __device__ inline struct terms terms_of(int i, int inner, int outer)
{
    const struct terms t = {outer < i + 1 ? i + 1 - outer : 1, inner < i ? inner : i};
    return t;
}

static __device__ inline void convolve(const struct point *p, const float *turned)
{
    const struct shape *s = &heartwall_shape;
    EACH(e, s->places) {
        const struct cell c = cell_of(e, s->places_side);
        const struct terms across = terms_of(c.column + 1, s->side, s->block_side);
        const struct terms down = terms_of(c.row + 1, s->side, s->block_side);
        float sum = 0;
        ROLLED
        for (int j = across.first; j <= across.last; j++) {
            ROLLED
            for (int i = down.first; i <= down.last; i++)
                sum += turned[s->side * (j - 1) + i - 1] *
                       p->block[s->block_side * (c.column + 1 - j) + c.row + 1 - i];
        }
        p->convolution[e] = sum;
    }
    __syncthreads();
}

/* The block, or its squares, in the middle of zeros. */
static __device__ inline void pad(const struct point *p, GLOBAL const float *block)
{
    const struct shape *s = &heartwall_shape;
    EACH(e, s->padded) {
        const struct cell c = cell_of(e, s->padded_side);
        if (c.row >= s->side && c.row < s->side + s->block_side && c.column >= s->side &&
            c.column < s->side + s->block_side)
            p->padded[e] = block[(c.column - s->side) * s->block_side + c.row - s->side];
        else
            p->padded[e] = 0;
    }
    __syncthreads();
}

/* Totals down each column, a thread a column: lanes are a column apart. */
static __device__ inline void total_columns(GLOBAL float *a, int rows)
{
    EACH(column, rows) {
        float sum = 0;
        ROLLED
        for (int at = column * rows; at < column * rows + rows; at++) {
            sum += a[at];
            a[at] = sum;
        }
    }
    __syncthreads();
}

/* Totals along each row, a thread a row: lanes are side by side. */
static __device__ inline void total_rows(GLOBAL float *a, int rows, int n)
{
    EACH(row, rows) {
        float sum = 0;
        ROLLED
        for (int at = row; at < row + n; at += rows) {
            sum += a[at];
            a[at] = sum;
        }
    }
    __syncthreads();
}

/* n elements in columns of `rows`, from the place `first` of a matrix with columns of from_rows. */
static __device__ inline void select(GLOBAL float *to, int n, int rows, GLOBAL const float *from,
                                     int from_rows, struct cell first)
{
    EACH(e, n) {
        const struct cell c = cell_of(e, rows);
        to[e] = from[(c.column + first.column) * from_rows + c.row + first.row];
    }
    __syncthreads();
}

static __device__ inline void take_from(GLOBAL float *a, GLOBAL const float *from, int n)
{
    EACH(e, n) {
        a[e] = from[e] - a[e];
    }
    __syncthreads();
}

/* Sums of what lies under the template at each place, by differences of running totals. */
static __device__ inline void window_sums(const struct point *p, GLOBAL const float *block,
                                          GLOBAL float *sums)
{
    const struct shape *s = &heartwall_shape;
    const struct cell corner = {0, 0}, below = {s->side, 0}, beside = {0, s->side};
    pad(p, block);
    total_columns(p->padded, s->padded_side);
    select(p->below, s->slices, s->places_side, p->padded, s->padded_side, below);
    select(p->slices, s->slices, s->places_side, p->padded, s->padded_side, corner);
    take_from(p->slices, p->below, s->slices);
    total_rows(p->slices, s->places_side, s->slices);
    select(p->beside, s->places, s->places_side, p->slices, s->places_side, beside);
    select(sums, s->places, s->places_side, p->slices, s->places_side, corner);
    take_from(sums, p->beside, s->places);
}

static __device__ inline void square(GLOBAL float *to, GLOBAL const float *from, int n)
{
    EACH(e, n) {
        const float x = from[e];
        to[e] = x * x;
    }
    __syncthreads();
}

/* Scores hold first the sums of squares, then deviations, denominators and at last correlations. */
static __device__ inline void deviations(const struct point *p)
{
    const struct shape *s = &heartwall_shape;
    EACH(e, s->places) {
        const float sum = p->sums[e];
        float spread = p->scores[e] - sum * sum / (float)s->area;
        if (spread < 0)
            spread = 0;
        p->scores[e] = sqrt_rn(spread);
    }
    __syncthreads();
}

/* Sum and sum of squares of the template: a thread a column and a thread a row, then one alone. */
static __device__ inline void template_sums(const struct point *p, GLOBAL const float *model,
                                            struct shared *m)
{
    const struct shape *s = &heartwall_shape;
    EACH(column, s->side) {
        float sum = 0;
        ROLLED
        for (int i = 0; i < s->side; i++)
            sum += model[column * s->side + i];
        m->sums[column] = sum;
    }
    __syncthreads();
    EACH(row, s->side) {
        float sum = 0;
        ROLLED
        for (int i = 0; i < s->side; i++)
            sum += p->model_squares[row + s->side * i];
        m->squares[row] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        m->sum = 0;
        ROLLED
        for (int i = 0; i < s->side; i++)
            m->sum += m->sums[i];
    } else if (threadIdx.x == 1) {
        m->square = 0;
        ROLLED
        for (int i = 0; i < s->side; i++)
            m->square += m->squares[i];
    }
    __syncthreads();
}

static __device__ inline void template_deviation(struct shared *m)
{
    const float n = (float)heartwall_shape.area;
    if (threadIdx.x == 0) {
        const float mean = m->sum / n, variance = m->square / n - mean * mean;
        m->deviation = sqrt_rn((float)(heartwall_shape.area - 1)) * sqrt_rn(variance);
    }
    __syncthreads();
}

static __device__ inline void correlate(const struct point *p, const struct shared *m)
{
    const struct shape *s = &heartwall_shape;
    EACH(e, s->places) {
        p->scores[e] = p->scores[e] * m->deviation;
    }
    __syncthreads();
    EACH(e, s->places) {
        p->convolution[e] = p->convolution[e] - p->sums[e] * m->sum / (float)s->area;
    }
    __syncthreads();
    EACH(e, s->places) {
        p->scores[e] = p->convolution[e] / p->scores[e];
    }
    __syncthreads();
}

/* One where the point was in the frame before, zero elsewhere. */
static __device__ inline void make_mask(const struct point *p)
{
    const struct shape *s = &heartwall_shape;
    const int middle = s->reach + s->radius, at = heartwall_now.number - 1 + p->number * s->frames;
    const int row = middle + p->rows[at] - p->row[p->number];
    const int column = middle + p->columns[at] - p->column[p->number];
    EACH(e, s->places) {
        p->mask[e] = e == column * s->places_side + row ? 1.0f : 0.0f;
    }
    __syncthreads();
}

/* Scores within a move of there, and zeros elsewhere, by the mask's convolution with move x move
 * ones. */
static __device__ inline void apply_mask(const struct point *p)
{
    const struct shape *s = &heartwall_shape;
    const int middle = s->move / 2;
    EACH(e, s->places) {
        const struct cell c = cell_of(e, s->places_side);
        const struct terms across = terms_of(c.column + 1 + middle, s->places_side, s->move);
        const struct terms down = terms_of(c.row + 1 + middle, s->places_side, s->move);
        float sum = 0;
        ROLLED
        for (int j = across.first; j <= across.last; j++) {
            ROLLED
            for (int i = down.first; i <= down.last; i++)
                sum += p->mask[s->places_side * (j - 1) + i - 1];
        }
        p->masked[e] = p->scores[e] * sum;
    }
    __syncthreads();
}

/* The largest score of each column, a thread a column; then one thread looks through those. */
static __device__ inline void find(const struct point *p, struct shared *m)
{
    const struct shape *s = &heartwall_shape;
    float most = 0;
    int where = 0;
    EACH(column, s->places_side) {
        ROLLED
        for (int i = 0; i < s->places_side; i++) {
            const int at = column * s->places_side + i;
            const float score = __builtin_fabsf(p->masked[at]);
            if (score > most) {
                where = at;
                most = score;
            }
        }
        m->where[column] = where;
        m->best[column] = most;
    }
    __syncthreads();
}

static __device__ inline void move_point(const struct point *p, const struct shared *m)
{
    const struct shape *s = &heartwall_shape;
    if (threadIdx.x == 0) {
        float most = 0;
        int where = 0;
        ROLLED
        for (int i = 0; i < s->places_side; i++) {
            if (m->best[i] > most) {
                most = m->best[i];
                where = m->where[i];
            }
        }
        const struct cell c = cell_of(where, s->places_side);
        const int middle = s->reach + s->radius, at = heartwall_now.number + p->number * s->frames;
        p->rows[at] = p->row[p->number] + c.row - middle;
        p->columns[at] = p->column[p->number] + c.column - middle;
    }
    __syncthreads();
}

/* The constant 1.0 makes the template's new part double. */
static __device__ inline void update(const struct point *p, GLOBAL float *model)
{
    const struct shape *s = &heartwall_shape;
    const int at = p->number * s->frames + heartwall_now.number;
    p->row[p->number] = p->rows[at];
    p->column[p->number] = p->columns[at];
    EACH(e, s->area) {
        const float under = pixel(p, cell_of(e, s->side), s->radius);
        model[e] = (float)(s->keep * model[e] + (1.0 - s->keep) * under);
    }
}

/* One CTA for each point and a launch for each frame: all of the correlation's steps, a barrier
 * after each.  Arguments are in constant memory. */
KERNEL heartwall_rodinia(void)
{
    __shared__ struct shared m;
    const struct point *p = &heartwall_points[blockIdx.x];
    GLOBAL float *model = p->model + p->first;
    if (heartwall_now.number == 0) {
        start(p, model);
        return;
    }
    copy_block(p);
    turn(model, m.turned);
    convolve(p, m.turned);
    window_sums(p, p->block, p->sums);
    square(p->block_squares, p->block, heartwall_shape.block_area);
    window_sums(p, p->block_squares, p->scores);
    deviations(p);
    square(p->model_squares, model, heartwall_shape.area);
    template_sums(p, model, &m);
    template_deviation(&m);
    correlate(p, &m);
    make_mask(p);
    apply_mask(p);
    find(p, &m);
    move_point(p, &m);
    if (heartwall_now.number % UPDATE == 0)
        update(p, model);
}
