/* spref_targets.h - target loads: what spref_tlt and spref_top do in a cycle
 * (lakshminarayana2014-graph 3.1.4).  Whoever includes it has the fields of spref_tlt's state in its
 * own, and says what struct targets_in and struct targets_out are. */
#ifndef WARPLOCK_UNITS_SPREF_TARGETS_H
#define WARPLOCK_UNITS_SPREF_TARGETS_H

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

static void see_load(const struct state *s, const struct targets_in *in, struct seen *seen)
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

static void see_setp(const struct state *s, const struct targets_in *in, struct seen *seen)
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

static struct seen see(const struct state *s, const struct targets_in *in)
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

static void look_up(const struct state *s, const struct targets_in *in, struct targets_out *out,
                    unsigned port)
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

static void targets_comb(const struct state *s, const struct targets_in *in,
                         struct targets_out *out)
{
    const struct seen seen = see(s, in);
    out->head_id = seen.head ? 1 + seen.slot : 0;
    out->found = in->pass == pass_SECOND && in->pass_end && s->head_valid[0] && seen.setps == 1;
    for (unsigned port = 0; port < PORTS; port++) {
        look_up(s, in, out, port);
    }
    out->has = (uint64_t)s->head_valid[0] | (uint64_t)s->tail_valid[0] << 1 |
               (uint64_t)s->head_valid[1] << 2 | (uint64_t)s->tail_valid[1] << 3;
    out->setp_pc = s->setp_pc;
    out->step_log2 = s->step_log2;
    out->down = s->down;
    out->plus_one = s->plus_one;
    out->tail_over = seen.over;
}

static void targets_reset(struct state *s)
{
    memset(s->head_valid, 0, sizeof s->head_valid);
    memset(s->head_pc, 0, sizeof s->head_pc);
    memset(s->head_stride, 0, sizeof s->head_stride);
    memset(s->tail_valid, 0, sizeof s->tail_valid);
    memset(s->tail_pc, 0, sizeof s->tail_pc);
    memset(s->tail_shift, 0, sizeof s->tail_shift);
    memset(s->tail_base, 0, sizeof s->tail_base);
    memset(s->tail_imm, 0, sizeof s->tail_imm);
    s->loop_not = s->branched = s->setps = s->step_log2 = s->down = s->plus_one = 0;
    s->setp_pc = 0;
    s->loop_pred = NO_REG;
}

static void store(struct state *s, const struct targets_in *in, const struct seen *seen)
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

static void targets_seq(struct state *s, const struct targets_in *in)
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

#endif
