/* spref_top - prefetching into spare registers, of one SM (lakshminarayana2014-graph 3.1): a step of
 * detection, counting and injection each, and what passes between them. */
#define UNIT_TABLE "units/spref/spref_top/spref_top.ports.h"
#include "units/model.h"
#include "units/promises.h"

/* clang-format off: a table stands between the braces */
struct loop_in {
#define PART_IN
#define UNIT_PART "units/spref/spref_loopdet/spref_loopdet.ports.h"
#include "units/spref/spref_part.h"
};
struct loop_out {
#define PART_OUT
#define UNIT_PART "units/spref/spref_loopdet/spref_loopdet.ports.h"
#include "units/spref/spref_part.h"
};
struct tags_in {
#define PART_IN
#define UNIT_PART "units/spref/spref_tagtrk/spref_tagtrk.ports.h"
#include "units/spref/spref_part.h"
};
struct tags_out {
#define PART_OUT
#define UNIT_PART "units/spref/spref_tagtrk/spref_tagtrk.ports.h"
#include "units/spref/spref_part.h"
};
struct targets_in {
#define PART_IN
#define UNIT_PART "units/spref/spref_tlt/spref_tlt.ports.h"
#include "units/spref/spref_part.h"
};
struct targets_out {
#define PART_OUT
#define UNIT_PART "units/spref/spref_tlt/spref_tlt.ports.h"
#include "units/spref/spref_part.h"
};
struct counts_in {
#define PART_IN
#define UNIT_PART "units/spref/spref_itercnt/spref_itercnt.ports.h"
#include "units/spref/spref_part.h"
};
struct counts_out {
#define PART_OUT
#define UNIT_PART "units/spref/spref_itercnt/spref_itercnt.ports.h"
#include "units/spref/spref_part.h"
};
struct lists_in {
#define PART_IN
#define UNIT_PART "units/spref/spref_alist/spref_alist.ports.h"
#include "units/spref/spref_part.h"
};
struct lists_out {
#define PART_OUT
#define UNIT_PART "units/spref/spref_alist/spref_alist.ports.h"
#include "units/spref/spref_part.h"
};
struct steps_in {
#define PART_IN
#define UNIT_PART "units/spref/spref_inject/spref_inject.ports.h"
#include "units/spref/spref_part.h"
};
struct steps_out {
#define PART_OUT
#define UNIT_PART "units/spref/spref_inject/spref_inject.ports.h"
#include "units/spref/spref_part.h"
};
/* clang-format on */

#include "units/spref/spref_counts.h"
#include "units/spref/spref_lists.h"
#include "units/spref/spref_loop.h"
#include "units/spref/spref_steps.h"
#include "units/spref/spref_tags.h"
#include "units/spref/spref_targets.h"

/* A cycle of all parts: what goes in, and what comes out. */
struct cycle {
    struct loop_in loop_in;
    struct loop_out loop;
    struct tags_in tags_in;
    struct tags_out tags;
    struct targets_in targets_in;
    struct targets_out targets;
    struct counts_in counts_in;
    struct counts_out counts;
    struct lists_in lists_in;
    struct lists_out lists;
    struct steps_in steps_in;
    struct steps_out steps;
    uint64_t dist, clamped;
};

/* ---- Step A ---- */

static void tag(const struct state *s, const struct in *in, struct cycle *c)
{
    c->tags_in = (struct tags_in){.pass = c->loop.pass,
                                  .tag_init = c->loop.pass_begin && c->loop.pass == pass_FIRST,
                                  .pass_begin = c->loop.pass_begin,
                                  .pass_end = c->loop.pass_end,
                                  .op = in->op,
                                  .dst = in->dst,
                                  .src0 = in->src0,
                                  .src1 = in->src1,
                                  .src2 = in->src2,
                                  .imm_valid = in->imm_valid,
                                  .imm = in->imm,
                                  .raw_upd = in->raw_upd,
                                  .pred = in->pred,
                                  .step_ok = in->step_ok,
                                  .step_val = in->step_val};
    tags_comb(s, &c->tags_in, &c->tags);
}

static void classify(const struct state *s, const struct in *in, struct cycle *c)
{
    c->targets_in = (struct targets_in){.kernel_start = in->kernel_start,
                                        .pass = c->loop.pass,
                                        .pass_begin = c->loop.pass_begin,
                                        .pass_end = c->loop.pass_end,
                                        .dec_pc = in->dec_pc,
                                        .op = in->op,
                                        .pred = in->pred,
                                        .is_branch = in->is_branch,
                                        .ro = in->ro,
                                        .offset = in->offset,
                                        .addr_tag = c->tags.addr_tag,
                                        .addr_lid = c->tags.addr_lid,
                                        .addr_delta = c->tags.addr_delta,
                                        .addr_base = c->tags.addr_base,
                                        .addr_shift = c->tags.addr_shift,
                                        .addr_done = c->tags.addr_done,
                                        .end_tag = c->tags.end_tag,
                                        .cmp = in->cmp,
                                        .pdst = in->pdst,
                                        .psrc = in->psrc,
                                        .psrc_not = in->psrc_not,
                                        .pc = {in->dec_pc}};
    targets_comb(s, &c->targets_in, &c->targets);
}

static void detect(const struct state *s, const struct in *in, struct cycle *c)
{
    c->loop_in = (struct loop_in){.kernel_start = in->kernel_start,
                                  .br_valid = in->br_valid,
                                  .br_taken = in->br_taken,
                                  .br_pc = in->br_pc,
                                  .br_tgt = in->br_tgt,
                                  .dec_valid = in->dec_valid,
                                  .dec_pc = in->dec_pc,
                                  .dec_wid = in->dec_wid,
                                  .exit_valid = in->exit_valid,
                                  .exit_wid = in->exit_wid};
    loop_comb(s, &c->loop_in, &c->loop); /* the pass, which found does not change */
    if (c->loop.pass == pass_IDLE) {     /* no register is looked at, no loop judged */
        c->tags_in.pass = pass_IDLE;
        c->tags = (struct tags_out){0};
        classify(s, in, c);
        return;
    }
    tag(s, in, c);
    classify(s, in, c);
    c->tags_in.head_id = c->targets.head_id;
    c->loop_in.found = c->targets.found;
    loop_comb(s, &c->loop_in, &c->loop);
}

/* ---- Steps B and C ---- */

static void measure(const struct state *s, const struct in *in, struct cycle *c)
{
    bool counted = in->exec_valid && s->fsm == fsm_READY && !in->kernel_start &&
                   in->exec_pc == s->setp_pc;
    c->counts_in.setp_valid = counted;
    c->counts_in.wid = in->exec_wid;
    c->counts_in.mask = in->exec_mask;
    c->counts_in.step_log2 = s->step_log2;
    c->counts_in.down = s->down;
    c->counts_in.plus_one = s->plus_one;
    if (counted) { /* nobody looks at them else */
        memcpy(c->counts_in.idx, in->idx, sizeof in->idx);
        memcpy(c->counts_in.last, in->last, sizeof in->last);
    }
    counts_sum(s, &c->counts);
}

/* As far as the registers of `nloads` loads reach. */
static void choose_distance(const struct state *s, struct cycle *c, uint64_t nloads)
{
    uint64_t sum = c->counts.sum, n = c->counts.n, spare = (s->maxreg_d - s->maxreg_s) & 63;
    uint64_t wanted = n == 0 ? 0 : FIXED1 || sum < MID * n ? 1 : sum < HIGH * n ? 2 : 3;
    c->dist = wanted;
    while (c->dist * nloads > spare) {
        c->dist--;
    }
    c->clamped = c->counts.sum_valid && c->dist < wanted;
}

/* ---- Step D ---- */

static bool strays(const struct state *s, const struct in *in)
{
    bool adds = in->op == op_ADD || in->op == op_SUB;
    bool steps = in->dec_valid && s->fsm == fsm_READY && in->raw_upd && !in->imm_valid && adds &&
                 in->dst == s->index && in->dec_pc >= s->start && in->dec_pc <= s->end;
    uint32_t step = (uint32_t)(in->op == op_SUB ? 0 - in->step_val : in->step_val);
    return steps && (!in->step_ok || step != s->index_step);
}

static void inject(const struct state *s, const struct in *in, struct cycle *c)
{
    const struct targets_out *t = &c->targets;
    bool ready = s->fsm == fsm_READY;
    c->steps_in.clear = in->kernel_start || !ready;
    c->steps_in.launch_valid = in->launch_valid;
    c->steps_in.launch_wid = in->launch_wid;
    c->steps_in.ready = ready;
    c->steps_in.maxreg_s = s->maxreg_s;
    c->steps_in.has = t->has;
    c->steps_in.dec_valid = in->dec_valid;
    c->steps_in.dec_wid = in->dec_wid;
    c->steps_in.dec_mask = in->dec_mask;
    c->steps_in.dec_start = in->dec_pc == s->start;
    c->steps_in.is_head = t->is_head[0];
    c->steps_in.is_tail = t->is_tail[0];
    c->steps_in.idx = t->idx[0];
    c->steps_in.br_valid = in->br_valid && in->br_pc == s->end;
    c->steps_in.br_wid = in->br_wid;
    c->steps_in.br_taken = in->br_taken;
    c->steps_in.sum_valid = c->counts.sum_valid;
    c->steps_in.sum_wid = c->counts.sum_wid;
    c->steps_in.block_valid = strays(s, in);
    c->steps_in.block_wid = in->dec_wid;
    if (t->is_head[0] || t->is_tail[0]) { /* nobody looks at them else */
        counts_of(s, in->dec_wid, c->steps_in.p);
    }
    const struct plan p = plan(s, &c->steps_in); /* of a list, but not of what is in it */
    c->lists_in = (struct lists_in){.wid = in->dec_wid, .sel = p.list, .reset = p.enters};
    lists_comb(s, &c->lists_in, &c->lists);
    c->steps_in.mov_id = c->lists.mov_id;
    c->steps_in.tail_id = c->lists.tail_id;
    choose_distance(s, c, registers_before(&c->steps_in, 4));
    c->steps_in.d = c->dist;
    steps_put(s, &c->steps_in, p, &c->steps);
    c->lists_in.push = c->steps.push;
    c->lists_in.push_id = c->steps.out_dst;
    c->lists_in.pop_mov = c->steps.pop_mov;
    c->lists_in.pop_tail = c->steps.pop_tail;
}

static void run(const struct state *s, const struct in *in, struct cycle *c)
{
    detect(s, in, c);
    measure(s, in, c);
    inject(s, in, c);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    struct cycle c;
    run(s, in, &c);
    for (unsigned k = 0; k < 2; k++) {
        out->out_valid[k] = c.steps.out_valid[k];
        out->out_op[k] = c.steps.out_op[k];
        out->out_src[k] = c.steps.out_src[k];
        out->out_mask[k] = c.steps.out_mask[k];
    }
    out->out_dst = c.steps.out_dst;
    out->out_addr_mode = c.steps.out_addr_mode;
    out->out_ahead = c.steps.out_addr_mode == out_addr_mode_STRIDE
                         ? UINT32_MAX & (c.steps.out_dist * c.targets.stride[0])
                         : 0;
    out->out_shift = c.targets.shift[0];
    out->out_base = c.targets.base[0];
    out->out_imm = c.targets.imm[0];
    out->stall_decode = c.steps.stall_decode;
    out->pass = c.loop.pass;
    out->loop_valid = c.loop.loop_valid;
    out->loop_start = c.loop.loop_start;
    out->loop_end = c.loop.loop_end;
    out->setp_pc = c.targets.setp_pc;
    out->sum_valid = c.counts.sum_valid;
    out->distance = c.dist;
    out->found = c.targets.found;
    out->rejected = c.loop.rejected;
    out->enters = c.steps.enters;
    out->blocked = c.steps.blocked;
    out->clamped = c.clamped;
}

static void reset(struct state *s)
{
    loop_reset(s);
    tags_reset(s);
    targets_reset(s);
    counts_reset(s);
    lists_reset(s);
    steps_reset(s);
    s->maxreg_s = s->maxreg_d = 0;
}

static void seq(struct state *s, const struct in *in)
{
    struct cycle c;
    run(s, in, &c);
    loop_seq(s, &c.loop_in);
    tags_seq(s, &c.tags_in);
    targets_seq(s, &c.targets_in);
    counts_seq(s, &c.counts_in);
    lists_seq(s, &c.lists_in);
    steps_seq(s, &c.steps_in);
    if (in->kernel_start) {
        s->maxreg_s = (uint8_t)in->kernel_regs;
        s->maxreg_d = (uint8_t)in->kernel_room;
    }
}

static bool whole(const struct state *s)
{
    return possible(s) && one_entry_each(s) && first_head_first(s) && in_place(s);
}
MODEL_INVARIANT(whole)

static bool well_decoded(const struct state *s, const struct in *in)
{
    const struct tags_in tags = {.src0 = in->src0,
                                 .src1 = in->src1,
                                 .dst = in->dst,
                                 .raw_upd = in->raw_upd,
                                 .imm_valid = in->imm_valid};
    return decoded(s, &tags);
}
MODEL_ACCEPTS(well_decoded)

MODEL_SEQUENTIAL
