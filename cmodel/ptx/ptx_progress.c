/* ptx_progress.c - progress for each thread of a warp (CUDA C++ Programming Guide, "Independent
 * Thread Scheduling"), where the launch asks for it.
 *
 * A warp is one reconvergence stack as long as that goes on.  Lanes that go round in a loop while
 * others wait for them are recognised by a state that comes back: the waiting lanes may hold what
 * the others wait for, a lock.  Then they become a fiber of their own, with the part of the stack
 * below them, and fibers take turns at backward branches.  Lanes of two fibers that meet, at the
 * same instruction in the same call, run together again; an instruction that names member lanes,
 * and a barrier, waits for those of other fibers first.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_image.h"

enum {
    FIRST_LOOK = 8,   /* backward branches before a state is compared, then twice as many, ... */
    LOOKS = 8,        /* how long it is compared */
    ALWAYS = 1 << 16, /* waiting lanes are let go after so many in any case */
    AT_NOTHING = 0,
    AT_MEMBERS,
    AT_BARRIER
};

struct fiber {
    uint32_t pc, active, reconverge, top, depth;
    uint8_t waits; /* AT_... */
    struct ptx_stack_entry stack[PTX_MAX_STACK];
    struct ptx_frame frames[PTX_MAX_CALL_DEPTH + 1];
};

struct ptx_fibers {
    uint32_t n; /* those that do not run */
    struct fiber *fiber[ISA_LANES];
};

static uint32_t n_frames(const struct ptx_exec *x)
{
    return x->launch->image->has_calls ? x->w->depth + 1 : 1;
}

static void save(const struct ptx_exec *x, struct fiber *to, uint8_t waits)
{
    const struct ptx_warp *w = x->w;
    to->pc = w->isa.pc;
    to->active = w->isa.active;
    to->reconverge = w->reconverge;
    to->top = w->top;
    to->depth = w->depth;
    to->waits = waits;
    memcpy(to->stack, w->stack, (w->top + 1) * sizeof(to->stack[0]));
    memcpy(to->frames, w->frames, n_frames(x) * sizeof(to->frames[0]));
}

static void load(const struct ptx_exec *x, const struct fiber *from)
{
    struct ptx_warp *w = x->w;
    w->isa.pc = from->pc;
    w->isa.active = from->active;
    w->reconverge = from->reconverge;
    w->top = from->top;
    w->depth = from->depth;
    memcpy(w->stack, from->stack, (w->top + 1) * sizeof(from->stack[0]));
    memcpy(w->frames, from->frames, n_frames(x) * sizeof(from->frames[0]));
    w->base[PTX_BASE_FRAME] = w->memory + w->frames[w->depth].offset;
    w->progress.branches = 0;
}

static void forget(struct ptx_fibers *f, uint32_t i)
{
    free(f->fiber[i]);
    f->fiber[i] = f->fiber[--f->n];
}

void ptx_progress_end(struct ptx_warp *w)
{
    struct ptx_fibers *f = w->progress.fibers;
    while (f != NULL && f->n != 0) {
        forget(f, f->n - 1);
    }
    free(f);
    w->progress.fibers = NULL;
}

/* Run the next fiber that waits for nothing; the current one is saved in its place (`keep`) or
 * gone.  False: none can run. */
static bool turn(const struct ptx_exec *x, bool keep, uint8_t waits)
{
    struct ptx_warp *w = x->w;
    struct ptx_fibers *f = w->progress.fibers;
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t at = (w->progress.turn + i) % f->n;
        if (f->fiber[at]->waits != AT_NOTHING) {
            continue;
        }
        struct fiber *next = f->fiber[at];
        struct fiber *place = keep ? malloc(sizeof(*place)) : NULL;
        if (keep && place == NULL) {
            return false;
        }
        if (keep) {
            save(x, place, waits);
            f->fiber[at] = place;
        }
        load(x, next);
        free(next);
        if (!keep) {
            f->fiber[at] = f->fiber[--f->n];
        }
        w->progress.turn = at + 1;
        return true;
    }
    return false;
}

/* ---- meeting ---- */

static bool same_call(const struct ptx_exec *x, const struct fiber *other)
{
    const struct ptx_warp *w = x->w;
    if (other->depth != w->depth) {
        return false;
    }
    for (uint32_t d = 1; d <= w->depth; d++) {
        const struct ptx_frame *a = &w->frames[d], *b = &other->frames[d];
        if (a->offset != b->offset || a->function != b->function || a->call_pc != b->call_pc) {
            return false;
        }
    }
    return true;
}

/* Lanes join the running entry and the entries that wait for it: where one ends the next one below
 * goes on. */
static void join(struct ptx_warp *w, uint32_t lanes)
{
    uint32_t running = w->isa.active;
    w->stack[w->top].mask = running;
    for (uint32_t e = 0; e <= w->top; e++) {
        bool below = (w->stack[e].mask & running) == running;
        w->stack[e].mask |= below ? lanes : 0;
    }
    w->isa.active |= lanes;
}

/* Take the running lanes of fiber `i` away from it; true when none are left. */
static bool take_lanes(struct fiber *f, uint32_t lanes)
{
    f->stack[f->top].pc = f->pc;
    for (uint32_t e = 0; e <= f->top; e++) {
        f->stack[e].mask &= ~lanes;
    }
    while (f->stack[f->top].mask == 0 || f->stack[f->top].pc == f->stack[f->top].reconverge) {
        if (f->top == 0) {
            return true;
        }
        f->top--;
    }
    f->pc = f->stack[f->top].pc;
    f->active = f->stack[f->top].mask;
    f->reconverge = f->stack[f->top].reconverge;
    f->depth = f->stack[f->top].depth;
    f->waits = AT_NOTHING;
    return false;
}

/* Those of other fibers that are where the running lanes are run with them from here. */
static void meet(const struct ptx_exec *x)
{
    struct ptx_warp *w = x->w;
    struct ptx_fibers *f = w->progress.fibers;
    for (uint32_t i = f->n; i-- > 0;) {
        struct fiber *other = f->fiber[i];
        if (other->pc == w->isa.pc && same_call(x, other)) {
            uint32_t lanes = other->active;
            join(w, lanes);
            if (take_lanes(other, lanes)) {
                forget(f, i);
            }
        }
    }
}

/* ---- a loop that leads nowhere ---- */

static uint64_t registers(const struct ptx_exec *x)
{
    const struct ptx_warp *w = x->w;
    const struct ptx_frame *frame = &w->frames[w->depth];
    uint64_t bytes = frame->offset + x->launch->image->functions[frame->function].frame_bytes;
    return ptx_digest(w->isa.active, w->memory, bytes);
}

static bool comes_back(const struct ptx_exec *x)
{
    struct ptx_progress *p = &x->w->progress;
    uint32_t n = ++p->branches;
    if (n >= ALWAYS) {
        return true;
    }
    if (n >= FIRST_LOOK && (n & (n - 1)) == 0) {
        p->look_pc = x->w->isa.pc;
        p->look_until = n + LOOKS;
        p->digest = registers(x);
        return false;
    }
    return n > FIRST_LOOK && n <= p->look_until && x->w->isa.pc == p->look_pc &&
           registers(x) == p->digest;
}

/* The uppermost entry with lanes that wait there for others; 0 when there is none above the first.
 * `*lanes` are those. */
static bool waiting(const struct ptx_warp *w, uint32_t *entry, uint32_t *lanes)
{
    uint32_t above = w->isa.active;
    for (uint32_t e = w->top; e-- > 0;) {
        *lanes = w->stack[e].mask & ~above;
        *entry = e;
        if (*lanes != 0) {
            return true;
        }
        above |= w->stack[e].mask;
    }
    return false;
}

/* Lanes that wait in entry `entry` go on by themselves, with what waits below for them. */
static void fork_off(const struct ptx_exec *x, uint32_t entry, uint32_t lanes)
{
    struct ptx_warp *w = x->w;
    struct ptx_fibers *f = w->progress.fibers;
    struct fiber *new = malloc(sizeof(*new));
    if (f == NULL) {
        f = w->progress.fibers = calloc(1, sizeof(*f));
    }
    if (new == NULL || f == NULL || f->n == ISA_LANES) {
        free(new);
        return;
    }
    save(x, new, AT_NOTHING);
    new->top = entry;
    for (uint32_t e = 0; e <= entry; e++) {
        new->stack[e].mask &= lanes;
        w->stack[e].mask &= ~lanes;
    }
    new->pc = new->stack[entry].pc;
    new->active = new->stack[entry].mask;
    new->reconverge = new->stack[entry].reconverge;
    new->depth = new->stack[entry].depth;
    f->fiber[f->n++] = new;
}

void ptx_progress_branch(const struct ptx_exec *x)
{
    struct ptx_warp *w = x->w;
    uint32_t entry, lanes;
    if (comes_back(x)) {
        w->progress.branches = 0;
        while (waiting(w, &entry, &lanes)) {
            fork_off(x, entry, lanes);
            if (w->progress.fibers == NULL || (w->stack[entry].mask & lanes) != 0) {
                break; /* no memory: they wait on */
            }
        }
    }
    if (w->progress.fibers != NULL && w->progress.fibers->n != 0) {
        meet(x);
        turn(x, true, AT_NOTHING);
    }
}

/* Who sleeps waits for others: the next backward branch lets them go. */
void ptx_progress_sleeps(const struct ptx_exec *x)
{
    x->w->progress.branches = ALWAYS - 1;
}

bool ptx_progress_ended(const struct ptx_exec *x)
{
    struct ptx_fibers *f = x->w->progress.fibers;
    if (f == NULL || f->n == 0) {
        return false;
    }
    if (turn(x, false, AT_NOTHING)) {
        return true;
    }
    for (uint32_t i = 0; i < f->n; i++) { /* those that waited for the lanes that have ended */
        f->fiber[i]->waits = AT_NOTHING;
    }
    return turn(x, false, AT_NOTHING);
}

static bool may_go_on(const struct ptx_exec *x, uint32_t members, uint8_t waits)
{
    struct ptx_warp *w = x->w;
    if (w->progress.fibers == NULL || w->progress.fibers->n == 0) {
        return true;
    }
    meet(x);
    if ((members & w->isa.live & ~w->isa.active) == 0) {
        return true;
    }
    if (turn(x, true, waits)) {
        return false;
    }
    /* All wait, and none for what another can still bring.  Those at a barrier have all arrived;
     * lanes at an exchange go on with those that are there. */
    struct ptx_fibers *f = w->progress.fibers;
    for (uint32_t i = 0; i < f->n; i++) {
        struct fiber *other = f->fiber[i];
        /* The barrier that the running lanes now wait at is theirs, too. */
        other->pc += waits == AT_BARRIER && other->waits == AT_BARRIER;
        other->waits = AT_NOTHING;
    }
    return true;
}

bool ptx_progress_members(const struct ptx_exec *x, uint32_t members)
{
    return may_go_on(x, members, AT_MEMBERS);
}

bool ptx_progress_barrier(const struct ptx_exec *x)
{
    return may_go_on(x, UINT32_MAX, AT_BARRIER);
}

uint32_t ptx_progress_frames_end(const struct ptx_exec *x)
{
    const struct ptx_fibers *f = x->w->progress.fibers;
    uint32_t end = 0;
    for (uint32_t i = 0; f != NULL && i < f->n; i++) {
        const struct ptx_frame *frame = &f->fiber[i]->frames[f->fiber[i]->depth];
        uint32_t at = frame->offset + x->launch->image->functions[frame->function].frame_bytes;
        end = at > end ? at : end;
    }
    return end;
}

uint64_t ptx_progress_digest(const struct ptx_warp *w, uint64_t digest)
{
    const struct ptx_fibers *f = w->progress.fibers;
    for (uint32_t i = 0; f != NULL && i < f->n; i++) {
        const struct fiber *other = f->fiber[i];
        digest = ptx_digest(digest ^ other->pc, other->stack,
                            (other->top + 1) * sizeof(other->stack[0]));
    }
    return digest;
}
