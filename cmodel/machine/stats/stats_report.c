/* stats_report.c - the statistics as JSON and as one screen of text.
 *
 * Works after the metric definitions of wang2015-divergence 3.8 and caps-prefetch 5.2.
 * The order of keys is the order of the tables in stats.h, so equal runs give equal
 * bytes.  It must not know how anything is counted.
 */
#include <math.h>
#include <string.h>

#include "machine/gpu.h"

/* ---- sums ---- */

static void add_counters(struct sm_stats *total, const struct sm_stats *s)
{
#define C(name, ...) total->name += s->name;
    SM_COUNTERS(C)
    FETCH_COUNTERS(C)
#undef C
    for (uint32_t n = 0; n < 4; n++) {
        for (uint32_t k = 0; k < SLOT_CLASSES_N; k++) {
            total->slot[n][k] += s->slot[n][k];
        }
    }
    for (uint32_t d = 0; d < 2; d++) {
        for (uint32_t b = 0; b < MPLI_BINS; b++) {
            total->mpli[d][b] += s->mpli[d][b];
        }
    }
    for (uint32_t b = 0; b < LATENCY_BINS; b++) {
        total->latency[b] += s->latency[b];
    }
    for (uint32_t b = 0; b < STATS_MAX_MSHRS; b++) {
        total->mshr_occupancy[b] += s->mshr_occupancy[b];
    }
    total->concentration_divergent += s->concentration_divergent;
    total->concentration_all += s->concentration_all;
}

static struct sm_stats sum_sms(const struct gpu *gpu)
{
    struct sm_stats total = {0};

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        add_counters(&total, sm_stats(sm_at(gpu->sm, s)));
    }
    return total;
}

static struct l2_stats sum_l2(const struct gpu *gpu)
{
    struct l2_stats total = {0};

    for (uint32_t b = 0; b < gpu->n_banks; b++) {
#define C(name, ...) total.name += gpu->bank[b].stats.name;
        L2_COUNTERS(C)
#undef C
    }
    return total;
}

static struct dram_stats sum_dram(const struct gpu *gpu)
{
    struct dram_stats total = {0};

    for (uint32_t d = 0; d < gpu->n_channels; d++) {
#define C(name, ...) total.name += gpu->channel[d].stats.name;
        DRAM_COUNTERS(C)
#undef C
        for (uint32_t b = 0; b < LATENCY_BINS; b++) {
            total.latency[b] += gpu->channel[d].stats.latency[b];
        }
    }
    return total;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0.0;
}

/* wang2015-divergence Eq 3.2: 1 is random-ideal.  Mean over the SMs that made accesses. */
static double balance(const struct gpu *gpu)
{
    double sum = 0, sms = 0, sets = gpu->config.l1d_sets;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        double m = 0, numerator = 0;

        for (uint32_t j = 0; j < gpu->config.l1d_sets; j++) {
            double b = (double)sm_stats(sm_at(gpu->sm, s))->set_accesses[j];
            m += b;
            numerator += b * (b + 1) / 2;
        }
        if (m > 0) {
            sum += numerator / (m / (2 * sets) * (m + 2 * sets - 1));
            sms++;
        }
    }
    return ratio(sum, sms);
}

/* ---- JSON ---- */

static json_t *numbers(const uint64_t *values, uint32_t n)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < n; i++) {
        json_array_append_new(array, json_integer((json_int_t)values[i]));
    }
    return array;
}

static void put(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

void gpu_put_real(json_t *to, const char *name, double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", value);
    json_object_set_new(to, name, json_real(strtod(text, NULL)));
}

static json_t *sm_json(const struct sm_stats *s)
{
    json_t *object = json_object();

#define C(name, ...) put(object, #name, s->name);
    SM_COUNTERS(C)
#undef C
    return object;
}

static json_t *fetch_json(const struct sm_stats *s)
{
    json_t *object = json_object();

#define C(name, ...) put(object, #name, s->name);
    FETCH_COUNTERS(C)
#undef C
    return object;
}

static json_t *slots_json(const struct gpu *gpu, const struct sm_stats *s)
{
    json_t *array = json_array();

    for (uint32_t n = 0; n < gpu->config.sm_schedulers; n++) {
        json_t *object = json_object();

#define C(name, ...) put(object, #name, s->slot[n][SLOT_##name]);
        SLOT_CLASSES(C)
#undef C
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *l2_json(const struct l2_stats *s)
{
    json_t *object = json_object();

#define C(name, ...) put(object, #name, s->name);
    L2_COUNTERS(C)
#undef C
    return object;
}

static json_t *dram_json(const struct dram_stats *s)
{
    json_t *object = json_object();

#define C(name, ...) put(object, #name, s->name);
    DRAM_COUNTERS(C)
#undef C
    json_object_set_new(object, "read_latency_log2", numbers(s->latency, LATENCY_BINS));
    return object;
}

static const char *const MSG_NAMES[MSG_TYPES] = {
    "read", "write", "atomic", "copy_back", "prefetch", "read_reply", "write_ack", "atomic_reply"};

static json_t *net_json(const struct net_stats *s)
{
    json_t *object = json_object();

    for (uint32_t t = 0; t < MSG_TYPES; t++) {
        json_t *one;

        if (!s->messages[t]) {
            continue;
        }
        one = json_object();
        put(one, "messages", s->messages[t]);
        put(one, "flits", s->flits[t]);
        put(one, "bytes", s->bytes[t]);
        json_object_set_new(object, MSG_NAMES[t], one);
    }
    return object;
}

static json_t *derived_json(const struct gpu *gpu, const struct sm_stats *s)
{
    json_t *object = json_object();
    double loads = (double)(s->loads_coherent + s->loads_divergent);

    gpu_put_real(object, "ipc", ratio((double)s->warp_instructions, (double)gpu->now));
    gpu_put_real(object, "thread_ipc", ratio((double)s->thread_instructions, (double)gpu->now));
    gpu_put_real(object, "l1d_load_miss_rate",
                 ratio((double)(s->load_misses_coherent + s->load_misses_divergent +
                                s->load_merges_coherent + s->load_merges_divergent),
                       (double)(s->load_accesses_coherent + s->load_accesses_divergent)));
    gpu_put_real(object, "concentration_divergent",
                 s->loads_divergent ? s->concentration_divergent / (double)s->loads_divergent
                                    : 1.0);
    gpu_put_real(object, "concentration_all", loads > 0 ? s->concentration_all / loads : 1.0);
    gpu_put_real(object, "balance", balance(gpu));
    gpu_put_real(object, "occlusion_share_coherent",
                 ratio((double)s->occlusion_coherent, (double)s->access_time_coherent));
    gpu_put_real(object, "occlusion_share_divergent",
                 ratio((double)s->occlusion_divergent, (double)s->access_time_divergent));
    gpu_put_real(object, "mshr_mean", ratio((double)s->mshr_cycles, (double)s->active_cycles));
    return object;
}

static json_t *launches_json(const struct gpu *gpu)
{
    json_t *array = json_array();

    for (uint32_t l = 0; l < gpu->n_launches; l++) {
        json_t *object = json_object();

        json_object_set_new(object, "kernel", json_string(gpu->launches[l].kernel));
        put(object, "start_cycle", gpu->launches[l].start_cycle);
        put(object, "end_cycle", gpu->launches[l].end_cycle);
        put(object, "warp_instructions", gpu->launches[l].warp_instructions);
        json_array_append_new(array, object);
    }
    return array;
}

json_t *gpu_stats_json(struct gpu *gpu)
{
    struct sm_stats total = sum_sms(gpu);
    struct l2_stats l2 = sum_l2(gpu);
    struct dram_stats dram = sum_dram(gpu);
    json_t *root = json_object(), *sms = json_array(), *mpli = json_object();

    put(root, "cycles", gpu->now);
    json_object_set_new(root, "derived", derived_json(gpu, &total));
    json_object_set_new(root, "sm_total", sm_json(&total));
    if (gpu->config.fetch_rounds) {
        json_object_set_new(root, "fetch", fetch_json(&total));
    }
    json_object_set_new(root, "issue_slots", slots_json(gpu, &total));
    json_object_set_new(mpli, "coherent", numbers(total.mpli[0], MPLI_BINS));
    json_object_set_new(mpli, "divergent", numbers(total.mpli[1], MPLI_BINS));
    json_object_set_new(root, "misses_per_load", mpli);
    json_object_set_new(root, "load_latency_log2", numbers(total.latency, LATENCY_BINS));
    json_object_set_new(root, "mshr_occupancy",
                        numbers(total.mshr_occupancy, gpu->config.l1d_mshrs + 1));
    json_object_set_new(root, "l2", l2_json(&l2));
    json_object_set_new(root, "dram", dram_json(&dram));
    json_object_set_new(root, "request_network", net_json(&gpu->request_net.stats));
    json_object_set_new(root, "reply_network", net_json(&gpu->reply_net.stats));
    put(root, "host_memory_requests", gpu->host.requests);
    put(root, "host_memory_bytes", gpu->host.bytes);
    if (gpu->placement.demand) {
        json_object_set_new(root, "placement", gpu_placement_json(gpu, &dram));
    }
    json_object_set_new(root, "launches", launches_json(gpu));
    if (gpu->n_untimed) {
        put(root, "untimed_launches", gpu->n_untimed);
    }
    json_object_set_new(root, "kernels", gpu_stats_of_kernels(gpu));
    for (uint32_t e = 0; e < gpu->n_extensions; e++) {
        if (gpu->extension[e].stats) {
            json_t *object = json_object();

            gpu->extension[e].stats(gpu->extension[e].self, object);
            json_object_set_new(root, gpu->extension[e].name, object);
        }
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        json_array_append_new(sms, sm_json(sm_stats(sm_at(gpu->sm, s))));
    }
    json_object_set_new(root, "sms", sms);
    return root;
}

/* ---- text ---- */

static void print_slots(const struct gpu *gpu, const struct sm_stats *s, FILE *out)
{
    static const char *const names[] = {
#define C(name, ...) #name,
        SLOT_CLASSES(C)
#undef C
    };
    double all = (double)gpu->now * gpu->n_sms * gpu->config.sm_schedulers;

    fprintf(out, "issue slots   ");
    for (uint32_t k = 0; k < SLOT_CLASSES_N; k++) {
        uint64_t sum = 0;

        for (uint32_t n = 0; n < gpu->config.sm_schedulers; n++) {
            sum += s->slot[n][k];
        }
        if (sum) {
            fprintf(out, " %s %.1f%%", names[k], 100 * ratio((double)sum, all));
        }
    }
    fputc('\n', out);
}

static void print_loads(const struct sm_stats *s, FILE *out)
{
    uint64_t hits = s->load_hits_coherent + s->load_hits_divergent;
    uint64_t merges = s->load_merges_coherent + s->load_merges_divergent;
    uint64_t misses = s->load_misses_coherent + s->load_misses_divergent;
    uint64_t bypasses = s->load_bypasses_coherent + s->load_bypasses_divergent;

    fprintf(out, "loads          %llu coherent, %llu divergent; fully cached %llu, %llu\n",
            (unsigned long long)s->loads_coherent, (unsigned long long)s->loads_divergent,
            (unsigned long long)s->fully_cached_coherent,
            (unsigned long long)s->fully_cached_divergent);
    fprintf(out, "L1D loads      %llu hits, %llu merges, %llu misses, %llu bypasses\n",
            (unsigned long long)hits, (unsigned long long)merges, (unsigned long long)misses,
            (unsigned long long)bypasses);
    fprintf(out, "L1D replays    line %llu, MSHR %llu, port %llu, protocol %llu cycles\n",
            (unsigned long long)s->fail_line, (unsigned long long)s->fail_mshr,
            (unsigned long long)s->fail_port, (unsigned long long)s->fail_protocol);
}

void gpu_stats_text(struct gpu *gpu, FILE *out)
{
    struct sm_stats s = sum_sms(gpu);
    struct l2_stats l2 = sum_l2(gpu);
    struct dram_stats d = sum_dram(gpu);
    double bus = (double)gpu->n_channels * (double)gpu->now * gpu->config.clock_dram_khz /
                 gpu->config.clock_core_khz;

    fprintf(out, "cycles         %llu in %u launches", (unsigned long long)gpu->now,
            gpu->n_launches);
    if (gpu->n_untimed) {
        fprintf(out, "; %u others took no time", gpu->n_untimed);
    }
    fputc('\n', out);
    fprintf(out, "instructions   %llu warp, %llu thread; IPC %.3f\n",
            (unsigned long long)s.warp_instructions, (unsigned long long)s.thread_instructions,
            ratio((double)s.warp_instructions, (double)gpu->now));
    print_slots(gpu, &s, out);
    print_loads(&s, out);
    fprintf(out, "stores         %llu (%llu requests), atomics %llu (%llu requests)\n",
            (unsigned long long)s.stores, (unsigned long long)s.store_accesses,
            (unsigned long long)s.atomics, (unsigned long long)s.atomic_accesses);
    fprintf(out,
            "L2             reads %llu (%.1f%% hit), writes %llu, atomics %llu, write-backs %llu\n",
            (unsigned long long)l2.reads, 100 * ratio((double)l2.read_hits, (double)l2.reads),
            (unsigned long long)l2.writes, (unsigned long long)l2.atomics,
            (unsigned long long)l2.write_backs);
    fprintf(out,
            "DRAM           reads %llu, writes %llu, row hits %.1f%%, activates %llu, bus busy "
            "%.1f%%\n",
            (unsigned long long)d.reads, (unsigned long long)d.writes,
            100 * ratio((double)d.row_hits, (double)(d.reads + d.writes)),
            (unsigned long long)d.activates, 100 * ratio((double)d.bus_cycles, bus));
}

void gpu_stats_describe(FILE *out)
{
#define C(name, unit, definition) fprintf(out, "sm.%s (%s): %s\n", #name, unit, definition);
    SM_COUNTERS(C)
    FETCH_COUNTERS(C)
#undef C
#define C(name, definition) fprintf(out, "issue_slots.%s (cycles): %s\n", #name, definition);
    SLOT_CLASSES(C)
#undef C
#define C(name, unit, definition) fprintf(out, "l2.%s (%s): %s\n", #name, unit, definition);
    L2_COUNTERS(C)
#undef C
#define C(name, unit, definition) fprintf(out, "dram.%s (%s): %s\n", #name, unit, definition);
    DRAM_COUNTERS(C)
#undef C
}
