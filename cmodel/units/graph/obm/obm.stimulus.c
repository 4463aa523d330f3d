/* Stimulus of obm.  Eight lines, so that pairs match, several of them, and in both roles; half of the
 * operations are MISSes in stretches in which the table fills up, else accesses and evictions of lines
 * in the table; in every fourth stretch victims are lines of before, and the other way round.  Signatures
 * are two in most stretches, so that counters reach both ends; one line in 32 differs in a bit. */
#define UNIT_TABLE "units/graph/obm/obm.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    const struct out *last = (const struct out *)last_out;
    const uint64_t stretch = step / 512;
    if (was->op_valid && !last->op_ready) {
        return; /* held */
    }
    in->op %= 3;
    if (stretch % 3 == 0) { /* fills up */
        in->op = tb_random_below(random, 16) ? op_MISS : in->op;
    } else if (tb_random_below(random, 2)) {
        in->op = op_MISS;
    } else if (stretch % 3 == 1) {
        in->op = op_ACCESS;
    }
    if (stretch / 3 % 4 && tb_random_below(random, 8)) {
        in->sig = (stretch + tb_random_below(random, 2)) % CTRS;
        in->vict_sig = (stretch + 1) % CTRS;
    }
    if (stretch % 4 == 3 && tb_random_below(random, 2)) { /* lines of one role come in the other */
        in->line = was->vict;
    }
    if (stretch % 4 == 3 && tb_random_below(random, 3) == 0) {
        in->vict = tb_random_below(random, 4) ? was->line : in->line;
    }
    if (tb_random_below(random, 32) == 0) {
        in->line ^= UINT64_C(1) << tb_random_below(random, ADDR_W);
    }
}

enum bin {
    REMEMBERED,
    OVERWRITTEN,
    IB_READ,
    VB_READ,
    IB_EVICTED,
    SEVERAL,
    BOTH_ROLES,
    BOTH_ROLES_OF_ONE,
    LEAST,
    MOST,
    SAME_SIGNATURE,
    BYPASSED,
    NO_MATCH
};

static void observe_matches(const struct state *s, uint64_t *hits)
{
    unsigned ib = 0, vb = 0, one = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        ib += s->valid[i] && s->ib[i] == s->its_line;
        vb += s->valid[i] && s->vb[i] == s->its_line;
        one += s->valid[i] && s->ib[i] == s->its_line && s->vb[i] == s->its_line;
    }
    hits[SEVERAL] += ib > 1 && vb > 1;
    hits[BOTH_ROLES] += s->its_op == op_ACCESS && ib > 0 && vb > 0;
    hits[BOTH_ROLES_OF_ONE] += s->its_op == op_ACCESS && one > 0;
    hits[NO_MATCH] += ib + vb == 0;
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const bool first = s->phase == phase_FIRST, access = s->its_op == op_ACCESS;
    (void)in_slots;
    if (s->phase == phase_MATCH) {
        observe_matches(s, hits);
    }
    hits[REMEMBERED] += out->remembers;
    hits[OVERWRITTEN] += out->remembers && s->valid[s->next];
    hits[IB_READ] += first && access && !s->rises;
    hits[VB_READ] += first && access && s->rises;
    hits[IB_EVICTED] += first && !access;
    hits[LEAST] += first && !s->rises && s->ctr[s->its_sig] == 0;
    hits[MOST] += first && s->rises && s->ctr[s->its_sig] == (1u << CTR_W) - 1;
    hits[SAME_SIGNATURE] += s->phase == phase_SECOND && s->its_sig == s->its_vict_sig;
    hits[BYPASSED] += out->byp;
}

STIMULUS(40000, drive, observe, BIN("a pair is remembered"), BIN("in place of another"),
         BIN("a line that came is read"), BIN("a victim is read"),
         BIN("a line that came leaves unused"), BIN("several pairs of both kinds match"),
         BIN("a line is that which came, and the victim of another"),
         BIN("a line is both of one pair"), BIN_IF(!FREEZE || INIT == 0, "a counter stops at 0"),
         BIN_IF(!FREEZE, "a counter stops at its greatest"),
         BIN_IF(UPD_VB, "both lines of a pair have one signature"),
         BIN_IF(!FREEZE || INIT >= 1 << (CTR_W - 1), "a line is bypassed"), BIN("no pair matches"))
