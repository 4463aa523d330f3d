/* Stimulus of flush_ctrl.  The state is one set number, which every flush walks through;
 * sampled are the dirty ways and the readiness of the miss queue.  The dirty ways are
 * those of a real cache: a line written back is clean in the next cycle, a new set brings
 * new ones, every other set none.  One step in 64 draws them afresh, which no cache does.
 * The parameter sets take both widths of a cache and both readings of the write-back. */
#define UNIT_TABLE "units/adi/flush_ctrl/flush_ctrl.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    const struct in *was = (const struct in *)(const void *)last_in;
    const struct out *did = (const struct out *)(const void *)last_out;
    (void)step;
    if (tb_random_below(random, 64) == 0) {
        return;
    }
    if (did->flush_step) {
        if (tb_random_below(random, 2) == 0) {
            in->dirty = 0;
        }
    } else {
        const bool cleaned = did->wb_valid && was->wb_ready;
        in->dirty = was->dirty & ~((uint64_t)cleaned << did->wb_way);
    }
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    const unsigned n_dirty = (unsigned)__builtin_popcountll(in->dirty);
    hits[0] += out->flush_done;
    hits[1] += out->wb_valid && n_dirty == WAYS;
    hits[2] += out->wb_valid && !in->wb_ready;
    hits[3] += out->wb_valid && out->wb_way == WAYS - 1 && in->wb_ready;
    hits[4] += n_dirty == 1 && in->wb_ready && out->flush_step == WB_OVERLAP && in->flush_req;
    hits[5] += s->walk == SETS - 1 && in->flush_req && !out->flush_step;
    hits[6] += !in->flush_req && in->dirty != 0;
}

STIMULUS(5000, drive, observe, BIN("flush done"), BIN("a whole set dirty"), BIN("miss queue full"),
         BIN("highest way written back"), BIN("last write-back of a set"), BIN("last set waits"),
         BIN("dirty lines without a flush"))
