/* Stimulus of rpd_bypass.  A handful of sets, so that the requests, fills and invalidations of a cycle
 * often share one; hits and misses in stretches, so that sets fill with protected lines and open again;
 * states mostly valid and reserved, in every other stretch of misses without invalid lines.  The counters
 * of four sets are a few thousand states, visited many times; 1024 sets differ in their addressing only. */
#define UNIT_TABLE "units/iacm/rpd_bypass/rpd_bypass.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const bool hits = step / 64 % 2 == 0, full = step / 128 % 4 != 0;
    (void)last_in, (void)last_out;
    in->hit = tb_random_below(random, 8) < (hits ? 6 : 1);
    in->hit_rsv = tb_random_below(random, 8) == 0;
    in->hit_pend = tb_random_below(random, 8) == 0;
    for (unsigned way = 0; way < WAYS; way++) {
        const uint64_t any = tb_random_below(random, 8);
        in->line_state[way] = any < 5    ? line_state_VALID
                              : any == 5 ? line_state_RESERVED
                              : any == 6 ? line_state_DOOMED
                              : full     ? line_state_VALID
                                         : line_state_INVALID;
    }
    in->fill_set = tb_random_below(random, 2) ? in->req_set : in->fill_set;
    in->inv_set = tb_random_below(random, 2) ? in->req_set : in->inv_set;
}

enum bin {
    ALL_RESERVED,
    PROTECTED,
    STALLED_BYPASS,
    INVALID_FIRST,
    LRU_OF_SOME,
    EQUAL_RANKS,
    FILL_OF_REQUEST,
    DROP_OF_FILL,
    REFRESHED,
    AGED_OUT
};

static unsigned counter(const struct state *s, uint64_t set, uint64_t way)
{
    return (unsigned)((uint64_t)s->rpd[set] >> way * W & ((1u << W) - 1));
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    unsigned valid = 0, invalid = 0, open = 0, equal = 0;
    for (unsigned way = 0; way < WAYS; way++) {
        const bool is_valid = in->line_state[way] == line_state_VALID;
        valid += is_valid;
        invalid += in->line_state[way] == line_state_INVALID;
        open += is_valid && counter(s, in->req_set, way) == 0;
        equal += is_valid && counter(s, in->req_set, way) == 0 && way > 0 &&
                 in->lru_rank[way] == in->lru_rank[0];
    }
    const bool accepted = in->req_valid && in->req_accept;
    hits[ALL_RESERVED] += out->bypass && valid == 0;
    hits[PROTECTED] += out->bypass && valid == WAYS;
    hits[STALLED_BYPASS] += out->bypass && !in->req_accept;
    hits[INVALID_FIRST] += out->victim_valid && invalid > 0 && open > 0;
    hits[LRU_OF_SOME] += out->victim_valid && invalid == 0 && open > 1 && out->victim_way != 0;
    hits[EQUAL_RANKS] += out->victim_valid && invalid == 0 && equal > 0;
    hits[FILL_OF_REQUEST] += accepted && in->fill_valid && in->fill_set == in->req_set;
    hits[DROP_OF_FILL] += in->fill_valid && in->inv_valid && in->fill_set == in->inv_set &&
                          in->fill_way < WAYS && (in->inv_mask >> in->fill_way & 1);
    hits[REFRESHED] += accepted && in->hit && in->hit_way < WAYS &&
                       counter(s, in->req_set, in->hit_way) == 1;
    hits[AGED_OUT] += accepted && out->bypass && counter(s, in->req_set, 0) == 1;
}

STIMULUS(20000, drive, observe, BIN("all lines reserved"), BIN("all lines valid and protected"),
         BIN("a bypass that is not accepted"), BIN("an invalid line beside an unprotected one"),
         BIN("the least recently used of several"), BIN("unprotected lines of equal rank"),
         BIN("fill and request of one set"), BIN("a line goes with its fill"),
         BIN("hit in the last access of a protection"), BIN("a bypass ends a protection"))
