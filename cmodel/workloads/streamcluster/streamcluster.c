/* streamcluster.c - online clustering: the gain of opening one more centre.
 *
 * Works after Wang 2015 section 6 (SC) and the ACI document section 6.2 (SC/ST); the kernel
 * is that of Rodinia's later releases.  Loads: points[t].weight, .cost and .assign have a stride
 * of 32 bytes (8 lines); coord[d * n + t] is coalesced and coord[d * n + centre] a broadcast,
 * both with n * 4 bytes between iterations; column[] is indirect; lower[] has one row per
 * lane.  Arrays start at multiples of 1 MB, so only high address bits tell them apart.
 *
 * form=rodinia2 is the kernel of Rodinia 2.0: each CTA copies the centre's coordinates to shared
 * memory first, by one thread, so that the loop has one global load; a row of lower[] grows with
 * the centres, and starts from zero with each launch.  Left out: the host's choice whether to open
 * the candidate, and which centres close by it; here every candidate stays open.
 *
 * Coordinates and weights are small whole numbers: every sum is exact in a float (below
 * 2^24), so results are compared bit for bit.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 512, MAX_COORD = 63, MAX_WEIGHT = 4 };

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 2, 1 << 20, "number of points"},
    /* 1024 x 63^2 x 4 < 2^24 keeps costs exact */
    {"dims", WORKLOAD_NUMBER, 1, 1024, "coordinates per point, the trip count of the loop"},
    {"centres", WORKLOAD_NUMBER, 1, 256, "centres open before the first launch"},
    {"launches", WORKLOAD_NUMBER, 1, 256, "candidates tried, one per launch"},
    {"form", WORKLOAD_TEXT, 0, 0, "rodinia or rodinia2 (n of 512)"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=1000,dims=16,centres=4,launches=2,form=rodinia"},
    {"small", "n=16384,dims=128,centres=16,launches=2,form=rodinia"},
    /* Wang's 256 K points, of the suite's 256 coordinates; two launches, as there */
    {"doc", "n=262144,dims=256,centres=16,launches=2,form=rodinia"},
    /* the suite's points and least number of centres; the first of its hundreds of launches */
    {"rodinia2", "n=65536,dims=256,centres=10,launches=2,form=rodinia2"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "streamcluster",
     .load = 0,
     .nreq = 1,
     .nreq_max = 2,
     .stride_bytes = 4,
     .what = "coord[d * n + t]; one line where n is a multiple of 32"},
    {.kernel = "streamcluster",
     .load = 1,
     .nreq = 1,
     .stride_bytes = 0,
     .what = "coord[d * n + centre]"},
    {.kernel = "streamcluster",
     .load = 2,
     .nreq = 8,
     .stride_bytes = 32,
     .what = "points[t].weight"},
    {.kernel = "streamcluster", .load = 3, .nreq = 8, .stride_bytes = 32, .what = "points[t].cost"},
    {0},
};

/* As the kernel's struct point. */
struct point {
    float weight;
    uint32_t pad;
    uint64_t coord;
    uint64_t assign; /* the centre's point number */
    float cost;
    uint32_t pad2;
};
_Static_assert(sizeof(struct point) == 32, "the documents give 32 bytes per point");

struct problem {
    bool is_rodinia2;
    uint32_t n, dims, centres, launches, pitch;
    float *coord;         /* [dims][n] */
    struct point *points; /* [n] */
    uint32_t *column;     /* [n], the column of a centre in lower[] */
    float *lower;         /* [n][pitch] */
    uint8_t *switches;    /* [n] */
};

/* Weighted squared distance; whole numbers, exact in any order. */
static float cost_between(const struct problem *p, uint32_t point, uint32_t centre)
{
    int64_t sum = 0;
    for (uint32_t d = 0; d < p->dims; d++) {
        const float *row = p->coord + (size_t)d * p->n;
        int64_t difference = (int64_t)row[point] - (int64_t)row[centre];
        sum += difference * difference;
    }
    return (float)(sum * (int64_t)p->points[point].weight);
}

static struct problem make(struct run *run)
{
    static const char *const forms[] = {"rodinia", "rodinia2"};
    struct problem p = {.is_rodinia2 = run_word(run, "form", forms, 2) == 1,
                        .n = run_u32(run, "n"),
                        .dims = run_u32(run, "dims"),
                        .centres = run_u32(run, "centres"),
                        .launches = run_u32(run, "launches")};
    p.pitch = p.centres + p.launches;
    p.coord = RUN_ARRAY(run, float, (size_t)p.n *p.dims);
    p.points = RUN_ARRAY(run, struct point, p.n);
    p.column = RUN_ARRAY(run, uint32_t, p.n);
    p.lower = RUN_ARRAY(run, float, (size_t)p.n *p.pitch);
    p.switches = RUN_ARRAY(run, uint8_t, p.n);
    if (p.pitch > p.n) {
        run_refuse(run, "%u centres among %u points; use more points", p.pitch, p.n);
    } else if (p.is_rodinia2 && p.n % BLOCK) {
        run_refuse(run, "n=%u; form=rodinia2 needs a multiple of %d", p.n, BLOCK);
    }
    if (run->failed) {
        return p;
    }
    for (size_t i = 0; i < (size_t)p.n * p.dims; i++) {
        p.coord[i] = (float)rng_below(&run->rng, MAX_COORD + 1);
    }
    /* The first points are the centres, so a centre's number is its column. */
    for (uint32_t i = 0; i < p.n; i++) {
        p.points[i].weight = (float)(1 + rng_below(&run->rng, MAX_WEIGHT));
        p.points[i].assign = i < p.centres ? i : rng_below(&run->rng, p.centres);
        p.points[i].cost = cost_between(&p, i, (uint32_t)p.points[i].assign);
        p.column[i] = i < p.pitch ? i : 0;
    }
    return p;
}

/* The reference: one candidate, point by point, added to lower[] and switches[]. */
static void expect_launch(struct problem *p, uint32_t centre, uint32_t n_centres)
{
    for (uint32_t i = 0; i < p->n; i++) {
        float cost = cost_between(p, i, centre), old = p->points[i].cost;
        float *mine = p->lower + (size_t)i * p->pitch;
        if (cost < old) {
            p->switches[i] = 1;
            mine[n_centres] += cost - old;
        } else {
            mine[p->points[i].assign] += old - cost;
        }
    }
}

/* The candidate stays open and takes the points that gain by it. */
static void open_centre(struct problem *p, uint32_t centre)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->switches[i]) {
            p->points[i].assign = centre;
            p->points[i].cost = cost_between(p, i, centre);
            p->switches[i] = 0;
        }
    }
}

struct device {
    gpu_ptr points, coord, column, lower, switches;
};

static void launch_rodinia(struct run *run, const struct problem *p, const struct device *d,
                           uint32_t centre)
{
    RUN_LAUNCH(run, "streamcluster", dim1(cover(p->n, BLOCK)), dim1(BLOCK), host_arg_u64(d->points),
               host_arg_u64(d->coord), host_arg_u64(d->column), host_arg_u64(d->lower),
               host_arg_u64(d->switches), host_arg_u32(p->n), host_arg_u32(p->dims),
               host_arg_u32(centre), host_arg_u32(centre), host_arg_u32(p->pitch));
}

/* A row has a sum for each centre and one more; all start from zero. */
static void launch_rodinia2(struct run *run, struct problem *p, const struct device *d,
                            uint32_t centre)
{
    const struct host_arg args[] = {
        host_arg_u64(d->points), host_arg_u64(d->coord),    host_arg_u64(d->column),
        host_arg_u64(d->lower),  host_arg_u64(d->switches), host_arg_u32(p->n),
        host_arg_u32(p->dims),   host_arg_u64(centre),      host_arg_u32(centre)};
    const size_t bytes = (size_t)p->n * (centre + 1) * sizeof *p->lower;
    p->pitch = centre + 1;
    memset(p->lower, 0, bytes);
    host_write(run->host, d->lower, p->lower, bytes);
    host_launch(run->host, run->module, "streamcluster_rodinia2", dim1(p->n / BLOCK), dim1(BLOCK),
                p->dims * (uint32_t)sizeof(float), args, sizeof args / sizeof *args);
}

static void launch(struct run *run, struct problem *p, const struct device *d, uint32_t centre)
{
    host_write(run->host, d->points, p->points, p->n * sizeof *p->points);
    host_write(run->host, d->switches, p->switches, p->n);
    if (p->is_rodinia2) {
        launch_rodinia2(run, p, d, centre);
    } else {
        launch_rodinia(run, p, d, centre);
    }
}

static void check_launch(struct run *run, const struct problem *p, const struct device *d,
                         float *lower, uint8_t *switches)
{
    const size_t n_sums = (size_t)p->n * p->pitch;
    run_download(run, lower, d->lower, n_sums * sizeof *lower);
    run_download(run, switches, d->switches, p->n);
    for (size_t i = 0; i < n_sums; i++) {
        check_that(run->result, lower[i] == p->lower[i],
                   "lower[%zu] is %.9g; the reference is "
                   "%.9g",
                   i, (double)lower[i], (double)p->lower[i]);
    }
    for (uint32_t i = 0; i < p->n; i++) {
        check_that(run->result, switches[i] == p->switches[i],
                   "switches[%u] is %u; the "
                   "reference is %u",
                   i, switches[i], p->switches[i]);
    }
}

static int run_streamcluster(struct host *host, const struct workload_size *size, uint64_t seed,
                             struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "streamcluster/streamcluster.ptx");
    struct problem p = make(&run);
    float *lower = RUN_ARRAY(&run, float, (size_t)p.n *p.pitch);
    uint8_t *switches = RUN_ARRAY(&run, uint8_t, p.n);
    if (run.failed) {
        return run_end(&run);
    }
    const struct device d = {
        .points = run_alloc(&run, "points", p.n * sizeof *p.points),
        .coord = run_upload(&run, "coord", p.coord, (size_t)p.n * p.dims * sizeof *p.coord),
        .column = run_upload(&run, "column", p.column, p.n * sizeof *p.column),
        .lower = run_upload(&run, "lower", p.lower, (size_t)p.n * p.pitch * sizeof *p.lower),
        .switches = run_alloc(&run, "switches", p.n),
    };
    for (uint32_t k = 0; k < p.launches; k++) {
        uint32_t centre = p.centres + k;
        launch(&run, &p, &d, centre);
        expect_launch(&p, centre, centre);
        check_launch(&run, &p, &d, lower, switches);
        open_centre(&p, centre);
    }
    return run_end(&run);
}

const struct workload workload_streamcluster = {
    .name = "streamcluster",
    .title = "gain of a new cluster centre",
    .source = "Wang 2015 section 6; ACI document section 6.2",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_streamcluster,
};
