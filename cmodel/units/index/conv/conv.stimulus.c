/* Stimulus of conv.  Wires only: every output bit is one input bit, so that one-bit
 * addresses and a few random ones are exhaustive; the parameter sets vary the field's
 * width and the address's. */
#define UNIT_TABLE "units/index/conv/conv.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    hits[0] += out->set_index == SETS - 1;
    hits[1] += out->set_index == 0 && in->addr >> (OFFS + LOGN) != 0;
    hits[2] += out->set_index == 0 && in->addr != 0 && in->addr < BLOCK_BYTES;
}

STIMULUS(1000000, drive_address, observe, BIN("last set"), BIN("only bits above the field"),
         BIN("only bits below the field"))
