/* Stimulus of pli.  Linear over XOR: the one-bit addresses decide every term of the
 * matrix.  One parameter set per set count with its polynomial. */
#define UNIT_TABLE "units/index/pli/pli.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    const uint64_t block = in->addr / BLOCK_BYTES;
    hits[0] += out->set_index == 0 && block != 0;
    hits[1] += block != 0 && block < SETS;
    hits[2] += in->addr >> (ADDR_W - 1) != 0;
    hits[3] += in->addr == UINT64_C(1) << (ADDR_W - 1);
}

STIMULUS(1000000, drive_address, observe, BIN("multiple of the polynomial"), BIN("below the order"),
         BIN("highest term"), BIN("highest term alone"))
