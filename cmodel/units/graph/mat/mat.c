/* mat - is a line worth its victim's place (lakshminarayana2014 3.5.1)?  Knows macroblocks alone, not
 * which lines of them are cached. */
#define UNIT_TABLE "units/graph/mat/mat.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { CTR_MAX = (1 << CTR_W) - 1 };
#define NAME(addr) ((__typeof__(((struct state *)0)->name))((addr) >> BLOCK_LOG2))

static unsigned entry_of(uint64_t name)
{
    return (unsigned)(name & (ENTRIES - 1));
}

static bool is_same(const struct state *s)
{
    return s->read_tag == s->name >> IDX_W;
}

/* What the macroblock read last has counted. */
static unsigned counted(const struct state *s)
{
    return is_same(s) ? s->read_ctr : 0;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->acc_ready = s->phase == phase_IDLE;
    out->q_ready = s->phase == phase_IDLE && !in->acc_valid;
    out->q_done = s->phase == phase_DECIDE;
    out->byp = s->miss_prod < s->vict_prod;
    out->replaced = s->phase == phase_COUNT && !is_same(s) && s->read_ctr > 0;
    out->aged = AGE && out->q_done && out->byp;
}

static void read_entry(struct state *s, uint64_t name)
{
    const unsigned i = entry_of(name);
    s->name = (__typeof__(s->name))name;
    s->read_tag = (__typeof__(s->read_tag))(s->live[i] ? s->tag[i] : 0);
    s->read_ctr = (__typeof__(s->read_ctr))(s->live[i] ? s->ctr[i] : 0);
}

static void write_entry(struct state *s, unsigned count)
{
    const unsigned i = entry_of(s->name);
    s->live[i] = 1;
    s->tag[i] = (__typeof__(*s->tag))(s->name >> IDX_W);
    s->ctr[i] = (__typeof__(*s->ctr))count;
}

static void begin(struct state *s, const struct in *in)
{
    if (in->acc_valid) {
        read_entry(s, NAME(in->acc_addr));
        s->phase = phase_COUNT;
    } else if (in->q_valid) {
        read_entry(s, NAME(in->q_miss_addr));
        s->vict = NAME(in->q_vict_addr);
        s->phase = phase_VICTIM;
    }
}

static void seq(struct state *s, const struct in *in)
{
    const unsigned now = counted(s);
    switch (s->phase) {
    case phase_IDLE: begin(s, in); return;
    case phase_COUNT: write_entry(s, now < CTR_MAX ? now + 1 : now); break;
    case phase_VICTIM:
        s->miss_ctr = (__typeof__(s->miss_ctr))now;
        read_entry(s, s->vict);
        s->phase = phase_MATCH;
        return;
    case phase_MATCH:
        s->vict_ctr = (__typeof__(s->vict_ctr))now;
        s->phase = phase_SCALE;
        return;
    case phase_SCALE:
        s->miss_prod = (__typeof__(s->miss_prod))(100u * s->miss_ctr);
        s->vict_prod = (__typeof__(s->vict_prod))((unsigned)F_PERCENT * s->vict_ctr);
        s->phase = phase_DECIDE;
        return;
    default:
        if (AGE && s->miss_prod < s->vict_prod) {
            write_entry(s, s->read_ctr - 1u); /* at least 1, see is_sound */
        }
    }
    s->phase = phase_IDLE;
}

static void reset(struct state *s)
{
    memset(s->live, 0, sizeof s->live);
    s->phase = phase_IDLE;
    s->name = s->vict = 0;
    s->read_tag = 0;
    s->read_ctr = s->miss_ctr = s->vict_ctr = 0;
    s->miss_prod = s->vict_prod = 0;
}

/* A victim whose share is above another count has the entry, and a count. */
static bool is_sound(const struct state *s)
{
    return s->phase <= phase_DECIDE && (s->phase != phase_SCALE || s->vict_ctr == counted(s)) &&
           (s->phase != phase_DECIDE || s->vict_prod == F_PERCENT * counted(s));
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
