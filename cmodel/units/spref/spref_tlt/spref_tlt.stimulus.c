/* Stimulus of spref_tlt.  Passes of 4 to 15 instructions follow each other, first and second in turn;
 * three of four instructions are loads that may be targets, then the loop's setp, then its branch; the
 * others are anything.  Deltas are powers of two and their neighbours, and any.  PCs are those of 16
 * places, so that look-ups hit, and the same PC is a head of one pass and a tail of another. */
#define UNIT_TABLE "units/spref/spref_tlt/spref_tlt.ports.h"
#include "tb/stimulus.h"

static uint64_t delta(struct tb_random *random)
{
    uint64_t power = UINT64_C(1) << tb_random_below(random, 10);
    switch (tb_random_below(random, 8)) {
    case 0: return tb_random_next(random) & UINT32_MAX;
    case 1: return (power + 1) & UINT32_MAX;
    case 2:
    case 3: return (0 - power) & UINT32_MAX;
    case 4: return UINT32_MAX;
    case 5: return 1;
    default: return power;
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    uint64_t loop = step / 32, length = 4 + loop * 7 % 12, at = step % 16;
    uint64_t stretch = (loop >> 4) * 0x9E3779B1;
    in->pass = at >= length ? 0 : 1 + step / 16 % 2;
    in->pass_begin = in->pass && at == 0;
    in->pass_end = in->pass && at == length - 1;
    in->dec_pc = (stretch + at) & UINT32_MAX;
    for (unsigned port = 0; port < PORTS; port++) {
        in->pc[port] = (stretch + tb_random_below(random, 16)) & UINT32_MAX;
    }
    in->addr_delta = delta(random);
    if (tb_random_below(random, 4) == 0 && !in->pass_end) {
        return;
    }
    in->pred = tb_random_below(random, 16) == 0;
    in->is_branch = in->pass_end;
    in->psrc_not = loop & 1;
    in->psrc = loop % 16 == 15 ? NO_REG : 1;
    in->pdst = tb_random_below(random, 8) ? 1 : in->pdst;
    in->op = at + 2 == length ? op_SETP : op_LD;
    if (in->op == op_SETP && tb_random_below(random, 4)) {
        in->addr_tag = 1;
        in->addr_done = 1;
        in->end_tag = 0;
    }
    in->addr_lid = in->addr_tag == 1 ? 0 : in->addr_lid;
}

enum bin {
    PAIR_ACCEPTED,
    TWO_PAIRS,
    AFTER_BRANCH,
    AFTER_SETP,
    THIRD_HEAD,
    TWO_SETPS,
    NEGATED,
    DOWN_TO,
    NOT_EQUAL,
    UNCONDITIONAL,
    END_MOVES
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    bool second = in->pass == pass_SECOND, load = second && in->op == op_LD && in->ro && !in->pred;
    bool setp = second && in->op == op_SETP && in->pdst == s->loop_pred;
    hits[PAIR_ACCEPTED] += out->found && (out->has & 10);
    hits[TWO_PAIRS] += out->found && (out->has & 10) == 10;
    hits[AFTER_BRANCH] += load && s->branched && !in->pass_begin && in->addr_tag == 1;
    hits[AFTER_SETP] += load && s->setps && !in->pass_begin && !s->branched && in->addr_tag == 1;
    hits[THIRD_HEAD] += load && s->head_valid[1] && in->addr_tag == 1 && !s->branched;
    hits[TWO_SETPS] += setp && s->setps == 1 && !in->pass_begin;
    hits[NEGATED] += out->found && s->loop_not;
    hits[DOWN_TO] += out->found && out->down && out->plus_one;
    hits[NOT_EQUAL] += setp && in->cmp == cmp_NE && in->addr_delta == 2 && in->addr_done;
    hits[UNCONDITIONAL] += second && in->pass_end && s->loop_pred == NO_REG;
    hits[END_MOVES] += setp && in->addr_tag == 1 && in->end_tag == 2;
}

STIMULUS(8000, drive, observe, BIN("a loop with a pair is accepted"),
         BIN("a loop with two pairs is accepted"), BIN("a strided load behind a branch"),
         BIN("a strided load behind the setp"), BIN("a third strided load"),
         BIN("two setps of the predicate"), BIN("a branch that is taken where it is false"),
         BIN("down to the end itself"), BIN("not equal, by twos"), BIN("an unconditional branch"),
         BIN("what the setp compares with moves"))
