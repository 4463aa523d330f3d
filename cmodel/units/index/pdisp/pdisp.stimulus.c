/* Stimulus of pdisp.  Not linear: sampled as pmod is.  The parameter sets take every
 * displacement that the specification discusses and a prime of the form 2^k - 3. */
#define UNIT_TABLE "units/index/pdisp/pdisp.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    const uint64_t field = in->addr / BLOCK_BYTES % SETS;
    hits[0] += out->set_index == PRIME - 1;
    hits[1] += out->tag != 0 && out->tag % PRIME == 0;
    hits[2] += out->xalias && out->tag != 0;
    hits[3] += out->xalias && out->tag == 0;
    hits[4] += field != 0 && out->set_index == 0 && !out->xalias;
}

STIMULUS(1000000, drive_address, observe, BIN("last used set"),
         BIN("tag a multiple of the modulus"), BIN("alias under a tag"), BIN("alias without a tag"),
         BIN("displacement cancels the field"))
