/* gpu.c - construction of the machine: its parts and how they are wired.  See gpu.h. */
#include "machine/gpu_private.h"

#include <stdlib.h>
#include <string.h>

#include "machine/plug/sockets_base.h"
#include "machine/workers.h"

/* ---- networks: node numbers are SM ids one way, bank ids (host last) the other ---- */

static int connect_requests(struct gpu *gpu, uint32_t clusters)
{
    const struct gpu_config *c = &gpu->config;
    struct net_end source[NET_MAX_NODES], sink[NET_MAX_NODES];
    uint16_t source_place[NET_MAX_NODES], sink_place[NET_MAX_NODES];

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        source_place[s] = (uint16_t)(s / c->machine_sms_per_node);
        source[s] = (struct net_end){.ring = sm_requests(sm_at(gpu->sm, s)),
                                     .node = (uint16_t)s,
                                     .group = source_place[s],
                                     .wake = &gpu->port_wake[s]};
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        sink_place[b] = (uint16_t)(clusters + b / c->l2_banks);
        sink[b] = (struct net_end){.ring = &gpu->bank[b].in,
                                   .node = (uint16_t)b,
                                   .delay = c->l2_sectors ? 0 : c->l2_latency,
                                   .wake = &gpu->bank_wake[b]};
    }
    for (uint32_t p = 0, b = gpu->n_banks; p < c->host_ports; p++, b++) {
        sink_place[b] = (uint16_t)(clusters + c->l2_partitions);
        sink[b] = (struct net_end){
            .ring = &gpu->host.in[p], .node = (uint16_t)b, .wake = &gpu->host.wake};
    }
    return network_init(&gpu->request_net, c, true, source, source_place, gpu->n_sms, sink,
                        sink_place, gpu->n_banks + c->host_ports, clusters + c->l2_partitions + 1);
}

static int connect_replies(struct gpu *gpu, uint32_t clusters)
{
    const struct gpu_config *c = &gpu->config;
    struct net_end source[NET_MAX_NODES], sink[NET_MAX_NODES];
    uint16_t source_place[NET_MAX_NODES], sink_place[NET_MAX_NODES];

    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        source_place[b] = (uint16_t)(clusters + b / c->l2_banks);
        source[b] = (struct net_end){.ring = &gpu->bank[b].out,
                                     .node = (uint16_t)b,
                                     .group = (uint16_t)b,
                                     .wake = &gpu->bank_wake[b],
                                     .wake_if_full = true};
    }
    for (uint32_t p = 0, b = gpu->n_banks; p < c->host_ports; p++, b++) {
        source_place[b] = (uint16_t)(clusters + c->l2_partitions);
        source[b] = (struct net_end){.ring = &gpu->host.out[p],
                                     .node = (uint16_t)b,
                                     .group = (uint16_t)b,
                                     .wake = &gpu->host.wake,
                                     .wake_if_full = true};
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sink_place[s] = (uint16_t)(s / c->machine_sms_per_node);
        sink[s] = (struct net_end){.ring = sm_replies(sm_at(gpu->sm, s)),
                                   .node = (uint16_t)s,
                                   .delay = c->icnt_reply_cycles,
                                   .wake = &gpu->sm_wake[s],
                                   .expect = sm_expect,
                                   .expects = sm_at(gpu->sm, s)};
    }
    return network_init(&gpu->reply_net, c, false, source, source_place,
                        gpu->n_banks + c->host_ports, sink, sink_place, gpu->n_sms,
                        clusters + c->l2_partitions + 1);
}

/* ---- construction ---- */

static void dram_done(void *self, const struct dram_request *request, uint64_t at)
{
    struct gpu *gpu = self;
    uint64_t *wake = &gpu->bank_wake[request->l2_bank];

    l2_dram_return(&gpu->bank[request->l2_bank], request->mshr, request->sectors, at);
    *wake = at < *wake ? at : *wake;
}

static int build_parts(struct gpu *gpu)
{
    const struct gpu_config *c = &gpu->config;

    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        if (l2_init(&gpu->bank[b], b, c, gpu->memory) != 0) {
            return -1;
        }
    }
    gpu->dram_front = (struct dram_front){
        .config = c, .channel = gpu->channel, .n_sources = gpu->n_banks};
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        gpu->dram_front.source[b] = &gpu->bank[b].to_dram;
    }
    for (uint32_t d = 0; d < gpu->n_channels; d++) {
        if (dram_init(&gpu->channel[d], d, c, dram_done, gpu) != 0) {
            return -1;
        }
    }
    for (uint32_t b = 0; c->dram_scheduler == DRAM_SCHEDULER_BANKS && b < gpu->n_banks; b++) {
        dram_attach(&gpu->channel[b / c->l2_banks], &gpu->bank[b].to_dram,
                    &gpu->bank[b].fill_count);
    }
    pages_init(&gpu->pages, c, gpu->memory);
    return hostmem_init(&gpu->host, c, gpu->memory);
}

/* Each kind of component has whole groups of its own. */
static int build_wakes(struct gpu *gpu)
{
    uint32_t banks = wake_padded(gpu->n_sms), channels = banks + wake_padded(gpu->n_banks);

    gpu->n_wakes = channels + wake_padded(gpu->n_channels);
    gpu->wake = aligned_alloc(WAKE_ALIGN_BYTES, gpu->n_wakes * sizeof *gpu->wake);
    gpu->port_wake = aligned_alloc(WAKE_ALIGN_BYTES, banks * sizeof *gpu->port_wake);
    if (!gpu->wake || !gpu->port_wake) {
        return -1;
    }
    gpu->sm_wake = gpu->wake;
    gpu->bank_wake = gpu->wake + banks;
    gpu->channel_wake = gpu->wake + channels;
    for (uint32_t at = 0; at < gpu->n_wakes; at++) {
        gpu->wake[at] = CYCLE_NEVER;
    }
    for (uint32_t s = 0; s < banks; s++) {
        gpu->port_wake[s] = CYCLE_NEVER;
    }
    return 0;
}

static int build(struct gpu *gpu)
{
    const struct gpu_config *c = &gpu->config;
    uint32_t clusters = c->machine_sms / c->machine_sms_per_node;

    gpu->sm = sm_create_all(c->machine_sms, c, gpu->memory);
    gpu->bank = aligned_alloc(64, (size_t)c->l2_partitions * c->l2_banks * sizeof *gpu->bank);
    gpu->channel = calloc(c->dram_channels, sizeof *gpu->channel);
    if (!gpu->sm || !gpu->bank || !gpu->channel) {
        return -1;
    }
    memset(gpu->bank, 0, (size_t)c->l2_partitions * c->l2_banks * sizeof *gpu->bank);
    gpu->n_sms = c->machine_sms;
    gpu->dispatched = c->machine_sms - 1;
    gpu->n_banks = c->l2_partitions * c->l2_banks;
    gpu->n_channels = c->dram_channels;
    if (build_wakes(gpu) != 0 || build_parts(gpu) != 0 || connect_requests(gpu, clusters) != 0 ||
        connect_replies(gpu, clusters) != 0 || base_dispatch(&gpu->dispatch) != 0) {
        return -1;
    }
    gpu->base_dispatch_self = gpu->dispatch.self;
    if (gpu->options.threads > 1) {
        gpu->workers = workers_start(gpu->options.threads, gpu->n_sms, gpu_step_sms, gpu);
        return gpu->workers ? 0 : -1;
    }
    return 0;
}

struct gpu *gpu_create(const struct gpu_config *config, const struct gpu_options *options,
                       struct memory *memory, char *error, size_t n_error)
{
    struct gpu *gpu;

    if (config_check(config, error, n_error) != 0) {
        return NULL;
    }
    gpu = calloc(1, sizeof *gpu);
    if (gpu) {
        gpu->config = *config;
        gpu->options = *options;
        gpu->memory = memory;
        gpu->l2_clock = clock_ratio(config->clock_l2_khz, config->clock_core_khz);
        if (build(gpu) == 0) {
            return gpu;
        }
        gpu_destroy(gpu);
    }
    snprintf(error, n_error, "out of memory for the machine; lower its sizes");
    return NULL;
}

int gpu_extend(struct gpu *gpu, const struct gpu_extension *extension)
{
    if (gpu->n_extensions == GPU_MAX_EXTENSIONS) {
        return -1;
    }
    gpu->extension[gpu->n_extensions++] = *extension;
    return 0;
}

static void free_facts(struct kernel_facts *facts)
{
    free(facts->masks);
    free(facts->inst);
    facts->masks = NULL;
    facts->inst = NULL;
}

void gpu_destroy(struct gpu *gpu)
{
    if (!gpu) {
        return;
    }
    workers_stop(gpu->workers);
    for (uint32_t e = gpu->n_extensions; e-- > 0;) {
        if (gpu->extension[e].destroy) {
            gpu->extension[e].destroy(gpu->extension[e].self);
        }
    }
    sm_destroy_all(gpu->sm, gpu->config.machine_sms);
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        l2_free(&gpu->bank[b]);
    }
    for (uint32_t d = 0; d < gpu->n_channels; d++) {
        dram_free(&gpu->channel[d]);
    }
    hostmem_free(&gpu->host);
    pages_free(&gpu->pages);
    network_free(&gpu->request_net);
    network_free(&gpu->reply_net);
    free_facts(&gpu->facts);
    free(gpu->base_dispatch_self);
    free(gpu->launches);
    free(gpu->wake);
    free(gpu->port_wake);
    free(gpu->bank);
    free(gpu->channel);
    free(gpu);
}
