/* spref_loop.h - loop and passes: what spref_loopdet and spref_top do in a cycle
 * (lakshminarayana2014-graph 3.1.4).  Whoever includes it has the fields of spref_loopdet's state in its
 * own, and says what struct loop_in and struct loop_out are. */
#ifndef WARPLOCK_UNITS_SPREF_LOOP_H
#define WARPLOCK_UNITS_SPREF_LOOP_H

/* What happens in a cycle: one of these, the earlier ones first. */
enum event { NOTHING, DETECT, SECOND, INNER, INNER_KNOWN, GIVE, LEAVE, MEMBER };

static bool waits(const struct state *s)
{
    return s->fsm == fsm_WAIT2 || s->fsm == fsm_WAIT3;
}

static bool passes(const struct state *s)
{
    return s->fsm == fsm_PASS2 || s->fsm == fsm_PASS3;
}

static bool second_pass(const struct state *s)
{
    return s->fsm == fsm_WAIT3 || s->fsm == fsm_PASS3;
}

static bool remembered(const struct state *s, uint64_t pc)
{
    return (s->rej_valid[0] && s->rej_pc[0] == pc) || (s->rej_valid[1] && s->rej_pc[1] == pc);
}

static bool backward(const struct loop_in *in)
{
    return in->br_valid && in->br_taken && in->br_tgt <= in->br_pc;
}

/* A backward branch of another loop, while this one is tracked. */
static bool of_another(const struct state *s, const struct loop_in *in)
{
    return backward(in) && s->fsm != fsm_IDLE && in->br_pc != s->end;
}

static enum event of_branch(const struct state *s, const struct loop_in *in)
{
    if (s->fsm == fsm_IDLE) {
        return backward(in) && !remembered(s, in->br_pc) ? DETECT : NOTHING;
    }
    if (!of_another(s, in)) {
        return NOTHING;
    }
    if (in->br_tgt == s->start) {
        return SECOND;
    }
    if (passes(s) && in->br_tgt > s->start && in->br_pc < s->end) {
        return remembered(s, in->br_pc) ? INNER_KNOWN : INNER;
    }
    return waits(s) && s->others + 1 == GIVE_UP ? GIVE : NOTHING;
}

static enum event what(const struct state *s, const struct loop_in *in)
{
    enum event event = in->kernel_start ? NOTHING : of_branch(s, in);
    bool ours = in->dec_valid && in->dec_wid == s->train;
    bool within = in->dec_pc >= s->start && in->dec_pc <= s->end;
    if (event != NOTHING || in->kernel_start) {
        return event;
    }
    if (passes(s)) {
        bool exits = in->exit_valid && in->exit_wid == s->train;
        return exits || (ours && !within) ? LEAVE : ours ? MEMBER : NOTHING;
    }
    return waits(s) && in->dec_valid && in->dec_pc == s->start ? MEMBER : NOTHING;
}

static bool rejects(const struct state *s, const struct loop_in *in, enum event event)
{
    bool judged = event == MEMBER && in->dec_pc == s->end && second_pass(s);
    return event == SECOND || event == INNER_KNOWN || (judged && !in->found);
}

static void loop_comb(const struct state *s, const struct loop_in *in, struct loop_out *out)
{
    enum event event = what(s, in);
    bool member = event == MEMBER;
    out->loop_valid = s->fsm == fsm_READY;
    out->loop_start = s->start;
    out->loop_end = s->end;
    out->pass = !member ? pass_IDLE : second_pass(s) ? pass_SECOND : pass_FIRST;
    out->pass_begin = member && waits(s);
    out->pass_end = member && in->dec_pc == s->end;
    out->train_wid = s->train;
    out->detected = event == DETECT;
    out->rejected = rejects(s, in, event);
    out->inner = event == INNER;
    out->gave_up = event == GIVE;
    out->abandoned = event == LEAVE;
}

static void loop_reset(struct state *s)
{
    s->fsm = fsm_IDLE;
    s->start = s->end = 0;
    s->train = s->others = 0;
    s->rej_valid[0] = s->rej_valid[1] = 0;
}

static void take_up(struct state *s, const struct loop_in *in)
{
    s->fsm = fsm_WAIT2;
    s->start = (uint32_t)in->br_tgt;
    s->end = (uint32_t)in->br_pc;
}

static void reject(struct state *s)
{
    s->fsm = fsm_IDLE;
    s->rej_valid[1] = s->rej_valid[0];
    s->rej_pc[1] = s->rej_pc[0];
    s->rej_valid[0] = 1;
    s->rej_pc[0] = s->end;
}

/* The instruction goes through a pass. */
static void move_on(struct state *s, const struct loop_in *in)
{
    bool second = second_pass(s);
    if (waits(s)) {
        s->train = (uint8_t)in->dec_wid;
    }
    if (in->dec_pc == s->end) {
        s->fsm = second ? fsm_READY : fsm_WAIT3;
    } else {
        s->fsm = second ? fsm_PASS3 : fsm_PASS2;
    }
}

static void loop_seq(struct state *s, const struct loop_in *in)
{
    enum event event = what(s, in);
    bool counted = waits(s) && of_another(s, in);
    if (in->kernel_start) {
        loop_reset(s);
        return;
    }
    s->others = (uint8_t)(event != NOTHING ? 0 : s->others + counted);
    if (rejects(s, in, event)) {
        if (event == MEMBER && waits(s)) {
            s->train = (uint8_t)in->dec_wid;
        }
        reject(s);
        return;
    }
    switch (event) {
    case DETECT:
    case INNER: take_up(s, in); break;
    case GIVE: s->fsm = fsm_IDLE; break;
    case LEAVE: s->fsm = fsm_WAIT2; break;
    case MEMBER: move_on(s, in); break;
    default: break;
    }
}

static bool possible(const struct state *s)
{
    return s->fsm <= fsm_READY && s->others < GIVE_UP && (waits(s) || s->others == 0);
}

#endif
