/* Stimulus of dac_clp.  A pool of twelve PCs makes look-ups and insertions meet; in
 * every other stretch of steps PCs come from a pool twice the table's size, so that the
 * table fills and its oldest entries are replaced.  One look-up in 16 has the last PC that was
 * classified with one bit flipped, any bit. */
#define UNIT_TABLE "units/dacache/dac_clp/dac_clp.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)last_out;
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    if (step / 256 % 2) {
        in->ins_pc = tb_random_below(random, 2 * ENTRIES);
        in->lk_pc = tb_random_below(random, 2 * ENTRIES);
    }
    if (tb_random_below(random, 16) == 0) {
        in->lk_pc = was->ins_pc ^ UINT64_C(1) << tb_random_below(random, PC_W);
    }
}

enum bin { SAME_CYCLE, PRESENT_OTHER_FLAG, CLEAR_AND_INSERT, FULL };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    bool present_other = false;
    for (unsigned i = 0; i < ENTRIES; i++) {
        bool same = ((uint64_t)s->valid >> i & 1) && s->pc[i] == in->ins_pc;
        present_other |= same && s->flag[i] != in->ins_flag;
    }
    hits[SAME_CYCLE] += in->lk_valid && out->ins_new && in->lk_pc == in->ins_pc;
    hits[PRESENT_OTHER_FLAG] += in->ins_valid && present_other;
    hits[CLEAR_AND_INSERT] += in->kernel_start && in->ins_valid && in->lk_valid;
    hits[FULL] += out->evict && in->lk_valid && in->lk_pc == s->pc[s->ptr];
}

STIMULUS(4000, drive, observe, BIN("look-up of a PC that enters in the same cycle"),
         BIN("insertion of a present PC with the other class"),
         BIN("kernel_start with insertion and look-up"), BIN("look-up of the PC that is replaced"))
