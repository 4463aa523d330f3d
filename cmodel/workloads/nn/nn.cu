/* nn.cu - distance of every record to one place (Rodinia's nearest neighbour). */
#include "cuda.h"

/* A record's place; 8 bytes, each member with its own load. */
struct place {
    float latitude, longitude;
};

KERNEL nn(const struct place *places, float *distance, unsigned n, float latitude,
          float longitude)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float north = latitude - places[t].latitude, east = longitude - places[t].longitude;
    distance[t] = __nvvm_sqrt_rn_f(north * north + east * east);
}
