/* Stimulus of selective_cache_filter: the table's draws meet all four inputs. */
#define UNIT_TABLE "units/blpp/selective_cache_filter/selective_cache_filter.ports.h"
#include "tb/stimulus.h"

enum bin { OWN, HOST, LIVE };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    (void)out_slots, (void)state;
    hits[OWN] += !in->page_node && !in->cpu_live;
    hits[HOST] += in->page_node && !in->cpu_live;
    hits[LIVE] += !in->page_node && in->cpu_live;
}

STIMULUS(0, NULL, observe, BIN("GPU memory alone"), BIN("CPU memory"), BIN("held by a CPU cache"))
