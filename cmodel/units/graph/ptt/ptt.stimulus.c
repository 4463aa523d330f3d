/* Stimulus of ptt.  24 PCs for 15 entries, so that the table fills up; one entry has half of the
 * requests of a stretch, another one each, hits go to any of them or to none, so that small counts
 * stop, and hits are around their threshold.  A reservation is of the entry freed last, for the hash of
 * the PC that comes next or any; look-ups are read back.  max_val is small, so that it is below and above. */
#define UNIT_TABLE "units/graph/ptt/ptt.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    const struct out *last = (const struct out *)last_out;
    const uint64_t stretch = step / 256;
    in->tick = tb_random_below(random, step / 8192 % 2 ? 4000 : 150) == 0;
    if (tb_random_below(random, 2)) {
        in->acc_id = stretch * 7 % (ENTRIES + 1);
    }
    in->hit_valid &= stretch % 3 != 0 || tb_random_below(random, 32) == 0;
    in->rd_id = tb_random_below(random, 2) ? last->lk_id : in->rd_id;
    in->max_val = tb_random_below(random, 2) ? tb_random_below(random, 64) & ((1u << CTR_W) - 1)
                                             : in->max_val;
    in->res_id = last->freed ? last->freed_id : was->res_id;
    in->res_valid = last->freed || (was->res_valid && !last->take && tb_random_below(random, 64));
    in->res_idx = (in->lk_pc >> 2 ^ in->lk_pc >> 6) & 15;
    in->res_idx ^= tb_random_below(random, 4) ? UINT64_C(1) << tb_random_below(random, 4) : 0;
    if (last->busy && tb_random_below(random, 400) == 0) {
        in->kernel_start = 1;
    }
    if (tb_random_below(random, 16) == 0) {
        in->lk_pc = was->lk_pc ^ UINT64_C(1) << tb_random_below(random, PC_W);
    }
}

enum bin {
    FOUND,
    NO_ENTRY,
    TAKEN,
    KEPT_FOR_OTHERS,
    FREED,
    NOT_FREED,
    FREED_AND_COUNTED,
    HALVED_AND_COUNTED,
    SATURATED,
    HALVES_TO_0,
    JUDGED_REUSE,
    JUDGED_NONE,
    FLAG_FALLS,
    FREED_AND_FOUND
};

static void observe_update(const struct in *in, const struct out *out, const struct state *s,
                           uint64_t *hits)
{
    const bool halves = s->phase == phase_HALVE && !in->kernel_start;
    const unsigned acc = s->acc[s->at], threshold = acc / 2 >> THR_SHIFT;
    const bool counts = in->acc_valid && in->acc_id == s->at;
    hits[FREED] += out->freed;
    hits[NOT_FREED] += out->update && !out->freed && s->valid[s->where] && in->max_val <= s->least;
    hits[FREED_AND_COUNTED] += out->freed && in->acc_valid && in->acc_id == s->where;
    hits[FREED_AND_FOUND] += out->freed && in->lk_valid && s->pc[s->where] == in->lk_pc;
    hits[HALVED_AND_COUNTED] += halves && acc > 0 && counts;
    hits[HALVES_TO_0] += halves && acc == 1;
    hits[JUDGED_REUSE] += halves && acc > 0 && s->hits[s->at] / 2 == threshold + 1;
    hits[JUDGED_NONE] += halves && acc > 0 && s->hits[s->at] > 0 && s->hits[s->at] / 2 == threshold;
    hits[FLAG_FALLS] += halves && acc > 0 && s->reuse[s->at] && s->hits[s->at] / 2 <= threshold;
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    unsigned used = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        used += s->valid[i];
        hits[SATURATED] += in->acc_valid && in->acc_id == i && s->acc[i] == (1u << CTR_W) - 1;
    }
    hits[FOUND] += in->lk_valid && !out->alloc && used < ENTRIES && used > 0;
    hits[NO_ENTRY] += out->lk_done && out->lk_id == ENTRIES;
    hits[TAKEN] += out->take;
    hits[KEPT_FOR_OTHERS] += in->lk_valid && used == ENTRIES - 1 && in->res_valid &&
                             !s->valid[in->res_id % ENTRIES] && in->res_id < ENTRIES && !out->alloc;
    observe_update(in, out, s, hits);
}

STIMULUS(30000, drive, observe, BIN("a PC finds its entry"), BIN("a PC finds none"),
         BIN_IF(REPLACE, "the reserved entry is taken"),
         BIN_IF(REPLACE, "the one free entry is kept for another hash"),
         BIN_IF(REPLACE, "an entry is freed"),
         BIN_IF(REPLACE, "none is freed: accesses without entry are not more"),
         BIN_IF(REPLACE, "a freed entry is accessed"), BIN("an entry that is halved is accessed"),
         BIN_IF(CTR_W <= 8, "a count at its greatest is counted"), BIN("one access halves to none"),
         BIN("hits are just above their threshold"), BIN("hits are at their threshold"),
         BIN("a flag that is set would not be set again"),
         BIN_IF(REPLACE, "a freed entry is found"), GUARD_IF(REPLACE, "freed_id"))
