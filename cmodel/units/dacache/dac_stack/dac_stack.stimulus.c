/* Stimulus of dac_stack.  Operations are uniform; sets come from a pool of three, so
 * that one set sees operations back to back and its order wanders over many
 * permutations.  Position and target pairs are exhaustive within some thousand steps. */
#define UNIT_TABLE "units/dacache/dac_stack/dac_stack.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step, (void)last_out;
    struct in *in = (struct in *)in_slots;
    if (tb_random_below(random, 4) == 0) {
        in->set_index = ((const struct in *)last_in)->set_index;
    } else if (tb_random_below(random, 16) == 0) {
        in->set_index = tb_random_below(random, SETS);
    }
}

enum bin {
    PROMOTE_TO_MRU,
    PROMOTE_BY_G,
    PROMOTE_MRU,
    INSERT_UP,
    INSERT_DOWN,
    INSERT_SAME,
    UNTOUCHED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct state *s = state_;
    bool promote = in->op == op_PROMOTE, insert = in->op == op_INSERT;
    (void)out_slots;
    hits[PROMOTE_TO_MRU] += promote && in->pos > 0 && in->pos <= in->climb;
    hits[PROMOTE_BY_G] += promote && in->climb > 0 && in->pos > in->climb;
    hits[PROMOTE_MRU] += promote && in->pos == 0;
    hits[INSERT_UP] += insert && in->insert_pos < in->pos;
    hits[INSERT_DOWN] += insert && in->insert_pos > in->pos;
    hits[INSERT_SAME] += insert && in->insert_pos == in->pos;
    hits[UNTOUCHED] += !s->written[in->set_index] && (promote || insert);
}

STIMULUS(500, drive, observe, BIN("promotion ends at MRU"), BIN_IF(WAYS > 2, "promotion by g"),
         BIN("promotion of MRU"), BIN("insertion towards MRU"), BIN("insertion towards LRU"),
         BIN("insertion in place"), BIN("operation on a set in reset order"))
