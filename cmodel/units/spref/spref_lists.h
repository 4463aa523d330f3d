/* spref_lists.h - lists of register ids: what spref_alist and spref_top do in a cycle
 * (lakshminarayana2014-graph 3.1.3, 3.1.7).  Whoever includes it has the fields of spref_alist's state in its
 * own, and says what struct lists_in and struct lists_out are. */
#ifndef WARPLOCK_UNITS_SPREF_LISTS_H
#define WARPLOCK_UNITS_SPREF_LISTS_H

enum { SIZE = 3, OF_WARP = 4 };

/* Lists are of a warp that there is. */
static void start_over(struct state *s, const struct lists_in *in)
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

static void lists_comb(const struct state *s, const struct lists_in *in, struct lists_out *out)
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

static void lists_reset(struct state *s)
{
    memset(s->ids, 0, sizeof s->ids);
    memset(s->wr, 0, sizeof s->wr);
    memset(s->rd_mov, 0, sizeof s->rd_mov);
    memset(s->rd_tail, 0, sizeof s->rd_tail);
}

static void lists_seq(struct state *s, const struct lists_in *in)
{
    if (in->wid >= WARPS) {
        return;
    }
    uint64_t list = in->wid * OF_WARP + in->sel;
    start_over(s, in);
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

#endif
