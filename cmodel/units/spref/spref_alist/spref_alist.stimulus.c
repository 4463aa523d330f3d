/* Stimulus of spref_alist.  Half of the steps are of three warps, so that lists come round many times
 * between resets; the others visit all warps, and numbers beyond them.  Every pair of pointers, of
 * which there are nine for a list and 27 for a head, comes by chance. */
#define UNIT_TABLE "units/spref/spref_alist/spref_alist.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    if (step & 1) {
        in->wid = tb_random_below(random, 3) % WARPS;
    } else if (tb_random_below(random, 8) == 0) {
        in->wid = tb_random_below(random, 64);
    }
}

enum bin { ALL_AT_ONCE, RESET_AND_PUSH, LAST_PLACE, NO_WARP, READ_WHERE_WRITTEN };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct state *s = state;
    (void)out_slots;
    hits[NO_WARP] += in->wid >= WARPS && in->push;
    if (in->wid >= WARPS) {
        return;
    }
    uint64_t list = in->wid * 4 + in->sel;
    hits[ALL_AT_ONCE] += in->push && in->pop_mov && in->pop_tail && !in->reset;
    hits[RESET_AND_PUSH] += in->push && in->reset && s->wr[list] == 2;
    hits[LAST_PLACE] += in->push && !in->reset && s->wr[list] == 2;
    hits[READ_WHERE_WRITTEN] += in->push && in->pop_mov && s->wr[list] == s->rd_mov[list] &&
                                s->ids[list * 3 + s->wr[list]] != in->push_id;
}

STIMULUS(20000, drive, observe, BIN("push and both reads in one cycle"),
         BIN("reset and push in one cycle"), BIN("the last place is written"),
         BIN_IF(WARPS < 64, "no such warp"), BIN("an id is read as its place is written"))
