/* obm - which of a line and its victim is used first (lakshminarayana2014 3.5.3).  Knows loads by
 * their signatures, and nothing of sets and ways. */
#define UNIT_TABLE "units/graph/obm/obm.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { CTR_MAX = (1 << CTR_W) - 1 };

static uint16_t drawn_after(uint16_t lfsr)
{
    return (uint16_t)(lfsr >> 1 ^ (lfsr & 1 ? 0xB400 : 0));
}

/* The lowest pair of a list, ENTRIES for none: eight at a time are passed over. */
static unsigned lowest(const uint8_t *list)
{
    unsigned i = 0;
    for (uint64_t eight; i + 8 <= ENTRIES; i += 8) {
        memcpy(&eight, list + i, 8);
        if (eight) {
            break;
        }
    }
    while (i < ENTRIES && !list[i]) {
        i++;
    }
    return i;
}

/* The next pair to be judged: lines that came before victims. */
static unsigned next_pair(const struct state *s)
{
    const unsigned ib = lowest(s->is_ib);
    return ib < ENTRIES ? ib : lowest(s->is_vb);
}

static bool remembers(const struct state *s)
{
    return s->phase == phase_DECIDE && (drawn_after(s->lfsr) & ((1u << PROB_LOG2) - 1)) == 0;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const bool picks = s->phase == phase_PICK, any = picks && next_pair(s) < ENTRIES;
    (void)in;
    out->op_ready = s->phase == phase_IDLE;
    out->byp = s->phase == phase_DECIDE && s->ctr[s->its_sig] > CTR_MAX / 2;
    out->remembers = remembers(s);
    out->judges = any;
    out->done = s->phase == phase_DECIDE || (picks && !any);
}

static void take(struct state *s, const struct in *in)
{
    s->its_op = (uint8_t)in->op;
    s->its_line = (__typeof__(s->its_line))in->line;
    s->its_vict = (__typeof__(s->its_vict))in->vict;
    s->its_sig = (uint8_t)in->sig;
    s->its_vict_sig = (uint8_t)in->vict_sig;
    s->phase = in->op == op_MISS ? phase_DECIDE : phase_MATCH;
}

/* Without branches, so that many are compared at a time. */
static void match(struct state *s)
{
    const uint8_t by_victim = s->its_op == op_ACCESS;
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->is_ib[i] = s->valid[i] & (s->ib[i] == s->its_line);
        s->is_vb[i] = s->valid[i] & (s->vb[i] == s->its_line) & !s->is_ib[i] & by_victim;
    }
    s->phase = phase_PICK;
}

static void pick(struct state *s)
{
    const unsigned i = next_pair(s);
    if (i == ENTRIES) {
        s->phase = phase_IDLE;
        return;
    }
    s->rises = !s->is_ib[i] || s->its_op != op_ACCESS;
    memset(s->pick, 0, sizeof s->pick);
    s->pick[i] = 1;
    s->is_ib[i] = s->is_vb[i] = s->valid[i] = 0;
    s->phase = phase_READ;
}

/* The signatures of the pair that is judged: at most one. */
static void read_signatures(struct state *s)
{
    s->its_sig = s->its_vict_sig = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->its_sig = (uint8_t)(s->its_sig | (s->pick[i] ? s->sigi[i] : 0));
        s->its_vict_sig = (uint8_t)(s->its_vict_sig | (s->pick[i] ? s->sigv[i] : 0));
    }
    s->phase = phase_FIRST;
}

static void learn(struct state *s, unsigned sig, bool up)
{
    const unsigned now = s->ctr[sig];
    if (!FREEZE) {
        s->ctr[sig] = (uint8_t)(up ? now + (now < CTR_MAX) : now - (now > 0));
    }
}

static void decide(struct state *s)
{
    if (remembers(s)) {
        s->valid[s->next] = 1;
        s->ib[s->next] = s->its_line;
        s->vb[s->next] = s->its_vict;
        s->sigi[s->next] = s->its_sig;
        s->sigv[s->next] = s->its_vict_sig;
        s->next = (uint8_t)((s->next + 1) % ENTRIES);
    }
    s->lfsr = drawn_after(s->lfsr);
    s->phase = phase_IDLE;
}

static void seq(struct state *s, const struct in *in)
{
    switch (s->phase) {
    case phase_IDLE:
        if (in->op_valid) {
            take(s, in);
        }
        break;
    case phase_MATCH: match(s); break;
    case phase_PICK: pick(s); break;
    case phase_READ: read_signatures(s); break;
    case phase_FIRST:
        learn(s, s->its_sig, s->rises);
        s->phase = UPD_VB && s->its_op == op_ACCESS ? phase_SECOND : phase_PICK;
        break;
    case phase_SECOND:
        learn(s, s->its_vict_sig, !s->rises);
        s->phase = phase_PICK;
        break;
    case phase_DECIDE: decide(s); break;
    default: s->phase = phase_IDLE;
    }
}

static void reset(struct state *s)
{
    memset(s->valid, 0, sizeof s->valid);
    memset(s->is_ib, 0, sizeof s->is_ib);
    memset(s->is_vb, 0, sizeof s->is_vb);
    memset(s->pick, 0, sizeof s->pick);
    memset(s->ctr, INIT, sizeof s->ctr);
    s->lfsr = 0xACE1;
    s->phase = s->its_op = s->its_sig = s->its_vict_sig = s->rises = s->next = 0;
    s->its_line = s->its_vict = 0;
}

/* What is still to be judged is there, and only while that goes on; the pair that is judged was. */
static bool is_sound(const struct state *s)
{
    const bool judging = s->phase >= phase_PICK && s->phase <= phase_SECOND;
    unsigned picked = 0;
    bool sound = s->phase <= phase_DECIDE;
    for (unsigned i = 0; i < ENTRIES; i++) {
        sound &= !(s->is_ib[i] || s->is_vb[i]) || (judging && s->valid[i]);
        sound &= !(s->is_ib[i] && s->is_vb[i]);
        picked += s->pick[i];
    }
    return sound && picked <= 1 && (s->phase != phase_READ || picked == 1);
}
MODEL_INVARIANT(is_sound)

static bool is_known(const struct state *s, const struct in *in)
{
    (void)s;
    return in->op <= op_EVICT;
}
MODEL_ACCEPTS(is_known)

MODEL_SEQUENTIAL
