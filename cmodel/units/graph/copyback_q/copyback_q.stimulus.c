/* Stimulus of copyback_q.  In stretches the network takes all, little, or nothing, so that the queue
 * is empty, half full and full; kernels end at every flit of a packet.  Data are sampled: they are
 * moved and nothing else. */
#define UNIT_TABLE "units/graph/copyback_q/copyback_q.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    const uint64_t stretch = step / 64 % 4;
    if (stretch < 3) {
        in->flit_ready = stretch == 0 || (stretch == 1 && tb_random_below(random, 8) == 0);
    }
}

enum bin {
    FULL,
    FULL_AND_LEAVES,
    FLUSH_BETWEEN,
    FLUSH_UNDER_WAY,
    FLUSH_WITH_HEAD,
    FLUSH_WITH_TAIL,
    FLUSH_AND_LINE
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    const bool flush = in->flush && out->flit_valid, sends = out->flit_valid && in->flit_ready;
    hits[FULL] += in->ev_valid && !out->ev_ready;
    hits[FULL_AND_LEAVES] += !out->ev_ready && sends && out->flit_tail;
    hits[FLUSH_BETWEEN] += flush && out->flit_head && !sends;
    hits[FLUSH_UNDER_WAY] += flush && !out->flit_head && !out->flit_tail;
    hits[FLUSH_WITH_HEAD] += flush && out->flit_head && sends;
    hits[FLUSH_WITH_TAIL] += flush && out->flit_tail && sends;
    hits[FLUSH_AND_LINE] += flush && in->ev_valid && in->ev_cb && out->ev_ready;
}

STIMULUS(5000, drive, observe, BIN("a line waits outside"), BIN("the oldest leaves a full queue"),
         BIN("flush, no packet under way"), BIN_IF(FLITS > 1, "flush inside a packet"),
         BIN("flush as a head goes"), BIN("flush as a tail goes"), BIN("flush as a line comes"))
