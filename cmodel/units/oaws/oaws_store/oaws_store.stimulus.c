/* Stimulus of oaws_store.  The walker takes 2 * WARPS * PRED_STEP cycles per round; runs
 * between resets cover many rounds.  A third of the entering instructions go to the slot
 * under refresh or the next one, at every phase, so that outdated refreshes occur. */
#define UNIT_TABLE "units/oaws/oaws_store/oaws_store.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step, (void)last_in;
    struct in *in = (struct in *)in_slots;
    const struct out *last = (const struct out *)last_out;
    if (tb_random_below(random, 3) == 0) {
        in->enter_slot = last->walk_slot;
    } else if (tb_random_below(random, 3) == 0) {
        in->enter_slot = (last->walk_slot + SLOTS - 1) % SLOTS;
    }
}

enum bin { ENTER_AT_START, ENTER_AT_RESULT, RESULT_AT_START, BOTH_WRITE, WRAP, WIDE };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    hits[ENTER_AT_START] += out->walk_start && in->enter_valid && in->enter_slot == out->walk_slot;
    hits[ENTER_AT_RESULT] += in->walk_valid && in->enter_valid && in->enter_slot == s->pending &&
                             !s->stale;
    hits[RESULT_AT_START] += out->refresh && out->walk_start;
    hits[BOTH_WRITE] += out->refresh && in->enter_valid;
    hits[WRAP] += out->walk_start && out->walk_slot == SLOTS - 1;
    hits[WIDE] += in->enter_valid && in->enter_pred > PRED_MAX;
}

STIMULUS(20000, drive, observe, BIN("instruction enters the slot in the cycle of walk_start"),
         BIN("instruction enters the slot in the cycle of the result"),
         BIN("result in the next walk_start"), BIN("refresh and entry in one cycle"),
         BIN("walker wraps"), BIN_IF(PRED_W < 6, "prediction beyond the stored bits"))
