/* spref_alist - the AllocatedReg lists of all warps (lakshminarayana2014-graph 3.1.3, 3.1.7).
 * Knows ids and pointers; nothing of what the registers hold. */
#define UNIT_TABLE "units/spref/spref_alist/spref_alist.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { SIZE = 3, OF_WARP = 4 };

/* Lists are of a warp that there is. */
static void prepare(struct state *s, const struct in *in)
{
    for (unsigned list = 0; in->reset && list < OF_WARP; list++) {
        s->wr[in->wid * OF_WARP + list] = 0;
        s->rd_mov[in->wid * OF_WARP + list] = 0;
        s->rd_tail[in->wid * OF_WARP / 2 + list / 2] = 0;
    }
}

static uint8_t advanced(uint8_t at)
{
    return at >= SIZE - 1 ? 0 : (uint8_t)(at + 1);
}

/* A pointer of 3, which no run has, reads as 0. */
static unsigned place(uint8_t at)
{
    return at < SIZE ? at : 0;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->mov_id = out->tail_id = 0;
    if (in->wid >= WARPS) {
        return;
    }
    uint64_t list = in->wid * OF_WARP + in->sel, head = list & ~UINT64_C(1);
    unsigned mov = in->reset ? 0 : place(s->rd_mov[list]);
    unsigned tail = in->reset ? 0 : place(s->rd_tail[head / 2]);
    out->mov_id = s->ids[list * SIZE + mov];
    out->tail_id = s->ids[head * SIZE + tail];
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->wid >= WARPS) {
        return;
    }
    uint64_t list = in->wid * OF_WARP + in->sel;
    prepare(s, in);
    if (in->push) {
        if (s->wr[list] < SIZE) {
            s->ids[list * SIZE + s->wr[list]] = (uint8_t)in->push_id;
        }
        s->wr[list] = advanced(s->wr[list]);
    }
    if (in->pop_mov) {
        s->rd_mov[list] = advanced(s->rd_mov[list]);
    }
    if (in->pop_tail) {
        s->rd_tail[list / 2] = advanced(s->rd_tail[list / 2]);
    }
}

MODEL_SEQUENTIAL
