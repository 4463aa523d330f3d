/* Stimulus of bxor.  Linear over XOR: the one-bit addresses decide every gate, the
 * random ones that no further bit enters; the parameter sets vary both widths. */
#define UNIT_TABLE "units/index/bxor/bxor.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    const uint64_t block = in->addr / BLOCK_BYTES;
    hits[0] += out->set_index == 0 && block % SETS != 0;
    hits[1] += block % SETS == 0 && out->set_index != 0;
    hits[2] += block != 0 && block % ((uint64_t)SETS * SETS) == 0;
}

STIMULUS(1000000, drive_address, observe, BIN("fields cancel"), BIN("upper field alone"),
         BIN("only bits above both fields"))
