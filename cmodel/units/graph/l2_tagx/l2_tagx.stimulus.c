/* Stimulus of l2_tagx.  14 bits, drawn uniformly but for the line's own core, which asks as often as
 * all others. */
#define UNIT_TABLE "units/graph/l2_tagx/l2_tagx.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    in->core = tb_random_below(random, 2) ? in->owner : in->core;
}

enum bin { OWN_COPY_BACK, OTHERS_COPY_BACK, DIRTY_COPY_BACK, ATOMIC_ON_COPY_BACK, FIRST_OTHER };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    const bool own = in->core == in->owner, hit = in->op_valid && in->op == op_HIT;
    hits[OWN_COPY_BACK] += out->inval;
    hits[OTHERS_COPY_BACK] += hit && in->cb && !own;
    hits[DIRTY_COPY_BACK] += hit && in->cb && own && in->dirty;
    hits[ATOMIC_ON_COPY_BACK] += in->op_valid && in->op == op_ATOMIC && in->cb && own;
    hits[FIRST_OTHER] += hit && !own && !in->sr;
}

STIMULUS(0, drive, observe, BIN("a core reads the line that it copied back"),
         BIN("another core reads it"), BIN("it is dirty, and stays"),
         BIN("an atomic of its core hits it"), BIN("the first core besides its own"))
