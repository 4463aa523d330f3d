/* spref_tlt - the loads of the loop that are prefetched, and the setp that ends it
 * (lakshminarayana2014-graph 3.1.4).  Knows tags and forms as spref_tagtrk gives them. */
#define UNIT_TABLE "units/spref/spref_tlt/spref_tlt.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { TAG_STRIDE = 1, TAG_RANDOM = 2, TOO_MANY = 2 };

/* What the decoded instruction does to the table. */
struct seen {
    bool head, tail, over, loops; /* a head; a tail; a second tail; the loop's setp */
    unsigned slot;                /* of the head or tail */
    unsigned setps;               /* of this pass, with it */
    unsigned log2;
    bool down, plus_one;
};

/* The comparison for which the loop goes on. */
static uint64_t goes_on(const struct state *s, uint64_t cmp)
{
    static const uint8_t contrary[] = {cmp_GE, cmp_GT, cmp_LE, cmp_LT, cmp_EQ, cmp_NE, 6, 7};
    return s->loop_not ? contrary[cmp] : cmp;
}

static bool counts(uint64_t going, bool down, uint32_t amount)
{
    switch (going) {
    case cmp_LT:
    case cmp_LE: return !down;
    case cmp_GT:
    case cmp_GE: return down;
    case cmp_NE: return amount == 1;
    default: return false;
    }
}

static void see_load(const struct state *s, const struct in *in, struct seen *seen)
{
    if (in->addr_tag == TAG_STRIDE) {
        seen->head = !s->head_valid[1];
        seen->slot = s->head_valid[0];
    } else if ((in->addr_lid == 1 || in->addr_lid == 2) && in->addr_base != NO_REG) {
        seen->slot = (unsigned)in->addr_lid - 1;
        seen->over = s->tail_valid[seen->slot];
        seen->tail = !seen->over;
    }
}

static void see_setp(const struct state *s, const struct in *in, struct seen *seen)
{
    uint64_t going = goes_on(s, in->cmp);
    uint32_t delta = (uint32_t)in->addr_delta;
    bool down = delta >> 31;
    uint32_t amount = down ? 0 - delta : delta;
    bool constant = in->end_tag != TAG_STRIDE && in->end_tag != TAG_RANDOM;
    bool power = amount != 0 && amount < 256 && (amount & (amount - 1)) == 0;
    bool fits = !in->pred && in->addr_tag == TAG_STRIDE && in->addr_done && constant && power &&
                counts(going, down, amount);
    seen->loops = true;
    seen->setps = seen->setps == 0 && fits ? 1 : TOO_MANY;
    seen->down = down;
    seen->plus_one = going == cmp_LE || going == cmp_GE;
    uint32_t low = amount & 255;
    seen->log2 = low == 0 ? 0 : 31 - (unsigned)__builtin_clz(low);
}

static struct seen see(const struct state *s, const struct in *in)
{
    bool second = in->pass == pass_SECOND, branched = s->branched && !in->pass_begin;
    struct seen seen = {.setps = in->pass_begin ? 0 : s->setps};
    if (second && in->op == op_LD && in->ro && !in->pred && !branched && seen.setps == 0) {
        see_load(s, in, &seen);
    }
    if (second && in->op == op_SETP && in->pdst == s->loop_pred && in->pdst != NO_REG) {
        see_setp(s, in, &seen);
    }
    return seen;
}

static void look_up(const struct state *s, const struct in *in, struct out *out, unsigned port)
{
    out->is_head[port] = out->is_tail[port] = out->idx[port] = out->stride[port] = 0;
    out->shift[port] = out->base[port] = out->imm[port] = 0;
    for (unsigned h = 0; h < 2; h++) {
        if (s->head_valid[h] && s->head_pc[h] == in->pc[port]) {
            out->is_head[port] = 1;
            out->idx[port] |= h;
            out->stride[port] |= s->head_stride[h];
        }
        if (s->tail_valid[h] && s->tail_pc[h] == in->pc[port]) {
            out->is_tail[port] = 1;
            out->idx[port] |= h;
            out->shift[port] |= s->tail_shift[h];
            out->base[port] |= s->tail_base[h];
            out->imm[port] |= s->tail_imm[h];
        }
    }
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct seen seen = see(s, in);
    out->head_id = seen.head ? 1 + seen.slot : 0;
    out->found = in->pass == pass_SECOND && in->pass_end && s->head_valid[0] && seen.setps == 1;
    for (unsigned port = 0; port < PORTS; port++) {
        look_up(s, in, out, port);
    }
    out->heads = (uint64_t)s->head_valid[0] + s->head_valid[1];
    out->tails = (uint64_t)s->tail_valid[0] + s->tail_valid[1];
    out->setp_pc = s->setp_pc;
    out->step_log2 = s->step_log2;
    out->down = s->down;
    out->plus_one = s->plus_one;
    out->tail_over = seen.over;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    s->loop_pred = NO_REG;
}

static void store(struct state *s, const struct in *in, const struct seen *seen)
{
    if (seen->head) {
        s->head_valid[seen->slot] = 1;
        s->head_pc[seen->slot] = (uint32_t)in->dec_pc;
        s->head_stride[seen->slot] = (uint32_t)in->addr_delta;
    }
    if (seen->tail) {
        s->tail_valid[seen->slot] = 1;
        s->tail_pc[seen->slot] = (uint32_t)in->dec_pc;
        s->tail_shift[seen->slot] = (uint8_t)in->addr_shift;
        s->tail_base[seen->slot] = (uint8_t)in->addr_base;
        s->tail_imm[seen->slot] = (uint16_t)in->offset;
    }
    if (seen->loops) {
        s->setp_pc = (uint32_t)in->dec_pc;
        s->step_log2 = (uint8_t)seen->log2;
        s->down = seen->down;
        s->plus_one = seen->plus_one;
    }
}

static void seq(struct state *s, const struct in *in)
{
    const struct seen seen = see(s, in);
    store(s, in, &seen);
    if (in->pass != pass_IDLE) {
        s->branched = (s->branched && !in->pass_begin) || in->is_branch;
        s->setps = (uint8_t)seen.setps;
    }
    if (in->pass == pass_FIRST && in->pass_end) {
        s->loop_pred = in->is_branch ? (uint8_t)in->psrc : NO_REG;
        s->loop_not = (uint8_t)in->psrc_not;
    }
    if (in->kernel_start || (in->pass == pass_FIRST && in->pass_begin)) {
        memset(s->head_valid, 0, sizeof s->head_valid);
        memset(s->tail_valid, 0, sizeof s->tail_valid);
    }
}

static bool first_head_first(const struct state *s)
{
    return (s->head_valid[0] || !s->head_valid[1]) && s->setps <= TOO_MANY;
}
MODEL_INVARIANT(first_head_first)

MODEL_SEQUENTIAL
