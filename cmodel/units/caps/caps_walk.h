/* caps_walk.h - the C model of walks over CTA slots and of the request queue behind them
 * (caps-prefetch 3.2.4), for the units that hold that state: caps_prefetch_gen, which reads
 * bases from elsewhere, and caps_top, which has the tables beside it.  What a walk does in a
 * cycle is in caps_walk_once.h and caps_walk_steps.h: a unit includes one of them.
 *
 * Included after units/model.h; the unit's table has the parameters CTAS, JOB_ENTRIES, PF_ENTRIES, GEN_ALL,
 * DUP_FILTER, the derived WID_W and SCOPE_W, the enum `phase` and the state fields named
 * below.  It knows neither why a job was started nor what the L1D does with a request. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_WALK_H
#define WARPLOCK_UNITS_CAPS_CAPS_WALK_H

enum { LANES = 4, LINE_BYTES = 128 };

/* What a walk reads from PerCTA for the slot it has come to. */
struct walk_base {
    bool ready, hit; /* ready: this is the answer */
    uint64_t lead, last;
    uint64_t base[LANES];
};

struct walk_job {
    bool valid, filter;
    uint64_t pc, stride, mask, wic; /* pc: the tag */
};

/* The SM around the walk. */
struct walk_warps {
    uint64_t wpc, alive;
    const uint64_t *first_wid; /* [CTAS] */
};

/* ---- the walk, as seen in this cycle ---- */

static uint64_t slots_left(const struct state *s)
{
    return unit_field(s->scope, 0, CTAS);
}

static unsigned next_slot(const struct state *s)
{
    return slots_left(s) ? (unsigned)__builtin_ctzll(slots_left(s)) : 0;
}

static unsigned warp_slot(const struct state *s, const struct walk_warps *warps)
{
    return (unsigned)unit_bits(warps->first_wid[s->cta] + s->warp, WID_W);
}

static bool is_alive(const struct walk_warps *warps, unsigned slot)
{
    return unit_field(warps->alive, slot, 1);
}

/* Under SAME, a job may be for another warp. */
static bool filtered(const struct state *s)
{
    return !GEN_ALL && unit_field(s->scope, CTAS + 6, 1) &&
           s->warp != unit_field(s->scope, CTAS, 6);
}

static bool queue_full(const struct state *s)
{
    return s->pf_pending[s->pf_tail];
}

static bool jobs_full(const struct state *s)
{
    return s->job_pending[s->job_tail];
}

static bool any_pending(const uint8_t *pending, unsigned slots)
{
    uint8_t any = 0;
    for (unsigned i = 0; i < slots; i++) {
        any |= pending[i];
    }
    return any != 0;
}

static bool walk_rests(const struct state *s)
{
    return s->phase == phase_IDLE && !any_pending(s->job_pending, JOB_ENTRIES);
}

static bool walk_idle(const struct state *s)
{
    return walk_rests(s) && !any_pending(s->pf_pending, PF_ENTRIES);
}

/* ---- the clock edge ---- */

/* The next address of this warp in another line than its predecessor; 4 for none. */
static unsigned next_lane(const struct state *s)
{
    for (unsigned i = s->lane + 1u; i <= s->last; i++) {
        if (!DUP_FILTER || s->acc[i] / LINE_BYTES != s->acc[i - 1] / LINE_BYTES) {
            return i;
        }
    }
    return LANES;
}

/* The address at hand goes into the queue, for warp slot `wid`. */
static void enqueue(struct state *s, unsigned wid)
{
    s->pf_pending[s->pf_tail] = 1;
    s->queue_line[s->pf_tail] = s->acc[s->lane] / LINE_BYTES;
    s->queue_wid[s->pf_tail] = (uint8_t)wid;
    s->pf_tail = (uint8_t)((s->pf_tail + 1) % PF_ENTRIES);
}

static void take_job(struct state *s)
{
    s->pc = s->fifo_pc[s->job_head];
    s->stride = s->fifo_stride[s->job_head];
    s->scope = s->fifo_scope[s->job_head];
    s->job_pending[s->job_head] = 0;
    s->job_head = (uint8_t)((s->job_head + 1) % JOB_ENTRIES);
}

static void accept_job(struct state *s, const struct walk_job *job)
{
    const uint64_t filter = (uint64_t)job->filter << 6 | job->wic;
    s->job_pending[s->job_tail] = 1;
    s->fifo_pc[s->job_tail] = (uint32_t)job->pc;
    s->fifo_stride[s->job_tail] = (uint32_t)job->stride;
    s->fifo_scope[s->job_tail] = (__typeof__(s->scope))unit_bits(filter << CTAS | job->mask,
                                                                 SCOPE_W);
    s->job_tail = (uint8_t)((s->job_tail + 1) % JOB_ENTRIES);
}

static void empty(struct state *s)
{
    s->phase = phase_IDLE;
    memset(s->job_pending, 0, sizeof s->job_pending);
    memset(s->pf_pending, 0, sizeof s->pf_pending);
    s->job_head = s->job_tail = s->pf_head = s->pf_tail = 0;
}

/* What the walk does in this cycle, jobs that come and requests that go apart. */
static void walk_advance(struct state *s, const struct walk_warps *warps,
                         const struct walk_base *base);

/* One clock edge: `base` answers read_cta and read_pc, `taken`: the L1D takes the oldest request. */
static void walk_edge(struct state *s, const struct walk_warps *warps, const struct walk_base *base,
                      const struct walk_job *job, bool taken)
{
    const bool drop = job->valid && jobs_full(s);
    const bool pop = taken && s->pf_pending[s->pf_head];
    const unsigned oldest = s->pf_head;
    walk_advance(s, warps, base);
    if (job->valid && !drop) {
        accept_job(s, job);
    }
    if (pop) {
        s->pf_pending[oldest] = 0;
        s->pf_head = (uint8_t)((oldest + 1) % PF_ENTRIES);
    }
}

#endif
