/* rpd_bypass - which lines of the L1D are protected, and who goes past it (aci 3.13.3).  Knows nothing
 * of tags; an owner names lines by set and way. */
#define UNIT_TABLE "units/iacm/rpd_bypass/rpd_bypass.ports.h"
#include "units/model.h"

static unsigned counter(uint64_t row, unsigned way)
{
    return (unsigned)unit_field(row, way * W, W);
}

static uint64_t with_counter(uint64_t row, unsigned way, uint64_t value)
{
    const uint64_t hole = unit_bits(UINT64_MAX, W) << way * W;
    return (row & ~hole) | value << way * W;
}

/* A set's counters as the request of this cycle finds them. */
static uint64_t row_before(const struct state *s, const struct in *in, uint64_t set)
{
    uint64_t row = s->rpd[set];
    if (FROM_FILL && in->fill_valid && in->fill_set == set && in->fill_way < WAYS) {
        row = with_counter(row, (unsigned)in->fill_way, PD);
    }
    for (unsigned way = 0; way < WAYS && in->inv_valid && in->inv_set == set; way++) {
        if (in->inv_mask >> way & 1) {
            row = with_counter(row, way, 0);
        }
    }
    return row;
}

static bool misses(const struct in *in)
{
    return in->req_valid && !in->hit && !in->hit_rsv && !in->hit_pend;
}

/* The line that a miss gets, or -1. */
static int victim(const struct in *in, uint64_t row)
{
    int best = -1;
    for (unsigned way = 0; way < WAYS; way++) {
        if (in->line_state[way] == line_state_INVALID) {
            return (int)way;
        }
    }
    for (unsigned way = 0; way < WAYS; way++) {
        const bool open = in->line_state[way] == line_state_VALID && counter(row, way) == 0;
        if (open && (best < 0 || in->lru_rank[way] < in->lru_rank[best])) {
            best = (int)way;
        }
    }
    return best;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const int way = victim(in, row_before(s, in, in->req_set));
    out->victim_valid = misses(in) && way >= 0;
    out->bypass = misses(in) && way < 0;
    out->victim_way = way < 0 ? 0 : (uint64_t)way;
}

/* The set of an accepted request after it. */
static uint64_t row_after(const struct in *in, uint64_t row)
{
    const int gets = misses(in) ? victim(in, row) : -1;
    uint64_t after = row;
    if (misses(in) && gets < 0 && !BYPASS_AGES) {
        return row;
    }
    for (unsigned way = 0; way < WAYS; way++) {
        const unsigned now = counter(row, way);
        const bool named = in->hit_way == way;
        if ((int)way == gets) {
            after = with_counter(after, way, FROM_FILL ? 0 : PD);
        } else if (in->hit && named) {
            after = with_counter(after, way, PD);
        } else if (!(in->hit_rsv && !in->hit && named)) {
            after = with_counter(after, way, now > 0 ? now - 1 : 0);
        }
    }
    return after;
}

static void seq(struct state *s, const struct in *in)
{
    const uint64_t row = row_before(s, in, in->req_set);
    if (FROM_FILL && in->fill_valid) {
        s->rpd[in->fill_set] = (UNIT_WORD(W * WAYS)) row_before(s, in, in->fill_set);
    }
    if (in->inv_valid) {
        s->rpd[in->inv_set] = (UNIT_WORD(W * WAYS)) row_before(s, in, in->inv_set);
    }
    if (in->req_valid && in->req_accept) {
        s->rpd[in->req_set] = (UNIT_WORD(W * WAYS)) row_after(in, row);
    }
}

static void reset(struct state *s)
{
    memset(s->rpd, 0, sizeof s->rpd);
}

MODEL_SEQUENTIAL
