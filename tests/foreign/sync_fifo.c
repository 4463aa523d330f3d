/* sync_fifo - a model of tests/foreign/sync_fifo.v, after the words at its head. */
#define UNIT_TABLE "units/mine/sync_fifo/sync_fifo.ports.h"
#include "units/model.h"

enum { DEPTH = 1 << ADDR_WIDTH };

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->dout = s->dout;
    out->full = s->cnt == DEPTH;
    out->empty = s->cnt == 0;
    out->level = s->cnt;
}

static void seq(struct state *s, const struct in *in)
{
    const bool write = in->wr_en && s->cnt != DEPTH, read = in->rd_en && s->cnt != 0;
    if (read) {
        s->dout = s->mem[s->rptr];
        s->rptr = (uint8_t)((s->rptr + 1) % DEPTH);
    }
    if (write) {
        s->mem[s->wptr] = (uint8_t)in->din;
        s->wptr = (uint8_t)((s->wptr + 1) % DEPTH);
    }
    s->cnt = (uint8_t)unit_bits(s->cnt + (unsigned)write - (unsigned)read, ADDR_WIDTH + 1);
}

static void reset(struct state *s)
{
    s->cnt = s->rptr = s->wptr = s->dout = 0;
}

MODEL_SEQUENTIAL
