/* streamcluster.cu - what each point would gain by a new centre (Rodinia's cost kernel, the one of
 * later releases and the one of 2.0). */
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

/* Rodinia 2.0's: one thread brings the centre's coordinates to shared memory, one after the other,
 * while the CTA waits; a row of lower[] has as many sums as there are centres, and one.  n is a
 * multiple of the CTA's threads: no thread looks whether it has a point. */
KERNEL streamcluster_rodinia2(const struct point *points, const float *coord, const int *column,
                              float *lower, unsigned char *switches, int n, int n_dims,
                              long centre, int n_centres)
{
    extern __shared__ float at_centre[];
    const int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (threadIdx.x == 0) {
        ROLLED
        for (int d = 0; d < n_dims; d++)
            at_centre[d] = coord[d * n + centre];
    }
    __syncthreads();
    float distance = 0;
    ROLLED
    for (int d = 0; d < n_dims; d++) {
        const float difference = coord[d * n + t] - at_centre[d];
        distance += difference * difference;
    }
    const float cost = distance * points[t].weight, old = points[t].cost;
    float *mine = lower + t * (n_centres + 1);
    if (cost < old) {
        switches[t] = 1;
        mine[n_centres] += cost - old;
    } else {
        mine[column[(int)points[t].assign]] += old - cost;
    }
}
