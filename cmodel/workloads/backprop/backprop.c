/* backprop.c - one layer of a neural network: forward sums, then weight update.
 *
 * A warp is two rows of a 16 x 16 tile of weights; rows lie 68 bytes apart, so a
 * warp's two rows always straddle one line boundary (2 requests) and its address
 * moves by 136 bytes from warp to warp.  The inputs are loaded by one thread per
 * row (forward) or shared by a row (adjust).  The forward sum halves the active
 * rows at each of four barriers.
 *
 * form=rodinia is the suite's own kernels (2.x): the forward one finds its halves by special
 * functions and a remainder and writes its products over the weights, which the host then
 * restores; the other's rates are constants of double precision.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { HID = 16, PITCH = HID + 1 };

static const struct workload_param params[] = {
    {"ctas", WORKLOAD_NUMBER, 1, 65535, "CTAs of 16 inputs each"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "ctas=64,form=lean"},
    {"small", "ctas=1024,form=lean"},
    {"doc", "ctas=4096,form=lean"},
    {"rodinia", "ctas=4096,form=rodinia"}, /* its 65536 inputs */
    {0},
};

#define LOAD(which, ordinal, requests, expression) \
    { \
        .kernel = "backprop_" which, .load = ordinal, .nreq = requests, .stride_bytes = 4, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD("forward", 1, 2, "weights[17*16*by + 17*ty + tx + 18]"),
    LOAD("adjust", 0, 1, "delta[tx + 1]"),
    LOAD("adjust", 2, 2, "changes[17*16*by + 17*ty + tx + 18]"),
    LOAD("adjust", 3, 2, "weights[17*16*by + 17*ty + tx + 18]"),
    {.kernel = "backprop_adjust",
     .load = 1,
     .nreq = 1,
     .nreq_max = 2,
     .stride_bytes = 0,
     .what = "input[16*by + ty + 1]"},
    {0},
};

struct layer {
    bool is_lean;
    uint32_t ctas, n_in, n_weights, n_partial;
    float *input, *weights, *changes, *delta, *partial;
    struct approx *want_partial, *want_weights, *want_changes;
    float eta, momentum;
    gpu_ptr dev_input, dev_weights, dev_changes, dev_delta, dev_partial;
};

static struct layer make_layer(struct run *run)
{
    const uint32_t ctas = run_u32(run, "ctas"), n_in = ctas * HID + 1;
    static const char *const forms[] = {"lean", "rodinia"};
    struct layer l = {
        .is_lean = run_word(run, "form", forms, 2) == 0,
        .ctas = ctas,
        .n_in = n_in,
        .n_weights = n_in * PITCH,
        .n_partial = ctas * HID,
        .eta = 0.3f,
        .momentum = 0.3f,
    };
    l.input = run_random_f32(run, l.n_in);
    l.weights = run_random_f32(run, l.n_weights);
    l.changes = run_random_f32(run, l.n_weights);
    l.delta = run_random_f32(run, PITCH);
    l.partial = RUN_ARRAY(run, float, l.n_partial);
    l.want_partial = RUN_ARRAY(run, struct approx, l.n_partial);
    l.want_weights = RUN_ARRAY(run, struct approx, l.n_weights);
    l.want_changes = RUN_ARRAY(run, struct approx, l.n_weights);
    return l;
}

/* Hidden unit h + 1 of CTA `by`: products summed in halves, as the barriers do. */
static struct approx partial_reference(const struct layer *l, uint32_t by, uint32_t h)
{
    struct approx product[HID];
    for (uint32_t i = 0; i < HID; i++) {
        const uint32_t in = by * HID + i + 1;
        product[i] = approx_mul(approx_exact((double)l->weights[in * PITCH + h + 1]),
                                approx_exact((double)l->input[in]));
    }
    for (uint32_t half = HID / 2; half > 0; half /= 2) {
        for (uint32_t i = 0; i < half; i++) {
            product[i] = approx_add(product[i], product[i + half]);
        }
    }
    return product[0];
}

/* Weight of input `in` (0 is the bias, whose value is 1) to hidden unit h > 0. */
static void adjust_reference(const struct layer *l, uint32_t in, uint32_t h)
{
    const uint32_t at = in * PITCH + h;
    struct approx change = approx_mul(approx_exact((double)l->eta),
                                      approx_exact((double)l->delta[h]));
    if (in > 0) {
        change = approx_mul(change, approx_exact((double)l->input[in]));
    }
    change = approx_add(change, approx_mul(approx_exact((double)l->momentum),
                                           approx_exact((double)l->changes[at])));
    l->want_changes[at] = change;
    l->want_weights[at] = approx_add(approx_exact((double)l->weights[at]), change);
}

static void reference(const struct layer *l)
{
    for (uint32_t i = 0; i < l->n_partial; i++) {
        l->want_partial[i] = partial_reference(l, i / HID, i % HID);
    }
    for (uint32_t i = 0; i < l->n_weights; i++) {
        l->want_weights[i] = approx_exact((double)l->weights[i]);
        l->want_changes[i] = approx_exact((double)l->changes[i]);
        if (i % PITCH > 0) {
            adjust_reference(l, i / PITCH, i % PITCH);
        }
    }
}

static void launch_lean(struct run *run, const struct layer *l)
{
    RUN_LAUNCH(run, "backprop_forward", dim2(1, l->ctas), dim2(HID, HID),
               host_arg_u64(l->dev_input), host_arg_u64(l->dev_weights),
               host_arg_u64(l->dev_partial));
    RUN_LAUNCH(run, "backprop_adjust", dim2(1, l->ctas), dim2(HID, HID), host_arg_u64(l->dev_delta),
               host_arg_u64(l->dev_input), host_arg_u64(l->dev_weights),
               host_arg_u64(l->dev_changes), host_arg_f32(l->eta), host_arg_f32(l->momentum));
}

static void launch_rodinia(struct run *run, const struct layer *l)
{
    RUN_LAUNCH(run, "backprop_forward_rodinia", dim2(1, l->ctas), dim2(HID, HID),
               host_arg_u64(l->dev_input), host_arg_u64(l->dev_weights),
               host_arg_u64(l->dev_partial));
    host_write(run->host, l->dev_weights, l->weights, l->n_weights * sizeof(float));
    RUN_LAUNCH(run, "backprop_adjust_rodinia", dim2(1, l->ctas), dim2(HID, HID),
               host_arg_u64(l->dev_delta), host_arg_u64(l->dev_input), host_arg_u64(l->dev_weights),
               host_arg_u64(l->dev_changes));
}

static void launch(struct run *run, struct layer *l)
{
    const size_t weights_bytes = l->n_weights * sizeof(float);
    l->dev_input = run_upload(run, "input", l->input, l->n_in * sizeof(float));
    l->dev_weights = run_upload(run, "weights", l->weights, weights_bytes);
    l->dev_changes = run_upload(run, "changes", l->changes, weights_bytes);
    l->dev_delta = run_upload(run, "delta", l->delta, PITCH * sizeof(float));
    l->dev_partial = run_alloc(run, "partial", l->n_partial * sizeof(float));
    if (l->is_lean) {
        launch_lean(run, l);
    } else {
        launch_rodinia(run, l);
    }
    run_download(run, l->partial, l->dev_partial, l->n_partial * sizeof(float));
    run_download(run, l->weights, l->dev_weights, weights_bytes);
    run_download(run, l->changes, l->dev_changes, weights_bytes);
}

static int run_backprop(struct host *host, const struct workload_size *size, uint64_t seed,
                        struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "backprop/backprop.ptx");
    struct layer l = make_layer(&run);
    if (run.failed) {
        return run_end(&run);
    }
    reference(&l);
    launch(&run, &l);
    check_f32(result, "partial", l.partial, l.want_partial, l.n_partial);
    check_f32(result, "weights", l.weights, l.want_weights, l.n_weights);
    check_f32(result, "changes", l.changes, l.want_changes, l.n_weights);
    return run_end(&run);
}

const struct workload workload_backprop = {
    .name = "backprop",
    .title = "back propagation, input to hidden layer",
    .source = "caps-prefetch section 6.1 (BPR), tabbakh2018-coherence section 6.1",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_backprop,
};
