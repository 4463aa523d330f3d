/* stats_kernels.c - what each kernel added to each counter: a line of CSV a kernel; and, of all launches of a
 * kernel together, how long they took.
 *
 * The columns are the tables of stats.h, in their order.  It must not know how anything is counted.
 */
#include "machine/gpu.h"

static uint64_t flits(const struct network *network)
{
    uint64_t sum = 0;

    for (uint32_t type = 0; type < MSG_TYPES; type++) {
        sum += network->stats.flits[type];
    }
    return sum;
}

static uint64_t slots(const struct gpu *gpu, enum slot_class class)
{
    uint64_t sum = 0;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        for (uint32_t n = 0; n < gpu->config.sm_schedulers; n++) {
            sum += sm_stats(sm_at(gpu->sm, s))->slot[n][class];
        }
    }
    return sum;
}

static void count(const struct gpu *gpu, struct gpu_counts *counts)
{
    uint64_t *at = counts->value;

#define C(name, ...) \
    *at = 0; \
    for (uint32_t s = 0; s < gpu->n_sms; s++) { \
        *at += sm_stats(sm_at(gpu->sm, s))->name; \
    } \
    at++;
    SM_COUNTERS(C)
    FETCH_COUNTERS(C)
#undef C
#define C(name, ...) *at++ = slots(gpu, SLOT_##name);
    SLOT_CLASSES(C)
#undef C
#define C(name, ...) \
    *at = 0; \
    for (uint32_t b = 0; b < gpu->n_banks; b++) { \
        *at += gpu->bank[b].stats.name; \
    } \
    at++;
    L2_COUNTERS(C)
#undef C
#define C(name, ...) \
    *at = 0; \
    for (uint32_t d = 0; d < gpu->n_channels; d++) { \
        *at += gpu->channel[d].stats.name; \
    } \
    at++;
    DRAM_COUNTERS(C)
#undef C
    *at++ = flits(&gpu->request_net);
    *at = flits(&gpu->reply_net);
}

static void print_names(FILE *out)
{
    fputs("kernel,kernel_name,cycles", out);
#define C(name, ...) fputs("," #name, out);
    SM_COUNTERS(C)
    FETCH_COUNTERS(C)
#undef C
#define C(name, ...) fputs(",slot." #name, out);
    SLOT_CLASSES(C)
#undef C
#define C(name, ...) fputs(",l2." #name, out);
    L2_COUNTERS(C)
#undef C
#define C(name, ...) fputs(",dram." #name, out);
    DRAM_COUNTERS(C)
#undef C
    fputs(",request_flits,reply_flits\n", out);
}

void gpu_stats_kernel(const struct gpu *gpu, struct gpu_counts *before, FILE *out)
{
    const struct gpu_launch_record *launch = &gpu->launches[gpu->n_launches - 1];
    struct gpu_counts now;

    count(gpu, &now);
    if (gpu->n_launches == 1) {
        print_names(out);
    }
    fprintf(out, "%u,%s,%llu", gpu->n_launches, launch->kernel,
            (unsigned long long)(launch->end_cycle - launch->start_cycle));
    for (uint32_t c = 0; c < GPU_COUNTS; c++) {
        fprintf(out, ",%llu", (unsigned long long)(now.value[c] - before->value[c]));
    }
    fputc('\n', out);
    *before = now;
}

json_t *gpu_stats_of_kernels(const struct gpu *gpu)
{
    json_t *kernels = json_object();

    for (uint32_t l = 0; l < gpu->n_launches; l++) {
        const struct gpu_launch_record *launch = &gpu->launches[l];
        const json_int_t add[] = {1, (json_int_t)(launch->end_cycle - launch->start_cycle),
                                  (json_int_t)launch->warp_instructions};
        static const char *const name[] = {"launches", "cycles", "warp_instructions"};
        json_t *one = json_object_get(kernels, launch->kernel);

        if (!one) {
            one = json_object();
            json_object_set_new(kernels, launch->kernel, one);
        }
        for (uint32_t k = 0; k < sizeof add / sizeof *add; k++) {
            const json_int_t before = json_integer_value(json_object_get(one, name[k]));
            json_object_set_new(one, name[k], json_integer(before + add[k]));
        }
    }
    return kernels;
}
