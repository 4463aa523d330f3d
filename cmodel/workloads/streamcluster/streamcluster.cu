/* streamcluster.cu - what each point would gain by a new centre (Rodinia's cost kernel). */
#include "cuda.h"

/* 32 bytes, as the source's array of structures. */
struct point {
    float weight;
    const float *coord; /* unused on the device: the coordinates are in their own array */
    long assign;
    float cost;
};

/* Coordinates are stored dimension by dimension.  lower[] holds one row of `pitch` sums
 * per point: by centre what its members would lose, and in column n_centres the gain. */
KERNEL streamcluster(const struct point *points, const float *coord, const unsigned *column,
                     float *lower, unsigned char *switches, unsigned n, unsigned n_dims,
                     unsigned centre, unsigned n_centres, unsigned pitch)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float distance = 0;
    ROLLED
    for (unsigned d = 0; d < n_dims; d++) {
        float difference = coord[d * n + t] - coord[d * n + centre];
        distance += difference * difference;
    }
    float cost = distance * points[t].weight;
    float *mine = lower + t * pitch;
    if (cost < points[t].cost) {
        switches[t] = 1;
        mine[n_centres] += cost - points[t].cost;
    } else {
        mine[column[points[t].assign]] += points[t].cost - cost;
    }
}
