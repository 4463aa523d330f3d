/* ab_set - adaptive bypass: a probability for each set (lakshminarayana2014 3.5.2).  Knows nothing
 * of what lines hold, nor which way is the victim. */
#define UNIT_TABLE "units/graph/ab_set/ab_set.ports.h"
#include "units/model.h"
#include "units/promises.h"

static uint16_t galois(uint16_t value)
{
    return (uint16_t)(value >> 1 ^ (value & 1 ? 0xB400 : 0));
}

/* What the operation that is done comes to. */
struct effect {
    bool byp, effective, ineffective, tracks, leaves, draws_again;
};

static struct effect effect_of_access(const struct state *s)
{
    const bool wants = s->its_track && !s->its_hit && s->new_tag == s->its_tag;
    const bool uses = s->its_track && s->its_hit && s->new_way == s->its_way;
    return (struct effect){.effective = s->its_virt ? wants : uses,
                           .ineffective = s->its_virt ? uses : wants};
}

static struct effect effect_of_miss(const struct state *s)
{
    const uint16_t first = galois(s->lfsr), second = galois(first);
    const bool byp = BYPASS && (first & ((1u << s->its_exp) - 1)) == 0;
    const bool draws_again = !byp && !s->its_track && VIRTUAL;
    const bool remembered = draws_again && (second & ((1u << VIRT_LOG2) - 1)) == 0;
    return (struct effect){.byp = byp,
                           .tracks = !s->its_track && (byp || remembered),
                           .leaves = !byp && s->its_track && s->new_way == s->its_way,
                           .draws_again = draws_again};
}

static struct effect effect_of(const struct state *s)
{
    const struct effect none = {.byp = false};
    if (!s->busy) {
        return none;
    }
    switch (s->its_op) {
    case op_ACCESS: return effect_of_access(s);
    case op_MISS: return effect_of_miss(s);
    case op_DROP: return (struct effect){.leaves = s->its_track && s->new_way == s->its_way};
    default: return none;
    }
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct effect effect = effect_of(s);
    (void)in;
    out->op_ready = !s->busy;
    out->done = s->busy;
    out->byp = effect.byp;
    out->exponent = s->its_exp;
    out->effective = effect.effective;
    out->ineffective = effect.ineffective;
    out->tracks = effect.tracks;
}

static void take(struct state *s, const struct in *in)
{
    const unsigned set = (unsigned)in->set_index;
    const bool tracked = s->tracked[set];
    s->its_op = (uint8_t)in->op;
    s->its_set = (__typeof__(s->its_set))set;
    s->its_hit = (uint8_t)in->hit;
    s->new_way = (uint8_t)in->way;
    s->new_tag = (__typeof__(s->new_tag))in->tag;
    s->new_vict = (__typeof__(s->new_vict))in->vict_tag;
    s->its_exp = s->live[set] ? s->exp[set] : E_INIT;
    s->its_track = tracked && !in->flush;
    s->its_virt = tracked && s->virt[set];
    s->its_tag = tracked ? s->track_tag[set] : 0;
    s->its_way = tracked ? s->track_way[set] : 0;
}

static void learn(struct state *s, bool effective)
{
    const unsigned e = s->its_exp;
    s->live[s->its_set] = 1;
    s->exp[s->its_set] = (uint8_t)(effective ? e - (e != E_MIN) : e + (e != E_MAX));
}

static void begin_episode(struct state *s, bool byp)
{
    const unsigned set = s->its_set;
    s->tracked[set] = 1;
    s->virt[set] = !byp;
    s->track_tag[set] = byp ? s->new_tag : s->new_vict;
    s->track_way[set] = s->new_way;
}

static void seq(struct state *s, const struct in *in)
{
    const struct effect effect = effect_of(s);
    if (effect.effective || effect.ineffective) {
        learn(s, effect.effective);
    }
    if (effect.effective || effect.ineffective || effect.leaves) {
        s->tracked[s->its_set] = 0;
    } else if (effect.tracks) {
        begin_episode(s, effect.byp);
    }
    if (s->busy && s->its_op == op_MISS) {
        s->lfsr = galois(effect.draws_again ? galois(s->lfsr) : s->lfsr);
    }
    if (!s->busy && in->op_valid) {
        take(s, in);
        s->busy = 1;
    } else {
        s->busy = 0;
    }
    if (in->flush) {
        memset(s->tracked, 0, sizeof s->tracked);
    }
}

static void reset(struct state *s)
{
    memset(s->live, 0, sizeof s->live);
    memset(s->tracked, 0, sizeof s->tracked);
    s->lfsr = 0xACE1;
    s->busy = s->its_op = s->its_hit = s->its_exp = s->its_track = s->its_virt = 0;
    s->its_set = 0;
    s->new_way = s->its_way = 0;
    s->new_tag = s->new_vict = s->its_tag = 0;
}

/* Exponents are E_MIN to E_MAX; what was read of a set is what it holds. */
static bool is_sound(const struct state *s)
{
    bool sound = s->lfsr != 0 && s->its_exp <= E_MAX && s->its_set < SETS;
    for (unsigned i = 0; i < SETS; i++) {
        sound &= !s->live[i] || (unsigned)(s->exp[i] - E_MIN) <= E_MAX - E_MIN;
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

static bool are_in_range(const struct state *s, const struct in *in)
{
    (void)s;
    return in->set_index < SETS && in->way < WAYS;
}
MODEL_ACCEPTS(are_in_range)

MODEL_SEQUENTIAL
