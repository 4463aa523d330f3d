/* cfd_rodinia.c - see cfd_rodinia.h.
 *
 * Works after Rodinia's euler3d (3.1) in single precision.  Kept: arrays of a row for each
 * variable, padded to whole CTAs of 192; an iteration of the step's size and three times flux and
 * time step; 5 + 4 x (4 + 5) loads and 5 stores a thread of flux, a face's gather only where an
 * element is behind it; its 20 divisions and 14 square roots, exactly rounded, as nvcc has them for
 * sm_20; the far field in constant memory.  The host copies the variables before each iteration, where
 * the suite copies them on the device.
 *
 * Left out: the suite's meshes, which are not here.  Neighbours are those of the other form (near by,
 * in no order), none in two of a hundred faces and beyond the array's ends; the mesh's own shares of
 * wing and far field are not known here.  The kernel that sets all elements to the far field is left
 * out too: they start off it at random, so that a wrong neighbour shows.
 *
 * The reference takes each launch's inputs as the GPU has them, so bounds are those of one launch.
 */
#include "workloads/cfd/cfd_rodinia.h"

#include <string.h>

#include "workloads/check.h"

enum { AXES = 3, VARIABLES = AXES + 2, STAGES = 3, BLOCK_THREADS = 192 };
enum { DENSITY, MOMENTUM, ENERGY = MOMENTUM + AXES };
enum { WING = -1, FAR_FIELD = -2 };
/* Steps are small for elements so large: a scheme on neighbours at random need not be stable, and this
 * one stays near its uniform stream for the thousand iterations that a size may have. */
static const float large_area = 65536;

/* As the kernel's, with bounds; and as its constants. */
struct gas {
    struct approx density, momentum[AXES], energy;
};
struct motion {
    struct approx velocity[AXES], speed_squared, pressure, sound;
};
struct flux {
    struct approx momentum[AXES][AXES], energy[AXES];
};
struct far_field {
    float variables[VARIABLES];
    float flux_momentum[AXES][AXES], flux_energy[AXES];
};

struct solver {
    uint32_t n, n_padded;
    int32_t *neighbours; /* [CFD_FACES][n_padded] */
    float *normals;      /* [AXES][CFD_FACES][n_padded], inwards */
    float *areas, *factors, *old, *variables, *fluxes;
    struct far_field far;
    struct approx *want; /* [VARIABLES][n_padded] */
    gpu_ptr dev_areas, dev_neighbours, dev_normals, dev_variables, dev_old, dev_fluxes, dev_factors;
};

static struct approx exact(float value)
{
    return approx_exact((double)value);
}

/* ---- the mesh and its gas ---- */

int32_t cfd_neighbour(struct rng *rng, uint32_t n, uint32_t i)
{
    const int64_t at = (int64_t)i - CFD_REACH + (int64_t)rng_below(rng, 2 * CFD_REACH + 1);
    const bool none = at < 0 || at >= n || rng_below(rng, 100) < CFD_NONE_PERCENT;
    return none ? -1 : (int32_t)at;
}

/* Four areas that close; a wing's lies along the stream, so that a uniform stream stays as it is. */
static void make_element(struct solver *s, struct rng *rng, uint32_t i)
{
    float sum[AXES] = {0};
    for (uint32_t f = 0; f < CFD_FACES; f++) {
        const bool last = f == CFD_FACES - 1;
        int32_t neighbour = cfd_neighbour(rng, s->n, i);
        if (neighbour < 0) {
            neighbour = last || rng_below(rng, 2) ? FAR_FIELD : WING;
        }
        s->neighbours[f * s->n_padded + i] = neighbour;
        for (uint32_t a = 0; a < AXES; a++) {
            const float drawn = a == 0 && neighbour == WING ? 0 : rng_f32_signed(rng);
            const float area = last ? -sum[a] : drawn;
            s->normals[(a * CFD_FACES + f) * s->n_padded + i] = area;
            sum[a] += area;
        }
    }
    s->areas[i] = large_area * (1 + rng_f32(rng));
}

/* Elements that fill the last CTA are as the last one. */
static void pad(struct solver *s)
{
    const uint32_t last = s->n - 1;
    for (uint32_t i = s->n; i < s->n_padded; i++) {
        s->areas[i] = s->areas[last];
        for (uint32_t f = 0; f < CFD_FACES; f++) {
            const uint32_t row = f * s->n_padded;
            s->neighbours[row + i] = s->neighbours[row + last];
        }
        for (uint32_t f = 0; f < AXES * CFD_FACES; f++) {
            const uint32_t row = f * s->n_padded;
            s->normals[row + i] = s->normals[row + last];
        }
    }
}

/* Density 1.4 and pressure 1, hence a speed of sound of 1, at Mach 1.2 along the first axis. */
static struct far_field make_far_field(void)
{
    const float density = 1.4f, pressure = 1, speed = 1.2f;
    const float momentum = density * speed;
    const float energy = density * (0.5f * (speed * speed)) + pressure / (1.4f - 1.0f);
    struct far_field far = {
        .variables = {[DENSITY] = density, [MOMENTUM] = momentum, [ENERGY] = energy},
        .flux_energy = {speed * (energy + pressure)},
    };
    for (int a = 0; a < AXES; a++) {
        far.flux_momentum[a][a] = pressure;
    }
    far.flux_momentum[0][0] += speed * momentum;
    return far;
}

static void make_gas(struct solver *s, struct rng *rng)
{
    for (uint32_t v = 0; v < VARIABLES; v++) {
        for (uint32_t i = 0; i < s->n_padded; i++) {
            const float off = 0.05f * rng_f32_signed(rng);
            s->variables[v * s->n_padded + i] = s->far.variables[v] + off;
        }
    }
}

static struct solver make_solver(struct run *run, uint32_t n)
{
    const uint32_t n_padded = cover(n, BLOCK_THREADS) * BLOCK_THREADS;
    const size_t n_faces = (size_t)CFD_FACES * n_padded, n_values = (size_t)VARIABLES * n_padded;
    struct solver s = {
        .n = n,
        .n_padded = n_padded,
        .neighbours = RUN_ARRAY(run, int32_t, n_faces),
        .normals = RUN_ARRAY(run, float, AXES *n_faces),
        .areas = RUN_ARRAY(run, float, n_padded),
        .factors = RUN_ARRAY(run, float, n_padded),
        .old = RUN_ARRAY(run, float, n_values),
        .variables = RUN_ARRAY(run, float, n_values),
        .fluxes = RUN_ARRAY(run, float, n_values),
        .far = make_far_field(),
        .want = RUN_ARRAY(run, struct approx, n_values),
    };
    for (uint32_t i = 0; !run->failed && i < n; i++) {
        make_element(&s, &run->rng, i);
    }
    if (!run->failed) {
        pad(&s);
        make_gas(&s, &run->rng);
    }
    return s;
}

/* ---- the reference ---- */

static struct gas load_gas(const struct solver *s, uint32_t i)
{
    struct gas g = {
        .density = exact(s->variables[DENSITY * s->n_padded + i]),
        .energy = exact(s->variables[ENERGY * s->n_padded + i]),
    };
    for (uint32_t a = 0; a < AXES; a++) {
        g.momentum[a] = exact(s->variables[(MOMENTUM + a) * s->n_padded + i]);
    }
    return g;
}

static struct approx sum_of_squares(const struct approx *x)
{
    struct approx sum = approx_mul(x[0], x[0]);
    for (int a = 1; a < AXES; a++) {
        sum = approx_mad(x[a], x[a], sum);
    }
    return sum;
}

static struct motion motion_of(const struct gas *g)
{
    struct motion m;
    for (int a = 0; a < AXES; a++) {
        m.velocity[a] = approx_div(g->momentum[a], g->density);
    }
    m.speed_squared = sum_of_squares(m.velocity);
    struct approx kinetic = approx_mul(approx_mul(exact(0.5f), g->density), m.speed_squared);
    m.pressure = approx_mul(exact(1.4f - 1.0f), approx_sub(g->energy, kinetic));
    m.sound = approx_sqrt(approx_div(approx_mul(exact(1.4f), m.pressure), g->density));
    return m;
}

static struct flux flux_of(const struct gas *g, const struct motion *m)
{
    struct flux f;
    const struct approx enthalpy = approx_add(g->energy, m->pressure);
    for (int a = 0; a < AXES; a++) {
        f.momentum[a][a] = approx_mad(m->velocity[a], g->momentum[a], m->pressure);
        for (int b = a + 1; b < AXES; b++) {
            f.momentum[a][b] = f.momentum[b][a] = approx_mul(m->velocity[a], g->momentum[b]);
        }
        f.energy[a] = approx_mul(m->velocity[a], enthalpy);
    }
    return f;
}

static void get_far_field(const struct far_field *far, struct gas *g, struct flux *f)
{
    for (int a = 0; a < AXES; a++) {
        g->momentum[a] = exact(far->variables[MOMENTUM + a]);
        f->energy[a] = exact(far->flux_energy[a]);
        for (int b = 0; b < AXES; b++) {
            f->momentum[a][b] = exact(far->flux_momentum[a][b]);
        }
    }
}

static void add_mean(struct gas *sum, const struct approx *normal, const struct gas *own,
                     const struct flux *flux, const struct gas *other, const struct flux *beyond)
{
    for (int a = 0; a < AXES; a++) {
        const struct approx half = approx_mul(exact(0.5f), normal[a]);
        sum->density = approx_mad(half, approx_add(other->momentum[a], own->momentum[a]),
                                  sum->density);
        sum->energy = approx_mad(half, approx_add(beyond->energy[a], flux->energy[a]), sum->energy);
        for (int b = 0; b < AXES; b++) {
            sum->momentum[b] = approx_mad(
                half, approx_add(beyond->momentum[b][a], flux->momentum[b][a]), sum->momentum[b]);
        }
    }
}

static void add_viscosity(struct gas *sum, struct approx by, const struct gas *own,
                          const struct gas *other)
{
    sum->density = approx_mad(by, approx_sub(own->density, other->density), sum->density);
    sum->energy = approx_mad(by, approx_sub(own->energy, other->energy), sum->energy);
    for (int a = 0; a < AXES; a++) {
        sum->momentum[a] = approx_mad(by, approx_sub(own->momentum[a], other->momentum[a]),
                                      sum->momentum[a]);
    }
}

/* What a face with an element behind it adds. */
static void add_neighbour(struct gas *sum, const struct approx *normal, const struct gas *own,
                          const struct motion *m, const struct flux *flux, const struct gas *other)
{
    const struct motion o = motion_of(other);
    const struct flux beyond = flux_of(other, &o);
    struct approx speeds = approx_add(approx_sqrt(m->speed_squared), approx_sqrt(o.speed_squared));
    speeds = approx_add(approx_add(speeds, m->sound), o.sound);
    struct approx by = approx_mul(approx_sqrt(sum_of_squares(normal)), exact(-0.2f));
    by = approx_mul(approx_mul(by, exact(0.5f)), speeds);
    add_viscosity(sum, by, own, other);
    add_mean(sum, normal, own, flux, other, &beyond);
}

static struct gas flux_reference(const struct solver *s, uint32_t i)
{
    const struct gas own = load_gas(s, i);
    const struct motion m = motion_of(&own);
    const struct flux flux = flux_of(&own, &m);
    struct gas sum = {0}, other = {0};
    struct flux beyond;
    for (uint32_t f = 0; f < CFD_FACES; f++) {
        const int32_t neighbour = s->neighbours[f * s->n_padded + i];
        struct approx normal[AXES];
        for (uint32_t a = 0; a < AXES; a++) {
            normal[a] = exact(s->normals[(a * CFD_FACES + f) * s->n_padded + i]);
        }
        if (neighbour >= 0) {
            other = load_gas(s, (uint32_t)neighbour);
            add_neighbour(&sum, normal, &own, &m, &flux, &other);
        } else if (neighbour == FAR_FIELD) {
            get_far_field(&s->far, &other, &beyond);
            add_mean(&sum, normal, &own, &flux, &other, &beyond);
        } else {
            for (int a = 0; a < AXES; a++) {
                sum.momentum[a] = approx_mad(normal[a], m.pressure, sum.momentum[a]);
            }
        }
    }
    return sum;
}

static struct approx factor_reference(const struct solver *s, uint32_t i)
{
    const struct gas g = load_gas(s, i);
    const struct motion m = motion_of(&g);
    const struct approx speed = approx_add(approx_sqrt(m.speed_squared), m.sound);
    return approx_div(exact(0.5f), approx_mul(approx_sqrt(exact(s->areas[i])), speed));
}

/* ---- the launches, each checked ---- */

static void launch(struct run *run, const struct solver *s, const char *kernel,
                   const struct host_arg *args, size_t n_args)
{
    run_launch(run, kernel, dim1(s->n_padded / BLOCK_THREADS), dim1(BLOCK_THREADS), args, n_args);
}

static void find_step_factors(struct run *run, struct solver *s)
{
    const struct host_arg args[] = {host_arg_u32(s->n_padded), host_arg_u64(s->dev_variables),
                                    host_arg_u64(s->dev_areas), host_arg_u64(s->dev_factors)};
    launch(run, s, "cfd_rodinia_step_factor", args, sizeof args / sizeof *args);
    run_download(run, s->factors, s->dev_factors, s->n_padded * sizeof(float));
    for (uint32_t i = 0; i < s->n_padded; i++) {
        s->want[i] = factor_reference(s, i);
    }
    check_f32(run->result, "step_factors", s->factors, s->want, s->n_padded);
}

static void find_fluxes(struct run *run, struct solver *s)
{
    const size_t n_values = (size_t)VARIABLES * s->n_padded;
    const struct host_arg args[] = {host_arg_u32(s->n_padded), host_arg_u64(s->dev_neighbours),
                                    host_arg_u64(s->dev_normals), host_arg_u64(s->dev_variables),
                                    host_arg_u64(s->dev_fluxes)};
    launch(run, s, "cfd_rodinia_flux", args, sizeof args / sizeof *args);
    run_download(run, s->fluxes, s->dev_fluxes, n_values * sizeof(float));
    for (uint32_t i = 0; i < s->n_padded; i++) {
        const struct gas flux = flux_reference(s, i);
        s->want[DENSITY * s->n_padded + i] = flux.density;
        s->want[ENERGY * s->n_padded + i] = flux.energy;
        for (uint32_t a = 0; a < AXES; a++) {
            s->want[(MOMENTUM + a) * s->n_padded + i] = flux.momentum[a];
        }
    }
    check_f32(run->result, "fluxes", s->fluxes, s->want, n_values);
}

static void take_step(struct run *run, struct solver *s, uint32_t stage)
{
    const size_t n_values = (size_t)VARIABLES * s->n_padded;
    const struct host_arg args[] = {host_arg_u32(stage),          host_arg_u32(s->n_padded),
                                    host_arg_u64(s->dev_old),     host_arg_u64(s->dev_variables),
                                    host_arg_u64(s->dev_factors), host_arg_u64(s->dev_fluxes)};
    launch(run, s, "cfd_rodinia_time_step", args, sizeof args / sizeof *args);
    run_download(run, s->variables, s->dev_variables, n_values * sizeof(float));
    const struct approx part = exact((float)(STAGES + 1 - stage));
    for (size_t i = 0; i < n_values; i++) {
        const struct approx factor = approx_div(exact(s->factors[i % s->n_padded]), part);
        s->want[i] = approx_mad(factor, exact(s->fluxes[i]), exact(s->old[i]));
    }
    check_f32(run->result, "variables", s->variables, s->want, n_values);
}

/* Arrays in the suite's order, and the far field into its constants. */
static void place(struct run *run, struct solver *s)
{
    const size_t row = s->n_padded * sizeof(float), rows = VARIABLES * row;
    s->dev_areas = run_upload(run, "areas", s->areas, row);
    s->dev_neighbours = run_upload(run, "neighbours", s->neighbours, CFD_FACES * row);
    s->dev_normals = run_upload(run, "normals", s->normals, AXES * CFD_FACES * row);
    s->dev_variables = run_upload(run, "variables", s->variables, rows);
    s->dev_old = run_alloc(run, "old", rows);
    s->dev_fluxes = run_alloc(run, "fluxes", rows);
    s->dev_factors = run_alloc(run, "factors", row);
    run_write_symbol(run, "cfd_far", s->far.variables, sizeof s->far.variables);
    run_write_symbol(run, "cfd_far_flux", s->far.flux_momentum,
                     sizeof s->far - sizeof s->far.variables);
}

void cfd_rodinia(struct run *run, uint32_t n, uint32_t iterations)
{
    struct solver s = make_solver(run, n);
    const size_t bytes = (size_t)VARIABLES * s.n_padded * sizeof(float);
    if (run->failed) {
        return;
    }
    place(run, &s);
    for (uint32_t i = 0; i < iterations && !host_error(run->host); i++) {
        memcpy(s.old, s.variables, bytes);
        host_write(run->host, s.dev_old, s.old, bytes);
        find_step_factors(run, &s);
        for (uint32_t stage = 0; stage < STAGES; stage++) {
            find_fluxes(run, &s);
            take_step(run, &s, stage);
        }
    }
}
