/* spref_steps.h - conversion and injection: what spref_inject and spref_top do in a cycle
 * (lakshminarayana2014-graph 3.1.7, 3.1.9).  Whoever includes it has the fields of spref_inject's state in its
 * own, and says what struct steps_in and struct steps_out are. */
#ifndef WARPLOCK_UNITS_SPREF_STEPS_H
#define WARPLOCK_UNITS_SPREF_STEPS_H

/* A decoded instruction, as Step D sees it. */
struct plan {
    bool enters, moves, injects, to_reg;
    unsigned list;  /* head 0, tail 0, head 1, tail 1 */
    unsigned spare; /* register of what is injected */
    uint64_t ahead; /* lanes that have the iteration to be prefetched */
    unsigned dist;
};

static bool gets_register(const struct steps_in *in, unsigned list)
{
    bool there = in->has >> list & 1;
    return CACHE_ONLY ? there && list % 2 == 0 && (in->has >> (list + 1) & 1) : there;
}

static unsigned registers_before(const struct steps_in *in, unsigned list)
{
    unsigned n = 0;
    for (unsigned other = 0; other < list; other++) {
        n += gets_register(in, other);
    }
    return n;
}

/* Does an iteration begin?  Not in the cycle of the warp's own branch. */
static bool starts(const struct steps_in *in)
{
    return in->dec_valid && in->dec_start && in->ready && !in->clear && in->dec_wid < WARPS &&
           !(in->br_valid && in->br_wid == in->dec_wid);
}

static struct plan plan(const struct state *s, const struct steps_in *in)
{
    struct plan plan = {.list = (unsigned)(in->idx * 2 + (in->is_tail && !in->is_head))};
    unsigned warp = (unsigned)in->dec_wid;
    if (!in->dec_valid || !in->ready || in->clear || warp >= WARPS) {
        return plan;
    }
    plan.enters = starts(in) && (!s->back[warp] || s->st[warp] == st_OFF);
    bool target = (in->is_head || in->is_tail) && (in->has >> plan.list & 1);
    if (plan.enters || !target || s->st[warp] != st_RUN) {
        return plan;
    }
    plan.dist = s->dist[warp];
    plan.to_reg = gets_register(in, plan.list);
    plan.moves = plan.to_reg && s->warm[warp] == plan.dist;
    for (unsigned lane = 0; lane < LANES; lane++) {
        plan.ahead |= (in->dec_mask >> lane & 1 && in->p[lane] > plan.dist) ? UINT64_C(1) << lane
                                                                            : 0;
    }
    plan.injects = plan.ahead != 0;
    plan.spare = (unsigned)in->maxreg_s + registers_before(in, plan.list) * plan.dist +
                 s->slot[warp];
    return plan;
}

static bool active(const struct state *s, uint64_t warp)
{
    return warp < WARPS && (s->st[warp] == st_COUNT || s->st[warp] == st_RUN);
}

/* Does the sum of this cycle give its warp a distance? */
static bool counted(const struct state *s, const struct steps_in *in)
{
    return in->sum_valid && !in->clear && in->sum_wid < WARPS && s->st[in->sum_wid] == st_COUNT;
}

static unsigned distance_at_branch(const struct state *s, const struct steps_in *in)
{
    bool now = counted(s, in) && in->sum_wid == in->br_wid;
    return now ? (unsigned)in->d : s->dist[in->br_wid];
}

static bool branches(const struct steps_in *in)
{
    return in->br_valid && in->ready && !in->clear && in->br_wid < WARPS;
}

/* What goes out for the plan `p`. */
static void steps_put(const struct state *s, const struct steps_in *in, struct plan p,
                      struct steps_out *out)
{
    bool tail = p.list & 1;
    out->out_valid[0] = in->dec_valid;
    out->out_valid[1] = p.injects;
    out->out_op[0] = p.moves ? out_op_MOV : out_op_ORIG;
    out->out_op[1] = !p.injects ? out_op_ORIG : p.to_reg ? out_op_LD : out_op_PREF;
    out->out_dst = p.injects && p.to_reg ? p.spare & 63 : NO_REG;
    out->out_src[0] = p.moves ? in->mov_id : NO_REG;
    out->out_src[1] = p.injects && tail ? in->tail_id : NO_REG;
    out->out_mask[0] = in->dec_valid ? in->dec_mask : 0;
    out->out_mask[1] = p.ahead;
    out->out_addr_mode = !p.injects ? out_addr_mode_NONE
                         : tail     ? out_addr_mode_FORM
                                    : out_addr_mode_STRIDE;
    out->out_dist = p.injects ? p.dist : 0;
    out->stall_decode = p.injects;
    out->nloads = registers_before(in, 4);
    out->list_sel = p.list;
    out->list_reset = out->enters = p.enters;
    out->push = p.injects && p.to_reg;
    out->pop_mov = p.moves;
    out->pop_tail = p.injects && tail;
    bool gives_up = branches(in) && in->br_taken && s->st[in->br_wid] == st_COUNT &&
                    distance_at_branch(s, in) == 0;
    out->blocked = gives_up || (in->block_valid && !in->clear && active(s, in->block_wid));
}

static void steps_reset(struct state *s)
{
    memset(s->st, 0, sizeof s->st);
    memset(s->dist, 0, sizeof s->dist);
    memset(s->warm, 0, sizeof s->warm);
    memset(s->slot, 0, sizeof s->slot);
    memset(s->back, 0, sizeof s->back);
}

/* What a branch leaves of its warp. */
struct turn {
    uint8_t st, warm, slot;
};

static struct turn turn(const struct state *s, const struct steps_in *in)
{
    const unsigned warp = (unsigned)in->br_wid, dist = s->dist[warp];
    struct turn next = {s->st[warp], s->warm[warp], s->slot[warp]};
    if (!in->br_taken) {
        next.st = st_OFF;
    } else if (next.st == st_COUNT) {
        next.st = distance_at_branch(s, in) ? st_RUN : st_BLOCKED;
    } else if (next.st == st_RUN) {
        const unsigned slot = (next.slot + 1u) & 3, warm = next.warm;
        next.warm = (uint8_t)(warm == dist ? warm : (warm + 1) & 3);
        next.slot = (uint8_t)(slot == dist ? 0 : slot);
    }
    return next;
}

static void leave(struct state *s, uint64_t warp)
{
    s->st[warp] = st_OFF;
    s->back[warp] = 0;
}

static void steps_seq(struct state *s, const struct steps_in *in)
{
    const bool turns = branches(in), blocks = in->block_valid && active(s, in->block_wid);
    const bool counts_now = counted(s, in), begins = starts(in);
    const bool enters = begins && plan(s, in).enters;
    const struct turn next = turns ? turn(s, in) : (struct turn){0};
    if (counts_now) {
        s->dist[in->sum_wid] = (uint8_t)in->d;
    }
    if (begins) { /* not of the warp that branches */
        s->back[in->dec_wid] = 0;
    }
    if (enters) {
        s->st[in->dec_wid] = st_COUNT;
        s->warm[in->dec_wid] = s->slot[in->dec_wid] = 0;
    }
    if (turns) {
        s->back[in->br_wid] = (uint8_t)in->br_taken;
        s->st[in->br_wid] = next.st;
        s->warm[in->br_wid] = next.warm;
        s->slot[in->br_wid] = next.slot;
    }
    if (blocks) {
        s->st[in->block_wid] = st_BLOCKED;
    }
    for (unsigned warp = 0; in->clear && warp < WARPS; warp++) {
        leave(s, warp);
    }
    if (in->launch_valid && in->launch_wid < WARPS) {
        leave(s, in->launch_wid);
    }
}

/* A distance, and a place below it, while a warp runs. */
static bool in_place(const struct state *s)
{
    for (unsigned warp = 0; warp < WARPS; warp++) {
        bool counting = s->st[warp] == st_COUNT, running = s->st[warp] == st_RUN;
        if ((counting && (s->warm[warp] || s->slot[warp])) ||
            (running && (s->warm[warp] > s->dist[warp] || s->slot[warp] >= s->dist[warp]))) {
            return false;
        }
    }
    return true;
}

#endif
