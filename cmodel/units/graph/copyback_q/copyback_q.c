/* copyback_q - lines that wait for the network (lakshminarayana2014 3.3.4).  Knows no cache. */
#define UNIT_TABLE "units/graph/copyback_q/copyback_q.ports.h"
#include "units/model.h"
#include "units/promises.h"

static bool is_full(const struct state *s)
{
    bool full = true;
    for (unsigned i = 0; i < DEPTH; i++) {
        full &= s->valid[i];
    }
    return full;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->ev_ready = !is_full(s);
    out->flit_valid = s->valid[s->first];
    out->flit_head = s->part == 0;
    out->flit_tail = s->part == FLITS;
    for (unsigned w = 0; w < 4; w++) {
        const bool body = s->part != 0 && s->part <= FLITS;
        out->flit[w] = body ? s->data[s->first * WORDS + (s->part - 1u) * 4 + w] : 0;
    }
    if (out->flit_head) {
        out->flit[0] = in->core << ADDR_W | s->addr[s->first];
    }
    out->queued = in->ev_valid && out->ev_ready && in->ev_cb && !in->flush;
    out->passed_by = in->ev_valid && out->ev_ready && !in->ev_cb;
}

/* All go but the oldest, if its flits are under way. */
static void forget(struct state *s, bool begun)
{
    for (unsigned i = 0; i < DEPTH; i++) {
        s->valid[i] = begun && i == s->first ? s->valid[i] : 0;
    }
    s->free = (uint8_t)((s->first + begun) % DEPTH);
}

static void seq(struct state *s, const struct in *in)
{
    const bool push = in->ev_valid && !is_full(s) && in->ev_cb && !in->flush;
    const bool sends = s->valid[s->first] && in->flit_ready;
    if (push) {
        s->valid[s->free] = 1;
        s->addr[s->free] = (__typeof__(*s->addr))in->ev_addr;
        memcpy(&s->data[s->free * WORDS], in->ev_data, sizeof in->ev_data);
        s->free = (uint8_t)((s->free + 1) % DEPTH);
    }
    if (in->flush) {
        forget(s, sends || s->part != 0);
    }
    s->part = (uint8_t)(s->part + sends);
    if (sends && s->part > FLITS) {
        s->valid[s->first] = 0;
        s->first = (uint8_t)((s->first + 1) % DEPTH);
        s->part = 0;
    }
}

static void reset(struct state *s)
{
    memset(s->valid, 0, sizeof s->valid);
    s->first = s->free = s->part = 0;
}

/* Lines are in a row from the oldest; a packet that is under way has its line. */
static bool is_queue(const struct state *s)
{
    unsigned count = 0;
    for (unsigned i = 0; i < DEPTH; i++) {
        count += s->valid[i];
    }
    bool in_a_row = (s->first + count) % DEPTH == s->free && s->part <= FLITS;
    for (unsigned i = 0; i < DEPTH; i++) {
        in_a_row &= s->valid[(s->first + i) % DEPTH] == (i < count);
    }
    return in_a_row && (s->part == 0 || count > 0);
}
MODEL_INVARIANT(is_queue)

MODEL_SEQUENTIAL
