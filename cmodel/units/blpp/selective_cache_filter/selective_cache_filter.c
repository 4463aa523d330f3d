/* selective_cache_filter - what a GPU may cache (aci 3.16). */
#define UNIT_TABLE "units/blpp/selective_cache_filter/selective_cache_filter.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    out->cacheable = !(in->page_node | in->cpu_live);
}

MODEL_COMBINATIONAL
