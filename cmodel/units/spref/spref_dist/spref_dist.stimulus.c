/* Stimulus of spref_dist.  Sums lie at MID and HIGH times the lanes, one off, or anywhere to 15 times
 * the lanes; spare registers are few in two of three steps, else any. */
#define UNIT_TABLE "units/spref/spref_dist/spref_dist.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    uint64_t level = tb_random_below(random, 2) ? MID : HIGH;
    switch (tb_random_below(random, 3)) {
    case 0: in->sum = (level * in->n + tb_random_below(random, 3) - 1) & 511; break;
    case 1: in->sum = tb_random_below(random, 15 * in->n + 1) & 511; break;
    default: break;
    }
    in->spare = tb_random_below(random, 3) ? tb_random_below(random, 14) : in->spare;
}

enum bin { AT_MID, BELOW_MID, AT_HIGH, BELOW_HIGH, NO_LANE, NO_ROOM, ONE_LESS, TWO_LESS, NO_LOAD };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    bool free = !in->fixed1 && !out->clamped && in->n;
    hits[AT_MID] += free && in->sum == MID * in->n && out->d == (MID < HIGH ? 2 : 3);
    hits[BELOW_MID] += free && in->sum + 1 == MID * in->n && out->d == 1;
    hits[AT_HIGH] += free && in->sum == HIGH * in->n && out->d == 3;
    hits[BELOW_HIGH] += free && in->sum + 1 == HIGH * in->n && out->d == 2;
    hits[NO_LANE] += in->n == 0 && in->sum != 0;
    hits[NO_ROOM] += out->clamped && out->d == 0;
    hits[ONE_LESS] += out->clamped && out->d == 2;
    hits[TWO_LESS] += out->clamped && out->d == 1 && in->sum >= HIGH * in->n;
    hits[NO_LOAD] += in->nloads == 0 && in->spare == 0 && out->d == 1;
}

STIMULUS(0, drive, observe, BIN("an average of MID"), BIN("just below MID"),
         BIN("an average of HIGH"), BIN_IF(MID < HIGH, "just below HIGH"), BIN("no lane"),
         BIN("no register"), BIN("one less than wanted"), BIN("two less than wanted"),
         BIN("no load needs a register"))
