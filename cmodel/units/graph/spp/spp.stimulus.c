/* Stimulus of spp.  Loads are drawn from a few more than a set has entries, in a stretch all of one
 * set, so that entries hit, fill and give way; lines leave mostly with the entry of the last misses.
 * One load in eight is drawn from all. */
#define UNIT_TABLE "units/graph/spp/spp.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct out *last = (const struct out *)last_out;
    const uint64_t stretch = step / 256, load = tb_random_below(random, WAYS + 2);
    (void)last_in;
    if (tb_random_below(random, 8)) {
        /* Loads of tag `load` and their set: bits 15 and up reach tags alone. */
        in->miss_pc = (stretch * 4 + tb_random_below(random, 2) * 4) ^ load << 17;
        in->miss_off = tb_random_below(random, 4) ? stretch % 4 : in->miss_off;
    }
    in->miss_need |= UINT64_C(1) << in->miss_off;
    if (stretch % 2) {
        in->miss_need = UINT64_C(1) << in->miss_off;
    }
    if (last->done && tb_random_below(random, 2)) {
        in->evict_ptr = last->ptr;
    } else if (tb_random_below(random, 2)) {
        in->evict_ptr = last->ptr / WAYS * WAYS + tb_random_below(random, WAYS);
    }
}

enum bin { HITS, REPLACES, FILLS, PREDICTED, EVICT_OF_MISS, EVICT_OF_NEW, HELD_BACK };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    bool full = true;
    for (unsigned w = 0; w < WAYS; w++) {
        full &= s->row_valid[w];
    }
    const bool own = in->evict_valid && out->done && in->evict_ptr == out->ptr;
    hits[HITS] += out->done && out->found;
    hits[REPLACES] += out->done && !out->found && full;
    hits[FILLS] += out->done && !out->found && !full;
    hits[PREDICTED] += out->done && out->mask != s->need[0];
    hits[EVICT_OF_MISS] += own && out->found;
    hits[EVICT_OF_NEW] += own && !out->found;
    hits[HELD_BACK] += in->miss_valid && !out->miss_ready;
}

STIMULUS(20000, drive, observe, BIN("a load has an entry"), BIN("an entry gives way"),
         BIN("an entry is filled"), BIN_IF(LEARN || DEFAULT, "more is fetched than is needed"),
         BIN("a line of the entry leaves as it is found"),
         BIN("a line of the entry leaves as it is made"), BIN("a miss waits"))
