/* Stimulus of rxi.  Linear over XOR: the one-bit addresses decide every gate.  All
 * five legal set counts are listed, since each takes another part of the equations. */
#define UNIT_TABLE "units/index/rxi/rxi.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    const uint64_t field = (in->addr >> 7) % SETS;
    hits[0] += field != 0 && out->set_index == 0;
    hits[1] += field == 0 && out->set_index != 0;
    hits[2] += in->addr >> 20 != 0 && in->addr % (1 << 20) == 0;
}

STIMULUS(1000000, drive_address, observe, BIN("hash cancels the field"), BIN("hash alone"),
         BIN("only bits above the hash"))
