/* Stimulus of dac_vc.  Three PCs and six blocks make 18 pairs for 16 entries, so probes
 * hit, entries repeat and invalidations clear a third of the table.  Most steps follow
 * the user's rule (push only what did not hit); the rest is unrestricted.  One step in 16 has
 * the last step's access with one bit of one key flipped, any bit: what a compare without that
 * bit takes for the same. */
#define UNIT_TABLE "units/dacache/dac_vc/dac_vc.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step;
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    const struct out *last = (const struct out *)last_out;
    if (tb_random_below(random, 4) != 0) {
        in->inv_valid = last->hit;
        in->inv_pc = last->hit ? was->pc : in->inv_pc;
        in->push = in->push && in->acc_valid;
    }
    const unsigned apart = (unsigned)tb_random_below(random, 48);
    if (apart < 2) {
        in->pc = was->pc ^ (apart == 0 ? UINT64_C(1) << tb_random_below(random, PC_W) : 0);
        in->tag = was->tag ^ (apart == 1 ? UINT64_C(1) << tb_random_below(random, TAG_W) : 0);
        in->acc_valid = 1;
    } else if (apart == 2) {
        in->inv_pc = was->pc ^ UINT64_C(1) << tb_random_below(random, PC_W);
        in->inv_valid = 1;
    }
}

enum bin {
    PUSH_AND_INVALIDATE_SAME_PC,
    DISPLACES_INVALIDATED,
    PUSH_INTO_HOLE,
    CLEAR_AND_PUSH,
    DUPLICATE
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    bool oldest_valid = (uint64_t)s->valid >> s->ptr & 1;
    bool dies = oldest_valid && in->inv_valid && s->pc[s->ptr] == in->inv_pc;
    hits[PUSH_AND_INVALIDATE_SAME_PC] += in->push && in->inv_valid && in->pc == in->inv_pc;
    hits[DISPLACES_INVALIDATED] += in->push && dies && !out->disp_valid;
    hits[PUSH_INTO_HOLE] += in->push && !oldest_valid && s->valid != 0;
    hits[CLEAR_AND_PUSH] += in->push && in->kernel_start;
    hits[DUPLICATE] += in->push && out->hit;
}

STIMULUS(3000, drive, observe, BIN("push and invalidation of the same PC"),
         BIN("push over an entry invalidated in the same cycle"), BIN("push into a hole"),
         BIN("kernel_start with a push"), BIN("push of a remembered access"))
