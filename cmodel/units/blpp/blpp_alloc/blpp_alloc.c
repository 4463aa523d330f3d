/* blpp_alloc - the memory that a page goes to (aci 3.17.6, algorithm 6). */
#define UNIT_TABLE "units/blpp/blpp_alloc/blpp_alloc.ports.h"
#include "units/model.h"
#include "units/promises.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->node_valid = s->valid;
    out->node = s->node[0];
    out->need_replace = s->replace[0];
}

/* One step of the Galois register. */
static uint16_t drawn_after(uint16_t lfsr)
{
    return (uint16_t)(lfsr >> 1 ^ (lfsr & 1 ? 0xB400 : 0));
}

static void seq(struct state *s, const struct in *in)
{
    s->valid = in->alloc_req & 1;
    if (!in->alloc_req) {
        return;
    }
    s->lfsr = drawn_after(s->lfsr);
    bool to_cpu = s->lfsr >= in->p_opt;
    if (to_cpu ? in->cpu_full : in->gpu_full) {
        to_cpu = in->gpu_full && (to_cpu || !in->cpu_full);
    }
    s->node[0] = to_cpu;
    s->replace[0] = in->gpu_full && in->cpu_full;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    s->lfsr = SEED;
}

/* The register never holds 0, out of which it would not come. */
static bool is_random(const struct state *s)
{
    return s->lfsr != 0;
}
MODEL_INVARIANT(is_random)

static bool is_share(const struct state *s, const struct in *in)
{
    (void)s;
    return in->p_opt <= 65536;
}
MODEL_ACCEPTS(is_share)

MODEL_SEQUENTIAL
