/* digits.c - a network that reads handwritten digits: its last layers, or all four.
 *
 * Works after tabbakh2018-coherence 6.1 (NN of Fig 2.2, ISPASS-2009); weights and images are random.
 * Third and fourth layer: a CTA is one thread, so that each load is one line: 1250 (100) neurons of
 * the image, by its blockIdx.y, and as many weights of the neuron, by its blockIdx.x.
 * First and second: rows of 13 (5) lanes that are two words apart, 25 (150) loads of neurons and as
 * many of weights, which are the same for a CTA; places in the window are in constant memory.
 *
 * layers=4 is the suite's whole program.  Its first and second layer end in products of double
 * precision and CUDA's tanhf with its two branches; the third and fourth, older here, have a sigmoid
 * of an exponential and a division in single precision, once for 1250 or 100 pairs of loads.
 */
#include "workloads/approx.h"
#include "workloads/check.h"
#include "workloads/run.h"

enum { LAYERS = 4, WINDOW = 5 };

static const struct workload_param params[] = {
    {"images", WORKLOAD_NUMBER, 1, 4096, "images"},
    {"layers", WORKLOAD_NUMBER, 1, LAYERS, "layers computed: the last ones of four"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "images=16,layers=1"},
    {"small", "images=240,layers=1"},
    {"doc", "images=28,layers=2"},
    {"ispass", "images=28,layers=4"}, /* the suite's own run */
    {0},
};

/* A layer, number 1 first: what it reads, and a CTA for each map and image. */
static const struct layer {
    const char *kernel, *neurons, *weights;
    uint32_t maps, side; /* of neurons, in a square */
    uint32_t out_maps, out_side;
    float scale; /* of its random weights */
} layers[LAYERS + 1] = {
    {0},
    {"digits_first", "Layer1_Neurons_GPU", "Layer1_Weights_GPU", 1, 29, 6, 13, 0.3f},
    {"digits_second", "Layer2_Neurons_GPU", "Layer2_Weights_GPU", 6, 13, 50, 5, 0.1f},
    {"digits_third", "Layer3_Neurons_GPU", "Layer3_Weights_GPU", 1250, 1, 100, 1, 0.05f},
    {"digits_fourth", "Layer4_Neurons_GPU", "Layer4_Weights_GPU", 100, 1, 10, 1, 0.2f},
};

struct net {
    uint32_t images, first; /* layer computed */
    float *neurons[LAYERS + 1], *weights[LAYERS + 1], *got[LAYERS + 1];
    struct approx *read, *want[LAYERS + 1]; /* read: by the first */
    gpu_ptr dev[LAYERS + 1], dev_weights[LAYERS + 1], dev_out;
};

static bool has_windows(const struct layer *l)
{
    return l->side > 1;
}

/* Neurons of an image that a layer reads; those that it writes; weights of one of its maps. */
static uint32_t n_below(const struct layer *l)
{
    return l->maps * l->side * l->side;
}

static uint32_t n_above(const struct layer *l)
{
    return l->out_maps * l->out_side * l->out_side;
}

static uint32_t n_of_map(const struct layer *l)
{
    return has_windows(l) ? (WINDOW * WINDOW + 1) * l->maps : l->maps + 1;
}

static struct approx sigmoid(struct approx x)
{
    const struct approx one = approx_exact(1);
    struct approx power = approx_exp2(approx_mul(approx_exact((double)1.9235934f), x));
    struct approx part = approx_div(approx_exact(2), approx_add(one, power));
    return approx_mul(approx_exact((double)1.7159f), approx_sub(one, part));
}

/* As the layers with windows have it.  Two exponentials and the quotient are off by 2^-22 each, which
 * is at most half in a result of a half or more; roundings and the fit of the lower branch are less. */
static struct approx sigmoid_double(struct approx x)
{
    const struct approx y = approx_mul(approx_exact(0.66666667), x);
    const double tanh_y = tanh(y.value);
    return approx_mul(approx_exact(1.7159),
                      (struct approx){.value = tanh_y, .bound = y.bound + 0x1p-20 * fabs(tanh_y)});
}

/* A neuron over all `n` below, as the kernels sum. */
static struct approx dense(const struct approx *below, uint32_t n, const float *weight)
{
    struct approx sum = approx_exact((double)weight[0]);
    for (uint32_t i = 0; i < n; i++) {
        sum = approx_mad(below[i], approx_exact((double)weight[i + 1]), sum);
    }
    return sigmoid(sum);
}

/* A neuron over the window that begins at `below` in each map. */
static struct approx windowed(const struct layer *l, const struct approx *below,
                              const float *weight)
{
    struct approx sum = approx_exact((double)*weight++);
    for (uint32_t i = 0; i < WINDOW * WINDOW; i++) {
        const struct approx *at = &below[i / WINDOW * l->side + i % WINDOW];
        for (uint32_t map = 0; map < l->maps; map++) {
            sum = approx_mad(at[map * l->side * l->side], approx_exact((double)*weight++), sum);
        }
    }
    return sigmoid_double(sum);
}

/* A layer of one image. */
static void reference_layer(const struct layer *l, const struct approx *below, const float *weights,
                            struct approx *out)
{
    for (uint32_t neuron = 0; neuron < n_above(l); neuron++) {
        const uint32_t area = l->out_side * l->out_side, at = neuron % area;
        const uint32_t x = 2 * (at % l->out_side), y = 2 * (at / l->out_side);
        const float *weight = &weights[neuron / area * n_of_map(l)];
        out[neuron] = has_windows(l) ? windowed(l, &below[y * l->side + x], weight)
                                     : dense(below, n_below(l), weight);
    }
}

static void reference(const struct net *net)
{
    const struct approx *below = net->read;
    for (uint32_t i = net->first; i <= LAYERS; below = net->want[i++]) {
        for (uint32_t image = 0; image < net->images; image++) {
            reference_layer(&layers[i], &below[(size_t)image * n_below(&layers[i])],
                            net->weights[i], &net->want[i][(size_t)image * n_above(&layers[i])]);
        }
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

static void draw_neurons(struct run *run, struct net *net, uint32_t i)
{
    net->neurons[i] = random_array(run, (size_t)net->images * n_below(&layers[i]), 1);
}

static void draw_weights(struct run *run, struct net *net, uint32_t i)
{
    net->weights[i] = random_array(run, (size_t)layers[i].out_maps * n_of_map(&layers[i]),
                                   layers[i].scale);
}

/* What a layer reads is drawn even where the one before writes it.  The last two layers come first,
 * so that theirs is the same whether there are others. */
static void make_net(struct run *run, struct net *net)
{
    draw_neurons(run, net, 3);
    draw_weights(run, net, 3);
    draw_weights(run, net, 4);
    draw_neurons(run, net, 4);
    for (uint32_t i = net->first; i < 3; i++) {
        draw_neurons(run, net, i);
        draw_weights(run, net, i);
    }
    const size_t n = (size_t)net->images * n_below(&layers[net->first]);
    net->read = RUN_ARRAY(run, struct approx, n);
    for (size_t i = 0; !run->failed && i < n; i++) {
        net->read[i] = approx_exact((double)net->neurons[net->first][i]);
    }
    for (uint32_t i = net->first; i <= LAYERS; i++) {
        net->got[i] = RUN_ARRAY(run, float, (size_t)net->images *n_above(&layers[i]));
        net->want[i] = RUN_ARRAY(run, struct approx, (size_t)net->images * n_above(&layers[i]));
    }
}

static void upload_neurons(struct run *run, struct net *net, uint32_t i)
{
    net->dev[i] = run_upload(run, layers[i].neurons, net->neurons[i],
                             (size_t)net->images * n_below(&layers[i]) * sizeof(float));
}

static void upload_weights(struct run *run, struct net *net, uint32_t i)
{
    net->dev_weights[i] = run_upload(run, layers[i].weights, net->weights[i],
                                     (size_t)layers[i].out_maps * n_of_map(&layers[i]) *
                                         sizeof(float));
}

static void upload(struct run *run, struct net *net)
{
    upload_neurons(run, net, 3);
    upload_weights(run, net, 3);
    upload_weights(run, net, 4);
    upload_neurons(run, net, 4);
    net->dev_out = run_alloc(run, "Layer5_Neurons_GPU",
                             (size_t)net->images * n_above(&layers[LAYERS]) * sizeof(float));
    for (uint32_t i = net->first; i < 3; i++) {
        upload_neurons(run, net, i);
        upload_weights(run, net, i);
    }
}

static gpu_ptr above(const struct net *net, uint32_t i)
{
    return i < LAYERS ? net->dev[i + 1] : net->dev_out;
}

static int run_digits(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "digits/digits.ptx");
    struct net net = {.images = run_u32(&run, "images"),
                      .first = LAYERS + 1 - run_u32(&run, "layers")};
    make_net(&run, &net);
    if (run.failed) {
        return run_end(&run);
    }
    reference(&net);
    upload(&run, &net);
    for (uint32_t i = net.first; i <= LAYERS; i++) {
        RUN_LAUNCH(&run, layers[i].kernel, dim2(layers[i].out_maps, net.images),
                   dim2(layers[i].out_side, layers[i].out_side), host_arg_u64(net.dev[i]),
                   host_arg_u64(net.dev_weights[i]), host_arg_u64(above(&net, i)));
    }
    for (uint32_t i = net.first; i <= LAYERS; i++) {
        const size_t n = (size_t)net.images * n_above(&layers[i]);
        run_download(&run, net.got[i], above(&net, i), n * sizeof(float));
        check_f32(result, i < LAYERS ? layers[i + 1].neurons : "Layer5_Neurons_GPU", net.got[i],
                  net.want[i], n);
    }
    return run_end(&run);
}

const struct workload workload_digits = {
    .name = "digits",
    .title = "neural network that reads digits: its last layers, a thread a CTA, or all",
    .source = "Tabbakh 2018 Fig 2.2 (ISPASS NN)",
    .params = params,
    .sizes = sizes,
    .expect = NULL, /* one lane per warp in the last layers: the table is for 32 */
    .run = run_digits,
};
