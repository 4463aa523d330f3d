/* digits.c - the two last layers of a network that reads handwritten digits.
 *
 * Works after tabbakh2018-coherence 6.1 (NN of Fig 2.2, ISPASS-2009); weights and images are random.
 * Loads: a CTA is one thread, so that each is one line: 1250 (100) neurons of the image, by its
 * blockIdx.y, and as many weights of the neuron, by its blockIdx.x.
 */
#include "workloads/approx.h"
#include "workloads/check.h"
#include "workloads/run.h"

enum { LAYER3 = 1250, LAYER4 = 100, LAYER5 = 10 };

static const struct workload_param params[] = {
    {"images", WORKLOAD_NUMBER, 1, 4096, "images"},
    {"layers", WORKLOAD_NUMBER, 1, 2, "layers computed: the fourth, or the third as well"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "images=16,layers=1"},
    {"small", "images=240,layers=1"},
    {"doc", "images=28,layers=2"},
    {0},
};

static struct approx sigmoid(struct approx x)
{
    const struct approx one = approx_exact(1);
    struct approx power = approx_exp2(approx_mul(approx_exact((double)1.9235934f), x));
    struct approx part = approx_div(approx_exact(2), approx_add(one, power));
    return approx_mul(approx_exact((double)1.7159f), approx_sub(one, part));
}

/* A layer of `n` neurons over `below`, as the kernels sum. */
static void layer(const struct approx *below, uint32_t n_below, const float *weights, uint32_t n,
                  struct approx *out)
{
    for (uint32_t neuron = 0; neuron < n; neuron++) {
        const float *weight = &weights[neuron * (n_below + 1)];
        struct approx sum = approx_exact((double)weight[0]);
        for (uint32_t i = 0; i < n_below; i++) {
            sum = approx_mad(below[i], approx_exact((double)weight[i + 1]), sum);
        }
        out[neuron] = sigmoid(sum);
    }
}

static float *random_array(struct run *run, size_t n, float scale)
{
    float *array = RUN_ARRAY(run, float, n);
    for (size_t i = 0; array != NULL && i < n; i++) {
        array[i] = rng_f32_signed(&run->rng) * scale;
    }
    return array;
}

static int run_digits(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "digits/digits.ptx");
    const uint32_t images = run_u32(&run, "images");
    const bool both = run_u32(&run, "layers") == 2;
    const size_t n3 = (size_t)images * LAYER3, n4 = (size_t)images * LAYER4,
                 n5 = (size_t)images * LAYER5, w3 = LAYER4 * (LAYER3 + 1),
                 w4 = LAYER5 * (LAYER4 + 1);
    float *neurons = random_array(&run, n3, 1), *third = random_array(&run, w3, 0.05f);
    float *fourth = random_array(&run, w4, 0.2f), *got = RUN_ARRAY(&run, float, n5);
    struct approx *exact = RUN_ARRAY(&run, struct approx, n3);
    struct approx *middle = RUN_ARRAY(&run, struct approx, n4);
    float *start = random_array(&run, n4, 1); /* of the fourth layer, without the third */
    struct approx *want = RUN_ARRAY(&run, struct approx, n5);
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < n3; i++) {
        exact[i] = approx_exact((double)neurons[i]);
    }
    for (size_t i = 0; i < n4; i++) {
        middle[i] = approx_exact((double)start[i]);
    }
    for (uint32_t image = 0; image < images; image++) {
        if (both) {
            layer(&exact[image * LAYER3], LAYER3, third, LAYER4, &middle[image * LAYER4]);
        }
        layer(&middle[image * LAYER4], LAYER4, fourth, LAYER5, &want[image * LAYER5]);
    }
    gpu_ptr dev3 = run_upload(&run, "Layer3_Neurons_GPU", neurons, n3 * sizeof *neurons);
    gpu_ptr dev_w3 = run_upload(&run, "Layer3_Weights_GPU", third, w3 * sizeof *third);
    gpu_ptr dev_w4 = run_upload(&run, "Layer4_Weights_GPU", fourth, w4 * sizeof *fourth);
    gpu_ptr dev4 = run_upload(&run, "Layer4_Neurons_GPU", start, n4 * sizeof *start);
    gpu_ptr dev5 = run_alloc(&run, "Layer5_Neurons_GPU", n5 * sizeof(float));
    if (both) {
        RUN_LAUNCH(&run, "digits_third", dim2(LAYER4, images), dim1(1), host_arg_u64(dev3),
                   host_arg_u64(dev_w3), host_arg_u64(dev4));
    }
    RUN_LAUNCH(&run, "digits_fourth", dim2(LAYER5, images), dim1(1), host_arg_u64(dev4),
               host_arg_u64(dev_w4), host_arg_u64(dev5));
    run_download(&run, got, dev5, n5 * sizeof *got);
    check_f32(result, "Layer5_Neurons_GPU", got, want, n5);
    return run_end(&run);
}

const struct workload workload_digits = {
    .name = "digits",
    .title = "neural network that reads digits: its last layers, a thread a CTA",
    .source = "Tabbakh 2018 Fig 2.2 (ISPASS NN)",
    .params = params,
    .sizes = sizes,
    .expect = NULL, /* one lane per warp: the table is for 32 */
    .run = run_digits,
};
