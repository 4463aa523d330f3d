/* Stimulus of fup20.  Linear over XOR: the one-bit addresses decide every gate.  The
 * parameter sets vary the group width, one of them past the address's end (case 2). */
#define UNIT_TABLE "units/index/fup20/fup20.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    const uint64_t block = in->addr / BLOCK_BYTES;
    const uint64_t lower_groups = block & ((UINT64_C(1) << 3 * LOGN) - 1);
    hits[0] += out->set_index == 0 && block % SETS != 0;
    hits[1] += out->set_index != 0 && lower_groups == 0;
    hits[2] += out->set_index == SETS - 1;
}

STIMULUS(1000000, drive_address, observe, BIN("groups cancel"), BIN("fourth group alone"),
         BIN("last set"))
