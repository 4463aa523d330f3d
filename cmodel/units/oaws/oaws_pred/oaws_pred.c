/* oaws_pred - predicted misses of a load (wang2015 3.16, 3.17, 3.19).
 * Knows one load at a time; where predictions are kept is oaws_store's business. */
#define UNIT_TABLE "units/oaws/oaws_pred/oaws_pred.ports.h"
#include "units/model.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t locality_warp(const struct in *in)
{
    return in->gprio < in->fcw;
}

/* The history term needs a division: Eq 5.3 with a quotient that fits. */
static bool must_divide(const struct in *in)
{
    bool fits = in->div * in->num < in->den << QUOTIENT_W;
    return in->is_div && in->dyn && locality_warp(in) && in->den != 0 && fits;
}

/* The prediction when it needs no division. */
static uint64_t at_once(const struct in *in)
{
    if (!in->is_div) {
        return 1;
    }
    if (!in->dyn) {
        return least((in->div * in->smr_k + (STATIC_UP ? 19 : 0)) / 20, CAP);
    }
    if (!locality_warp(in)) {
        return least(in->div + (THRASH_ADDS_AGE ? in->gprio : 0), CAP);
    }
    return in->den == 0 ? least(in->gprio, CAP) : CAP;
}

/* One cycle of restoring division. */
static uint64_t divide(uint64_t accum, uint64_t den)
{
    for (unsigned bit = 0; bit < BITS_PER_STEP; bit++) {
        accum <<= 1;
        if (accum >> QUOTIENT_W >= den) {
            accum = accum - (den << QUOTIENT_W) + 1;
        }
    }
    return accum;
}

static uint64_t prediction(const struct state *s)
{
    if (!s->divide) {
        return s->accum;
    }
    uint64_t accum = divide(s->accum, s->den);
    uint64_t remainder = accum >> QUOTIENT_W, quotient = unit_bits(accum, QUOTIENT_W);
    return least(quotient + (DYN_UP && remainder != 0) + s->age, CAP);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->done = s->left == 1;
    out->pred = out->done ? unit_bits(prediction(s), PRED_W) : 0;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->start) {
        s->divide = must_divide(in);
        s->left = s->divide ? PRED_STEP : 1;
        s->accum = (uint16_t)(s->divide ? in->div * in->num : at_once(in));
        s->den = (uint16_t)in->den;
        s->age = (uint8_t)in->gprio;
    } else if (s->left != 0) {
        s->left--;
        s->accum = s->divide ? (uint16_t)divide(s->accum, s->den) : s->accum;
    }
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

MODEL_SEQUENTIAL
