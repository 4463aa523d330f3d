/* kmeans.c - k-means clustering: transpose of the points, then assignments.
 *
 * Both kernels load point-major features: stride 4 * features bytes (136 at 34
 * features, 544 at 136), 32 requests, each line used again for 32 iterations and,
 * in kmeans_assign, once more per centre.  Centres are broadcasts.  No power of
 * two anywhere.  The host moves the centres between iterations.
 *
 * form=rodinia is the suite's own: assignments load the transpose, a line for each warp and
 * feature, and centres are in constant memory.  The suite loads the transpose as a texture; no
 * machine here has a texture cache, so it goes through the L1D.  form=memory is the version without
 * textures that studies of memory divergence use.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 256 };

static const struct workload_param params[] = {
    {"points", WORKLOAD_NUMBER, 1, 1 << 20, "points, one thread each"},
    {"features", WORKLOAD_NUMBER, 1, 1024, "floats per point (stride)"},
    {"clusters", WORKLOAD_NUMBER, 1, 256, "centres; at most the number of points"},
    {"iterations", WORKLOAD_NUMBER, 1, 100, "assignments, with new centres in between"},
    {"form", WORKLOAD_TEXT, 0, 0, "memory or rodinia"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "points=512,features=34,clusters=3,iterations=2,form=memory"},
    {"small", "points=8192,features=34,clusters=5,iterations=1,form=memory"},
    {"doc", "points=32768,features=34,clusters=5,iterations=1,form=memory"},
    /* Wang 2015: 28K, 4 x 34 */
    {"doc-kmn", "points=28672,features=136,clusters=5,iterations=1,form=memory"},
    {"rodinia",
     "points=204800,features=34,clusters=5,iterations=1,form=rodinia"}, /* its 204800.txt */
    {0},
};

#define LOAD(kernel_name, ordinal, requests, stride, expression) \
    { \
        .kernel = kernel_name, .load = ordinal, .nreq = requests, .stride_bytes = stride, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD("kmeans_swap", 0, 32, 34 * 4, "in[i*features + f]"),
    LOAD("kmeans_assign", 0, 32, 34 * 4, "in[i*features + f]"),
    LOAD("kmeans_assign", 1, 1, 0, "centres[k*features + f]"),
    {0},
};

enum form { MEMORY, RODINIA };
enum { MOST_CENTRES = 16384 }; /* of the kernel's constant memory */

struct kmeans {
    enum form form;
    uint32_t points, features, clusters;
    float *in, *centres;
    uint32_t *membership;
    gpu_ptr dev_in, dev_swapped, dev_centres, dev_membership;
};

static struct approx distance(const struct kmeans *km, uint32_t point, uint32_t cluster)
{
    const float *p = km->in + (size_t)point * km->features;
    const float *c = km->centres + (size_t)cluster * km->features;
    struct approx sum = approx_exact(0);
    for (uint32_t f = 0; f < km->features; f++) {
        struct approx d = approx_sub(approx_exact((double)p[f]), approx_exact((double)c[f]));
        sum = approx_mad(d, d, sum);
    }
    return sum;
}

/* The chosen centre is the nearest, or so near to it that float cannot tell. */
static void check_point(struct run *run, const struct kmeans *km, uint32_t point)
{
    const uint32_t chosen = km->membership[point];
    if (chosen >= km->clusters) {
        check_that(run->result, 0, "membership[%u] is %u; there are %u clusters", point, chosen,
                   km->clusters);
        return;
    }
    const struct approx of_chosen = distance(km, point, chosen);
    struct approx least = of_chosen;
    uint32_t nearest = chosen;
    for (uint32_t k = 0; k < km->clusters; k++) {
        const struct approx d = distance(km, point, k);
        if (d.value < least.value) {
            least = d;
            nearest = k;
        }
    }
    check_that(run->result, of_chosen.value - of_chosen.bound <= least.value + least.bound,
               "membership[%u] is %u at squared distance %.9g; %u is at %.9g", point, chosen,
               of_chosen.value, nearest, least.value);
}

/* Each centre becomes the mean of its points; an empty cluster keeps its centre. */
static void move_centres(struct kmeans *km)
{
    for (uint32_t k = 0; k < km->clusters; k++) {
        for (uint32_t f = 0; f < km->features; f++) {
            double sum = 0;
            uint32_t members = 0;
            for (uint32_t p = 0; p < km->points; p++) {
                if (km->membership[p] == k) {
                    sum += (double)km->in[(size_t)p * km->features + f];
                    members++;
                }
            }
            if (members) {
                km->centres[(size_t)k * km->features + f] = (float)(sum / members);
            }
        }
    }
}

static void swap_features(struct run *run, struct kmeans *km)
{
    const size_t n = (size_t)km->points * km->features;
    uint32_t *got = RUN_ARRAY(run, uint32_t, n), *want = RUN_ARRAY(run, uint32_t, n);
    if (run->failed) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(&want[i % km->features * km->points + i / km->features], &km->in[i], sizeof *want);
    }
    km->dev_swapped = run_alloc(run, "swapped", n * sizeof(float));
    RUN_LAUNCH(run, "kmeans_swap", dim1(cover(km->points, BLOCK_THREADS)), dim1(BLOCK_THREADS),
               host_arg_u64(km->dev_in), host_arg_u64(km->dev_swapped), host_arg_u32(km->points),
               host_arg_u32(km->features));
    run_download(run, got, km->dev_swapped, n * sizeof(float));
    check_u32(run->result, "swapped", got, want, n);
}

static void launch_assign(struct run *run, const struct kmeans *km)
{
    const struct isa_dim3 grid = dim1(cover(km->points, BLOCK_THREADS)),
                          block = dim1(BLOCK_THREADS);
    if (km->form == MEMORY) {
        RUN_LAUNCH(run, "kmeans_assign", grid, block, host_arg_u64(km->dev_in),
                   host_arg_u64(km->dev_centres), host_arg_u64(km->dev_membership),
                   host_arg_u32(km->points), host_arg_u32(km->features),
                   host_arg_u32(km->clusters));
        return;
    }
    RUN_LAUNCH(run, "kmeans_rodinia", grid, block, host_arg_u64(km->dev_swapped),
               host_arg_u64(km->dev_membership), host_arg_u32(km->points),
               host_arg_u32(km->features), host_arg_u32(km->clusters));
}

static void assign(struct run *run, const struct kmeans *km)
{
    const size_t n_centres = (size_t)km->clusters * km->features;
    host_write(run->host, km->dev_centres, km->centres, n_centres * sizeof(float));
    launch_assign(run, km);
    run_download(run, km->membership, km->dev_membership, km->points * sizeof(uint32_t));
    for (uint32_t point = 0; point < km->points; point++) {
        check_point(run, km, point);
    }
}

static int run_kmeans(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "kmeans/kmeans.ptx");
    static const char *const forms[] = {"memory", "rodinia"};
    struct kmeans km = {
        .form = (enum form)run_word(&run, "form", forms, 2),
        .points = run_u32(&run, "points"),
        .features = run_u32(&run, "features"),
        .clusters = run_u32(&run, "clusters"),
    };
    const uint32_t iterations = run_u32(&run, "iterations");
    const size_t n = (size_t)km.points * km.features, n_centres = (size_t)km.clusters * km.features;
    if (km.clusters > km.points) {
        run_refuse(&run, "clusters=%u exceeds points=%u; use fewer clusters", km.clusters,
                   km.points);
    }
    if (km.form == RODINIA && n_centres > MOST_CENTRES) {
        run_refuse(&run,
                   "clusters=%u of features=%u are more than %d floats of constant memory; "
                   "use fewer, or form=memory",
                   km.clusters, km.features, MOST_CENTRES);
    }
    km.in = run_random_f32(&run, n);
    km.centres = RUN_ARRAY(&run, float, n_centres);
    km.membership = RUN_ARRAY(&run, uint32_t, km.points);
    if (run.failed) {
        return run_end(&run);
    }
    memcpy(km.centres, km.in, n_centres * sizeof(float)); /* the first points */

    km.dev_in = run_upload(&run, "in", km.in, n * sizeof(float));
    km.dev_centres = km.form == RODINIA ? host_symbol(run.host, run.module, "kmeans_centres")
                                        : run_alloc(&run, "centres", n_centres * sizeof(float));
    km.dev_membership = run_alloc(&run, "membership", km.points * sizeof(uint32_t));
    swap_features(&run, &km);
    for (uint32_t i = 0; i < iterations && !run.failed; i++) {
        assign(&run, &km);
        move_centres(&km);
    }
    return run_end(&run);
}

const struct workload workload_kmeans = {
    .name = "kmeans",
    .title = "k-means clustering",
    .source = "caps-prefetch section 6.1 (KM), wang2015-divergence section 6 (KMN), "
              "aci-iacm-blpp section 6.2 (KM)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_kmeans,
};
