/* Stimulus of upat.  One hash has half of the accesses of a stretch, another one each, so that the
 * greatest moves up and down; in every eighth stretch updates are rare and small counts reach their
 * greatest; accesses stand beside updates and reservations. */
#define UNIT_TABLE "units/graph/upat/upat.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    const uint64_t stretch = step / 64;
    (void)last_out;
    if (tb_random_below(random, 2)) {
        in->inc_idx = stretch * 7 % ENTRIES;
    }
    if (stretch / 128 % 2) {
        in->update &= tb_random_below(random, 100) == 0;
    } else if (was->update && tb_random_below(random, 4) == 0) {
        in->update = 1;
    }
}

enum bin { LEADS, TIES, RESERVED, LAPSED, TAKEN, COUNT_IN_UPDATE, GREATEST, NONE_COUNTED };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct state *s = state;
    (void)out_slots;
    const bool counts = in->inc_valid && !in->update && !in->kernel_start;
    const unsigned after = s->ctr[in->inc_idx] + 1u;
    hits[LEADS] += counts && after > s->max && in->inc_idx != s->max_at;
    hits[TIES] += counts && after == s->max && in->inc_idx < s->max_at;
    hits[RESERVED] += in->update && in->reserve && s->max > 0;
    hits[LAPSED] += in->update && !in->reserve && s->res_valid;
    hits[TAKEN] += in->take && !in->update && s->res_valid;
    hits[COUNT_IN_UPDATE] += in->update && in->inc_valid;
    hits[GREATEST] += counts && after > (1u << CTR_W) - 1;
    hits[NONE_COUNTED] += in->update && in->reserve && s->max == 0;
}

STIMULUS(30000, drive, observe, BIN("another hash has the most"), BIN("a lower hash has as many"),
         BIN("an entry is reserved"), BIN("a reservation lapses"), BIN("a reserved entry is taken"),
         BIN("an access in the cycle of an update"),
         BIN_IF(CTR_W <= 8, "a count at its greatest is counted"),
         BIN("an entry is reserved without any access"))
