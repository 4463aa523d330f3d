/* dac_stack - the LRU stacks of all sets (wang2015 3.12.4, 3.12.6).
 * Moves lines between positions; why they move is not its business. */
#define UNIT_TABLE "units/dacache/dac_stack/dac_stack.ports.h"
#include "units/model.h"

static uint64_t pack(const uint64_t *ways)
{
    uint64_t packed = 0;
    for (unsigned i = 0; i < WAYS; i++) {
        packed |= ways[i] << i * WAY_W;
    }
    return packed;
}

/* The ways in order: a set that nothing has moved in. */
static uint64_t in_order(void)
{
    uint64_t packed = 0;
    for (unsigned i = 0; i < WAYS; i++) {
        packed |= (uint64_t)i << i * WAY_W;
    }
    return packed;
}

/* The way at each position of a set. */
static void unpack(const struct state *s, uint64_t set, uint64_t *ways)
{
    const uint64_t packed = s->written[set] ? s->stack[set] : in_order();
    for (unsigned i = 0; i < WAYS; i++) {
        ways[i] = unit_field(packed, i * WAY_W, WAY_W);
    }
}

/* Where the line at in->pos goes; in->pos itself when there is nothing to do. */
static uint64_t target(const struct in *in)
{
    if (in->pos >= WAYS) {
        return in->pos;
    }
    if (in->op == op_PROMOTE) {
        return in->pos > in->climb ? in->pos - in->climb : 0;
    }
    return in->op == op_INSERT && in->insert_pos < WAYS ? in->insert_pos : in->pos;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    unpack(s, in->set_index, out->lru_stack);
    out->moved = target(in) != in->pos;
}

static void seq(struct state *s, const struct in *in)
{
    uint64_t to = target(in), ways[WAYS];
    if (to == in->pos) {
        return;
    }
    unpack(s, in->set_index, ways);
    const uint64_t line = ways[in->pos];
    for (uint64_t i = in->pos; i > to; i--) {
        ways[i] = ways[i - 1];
    }
    for (uint64_t i = in->pos; i < to; i++) {
        ways[i] = ways[i + 1];
    }
    ways[to] = line;
    s->stack[in->set_index] = (__typeof__(*s->stack))pack(ways);
    s->written[in->set_index] = 1;
}

static void reset(struct state *s)
{
    memset(s->written, 0, sizeof s->written);
}

MODEL_SEQUENTIAL
