/* lavamd.cu - forces between particles in a grid of boxes, one CTA per box.
 *
 * For its own box and each neighbour the CTA copies the particles (16 bytes:
 * position and charge) to shared memory; every thread adds up the forces on its
 * particle.  The box list holds up to 27 neighbours, the box itself first.
 * lavamd_in_memory writes the force so far to global memory with each particle, one component
 * after the other: what is left of Rodinia's sums in memory when the loads are not repeated. */
#include "cuda.h"

#define THREADS 128
#define NEIGHBOURS 27

typedef float vec4 __attribute__((ext_vector_type(4)));

struct box { int count, neighbours[NEIGHBOURS]; };

/* The force so far goes to memory, one component after the other. */
static __device__ inline void store(vec4 *to, vec4 force)
{
    float *component = (float *)to;
    UNROLLED
    for (int axis = 0; axis < 4; axis++) {
        component[axis] = force[axis];
        IN_ORDER;
    }
}

template <bool in_memory>
static __device__ inline void add_forces(const box *boxes, const vec4 *particles, vec4 *forces,
                                         float alpha, unsigned per_box)
{
    __shared__ vec4 other[THREADS];
    const unsigned t = threadIdx.x, mine = blockIdx.x * per_box + t;
    const box *b = boxes + blockIdx.x;
    vec4 self = {0, 0, 0, 0}, force = {0, 0, 0, 0};
    if (t < per_box)
        self = particles[mine];
    const int count = b->count;
    ROLLED
    for (int k = 0; k < count; k++) {
        if (t < per_box)
            other[t] = particles[(unsigned)b->neighbours[k] * per_box + t];
        __syncthreads();
        if (t < per_box) {
            ROLLED
            for (unsigned j = 0; j < per_box; j++) {
                const vec4 p = other[j];
                const float dx = self.x - p.x, dy = self.y - p.y, dz = self.z - p.z;
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float weight = p.w * exp2_approx(-alpha * r2);
                force.x += weight * dx;
                force.y += weight * dy;
                force.z += weight * dz;
                force.w += weight;
                if (in_memory)
                    store(&forces[mine], force);
            }
        }
        __syncthreads();
    }
    if (!in_memory && t < per_box)
        forces[mine] = force;
}

KERNEL lavamd(const box *boxes, const vec4 *particles, vec4 *forces, float alpha, unsigned per_box)
{
    add_forces<false>(boxes, particles, forces, alpha, per_box);
}

KERNEL lavamd_in_memory(const box *boxes, const vec4 *particles, vec4 *forces, float alpha,
                        unsigned per_box)
{
    add_forces<true>(boxes, particles, forces, alpha, per_box);
}
