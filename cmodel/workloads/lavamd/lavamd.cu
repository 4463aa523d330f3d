/* lavamd.cu - forces between particles in a grid of boxes, one CTA per box.
 *
 * For its own box and each neighbour the CTA copies the particles (16 bytes:
 * position and charge) to shared memory; every thread adds up the forces on its
 * particle.  The box list holds up to 27 neighbours, the box itself first.
 * lavamd_in_memory writes the force so far to global memory with each particle, one component
 * after the other: what is left of Rodinia's sums in memory when the loads are not repeated.
 * lavamd_rodinia and lavamd_rodinia_in_memory are the suite's kernel, in double precision. */
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

/* Rodinia's: 40 bytes a particle, in two arrays; v takes the place of the square of its length. */
struct particle { double v, x, y, z; };
struct neighbour { int x, y, z, number; long offset; };
struct home {
    int x, y, z, number;
    long offset;
    int n_neighbours;
    neighbour neighbours[NEIGHBOURS - 1];
};

/* In ascending order, 8 bytes at a time. */
static __device__ inline void copy(particle &to, const particle &from)
{
    to.v = from.v;
    to.x = from.x;
    to.y = from.y;
    to.z = from.z;
}

#define PARTICLES 100 /* room for these in Rodinia's shared memory */

static __device__ inline double fma_rn(double a, double b, double c)
{
    return __nvvm_fma_rn_d(a, b, c);
}

/* e^x with the steps of CUDA's: x = k ln 2 + r, a polynomial of degree 11 for e^r, and k added to
 * the exponent's bits.  The coefficients are Taylor's: within 2^-46.  Where e^x is no normal number
 * the result is 0 or infinity. */
static __device__ inline double exp_double(double x)
{
    const double shifter = 0x1.8p52; /* k is then in the low word */
    const double shifted = fma_rn(x, 0x1.71547652b82fep0, shifter), k = shifted - shifter;
    const double r = fma_rn(k, -0x1.abc9e3b39803fp-56, fma_rn(k, -0x1.62e42fefa39efp-1, x));
    double sum = 1.0 / 39916800;
    sum = fma_rn(sum, r, 1.0 / 3628800);
    sum = fma_rn(sum, r, 1.0 / 362880);
    sum = fma_rn(sum, r, 1.0 / 40320);
    sum = fma_rn(sum, r, 1.0 / 5040);
    sum = fma_rn(sum, r, 1.0 / 720);
    sum = fma_rn(sum, r, 1.0 / 120);
    sum = fma_rn(sum, r, 1.0 / 24);
    sum = fma_rn(sum, r, 1.0 / 6);
    sum = fma_rn(sum, r, 0.5);
    sum = fma_rn(sum, r, 1.0);
    sum = fma_rn(sum, r, 1.0);
    const int high = __nvvm_d2i_hi(sum) + (__nvvm_d2i_lo(shifted) << 20);
    if ((__nvvm_d2i_hi(x) & 0x7fffffff) >= 0x40862000) /* 708 */
        return x < 0 ? 0 : __builtin_inf();
    return __nvvm_lohi_i2d(__nvvm_d2i_lo(sum), high);
}

struct force { double v, x, y, z; };

static __device__ inline force pair_force(const particle &a, const particle &b, double charge,
                                          double a2)
{
    const double r2 = a.v + b.v - (a.x * b.x + a.y * b.y + a.z * b.z);
    const double v = exp_double(-(a2 * r2)), twice = 2 * v;
    return {charge * v, charge * (twice * (a.x - b.x)), charge * (twice * (a.y - b.y)),
            charge * (twice * (a.z - b.z))};
}

/* A thread's sums lie in global memory: each is loaded and stored with each pair or, as nvcc 13 has
 * it, with each box. */
template <bool in_memory>
static __device__ inline void add_box(const particle &a, const particle *b, const double *charge,
                                      force *to, double a2, int per_box)
{
    force sum = in_memory ? force{0, 0, 0, 0} : *to;
    ROLLED
    for (int j = 0; j < per_box; j++) {
        const force f = pair_force(a, b[j], charge[j], a2);
        if (in_memory) {
            to->v += f.v;
            IN_ORDER;
            to->x += f.x;
            IN_ORDER;
            to->y += f.y;
            IN_ORDER;
            to->z += f.z;
            IN_ORDER;
        } else {
            sum.v += f.v;
            sum.x += f.x;
            sum.y += f.y;
            sum.z += f.z;
        }
    }
    if (!in_memory)
        *to = sum;
}

/* The list, and where a box's particles begin, are read anew for each neighbour. */
template <bool in_memory>
static __device__ inline void add_forces_rodinia(const home *boxes, const particle *particles,
                                                 const double *charges, force *forces,
                                                 double alpha, int per_box)
{
    __shared__ particle mine[PARTICLES], other[PARTICLES];
    __shared__ double charge[PARTICLES];
    const int t = (int)threadIdx.x, self = (int)blockIdx.x;
    const double a2 = 2 * alpha * alpha;
    const int first = (int)boxes[self].offset;
    if (t < per_box)
        copy(mine[t], particles[first + t]);
    __syncthreads();
    ROLLED
    for (int k = 0; k < 1 + boxes[self].n_neighbours; k++) {
        const int box = k == 0 ? self : boxes[self].neighbours[k - 1].number;
        const int begin = (int)boxes[box].offset;
        if (t < per_box) {
            copy(other[t], particles[begin + t]);
            charge[t] = charges[begin + t];
        }
        __syncthreads();
        if (t < per_box) {
            const particle a = mine[t];
            add_box<in_memory>(a, other, charge, &forces[first + t], a2, per_box);
        }
        __syncthreads();
    }
}

KERNEL lavamd_rodinia(const home *boxes, const particle *particles, const double *charges,
                      force *forces, double alpha, int per_box)
{
    add_forces_rodinia<false>(boxes, particles, charges, forces, alpha, per_box);
}

KERNEL lavamd_rodinia_in_memory(const home *boxes, const particle *particles,
                                const double *charges, force *forces, double alpha, int per_box)
{
    add_forces_rodinia<true>(boxes, particles, charges, forces, alpha, per_box);
}
