/* oaws_buffer.c - which instructions are in the instruction buffers, and the predictions
 * made for them: one predictor for those that enter, one for the background walker
 * (wang2015 3.19, D-OAWS-7).
 *
 * The buffer holds a warp's next instruction and the one behind it; a control transfer
 * empties it, and it is full again when the machine has fetched.  A load whose prediction
 * is not there yet is not ready; others need none. */
#include <string.h>

#include "mechanisms/oaws/oaws.h"

static bool is_load(const struct isa_inst *inst)
{
    return inst->pipe == ISA_PIPE_MEM && inst->access == ISA_ACCESS_LOAD;
}

struct oaws_entry *oaws_next(struct oaws *o, uint32_t slot)
{
    return &o->entry[2 * slot + (core_warp(o->core, slot)->pc & 1)];
}

/* What is known of the next instruction of the warp in `slot` may have changed, and with it its
 * prediction, which is asked for if it is a divergent load. */
static void note_next(struct oaws *o, uint32_t slot)
{
    const struct oaws_entry *entry = oaws_next(o, slot);
    const uint64_t bit = UINT64_C(1) << slot;
    o->unknown &= ~bit;
    o->divergent &= ~bit;
    if (entry->is_load && !entry->predicted) {
        o->unknown |= bit;
    } else if (entry->is_load && entry->divergent) {
        o->divergent |= bit;
        o->store_changed = true;
    }
}

static void drop(struct oaws *o, uint32_t at)
{
    uint32_t kept = 0;
    o->entry[at].valid = false;
    for (uint32_t i = 0; i < o->n_waiting; i++) {
        if (o->waiting[i] != at) {
            o->waiting[kept++] = o->waiting[i];
        }
    }
    o->n_waiting = kept;
    o->enter.stale |= o->enter.slot == at;
    o->walk.stale |= o->walk.slot == at;
}

static void enter(struct oaws *o, uint32_t at, uint32_t pc)
{
    const struct isa_kernel *kernel = core_kernel(o->core);
    if (pc >= kernel->n_inst || (o->entry[at].valid && o->entry[at].pc == pc)) {
        return;
    }
    drop(o, at);
    o->entry[at] = (struct oaws_entry){
        .pc = pc, .valid = true, .is_load = is_load(&kernel->inst[pc])};
    if (o->entry[at].is_load) {
        o->waiting[o->n_waiting++] = (uint8_t)at;
    }
}

static void update_warp(struct oaws *o, uint32_t slot)
{
    const struct isa_warp *warp = core_warp(o->core, slot);
    const struct isa_inst *inst = core_kernel(o->core)->inst;
    const uint32_t was = o->issued_pc[slot];
    const uint64_t bit = UINT64_C(1) << slot;
    const bool straight = !(o->fresh & bit) && !warp->done && warp->pc == was + 1 &&
                          !inst[was].is_branch;
    o->fresh &= ~bit;
    for (uint32_t half = 0; half < 2; half++) {
        if (!straight || (was & 1) == half) {
            drop(o, 2 * slot + half);
        }
    }
    if (warp->done) {
        return;
    }
    enter(o, 2 * slot + (warp->pc & 1), warp->pc);
    enter(o, 2 * slot + (~warp->pc & 1), warp->pc + 1);
    *o->store_at.head = (*o->store_at.head & ~bit) | (warp->pc & 1 ? bit : 0);
    note_next(o, slot);
}

void oaws_buffer_update(struct oaws *o)
{
    const uint64_t now = o->moved & ~core_warps(o->core).fetch;
    for (uint64_t left = now; left != 0; left &= left - 1) {
        update_warp(o, (uint32_t)__builtin_ctzll(left));
    }
    o->moved &= ~now;
}

/* A predictor whose look-up has not been answered. */
static void give_up(struct oaws_predictor *p)
{
    p->busy &= p->look_up.state == OAWS_NOT_ASKED;
    p->look_up.state = OAWS_NOT_ASKED;
}

void oaws_buffer_clear(struct oaws *o)
{
    memset(o->entry, 0, sizeof o->entry);
    o->n_waiting = 0;
    o->moved = o->fresh = o->unknown = o->divergent = 0;
    o->enter.stale = o->walk.stale = true;
    give_up(&o->enter);
    give_up(&o->walk);
}

/* ---- predictors ---- */

/* The prediction itself begins: what the classifier says of the load is known. */
static void predict(struct oaws *o, struct oaws_predictor *p)
{
    const uint32_t warp = p->slot / 2;
    if (p->look_up.state == OAWS_ANSWERED) {
        p->divergent = p->look_up.hit;
        *p->div = (uint64_t)__builtin_popcount(core_warp(o->core, warp)->active);
        *p->num = p->divergent ? p->look_up.miss : 0;
        *p->den = p->divergent ? p->look_up.acc : 0;
        *p->gprio = o->kind.dynamic ? ranks_of(&o->ranks, warp) : 0;
        *p->fcw = o->kind.dynamic ? o->partition.fcw : 0;
    }
    p->look_up.state = OAWS_NOT_ASKED;
    *p->is_div = p->divergent;
    *p->start = 1;
}

static bool has_load(const struct oaws_entry *entry)
{
    return entry->valid && entry->is_load;
}

/* Begin the prediction of the instruction in buffer slot `at`. */
static void start(struct oaws *o, struct oaws_predictor *p, uint32_t at)
{
    const struct oaws_entry *entry = &o->entry[at];
    oaws_classifier_forget(o, &p->look_up);
    p->slot = at;
    p->busy = true;
    p->stale = false;
    p->divergent = false;
    if (has_load(entry)) {
        p->look_up = (struct oaws_look_up){.state = OAWS_ASKED, .pc = entry->pc};
    } else {
        predict(o, p);
    }
}

/* A predictor that waits for the classifier. */
static void look_up(struct oaws *o, struct oaws_predictor *p)
{
    if (p->look_up.state != OAWS_NOT_ASKED) {
        oaws_classifier_ask(o, &p->look_up);
    }
    if (p->look_up.state == OAWS_ANSWERED) {
        predict(o, p);
    }
}

/* The walker's next instruction is looked up while the last one is predicted: that of the next
 * slot. */
static void look_ahead(struct oaws *o)
{
    const uint32_t at = (o->walk.slot + 1) % (2 * core_config(o->core)->sm_warps);
    const struct oaws_entry *entry = &o->entry[at];
    if (o->ahead.state == OAWS_NOT_ASKED && has_load(entry)) {
        o->ahead = (struct oaws_look_up){.state = OAWS_ASKED, .pc = entry->pc};
        o->ahead_slot = at;
    }
    oaws_classifier_ask(o, &o->ahead);
}

/* Begin the walker's, with what it has looked up if it is of this instruction. */
static void start_walk(struct oaws *o)
{
    const uint32_t at = (uint32_t)*o->store_at.walk_slot;
    start(o, &o->walk, at);
    if (o->walk.look_up.state == OAWS_ASKED && o->ahead.state == OAWS_ANSWERED &&
        o->ahead_slot == at && o->ahead.pc == o->walk.look_up.pc) {
        o->walk.look_up = o->ahead;
    }
    oaws_classifier_forget(o, &o->ahead);
}

/* Is the predictor's result there? */
static bool finished(struct oaws_predictor *p)
{
    *p->start = 0;
    if (!p->busy) {
        return false;
    }
    pins_comb(&p->unit);
    p->busy = *p->done == 0;
    return !p->busy;
}

/* Clock a predictor with something to do. */
static void clock_predictor(struct oaws_predictor *p)
{
    if (p->busy) {
        pins_seq(&p->unit);
    }
}

static void store_entering(struct oaws *o)
{
    *o->store_at.enter_valid = finished(&o->enter) && !o->enter.stale;
    *o->store_at.enter_slot = o->enter.slot;
    *o->store_at.enter_pred = *o->enter.pred;
    if (*o->store_at.enter_valid) {
        o->entry[o->enter.slot].predicted = true;
        o->entry[o->enter.slot].divergent = o->enter.divergent;
        note_next(o, o->enter.slot / 2);
    }
    if (!o->enter.busy && o->n_waiting > 0) {
        const uint32_t at = o->waiting[0];
        memmove(o->waiting, o->waiting + 1, --o->n_waiting);
        start(o, &o->enter, at);
    }
    look_up(o, &o->enter);
    clock_predictor(&o->enter);
}

static void store_walking(struct oaws *o)
{
    const bool done = finished(&o->walk), starts = o->walk_in_cycles == 0;
    const uint32_t at = o->walk.slot;
    o->walk_in_cycles = (starts ? o->walk_period_cycles : o->walk_in_cycles) - 1;
    *o->store_at.walk_valid = done && !o->walk.stale;
    *o->store_at.walk_pred = *o->walk.pred;
    const bool refreshes = *o->store_at.walk_valid && o->entry[at].predicted;
    if (starts || refreshes) {
        pins_comb(&o->store);
    }
    if (refreshes && *o->store_at.refresh) {
        o->entry[at].divergent = o->walk.divergent;
        o->counts.refreshes++;
        note_next(o, at / 2);
    }
    if (starts && *o->store_at.walk_start) {
        start_walk(o);
    } else if (!o->classifies_at_once) {
        look_ahead(o);
    }
    look_up(o, &o->walk);
    clock_predictor(&o->walk);
}

void oaws_predict_cycle(struct oaws *o)
{
    store_entering(o);
    store_walking(o);
}

const uint64_t *oaws_predictions(struct oaws *o)
{
    if (o->store_changed) {
        pins_comb(&o->store);
        o->store_changed = false;
        memset(o->said, 0, sizeof o->said);
    }
    return o->store_at.pred;
}
