/* stats_placement.c - the statistics of memory of two kinds: where pages lie, and what moving bytes costs by
 * the model of energy of the host's keys (aci-iacm-blpp 7).  It must not know who places pages. */
#include "machine/gpu.h"

static void put(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

static uint64_t nanojoules(uint64_t bytes, uint32_t pj_per_byte)
{
    return bytes * pj_per_byte / 1000;
}

json_t *gpu_placement_json(const struct gpu *gpu, const struct dram_stats *dram)
{
    const struct pages *pages = &gpu->pages;
    const uint64_t link = gpu->host.down_bytes + gpu->host.up_bytes;
    json_t *object = json_object(), *energy = json_object();

    put(object, "gpu_pages", pages->held[MEMORY_NODE_GPU]);
    put(object, "host_pages", pages->held[MEMORY_NODE_HOST]);
    put(object, "gpu_pages_placed", pages->placed[MEMORY_NODE_GPU]);
    put(object, "host_pages_placed", pages->placed[MEMORY_NODE_HOST]);
    put(object, "gpu_pages_replaced", pages->replaced[MEMORY_NODE_GPU]);
    put(object, "host_pages_replaced", pages->replaced[MEMORY_NODE_HOST]);
    put(object, "link_down_bytes", gpu->host.down_bytes);
    put(object, "link_up_bytes", gpu->host.up_bytes);
    put(energy, "gpu_memory",
        nanojoules(dram->read_bytes + dram->write_bytes, gpu->config.host_gpu_pj_per_byte));
    put(energy, "host_memory", nanojoules(gpu->host.bytes, gpu->config.host_cpu_pj_per_byte));
    put(energy, "link", nanojoules(link, gpu->config.host_link_pj_per_byte));
    json_object_set_new(object, "model_energy_nj", energy);
    return object;
}
