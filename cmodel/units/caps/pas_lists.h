/* pas_lists.h - the cycle of pas_sched as the document has it (ONE_CYCLE = 1; caps-prefetch 3.3, 3.4,
 * 3.5): a sequence of moves between three ordered queues.  The leading and the trailing queue share
 * one array of RQ warps, the leading one first.  Included by the model alone. */
#ifndef WARPLOCK_UNITS_CAPS_PAS_LISTS_H
#define WARPLOCK_UNITS_CAPS_PAS_LISTS_H

static int position(const uint8_t *queue, unsigned count, unsigned wid)
{
    for (unsigned i = 0; i < count; i++) {
        if (queue[i] == wid) {
            return (int)i;
        }
    }
    return -1;
}

static void take_out(uint8_t *queue, unsigned capacity, unsigned at)
{
    for (unsigned i = at; i < capacity; i++) {
        queue[i] = i + 1 < capacity ? queue[i + 1] : 0;
    }
}

/* ---- the three queues ---- */

static void append_pending(struct state *s, unsigned wid)
{
    if (s->pq_count < WARPS) {
        s->pq[s->pq_count++] = (uint8_t)wid;
    }
}

static void remove_pending(struct state *s, unsigned at)
{
    take_out(s->pq, WARPS, at);
    s->pq_count--;
}

static void remove_ready(struct state *s, unsigned at)
{
    take_out(s->rq, RQ, at);
    s->rq_count--;
    if (at < s->lq_count) {
        s->lq_count--;
    }
}

static void insert_ready(struct state *s, unsigned at, unsigned wid)
{
    for (unsigned i = RQ - 1; i > at; i--) {
        s->rq[i] = s->rq[i - 1];
    }
    s->rq[at] = (uint8_t)wid;
    s->rq_count++;
}

/* A warp enters the queue its marker names, at the tail or at the head. */
static void enter_ready(struct state *s, unsigned wid, bool at_head)
{
    const bool leading = bit(s->marked, wid);
    const unsigned head = leading ? 0 : s->lq_count, tail = leading ? s->lq_count : s->rq_count;
    insert_ready(s, at_head ? head : tail, wid);
    if (leading) {
        s->lq_count++;
    }
}

/* ---- the moves of one cycle, in order ---- */

/* A warp that was live has left. */
static void leave(struct state *s, unsigned wid)
{
    const int ready = position(s->rq, s->rq_count, wid);
    const int pending = position(s->pq, s->pq_count, wid);
    if (ready >= 0) {
        remove_ready(s, (unsigned)ready);
    } else if (pending >= 0) {
        remove_pending(s, (unsigned)pending);
    }
}

static bool demote(struct state *s, uint64_t blocked)
{
    bool any = false;
    for (unsigned i = 0; i < s->rq_count;) {
        if (bit(blocked, s->rq[i])) {
            append_pending(s, s->rq[i]);
            remove_ready(s, i);
            any = true;
        } else {
            i++;
        }
    }
    return any;
}

static void make_room(struct state *s, struct out *out)
{
    const unsigned oldest = s->lq_count < RQ ? s->lq_count : 0;
    const unsigned at = WAKE_VICTIM_OLDEST ? oldest : RQ - 1;
    out->wake_evict_valid = 1;
    out->wake_evict_wid = s->rq[at];
    append_pending(s, s->rq[at]);
    remove_ready(s, at);
}

static void wake(struct state *s, const struct in *in, struct out *out)
{
    const unsigned wid = (unsigned)in->wake_wid;
    if (!WAKE || (bit(in->blocked, wid) && !WAKE_ALWAYS)) {
        return;
    }
    const int at = position(s->pq, s->pq_count, wid);
    if (at < 0) {
        return;
    }
    remove_pending(s, (unsigned)at);
    if (s->rq_count == RQ) {
        make_room(s, out);
    }
    enter_ready(s, wid, WAKE_FRONT);
    out->woken = 1;
}

/* The oldest pending warp that can run, a marked one before all others. */
static int next_pending(const struct state *s, uint64_t blocked)
{
    int first = -1;
    for (unsigned i = 0; i < s->pq_count; i++) {
        if (bit(blocked, s->pq[i])) {
            continue;
        }
        if (bit(s->marked, s->pq[i])) {
            return (int)i;
        }
        if (first < 0) {
            first = (int)i;
        }
    }
    return first;
}

static bool promote(struct state *s, uint64_t blocked)
{
    bool any = false;
    while (s->rq_count < RQ) {
        const int at = next_pending(s, blocked);
        if (at < 0) {
            break;
        }
        const unsigned wid = s->pq[at];
        remove_pending(s, (unsigned)at);
        enter_ready(s, wid, false);
        any = true;
    }
    return any;
}

static void select_warp(const struct state *s, const struct in *in, struct out *out)
{
    for (unsigned i = 0; i < s->rq_count; i++) {
        if (bit(in->issuable, s->rq[i])) {
            out->issue_valid = 1;
            out->issue_wid = s->rq[i];
            out->issued = in->issue_ready;
            return;
        }
    }
}

/* One cycle; the outputs on the way. */
static void cycle(struct state *s, const struct in *in, struct out *out)
{
    const struct events events = events_of(in);
    const bool one_exits = events.exits & s->live;
    if (one_exits) {
        leave(s, (unsigned)in->warp_exit_wid);
    }
    if (change_residents(s, &events)) {
        append_pending(s, (unsigned)in->warp_launch_wid);
    }
    out->demoted = demote(s, in->blocked);
    if (in->hold) {
        return;
    }
    if (in->wake_valid) {
        wake(s, in, out);
    }
    out->promoted = promote(s, in->blocked);
    select_warp(s, in, out);
}

/* Contents before the first reset may be anything: keep the counts within the arrays. */
static void queues_bound(struct state *s)
{
    s->pq_count = s->pq_count > WARPS ? WARPS : s->pq_count;
    s->rq_count = s->rq_count > RQ ? RQ : s->rq_count;
    s->lq_count = s->lq_count > s->rq_count ? s->rq_count : s->lq_count;
}

static uint64_t queues_ready(const struct state *s)
{
    uint64_t ready = 0;
    for (unsigned i = 0; i < s->rq_count; i++) {
        ready |= UINT64_C(1) << s->rq[i];
    }
    return unit_bits(ready, WARPS);
}

/* On a copy of the state. */
static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    struct state copy = *s;
    queues_bound(&copy);
    out->rq_vec = queues_ready(&copy);
    out->lead_vec = copy.marked;
    cycle(&copy, in, out);
}

static void seq(struct state *s, const struct in *in)
{
    struct out ignored = {0};
    queues_bound(s);
    cycle(s, in, &ignored);
}

/* Positions of a queue in use hold warps that are not in `seen` yet, the others 0. */
static bool queue_is_sound(const uint8_t *queue, unsigned capacity, unsigned count, uint64_t *seen)
{
    bool sound = count <= capacity;
    for (unsigned i = 0; i < capacity; i++) {
        const bool in_use = i < count;
        sound &= in_use ? queue[i] < WARPS && !unit_field(*seen, queue[i], 1) : queue[i] == 0;
        *seen |= in_use ? UINT64_C(1) << queue[i] % 64 : 0;
    }
    return sound;
}

/* A live warp stands in one queue, once, and only live ones do. */
static bool queues_sound(const struct state *s)
{
    uint64_t seen = 0;
    bool sound = queue_is_sound(s->rq, RQ, s->rq_count, &seen);
    sound &= queue_is_sound(s->pq, WARPS, s->pq_count, &seen);
    return sound && s->lq_count <= s->rq_count && seen == s->live;
}

#endif
