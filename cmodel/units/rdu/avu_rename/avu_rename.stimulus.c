/* Stimulus of avu_rename.  Renames outnumber the operations that free, so that the physical
 * registers run out; every other stretch frees more.  A commit takes all of a warp back, so
 * a filling stretch has the fewer of them the more registers it has to fill.  A rename that
 * waits gives way to one that frees.  Few kernels start, some with all or all but a few
 * registers in use.  The look-up port follows the operation half of the time.  The table is
 * small at the standard parameters: each entry and each physical register behaves like every
 * other one. */
#define UNIT_TABLE "units/rdu/avu_rename/avu_rename.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *last = (const struct in *)last_in;
    const struct out *out = (const struct out *)last_out;
    const bool frees = step / (256 + 4 * PHYS) % 2;
    const bool walking = last->op == op_COMMIT || last->op == op_SQUASH;
    static const uint8_t filling[] = {op_RENAME, op_RENAME, op_RENAME, op_RENAME,
                                      op_RENAME, op_RENAME, op_RETIRE, op_COMMIT};
    static const uint8_t freeing[] = {op_RENAME, op_RENAME, op_RENAME, op_RETIRE,
                                      op_RETIRE, op_COMMIT, op_SQUASH, op_SQUASH};
    if (last->op != op_NONE && !out->ready && walking) {
        return;
    }
    const uint64_t i = tb_random_below(random, 8);
    in->warp = tb_random_below(random, WARPS);
    in->areg = tb_random_below(random, REGS);
    in->op = frees ? freeing[i] : filling[i];
    if (!frees && in->op == op_COMMIT && tb_random_below(random, PHYS / 4)) {
        in->op = op_RENAME;
    }
    if (tb_random_below(random, 500) == 0) {
        in->op = op_KERNEL_START;
        in->used = tb_random_below(random, frees ? PHYS + 1 : PHYS / 4);
        in->used = tb_random_below(random, 4) ? in->used : PHYS - tb_random_below(random, 5);
    }
    if (tb_random_below(random, 16) == 0) {
        in->op = op_NONE;
    }
    if (tb_random_below(random, 200) == 0) {
        in->warp = tb_random_below(random, 64);
        in->areg = tb_random_below(random, 64);
        in->lk_warp = tb_random_below(random, 64);
        in->lk_reg = tb_random_below(random, 64);
    }
    if (tb_random_below(random, 2)) {
        in->lk_warp = in->warp;
        in->lk_reg = in->areg;
    }
}

enum bin {
    ALLOCATED,
    RENAMED_AGAIN,
    STALLED,
    COMMITTED,
    DROPPED,
    TEMPORARY_KEPT,
    RETIRED,
    NOTHING_TO_COMMIT,
    LAST_FREE,
    LOOKED_UP
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    unsigned free = 0;
    for (unsigned word = 0; word < PHYS / FREE_W; word++) {
        free += (unsigned)__builtin_popcountll(s->free[word]);
    }
    const bool held = in->warp < WARPS && in->areg < REGS && s->valid[in->warp * REGS + in->areg];
    hits[ALLOCATED] += out->new_valid && !held;
    hits[RENAMED_AGAIN] += out->new_valid && held;
    hits[STALLED] += out->stall;
    hits[COMMITTED] += in->op == op_COMMIT && out->move_valid;
    hits[DROPPED] += in->op == op_SQUASH && out->move_valid && !out->move_copy;
    hits[TEMPORARY_KEPT] += in->op == op_SQUASH && out->move_valid && out->move_copy;
    hits[RETIRED] += in->op == op_RETIRE && out->move_valid;
    hits[NOTHING_TO_COMMIT] += in->op == op_COMMIT && !out->move_valid;
    hits[LAST_FREE] += out->new_valid && !held && free == 1;
    hits[LOOKED_UP] += out->lk_hit;
}

STIMULUS(50000, drive, observe, BIN("register allocated"), BIN("renamed register renamed again"),
         BIN("rename waits for a free register"), BIN("result committed"),
         BIN("speculative result dropped"), BIN("temporary result kept by a squash"),
         BIN("one register retired"), BIN("commit of a warp without results"),
         BIN("last free register taken"), BIN("look-up of a renamed register"))
