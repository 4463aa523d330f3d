/* Stimulus of blpp_alloc.  Shares are those of the documents' bandwidths, the two ends, the number drawn
 * next and its neighbours, or any; the memories are full one by one and together.  The register goes through
 * all its 65535 states in one check; each pair of state and share is sampled. */
#define UNIT_TABLE "units/blpp/blpp_alloc/blpp_alloc.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    static const uint32_t shares[] = {46811, 25206, 36408, 54613, 59578, 65536, 65536, 0};
    struct in *in = (struct in *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    const uint64_t kind = tb_random_below(random, 16);
    in->p_opt = kind < 8 ? shares[kind] : tb_random_below(random, 65537);
}

enum bin { BELOW, EXACT, JUST_BELOW, ALL_GPU, NO_GPU, TO_OTHER_GPU, TO_OTHER_CPU, BOTH_FULL };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct state *s = state_;
    const uint32_t r = s->lfsr >> 1 ^ (s->lfsr & 1 ? 0xB400 : 0);
    const bool asked = in->alloc_req != 0, gpu = r < in->p_opt;
    (void)out_slots;
    hits[BELOW] += asked && gpu && in->p_opt < 65536;
    hits[EXACT] += asked && !gpu && in->p_opt > 0;
    hits[JUST_BELOW] += asked && r < in->p_opt + 64 && r + 64 > in->p_opt;
    hits[ALL_GPU] += asked && in->p_opt == 65536;
    hits[NO_GPU] += asked && in->p_opt == 0;
    hits[TO_OTHER_GPU] += asked && !gpu && in->cpu_full && !in->gpu_full;
    hits[TO_OTHER_CPU] += asked && gpu && in->gpu_full && !in->cpu_full;
    hits[BOTH_FULL] += asked && in->gpu_full && in->cpu_full;
}

STIMULUS(70000, drive, observe, BIN("to GPU memory"), BIN("to CPU memory"),
         BIN("the share is near the number drawn"), BIN("all to GPU memory"),
         BIN("all to CPU memory"), BIN("CPU memory is full: GPU memory"),
         BIN("GPU memory is full: CPU memory"), BIN("both are full"))
