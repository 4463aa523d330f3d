/* cfd.cu - residual of a finite-volume scheme on an unstructured mesh.
 *
 * Every element has four faces.  Five conserved variables lie in separate arrays
 * of `n` elements each, as do the neighbours and weights of the four faces; a
 * face at the far field has neighbour -1 and meets the value `far`.  After that, the three kernels of
 * Rodinia's solver. */
#include "cuda.h"

#define FACES 4
#define VARIABLES 5

KERNEL cfd(const int *neighbours, const float *weights, const float *variables, const float *far,
           float *residual, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float own[VARIABLES], sum[VARIABLES];
    UNROLLED
    for (unsigned v = 0; v < VARIABLES; v++) {
        own[v] = variables[v * n + i];
        sum[v] = 0;
    }
    ROLLED
    for (unsigned f = 0; f < FACES; f++) {
        const int neighbour = neighbours[f * n + i];
        const float weight = weights[f * n + i];
        if (neighbour >= 0) {
            UNROLLED
            for (unsigned v = 0; v < VARIABLES; v++)
                sum[v] += weight * (variables[v * n + (unsigned)neighbour] - own[v]);
        } else {
            UNROLLED
            for (unsigned v = 0; v < VARIABLES; v++)
                sum[v] += weight * (far[v] - own[v]);
        }
    }
    UNROLLED
    for (unsigned v = 0; v < VARIABLES; v++)
        residual[v * n + i] = sum[v];
}

/* ---- Rodinia's solver: the Euler equations of a gas, in three stages of Runge-Kutta ---- */

#define AXES 3
#define STAGES 3
#define GAMMA 1.4f
#define SMOOTHING 0.2f

enum { DENSITY, MOMENTUM, ENERGY = MOMENTUM + AXES }; /* rows of the variables */
enum { WING = -1, FAR_FIELD = -2 };                   /* neighbours that are none */

struct gas {
    float density, momentum[AXES], energy;
};

struct motion {
    float velocity[AXES], speed_squared, pressure, sound;
};

/* What crosses a face of unit area across each axis; as rows of momentum, and energy. */
struct flux {
    float momentum[AXES][AXES], energy[AXES];
};

__constant__ struct gas cfd_far;
__constant__ struct flux cfd_far_flux;

static __device__ inline struct gas load_gas(const float *variables, int i, int n)
{
    struct gas g;
    g.density = variables[i + DENSITY * n];
    UNROLLED
    for (int a = 0; a < AXES; a++)
        g.momentum[a] = variables[i + (MOMENTUM + a) * n];
    g.energy = variables[i + ENERGY * n];
    return g;
}

/* Three divisions by one density, and a fourth: no reciprocal, as a compiler leaves them that keeps
 * to IEEE 754. */
static __device__ inline struct motion motion_of(const struct gas *g)
{
    struct motion m;
    UNROLLED
    for (int a = 0; a < AXES; a++)
        m.velocity[a] = g->momentum[a] / g->density;
    m.speed_squared = m.velocity[0] * m.velocity[0] + m.velocity[1] * m.velocity[1] +
                      m.velocity[2] * m.velocity[2];
    m.pressure = (GAMMA - 1.0f) * (g->energy - 0.5f * g->density * m.speed_squared);
    m.sound = sqrt_rn(GAMMA * m.pressure / g->density);
    return m;
}

/* Symmetric, so that six products make the nine of momentum. */
static __device__ inline struct flux flux_of(const struct gas *g, const struct motion *m)
{
    struct flux f;
    const float enthalpy = g->energy + m->pressure;
    UNROLLED
    for (int a = 0; a < AXES; a++) {
        f.momentum[a][a] = m->velocity[a] * g->momentum[a] + m->pressure;
        UNROLLED
        for (int b = a + 1; b < AXES; b++)
            f.momentum[a][b] = f.momentum[b][a] = m->velocity[a] * g->momentum[b];
        f.energy[a] = m->velocity[a] * enthalpy;
    }
    return f;
}

/* The mean of both sides' fluxes, axis by axis. */
static __device__ inline void add_mean(struct gas *sum, const float *normal,
                                       const float *momentum, const struct flux *flux,
                                       const float *other_momentum, const struct flux *other)
{
    UNROLLED
    for (int a = 0; a < AXES; a++) {
        const float half = 0.5f * normal[a];
        sum->density += half * (other_momentum[a] + momentum[a]);
        sum->energy += half * (other->energy[a] + flux->energy[a]);
        UNROLLED
        for (int b = 0; b < AXES; b++)
            sum->momentum[b] += half * (other->momentum[b][a] + flux->momentum[b][a]);
    }
}

/* Artificial viscosity, along the difference of both sides. */
static __device__ inline void add_viscosity(struct gas *sum, float by, const struct gas *own,
                                            const struct gas *other)
{
    sum->density += by * (own->density - other->density);
    sum->energy += by * (own->energy - other->energy);
    UNROLLED
    for (int a = 0; a < AXES; a++)
        sum->momentum[a] += by * (own->momentum[a] - other->momentum[a]);
}

KERNEL cfd_rodinia_step_factor(int n, const float *variables, const float *areas, float *factors)
{
    const int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    const struct gas g = load_gas(variables, i, n);
    const struct motion m = motion_of(&g);
    factors[i] = 0.5f / (sqrt_rn(areas[i]) * (sqrt_rn(m.speed_squared) + m.sound));
}

/* The faces are unrolled.  The lanes of a warp part where a face is the wing's or the far field's. */
KERNEL cfd_rodinia_flux(int n, const int *neighbours, const float *normals, const float *variables,
                        float *fluxes)
{
    const int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    const struct gas own = load_gas(variables, i, n);
    const struct motion m = motion_of(&own);
    const float speed = sqrt_rn(m.speed_squared);
    const struct flux flux = flux_of(&own, &m);
    struct gas sum = {0, {0, 0, 0}, 0};
    UNROLLED
    for (int f = 0; f < FACES; f++) {
        const int neighbour = neighbours[i + f * n];
        const float normal[AXES] = {normals[i + f * n], normals[i + (f + FACES) * n],
                                    normals[i + (f + 2 * FACES) * n]};
        const float length = sqrt_rn(normal[0] * normal[0] + normal[1] * normal[1] +
                                     normal[2] * normal[2]);
        if (neighbour >= 0) {
            const struct gas other = load_gas(variables, neighbour, n);
            const struct motion o = motion_of(&other);
            const struct flux other_flux = flux_of(&other, &o);
            const float by = -length * SMOOTHING * 0.5f *
                             (speed + sqrt_rn(o.speed_squared) + m.sound + o.sound);
            add_viscosity(&sum, by, &own, &other);
            add_mean(&sum, normal, own.momentum, &flux, other.momentum, &other_flux);
        } else if (neighbour == WING) {
            UNROLLED
            for (int a = 0; a < AXES; a++)
                sum.momentum[a] += normal[a] * m.pressure;
        } else if (neighbour == FAR_FIELD) {
            IN_ORDER; /* constants are loaded here, not before the first face */
            add_mean(&sum, normal, own.momentum, &flux, cfd_far.momentum, &cfd_far_flux);
        }
    }
    fluxes[i + DENSITY * n] = sum.density;
    UNROLLED
    for (int a = 0; a < AXES; a++)
        fluxes[i + (MOMENTUM + a) * n] = sum.momentum[a];
    fluxes[i + ENERGY * n] = sum.energy;
}

/* Energy before momentum, and each stored before the next is loaded, as nothing here is restrict. */
KERNEL cfd_rodinia_time_step(int stage, int n, const float *old, float *variables,
                             const float *factors, const float *fluxes)
{
    const int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    const float factor = factors[i] / (float)(STAGES + 1 - stage);
    variables[i + DENSITY * n] = old[i + DENSITY * n] + factor * fluxes[i + DENSITY * n];
    variables[i + ENERGY * n] = old[i + ENERGY * n] + factor * fluxes[i + ENERGY * n];
    UNROLLED
    for (int a = 0; a < AXES; a++) {
        const int at = i + (MOMENTUM + a) * n;
        variables[at] = old[at] + factor * fluxes[at];
    }
}
