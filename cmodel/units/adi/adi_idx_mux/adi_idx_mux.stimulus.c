/* Stimulus of adi_idx_mux.  2^(NB + S*SEL_W) inputs: sampled.  Selectors are drawn below
 * NB; one step in eight takes any code for one of them, and half of the steps a block
 * address with a single bit set or clear, so that each path of each multiplexer decides
 * the index.  The parameter sets differ in S and in NB below, at and above 2^SEL_W - 1. */
#define UNIT_TABLE "units/adi/adi_idx_mux/adi_idx_mux.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    const uint64_t one = UINT64_C(1) << in->sel[tb_random_below(random, S)];
    const uint64_t all = ~UINT64_C(0) >> (64 - NB);
    switch (tb_random_below(random, 4)) {
    case 0: in->blk = one & all; break;
    case 1: in->blk = ~one & all; break;
    default: break;
    }
    if (tb_random_below(random, 8) == 0) {
        in->sel[tb_random_below(random, S)] = tb_random_below(random, UINT64_C(1) << SEL_W);
    }
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    for (unsigned i = 0; i < S; i++) {
        hits[0] += in->sel[i] == NB - 1 && (out->idx >> i & 1) == 1;
        hits[1] += in->sel[i] == 0 && (out->idx >> i & 1) == 1;
        hits[2] += in->sel[i] >= NB;
        hits[3] += i > 0 && in->sel[i] == in->sel[0];
    }
    hits[4] += __builtin_popcountll(in->blk) == 1 && out->idx != 0;
    hits[5] += __builtin_popcountll(in->blk) == NB - 1 && out->idx != (1 << S) - 1;
}

STIMULUS(1000000, drive, observe, BIN("highest bit selected"), BIN("lowest bit selected"),
         BIN_IF(NB < 1 << SEL_W, "selector past the address"),
         BIN_IF(S != 1, "one bit at two positions"), BIN("only bit set is seen"),
         BIN("only bit clear is seen"))
