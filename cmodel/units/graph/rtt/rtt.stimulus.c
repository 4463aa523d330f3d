/* Stimulus of rtt.  Entries are opened fast after a launch, so that all are in use most of the time;
 * fills go to one region in two thirds of the cycles of a stretch, another one each, so that counts
 * differ, small ones saturate, and hits are around their threshold: none, few, or all of its fills.
 * Look-ups are of the region that was filled last, or of any. */
#define UNIT_TABLE "units/graph/rtt/rtt.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    const struct out *last = (const struct out *)last_out;
    const uint64_t stretch = step / 256;
    in->tick = tb_random_below(random, step / 8192 % 2 ? 4000 : 150) == 0;
    if (step < 4 * ENTRIES) {
        in->open_valid = 1;
        in->open_rid = step % ENTRIES;
    } else if (last->freed && tb_random_below(random, 2)) {
        in->open_valid = 1;
        in->open_rid = last->freed_rid;
    } else {
        in->open_valid &= tb_random_below(random, 8) == 0;
    }
    if (tb_random_below(random, 3)) {
        in->fill_rid = stretch * 7 % (ENTRIES + 1);
    }
    if (last->busy && tb_random_below(random, 400) == 0) {
        in->kernel_start = 1;
    }
    if (last->busy && tb_random_below(random, 4) == 0) { /* the least used one so far */
        in->fill_valid = 1;
        in->fill_rid = last->freed_rid;
    }
    const uint64_t rarely = stretch % 3 == 0 ? 40 : stretch % 3 == 1 ? 64 : 2;
    in->fill_sr = tb_random_below(random, rarely) == 0;
    in->fill_pr = tb_random_below(random, stretch % 2 ? rarely : 3) == 0;
    in->lk_rid = tb_random_below(random, 2) ? was->fill_rid : in->lk_rid;
}

enum bin {
    SATURATED,
    FILL_OF_HALVED,
    FILL_OF_FREED,
    AT_THRESHOLD,
    FLAG_WITHOUT_HITS,
    NOT_FREED,
    TICK_IN_UPDATE,
    OPENED_IN_UPDATE,
    START_IN_UPDATE,
    FREE_ENTRY_FILLED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const bool halves = s->phase == phase_HALVE, entry = in->fill_rid < ENTRIES;
    const unsigned acc = s->acc[s->at] / 2u, shd = s->hits[s->at] / 2u;
    const bool filled = in->fill_valid && entry;
    hits[SATURATED] += filled && s->acc[in->fill_rid] == (1u << CTR_W) - 1;
    hits[FILL_OF_HALVED] += filled && halves && in->fill_rid == s->at && s->acc[s->at] > 1;
    hits[FILL_OF_FREED] += filled && out->freed && in->fill_rid == out->freed_rid;
    hits[AT_THRESHOLD] += halves && shd > 0 && shd == acc >> THR_SHIFT;
    hits[FLAG_WITHOUT_HITS] += halves && s->reuse[s->at] && s->acc[s->at] &&
                               shd <= acc >> THR_SHIFT;
    hits[NOT_FREED] += s->phase == phase_FREE && !out->freed;
    hits[TICK_IN_UPDATE] += in->tick && out->busy;
    hits[OPENED_IN_UPDATE] += in->open_valid && out->busy && in->open_rid == s->at;
    hits[START_IN_UPDATE] += in->kernel_start && out->busy;
    hits[FREE_ENTRY_FILLED] += filled && !s->valid[in->fill_rid];
}

STIMULUS(30000, drive, observe, BIN_IF(CTR_W < 10, "a count is at its greatest"),
         BIN("a fill of the entry that is halved"),
         BIN_IF(REPLACE, "a fill of the entry that is freed"),
         BIN("hits are at the threshold, and not above"), BIN("a flag outlives its hits"),
         BIN_IF(REPLACE, "no entry is freed"), BIN("a tick during UPDATE"),
         BIN("an entry is opened as UPDATE is at it"), BIN("a launch during UPDATE"),
         BIN("a fill of an entry that is free"), GUARD_IF(REPLACE, "freed_rid"))
