/* Stimulus of pmod.  Not linear: sampled, with carries provoked at every digit of the
 * folded sum by strides; small blocks, powers of two and all ones are frequent.  The
 * parameter sets take primes 2^k - 1 and 2^k - 3 and both documents' address widths. */
#define UNIT_TABLE "units/index/pmod/pmod.ports.h"
#include "tb/stimulus.h"

#include "units/index/index_address.stimulus.h"

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    const uint64_t block = in->addr / BLOCK_BYTES;
    hits[0] += out->set_index == PRIME - 1;
    hits[1] += out->set_index == 0 && block >= SETS;
    hits[2] += out->xalias && out->tag != 0;
    hits[3] += out->xalias && out->tag == 0;
    hits[4] += block == (~UINT64_C(0) >> (64 - ADDR_W)) / BLOCK_BYTES;
}

STIMULUS(1000000, drive_address, observe, BIN("last used set"), BIN("multiple of the prime"),
         BIN("alias under a tag"), BIN("alias without a tag"), BIN("all ones"))
