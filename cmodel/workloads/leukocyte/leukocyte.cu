/* leukocyte.cu - where a frame has cells: gradient inverse coefficient of variation along circles
 * around each pixel, then its dilation (Rodinia). */
#include "cuda.h"

enum { MOST_CIRCLES = 7, MOST_POINTS = 150, MOST_DISC = 25 };

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
