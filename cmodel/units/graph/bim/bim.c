/* bim - is a block fetched whole, or only what is needed of it (lakshminarayana2014 3.6.3)?  Knows
 * nothing of lines but their addresses and how many sectors were read. */
#define UNIT_TABLE "units/graph/bim/bim.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { LAST = PERIOD - 1, HASHES = 3, LINE_SECTORS = 4 };

static uint64_t hashes_of(uint64_t line)
{
    const uint64_t low = unit_bits(line, H), middle = unit_field(line, H, H);
    const uint64_t h0 = low ^ unit_field(line, H, 3) << (H - 3);
    const uint64_t h1 = middle ^ unit_field(line, 2 * H, 3) << (H - 3);
    return h0 | h1 << H | (low ^ middle) << 2 * H;
}

static unsigned hash(uint64_t hashes, unsigned which)
{
    return (unsigned)unit_field(hashes, which * H, H);
}

static bool turns(const struct state *s)
{
    return s->evict && s->evicts == LAST && 10 * (s->notes + s->note) > SKEW * PERIOD;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    bool in_filter = true;
    (void)in;
    for (unsigned h = 0; h < HASHES; h++) {
        in_filter &= s->words[h] >> unit_field(s->places[0], 5 * h, 5) & 1;
    }
    out->done = s->done;
    out->coarse = in_filter == s->as_fine[0];
    out->default_fine = s->fine;
    out->flipped = turns(s);
}

/* The line that left in the last cycle. */
static void apply(struct state *s)
{
    const bool turn = turns(s), judged = s->evict && s->evicts == LAST;
    const bool swap = s->note && s->round == LAST;
    for (unsigned h = 0; s->note && h < HASHES; h++) {
        const unsigned bit = hash(s->hashes[0], h);
        s->one[bit / 32] |= UINT32_C(1) << bit % 32;
        s->two[bit / 32] |= UINT32_C(1) << bit % 32;
    }
    if (turn || (swap && !s->active)) {
        memset(s->one, 0, sizeof s->one);
    }
    if (turn || (swap && s->active)) {
        memset(s->two, 0, sizeof s->two);
    }
    s->active = !turn && s->active != swap;
    s->fine ^= turn;
    s->evicts = (__typeof__(s->evicts))((s->evicts + s->evict) % PERIOD);
    s->notes = (__typeof__(s->notes))(judged ? 0 : (s->notes + s->note) % PERIOD);
    s->round = (__typeof__(s->round))(turn ? 0 : (s->round + s->note) % PERIOD);
}

static void look_up(struct state *s, uint64_t line)
{
    const uint64_t asked = hashes_of(line);
    s->places[0] = 0;
    for (unsigned h = 0; h < HASHES; h++) {
        const unsigned bit = hash(asked, h);
        s->words[h] = s->active ? s->two[bit / 32] : s->one[bit / 32];
        s->places[0] |= (uint16_t)(bit % 32 << 5 * h);
    }
    s->as_fine[0] = s->fine;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->miss_valid) {
        look_up(s, in->miss_line);
    }
    s->done = (uint8_t)in->miss_valid;
    apply(s);
    const bool fine = __builtin_popcountll(in->evict_used) <= FINE;
    s->evict = (uint8_t)in->evict_valid;
    s->note = in->evict_valid && fine != s->fine;
    if (in->evict_valid) {
        s->hashes[0] = (__typeof__(*s->hashes))hashes_of(in->evict_line);
    }
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    s->fine = START;
}

/* Only a line that left is noted, and notes are of evictions. */
static bool is_sound(const struct state *s)
{
    return (s->evict || !s->note) && s->notes <= s->evicts;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
