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

#if UNIT_SET_ONE_CYCLE
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

#else
/* Multiplied and divided: Eq 5.2, and Eq 5.3 with a history. */
static bool must_divide(const struct in *in)
{
    return in->is_div && (!in->dyn || (locality_warp(in) && in->den != 0));
}

/* The prediction when it needs no division, before it is limited. */
static uint64_t at_once(const struct in *in)
{
    if (!in->is_div) {
        return 1;
    }
    return locality_warp(in) ? in->gprio : in->div + (THRASH_ADDS_AGE ? in->gprio : 0);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->done = s->left == 1;
    out->pred = out->done ? least(unit_bits(s->accum, 8), CAP) : 0;
}

/* Three numbers as two of the same sum. */
static void carry_save(const uint64_t three[3], uint64_t two[2])
{
    const uint64_t a = three[0], b = three[1], c = three[2];
    two[0] = a ^ b ^ c;
    two[1] = unit_bits(((a & b) | (a & c) | (b & c)) << 1, COUNT_W + QUOTIENT_W);
}

/* The product as two numbers, out of six, four and three. */
static void multiply(uint64_t a, uint64_t b, uint64_t product[2])
{
    uint64_t part[6], low[2], high[2], mid[2];
    for (unsigned bit = 0; bit < 6; bit++) {
        part[bit] = unit_field(a, bit, 1) ? b << bit : 0;
    }
    carry_save(part, low);
    carry_save(part + 3, high);
    carry_save((const uint64_t[]){low[0], low[1], high[0]}, mid);
    carry_save((const uint64_t[]){mid[0], mid[1], high[1]}, product);
}

static void begin(struct state *s, const struct in *in)
{
    uint64_t product[2];
    multiply(in->div, in->dyn ? in->num : in->smr_k, product);
    const bool divide = must_divide(in);
    s->left = divide ? PRED_STEP : 1;
    s->accum = (uint16_t)(divide ? product[0] : at_once(in));
    s->carry = (uint16_t)(product[1] >> CARRY_FROM);
    s->den = (uint16_t)(in->dyn ? in->den : 20);
    s->up = in->dyn ? DYN_UP : STATIC_UP;
    s->age = (uint8_t)(in->dyn ? in->gprio : 0);
}

/* Two bits of the quotient: how often the divisor goes into the remainder, three times at most. */
static void divide(struct state *s)
{
    const uint64_t rest = s->accum >> (QUOTIENT_W - 2), times[3] = {s->den, 2u * s->den, s->thrice};
    unsigned digit = 3;
    while (digit > 0 && rest < times[digit - 1]) {
        digit--;
    }
    const uint64_t left = rest - (digit > 0 ? times[digit - 1] : 0);
    s->accum = (uint16_t)unit_bits(left << QUOTIENT_W | unit_bits(s->accum, QUOTIENT_W - 2) << 2 |
                                       digit,
                                   COUNT_W + QUOTIENT_W);
}

static void step(struct state *s)
{
    const uint64_t quotient = unit_bits(s->accum, QUOTIENT_W), remainder = s->accum >> QUOTIENT_W;
    switch (s->left) {
    case 6:
        s->accum = (uint16_t)(s->accum + (s->carry << CARRY_FROM));
        s->thrice = (uint16_t)(3 * s->den);
        break;
    case 5:
        s->beyond = remainder >= s->den;
        divide(s);
        break;
    case 4:
    case 3: divide(s); break;
    case 2:
        s->accum = (uint16_t)(s->beyond ? CAP : quotient + s->age + (s->up && remainder != 0));
        break;
    default: break;
    }
}

static void seq(struct state *s, const struct in *in)
{
    if (s->left == 0 && !in->start) {
        return;
    }
    step(s);
    s->left = (uint8_t)(s->left == 0 ? 0 : s->left - 1);
    if (in->start) {
        begin(s, in);
    }
}
#endif

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

MODEL_SEQUENTIAL
