/* sm_ahead.c - do the warps of an SM end, whatever their loads return?  See sm_ahead.h.
 *
 * A warp that is about to load is put back into that state for every value that it may load, and
 * runs, untimed, to its next load.  It must not know the machine around the SM.
 */
#include "machine/sm/sm_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "machine/l2/atomic.h"
#include "machine/sm/sm_l1d_sectors.h"

enum { MOST_WORDS = 4, MOST_VALUES = 16, MOST_WAYS = 256 };

/* One warp, in its place in the machine. */
struct runner {
    struct ahead *ahead;
    struct sm *sm;
    uint32_t slot;
    struct isa_warp *warp;
    struct isa_step step;
    struct isa_memop op;
};

/* The words that an instruction touches, and values for them. */
struct words {
    uint32_t n;
    uint64_t address[MOST_WORDS];
    uint32_t value[MOST_WORDS];
};

/* ---- memory, as addresses of words ---- */

/* Shared memory has addresses of its own, of no other CTA. */
static uint64_t address_of(const struct runner *r, uint32_t lane)
{
    if (r->op.space != ISA_SPACE_SHARED) {
        return r->op.addr[lane];
    }
    return AHEAD_SHARED | (uint64_t)r->sm->id << 48 | (uint64_t)r->sm->ctas.of[r->slot] << 40 |
           r->op.addr[lane];
}

static uint8_t *shared_word(const struct runner *r, uint64_t address)
{
    return r->sm->ctas.at[r->sm->ctas.of[r->slot]].shared + (address & UINT32_MAX);
}

static bool add_value(struct runner *r, uint64_t address, const void *bytes, uint32_t n_bytes)
{
    const uint32_t before = r->ahead->values.n;

    values_add(&r->ahead->values, address, bytes, n_bytes);
    r->ahead->grew |= r->ahead->values.n != before;
    return !r->ahead->values.full;
}

static bool collect(const struct runner *r, struct words *words)
{
    words->n = 0;
    for (uint32_t left = r->op.mask; left; left &= left - 1) {
        const uint64_t first = address_of(r, (uint32_t)__builtin_ctz(left));

        for (uint32_t at = 0; at < r->op.inst->bytes; at += VALUES_WORD_BYTES) {
            uint32_t w = 0;

            while (w < words->n && words->address[w] != first + at) {
                w++;
            }
            if (w == MOST_WORDS) {
                return false;
            }
            words->address[w] = first + at;
            words->n = w == words->n ? w + 1 : words->n;
        }
    }
    return r->op.inst->bytes % VALUES_WORD_BYTES == 0;
}

static uint32_t *value_at(struct words *words, uint64_t address)
{
    uint32_t w = 0;

    while (words->address[w] != address) {
        w++;
    }
    return &words->value[w];
}

/* ---- running to the next load ---- */

static void step(struct runner *r)
{
    const struct isa_launch *launch = r->sm->facts->launch;

    r->step = (struct isa_step){.kind = ISA_STEP_DONE, .notice = true};
    launch->step(launch->self, r->warp, r->sm->now, &r->step, &r->op);
}

static bool loads(const struct runner *r)
{
    const struct isa_inst *inst = &r->sm->facts->launch->kernel->inst[r->warp->pc];

    return (inst->pipe == ISA_PIPE_MEM || inst->pipe == ISA_PIPE_SHARED) &&
           inst->access != ISA_ACCESS_STORE;
}

static bool note_store(struct runner *r)
{
    for (uint32_t left = r->op.mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint64_t address = address_of(r, lane);
        const void *bytes = r->step.kind == ISA_STEP_SHARED ? shared_word(r, address)
                                                            : r->op.data[lane];

        if (!add_value(r, address, bytes, r->op.inst->bytes)) {
            return false;
        }
    }
    return true;
}

static uint64_t digest(const struct runner *r)
{
    const struct isa_launch *launch = r->sm->facts->launch;

    return launch->digest(launch->self, r->warp);
}

/* The state is one to go on from, if it is new. */
static bool add_state(struct runner *r)
{
    struct ahead *a = r->ahead;
    const size_t bytes = r->sm->facts->launch->warp_bytes;
    const uint64_t now = digest(r);
    struct ahead_state *state = &a->state[a->n_states];

    for (uint32_t s = 0; s < a->n_states; s++) {
        if (a->state[s].sm == r->sm->id && a->state[s].slot == r->slot &&
            a->state[s].digest == now) {
            return true;
        }
    }
    if (a->n_states == AHEAD_STATES || !(state->image = malloc(bytes))) {
        return false;
    }
    memcpy(state->image, r->warp, bytes);
    state->sm = r->sm->id;
    state->slot = r->slot;
    state->digest = now;
    a->n_states++;
    a->grew = true;
    return true;
}

/* False when the warp may end, meet a barrier or read the clock, or it takes too long to say. */
static bool run(struct runner *r)
{
    uint64_t anchor = 0, n = 0;
    uint32_t anchor_pc = UINT32_MAX;

    while (!loads(r)) {
        if (r->warp->pc == anchor_pc && digest(r) == anchor) {
            return true; /* round and round, without a load */
        }
        if (!(n & (n - 1))) {
            anchor_pc = r->warp->pc;
            anchor = digest(r);
        }
        n++;
        step(r);
        if (r->ahead->steps == 0 || r->warp->done) {
            return false;
        }
        r->ahead->steps--;
        switch (r->step.kind) {
        case ISA_STEP_DONE:
            if (r->step.changed) {
                return false;
            }
            break;
        case ISA_STEP_MEMORY:
        case ISA_STEP_SHARED:
            if (!note_store(r)) {
                return false;
            }
            break;
        case ISA_STEP_FENCE: break;
        default: return false;
        }
    }
    return add_state(r);
}

/* ---- a load, for every value ---- */

/* What a lane finds, and for an atomic what it leaves. */
static bool serve_lane(struct runner *r, struct words *words, uint32_t lane)
{
    const struct isa_inst *inst = r->op.inst;
    const uint64_t address = address_of(r, lane);
    uint8_t old[8] = {0}, now[8] = {0};

    for (uint32_t at = 0; at < inst->bytes; at += VALUES_WORD_BYTES) {
        const uint32_t *value = value_at(words, address + at);

        memcpy(inst->access == ISA_ACCESS_LOAD ? r->op.data[lane] + at : now + at, value,
               sizeof *value);
    }
    if (inst->access == ISA_ACCESS_LOAD) {
        return true;
    }
    atomic_apply(inst->atom, inst->number, now, r->op.data[lane], r->op.data[lane] + 8, old);
    memcpy(r->op.data[lane], old, sizeof old);
    for (uint32_t at = 0; at < inst->bytes; at += VALUES_WORD_BYTES) {
        memcpy(value_at(words, address + at), now + at, VALUES_WORD_BYTES);
    }
    return add_value(r, address, now, inst->bytes);
}

/* The instruction has issued; its words are these now. */
static bool serve(struct runner *r, struct words *words)
{
    const struct isa_launch *launch = r->sm->facts->launch;

    if (r->step.kind == ISA_STEP_SHARED) {
        return note_store(r);
    }
    for (uint32_t left = r->op.mask; left; left &= left - 1) {
        if (!serve_lane(r, words, (uint32_t)__builtin_ctz(left))) {
            return false;
        }
    }
    if (r->op.inst->access != ISA_ACCESS_REDUCE && r->op.mask) {
        launch->retire(launch->self, r->warp, &r->op);
    }
    return true;
}

static void put(const struct runner *r, const struct ahead_state *state)
{
    memcpy(r->warp, state->image, r->sm->facts->launch->warp_bytes);
}

/* The words hold these values when the load comes. */
static bool follow_one(struct runner *r, const struct ahead_state *state, struct words *words)
{
    put(r, state);
    for (uint32_t w = 0; w < words->n && r->op.space == ISA_SPACE_SHARED; w++) {
        memcpy(shared_word(r, words->address[w]), &words->value[w], VALUES_WORD_BYTES);
    }
    step(r);
    return serve(r, words) && run(r);
}

static bool follow_all(struct runner *r, const struct ahead_state *state, const struct words *words)
{
    uint32_t value[MOST_WORDS][MOST_VALUES], n[MOST_WORDS], ways = 1;

    for (uint32_t w = 0; w < words->n; w++) {
        n[w] = values_find(&r->ahead->values, words->address[w], value[w], 0, MOST_VALUES);
        ways *= n[w];
        if (n[w] == 0 || n[w] == MOST_VALUES || ways > MOST_WAYS) {
            return false;
        }
    }
    for (uint32_t way = 0; way < ways; way++) {
        struct words these = *words;

        for (uint32_t w = 0, left = way; w < words->n; left /= n[w++]) {
            these.value[w] = value[w][left % n[w]];
        }
        if (!follow_one(r, state, &these)) {
            return false;
        }
    }
    return true;
}

/* A copy in the L1D may be older, and that of local memory newer, than what is below. */
static bool add_cached(struct runner *r, uint64_t address)
{
    const struct cache *l1d = &r->sm->l1d;
    const uint64_t block = address & ~(uint64_t)(BLOCK_BYTES - 1);
    const uint32_t set = l1d_set(r->sm, block);
    const int way = cache_find(l1d, set, block);

    if (r->sm->sectors) {
        const uint8_t *data = sm_sectors_bytes(r->sm, block);

        return !data || add_value(r, address, data + (address - block), VALUES_WORD_BYTES);
    }
    return way < 0 || cache_line(l1d, set, (uint32_t)way)->state != LINE_VALID ||
           add_value(r, address, cache_data(l1d, set, (uint32_t)way) + (address - block),
                     VALUES_WORD_BYTES);
}

/* What memory holds now is a value, too. */
static bool add_present(struct runner *r, const struct words *words, const uint8_t *shared)
{
    for (uint32_t w = 0; w < words->n; w++) {
        uint32_t value;

        if (r->op.space == ISA_SPACE_SHARED) {
            memcpy(&value, shared + (words->address[w] & UINT32_MAX), sizeof value);
        } else {
            r->ahead->peek(r->ahead->self, words->address[w], &value, sizeof value);
            if (!add_cached(r, words->address[w])) {
                return false;
            }
        }
        if (!add_value(r, words->address[w], &value, sizeof value)) {
            return false;
        }
    }
    return true;
}

static bool follow(struct runner *r, const struct ahead_state *state, const uint8_t *shared)
{
    struct words words = {0};

    put(r, state);
    r->op.mask = 0;
    step(r); /* for the addresses */
    if (r->step.kind != ISA_STEP_MEMORY && r->step.kind != ISA_STEP_SHARED) {
        return r->step.kind == ISA_STEP_DONE && !r->step.changed && !r->warp->done && run(r);
    }
    return collect(r, &words) && add_present(r, &words, shared) && follow_all(r, state, &words);
}

/* ---- all warps ---- */

/* From where it was noted to be, then from every state of its that is known. */
static bool warp_goes_round(struct runner *r, const uint8_t *shared)
{
    const uint8_t *image = r->sm->round.image[r->slot];
    struct ahead *a = r->ahead;

    if (!image) {
        return false;
    }
    memcpy(r->warp, image, r->sm->facts->launch->warp_bytes);
    if (!run(r)) {
        return false;
    }
    for (uint32_t s = 0; s < a->n_states; s++) {
        if (a->state[s].sm == r->sm->id && a->state[s].slot == r->slot &&
            !follow(r, &a->state[s], shared)) {
            return false;
        }
    }
    return true;
}

/* The warp and its shared memory are then as they were. */
static bool try_warp(struct sm *sm, uint32_t slot, struct ahead *ahead)
{
    struct runner r = {.ahead = ahead, .sm = sm, .slot = slot, .warp = sm->warps.at[slot]};
    const size_t bytes = sm->facts->launch->warp_bytes, shared_bytes = sm->facts->shared_bytes;
    uint8_t *shared = sm->ctas.at[sm->ctas.of[slot]].shared;
    uint8_t *kept = malloc(bytes + shared_bytes);
    bool good;

    if (!kept) {
        return false;
    }
    memcpy(kept, r.warp, bytes);
    memcpy(kept + bytes, shared, shared_bytes);
    good = warp_goes_round(&r, kept + bytes);
    memcpy(r.warp, kept, bytes);
    memcpy(shared, kept + bytes, shared_bytes);
    free(kept);
    return good;
}

bool sm_ahead(struct sm *sm, struct ahead *ahead)
{
    const uint64_t free = sm->warps.resident & ~sm->warps.done & ~sm->warps.wait_barrier;

    for (uint64_t left = free; left; left &= left - 1) {
        if (!try_warp(sm, (uint32_t)__builtin_ctzll(left), ahead)) {
            return false;
        }
    }
    sm->spin.returned |= free;
    return true;
}
