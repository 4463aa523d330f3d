/* Stimulus of oaws_pred.  Operands are sampled: legal ones (misses at most accesses) in
 * most steps, small counts often, since rounding and exact quotients live there, and any
 * value in the rest, lanes, ranks and rates past their greatest among them.  Start comes at
 * every phase of a division, in particular in the cycle of `done`. */
#define UNIT_TABLE "units/oaws/oaws_pred/oaws_pred.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step, (void)last_in, (void)last_out;
    struct in *in = (struct in *)in_slots;
    if (tb_random_below(random, 3) == 0) {
        in->den = tb_random_below(random, 40);
    }
    if (tb_random_below(random, 8) != 0) {
        in->num = tb_random_below(random, in->den + 1);
    }
    if (tb_random_below(random, 3) == 0) {
        in->gprio = tb_random_below(random, 6);
    }
    if (tb_random_below(random, 16) == 0) {
        in->div = tb_random_below(random, 64);
        in->gprio = tb_random_below(random, 64);
        in->smr_k = tb_random_below(random, 32);
    }
}

enum bin {
    DIVIDES,
    EXACT,
    FULL_RATE,
    NO_HISTORY,
    QUOTIENT_TOO_BIG,
    THRASHING,
    STATIC,
    COHERENT,
    START_AT_DONE,
    GIVEN_UP,
    CAPPED
};

/* The prediction that is there was divided. */
static bool divided(const struct state *s)
{
#if UNIT_SET_ONE_CYCLE
    return s->divide;
#else
    return s->den != 0 && s->thrice == 3u * s->den;
#endif
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    bool dynamic = in->start && in->is_div && in->dyn, local = dynamic && in->gprio < in->fcw;
    bool history = local && in->den != 0;
    hits[DIVIDES] += history && in->num < in->den && in->num != 0;
    hits[EXACT] += history && in->num != 0 && in->div * in->num % in->den == 0;
    hits[FULL_RATE] += history && in->num == in->den;
    hits[NO_HISTORY] += local && in->den == 0;
    hits[QUOTIENT_TOO_BIG] += history && in->div * in->num >= in->den << QUOTIENT_W;
    hits[THRASHING] += dynamic && !local;
    hits[STATIC] += in->start && in->is_div && !in->dyn;
    hits[COHERENT] += in->start && !in->is_div;
    hits[START_AT_DONE] += in->start && out->done && divided(s);
    hits[GIVEN_UP] += in->start && s->left > 1;
    hits[CAPPED] += out->done && out->pred == CAP && divided(s);
}

STIMULUS(2000, drive, observe, BIN("history with a remainder or not"), BIN("exact quotient"),
         BIN("miss rate 1"), BIN("no history"), BIN("quotient beyond six bits"),
         BIN("thrashing warp"), BIN("static"), BIN("coherent load"),
         BIN("start in the cycle of done"), BIN_IF(PRED_STEP != 1, "division given up"),
         BIN("prediction at its greatest"))
