/* spref_tags.h - tags, load-ids and forms: what spref_tagtrk and spref_top do in a cycle
 * (lakshminarayana2014-graph 3.1.3, 3.1.4).  Whoever includes it has the fields of spref_tagtrk's state in its
 * own, and says what struct tags_in and struct tags_out are. */
#ifndef WARPLOCK_UNITS_SPREF_TAGS_H
#define WARPLOCK_UNITS_SPREF_TAGS_H

enum { CONST = tag_CONST, STRIDE = tag_STRIDE, RANDOM = tag_RANDOM };
enum { FRESH = tag_FRESH, NO_FORM = lid_NO_FORM };

/* A register as an operand. */
struct value {
    unsigned reg, tag, lid, base, shift;
    uint32_t delta;
    bool done; /* strided, and written in this pass */
};

/* What an instruction gives. */
struct result {
    struct value value;
    bool steps; /* by a register */
    uint32_t step;
    bool full; /* no entry is free */
};

static bool is_const(const struct value *v)
{
    return v->tag == CONST || v->tag == FRESH;
}

/* What the first instruction of a pass forgets. */
static void prepare(struct state *s, const struct tags_in *in)
{
    for (unsigned e = 0; e < STRIDES; e++) {
        s->cam_done[e] = in->pass_begin ? 0 : s->cam_done[e];
        s->cam_reg[e] = in->tag_init ? NO_REG : s->cam_reg[e];
    }
    if (in->tag_init) {
        memset(s->tag, CONST, sizeof s->tag);
        memset(s->lid, 0, sizeof s->lid);
        s->index = NO_REG;
    }
}

static struct value operand(const struct state *s, uint64_t reg)
{
    struct value v = {.reg = (unsigned)reg, .base = NO_REG};
    if (reg == NO_REG) {
        return v;
    }
    v.tag = s->tag[reg];
    v.lid = s->lid[reg];
    v.base = s->base[reg];
    v.shift = s->shift[reg];
    for (unsigned e = 0; e < STRIDES; e++) {
        if (s->cam_reg[e] == reg) {
            v.delta = s->cam_delta[e];
            v.done = s->cam_done[e];
        }
    }
    return v;
}

/* The power of two that a multiplication or shift scales by; false when it is none. */
static bool scale_of(const struct tags_in *in, unsigned *scale)
{
    uint32_t imm = (uint32_t)in->imm;
    if (in->op == op_MUL || in->op == op_MAD) {
        *scale = imm == 0 ? 0 : 31 - (unsigned)__builtin_clz(imm);
        return imm != 0 && (imm & (imm - 1)) == 0;
    }
    *scale = imm & 31;
    return imm < 32;
}

/* ---- tags ---- */

static void set_const(struct value *v, const struct tags_in *in)
{
    v->tag = in->pass == pass_FIRST ? FRESH : CONST;
}

static void set_stride(struct value *v, uint32_t delta)
{
    v->tag = STRIDE;
    v->delta = delta;
}

/* An operand times a constant. */
static struct value product(const struct tags_in *in, const struct value *a, const struct value *b)
{
    struct value v = {.tag = RANDOM};
    unsigned scale;
    if (is_const(a) && is_const(b)) {
        v.tag = CONST;
    } else if (a->tag == STRIDE && is_const(b) && in->imm_valid && scale_of(in, &scale)) {
        set_stride(&v, a->delta << scale);
    }
    return v;
}

static void sum(struct value *v, const struct tags_in *in, const struct value *a,
                const struct value *b)
{
    bool subtract = in->op == op_SUB;
    if (is_const(a) && is_const(b)) {
        set_const(v, in);
    } else if (a->tag == STRIDE && is_const(b)) {
        set_stride(v, a->delta);
    } else if (is_const(a) && b->tag == STRIDE) {
        set_stride(v, subtract ? 0 - b->delta : b->delta);
    }
}

/* r = r + c. */
static void advance(struct result *r, const struct state *s, const struct tags_in *in,
                    const struct value *a, const struct value *b)
{
    bool first = in->pass == pass_FIRST;
    uint32_t amount = (uint32_t)(in->imm_valid ? in->imm : in->step_val);
    r->step = in->op == op_SUB ? 0 - amount : amount;
    if (!is_const(b) || a->done ||
        (first ? a->tag != CONST : a->tag != STRIDE || a->delta != r->step)) {
        return;
    }
    r->steps = !in->imm_valid;
    bool holds = s->index == NO_REG ? first : s->index == in->dst;
    if (in->imm_valid || (holds && in->step_ok)) {
        set_stride(&r->value, r->step);
    }
}

static void find_tag(struct result *r, const struct state *s, const struct tags_in *in,
                     const struct value op[3])
{
    struct value *v = &r->value;
    bool own1 = in->src1 == in->dst && in->src1 != NO_REG;
    bool own2 = in->src2 == in->dst && in->src2 != NO_REG;
    bool self = in->raw_upd || own1 || own2;
    bool adds = in->op == op_ADD || in->op == op_SUB;
    v->tag = RANDOM;
    if (in->pred || op[0].tag == RANDOM || op[1].tag == RANDOM || op[2].tag == RANDOM) {
        return;
    }
    if (in->op == op_MOV && is_const(&op[0])) {
        set_const(v, in);
    } else if (in->op == op_MOV && op[0].tag == STRIDE && !in->raw_upd) {
        set_stride(v, op[0].delta);
    } else if (adds && in->raw_upd && !own1) {
        advance(r, s, in, &op[0], &op[1]);
    } else if (self) {
        return;
    } else if (adds) {
        sum(v, in, &op[0], &op[1]);
    } else if (in->op == op_MUL || in->op == op_SHL) {
        *v = product(in, &op[0], &op[1]);
        v->tag = v->tag == CONST && in->pass == pass_FIRST ? FRESH : v->tag;
    } else if (in->op == op_MAD) {
        struct value p = product(in, &op[0], &op[1]);
        sum(v, in, &p, &op[2]);
    } else if (in->op == op_OTHER && is_const(&op[0]) && is_const(&op[1]) && is_const(&op[2])) {
        set_const(v, in);
    }
}

/* A strided register needs an entry; a second strided value in one pass is none. */
static void find_entry(struct result *r, const struct state *s, const struct tags_in *in,
                       bool writes)
{
    bool own = false, free = false, done = false;
    for (unsigned e = 0; e < STRIDES; e++) {
        bool mine = s->cam_reg[e] == in->dst && in->dst != NO_REG;
        own |= mine;
        done = mine ? s->cam_done[e] : done;
        free |= s->cam_reg[e] == NO_REG;
    }
    r->full = writes && r->value.tag == STRIDE && !done && !own && !free;
    if (r->value.tag == STRIDE && (done || (!own && !free))) {
        r->value.tag = RANDOM;
    }
}

/* ---- load-ids ---- */

/* The value of a head, shifted perhaps, to which nothing is added yet. */
static bool is_plain(const struct value *v)
{
    return (v->lid == 1 || v->lid == 2) && v->base == NO_REG;
}

static bool is_base(const struct value *v)
{
    return is_const(v) && v->reg != NO_REG && v->lid == 0;
}

static void find_form(struct result *r, const struct tags_in *in, const struct value op[3])
{
    struct value *v = &r->value;
    unsigned id = op[0].lid ? op[0].lid : op[1].lid ? op[1].lid : op[2].lid, scale;
    bool clash = false;
    v->lid = v->shift = 0;
    v->base = NO_REG;
    for (unsigned k = 0; k < 3; k++) {
        clash |= op[k].lid != 0 && op[k].lid != id;
    }
    if (in->pred || in->op == op_LD || clash || id == 0) {
        v->lid = in->op == op_LD && !in->pred ? (unsigned)in->head_id : 0;
        return;
    }
    bool scales = is_plain(&op[0]) && op[0].shift == 0 && in->imm_valid && scale_of(in, &scale) &&
                  scale <= 7;
    v->lid = id;
    v->shift = op[0].shift;
    if (in->op == op_MOV) {
        v->base = op[0].base;
    } else if ((in->op == op_MUL || in->op == op_SHL) && scales) {
        v->shift = scale;
    } else if (in->op == op_MAD && scales && is_base(&op[2])) {
        v->shift = scale;
        v->base = op[2].reg;
    } else if (in->op == op_ADD && is_plain(&op[0]) && is_base(&op[1])) {
        v->base = op[1].reg;
    } else if (in->op == op_ADD && is_plain(&op[1]) && is_base(&op[0])) {
        v->shift = op[1].shift;
        v->base = op[0].reg;
    } else {
        v->lid = NO_FORM;
    }
    if (v->lid == NO_FORM) {
        v->shift = 0;
        v->base = NO_REG;
    }
}

/* ---- one cycle ---- */

/* `s` is prepared. */
static struct result decode(const struct state *s, const struct tags_in *in)
{
    const struct value op[3] = {operand(s, in->src0), operand(s, in->src1), operand(s, in->src2)};
    struct result r = {0};
    bool writes = in->pass != pass_IDLE && in->op < op_SETP && in->dst != NO_REG;
    find_tag(&r, s, in, op);
    find_entry(&r, s, in, writes);
    find_form(&r, in, op);
    return r;
}

static void tags_comb(const struct state *s, const struct tags_in *in, struct tags_out *out)
{
    struct state prepared;
    const struct state *now = s; /* as a rule: a copy costs more than what is looked up in it */
    if (in->pass_begin || in->tag_init) {
        prepared = *s;
        prepare(&prepared, in);
        now = &prepared;
    }
    const struct value a = operand(now, in->src0);
    const struct result r = decode(now, in);
    out->addr_tag = a.tag;
    out->addr_lid = a.lid;
    out->addr_delta = a.tag == STRIDE ? a.delta : 0;
    out->addr_base = a.base;
    out->addr_shift = a.shift;
    out->addr_done = a.tag == STRIDE && a.done;
    out->end_tag = operand(now, in->src1).tag;
    out->dst_tag_next = r.value.tag;
    out->dst_lid_next = r.value.lid;
    out->index = s->index;
    out->index_step = s->index_step;
    out->strides_full = r.full;
}

static void write_entry(struct state *s, const struct tags_in *in, const struct value *v)
{
    int own = -1, free = -1;
    for (int e = STRIDES - 1; e >= 0; e--) {
        own = s->cam_reg[e] == in->dst ? e : own;
        free = s->cam_reg[e] == NO_REG ? e : free;
    }
    if (v->tag != STRIDE) {
        if (own >= 0) {
            s->cam_reg[own] = NO_REG;
        }
        return;
    }
    int at = own >= 0 ? own : free;
    s->cam_reg[at] = (uint8_t)in->dst;
    s->cam_delta[at] = v->delta;
    s->cam_done[at] = 1;
}

static void tags_seq(struct state *s, const struct tags_in *in)
{
    if (in->pass == pass_IDLE) {
        return;
    }
    prepare(s, in);
    const struct result r = decode(s, in);
    if (in->op < op_SETP && in->dst != NO_REG) {
        s->tag[in->dst] = (uint8_t)r.value.tag;
        s->lid[in->dst] = (uint8_t)r.value.lid;
        s->base[in->dst] = (uint8_t)r.value.base;
        s->shift[in->dst] = (uint8_t)r.value.shift;
        write_entry(s, in, &r.value);
        if (r.steps && r.value.tag == STRIDE) {
            s->index = (uint8_t)in->dst;
            s->index_step = r.step;
        }
    }
    for (unsigned reg = 0; in->pass_end && in->pass == pass_FIRST && reg < REGS; reg++) {
        s->tag[reg] = s->tag[reg] == FRESH ? RANDOM : s->tag[reg];
    }
}

static void tags_reset(struct state *s)
{
    memset(s->tag, 0, sizeof s->tag);
    memset(s->lid, 0, sizeof s->lid);
    memset(s->shift, 0, sizeof s->shift);
    memset(s->cam_delta, 0, sizeof s->cam_delta);
    memset(s->cam_done, 0, sizeof s->cam_done);
    s->index_step = 0;
    memset(s->base, NO_REG, sizeof s->base);
    memset(s->cam_reg, NO_REG, sizeof s->cam_reg);
    s->index = NO_REG;
}

static bool one_entry_each(const struct state *s)
{
    for (unsigned e = 1; e < STRIDES; e++) {
        for (unsigned f = 0; f < e; f++) {
            if (s->cam_reg[e] == s->cam_reg[f] && s->cam_reg[e] != NO_REG) {
                return false;
            }
        }
    }
    return true;
}

static bool decoded(const struct state *s, const struct tags_in *in)
{
    (void)s;
    return in->raw_upd == (in->src0 == in->dst && in->dst != NO_REG) && in->pass <= pass_SECOND &&
           (!in->imm_valid || in->src1 == NO_REG);
}

#endif
