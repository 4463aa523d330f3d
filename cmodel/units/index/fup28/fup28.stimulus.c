/* Stimulus of fup28.  S1, S2, S3 are linear over XOR; S4 is at most 16 bits wide at the
 * listed sets and sampled densely (the tests take all its 13-bit values).  The parameter
 * sets take the three cases of the source, both feature widths and both group orders. */
#define UNIT_TABLE "units/index/fup28/fup28.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    const unsigned window = 3 * LOGN + S4_W;
    const uint64_t block = in->addr / BLOCK_BYTES;
    const uint64_t s4 = block >> (S4_LOWEST ? 0 : 3 * LOGN) & ((UINT64_C(1) << S4_W) - 1);
    hits[0] += s4 >= PRIME;
    hits[1] += s4 == (UINT64_C(1) << S4_W) - 1;
    hits[2] += out->set_index == 0 && block % SETS != 0;
    hits[3] += block >> window != 0 && block % (UINT64_C(1) << window) == 0;
}

STIMULUS(1000000, drive_address, observe, BIN("S4 at or above the prime"), BIN("S4 all ones"),
         BIN("groups cancel"), BIN("only bits above the window"))
