/* drd_queue.c - which loads of an SM wait for their validation: the machine's events as
 * operations of the unit avu_queue (tabbakh2018-coherence 3.7.6, D-R8, D-R17, D-R18, D-R20,
 * D-R21).
 *
 * Every block request of a load is an entry, but for one that hits while nothing of its SM is
 * unanswered and its warp has no entry.  (A warp's oldest miss is right for sure, but must be
 * there for younger entries not to be the head of their warp, D-R21.)  The network keeps no
 * order between banks, so answers overtake each other: they count in the order of their
 * requests (`early` of the unit).
 * Steps that the unit needs for an operation take no time here, but with pace=units (drd_l1.c). */
#include <string.h>

#include "mechanisms/drd/drd_spec.h"
#include "units/rdu/bloom.h"

static void step(struct drd_spec *spec)
{
    pins_seq(&spec->queue);
    spec->owner->queue_pace.steps++;
}

/* One operation; `sig` is the signature of QUEUE_SIGNATURE, of which the unit reads word after word. */
static void operate_on(struct drd_spec *spec, unsigned op, const uint64_t *sig)
{
    bool done = false;
    *spec->qin.op = op;
    spec->nothing_to_take = false;
    for (uint64_t at = 0; !done;) {
        if (sig != NULL) {
            memcpy(spec->qin.sig, &sig[at * spec->queue_lanes], spec->queue_lanes * sizeof *sig);
        }
        pins_comb(&spec->queue);
        at = *spec->qout.sig_at;
        done = *spec->qout.ready != 0;
        spec->failed += *spec->qout.entry_failed;
        step(spec);
    }
    *spec->qin.op = QUEUE_NONE;
}

static void operate(struct drd_spec *spec, unsigned op)
{
    operate_on(spec, op, NULL);
}

void drd_queue_clear(struct drd_spec *spec)
{
    *spec->qin.kernel_start = 1;
    pins_seq(&spec->queue);
    *spec->qin.kernel_start = 0;
    spec->used = spec->unserved = 0;
    spec->nothing_to_take = false;
    spec->sent = spec->oldest = 0;
}

bool drd_queue_room(const struct drd_spec *spec)
{
    return (uint32_t)__builtin_popcountll(spec->used) < spec->owner->drd->options.queue &&
           spec->sent - spec->oldest < SPEC_REQUESTS;
}

/* ---- requests and answers ---- */

/* The unit lets the head of a warp pass an own store (D-R21): it may be ordered before.  Not when
 * it is behind a store of its warp that may be performed after this one. */
static void fail_behind_stores(struct drd_spec *spec, uint64_t block)
{
    struct core *core = spec->owner->core;
    const bool fails = spec->owner->drd->options.ownstore == 0;
    for (uint64_t left = fails ? spec->used : 0; left != 0; left &= left - 1) {
        const struct spec_entry *entry = &spec->entry[__builtin_ctzll(left)];
        if (entry->block == block && core_stores(core, entry->slot) > 0) {
            spec->warp[entry->slot].rolling = true;
            spec->rolling |= UINT64_C(1) << entry->slot;
            core_recheck(core, entry->slot);
        }
    }
}

uint64_t drd_queue_sent(struct drd_spec *spec, const struct request *msg)
{
    const uint64_t order = spec->sent++;
    spec->answered[order % SPEC_ORDERS] = false;
    if (msg->packet.type == MSG_WRITE || msg->packet.type == MSG_ATOMIC) {
        *spec->qin.addr = msg->packet.block & UINT32_MAX;
        operate(spec, QUEUE_STORE);
        fail_behind_stores(spec, msg->packet.block);
        return order;
    }
    if (msg->ticket.to == TO_MSHR) {
        spec->mshr_order[msg->ticket.number] = order;
        for (uint64_t left = spec->unserved; left != 0; left &= left - 1) {
            struct spec_entry *entry = &spec->entry[__builtin_ctzll(left)];
            if (!entry->direct && entry->block == msg->packet.block) { /* it has to ask again */
                entry->order = order;
            }
        }
    }
    return order;
}

static void answer(struct drd_spec *spec, uint64_t order)
{
    spec->answered[order % SPEC_ORDERS] = true;
    *spec->qin.binds = *spec->qin.early = 0;
    while (spec->oldest < spec->sent && spec->answered[spec->oldest % SPEC_ORDERS]) {
        operate(spec, QUEUE_ANSWER);
        spec->oldest++;
    }
}

void drd_queue_unanswered(struct drd_spec *spec, uint64_t order)
{
    answer(spec, order);
}

/* The race check of request `order` was answered: who waits for its data has the value of
 * this point. */
static void bind(struct drd_spec *spec, uint64_t order)
{
    *spec->qin.binds = *spec->qin.early = 1;
    for (uint64_t left = spec->unserved; left != 0; left &= left - 1) {
        const uint32_t id = (uint32_t)__builtin_ctzll(left);
        if (spec->entry[id].order == order) {
            *spec->qin.id = id;
            operate(spec, QUEUE_ANSWER);
        }
    }
}

/* sig=exact: a signature of nothing but those granules of entries that are in the set.  Only
 * these may be mistaken for each other: of two loads at 4 Kb one in 10^17. */
static void exact_signature(const struct drd_spec *spec, uint64_t *sig)
{
    const struct drd_sm *sm = spec->owner;
    const uint32_t shift = drd_shift(&sm->drd->options), m = sm->drd->options.m;
    memset(sig, 0, sm->drd->sig_words * sizeof *sig);
    for (uint64_t left = spec->used; left != 0; left &= left - 1) {
        const struct spec_entry *entry = &spec->entry[__builtin_ctzll(left)];
        uint64_t bytes[2] = {entry->bytes[0], entry->bytes[1]};
        drd_exact_keep(sm->drd->exact, core_id(sm->core), sm->seen, entry->block, bytes);
        for (uint32_t g = 0; g < (shift < 7 ? 128u >> shift : 1); g++) {
            if (bloom_touches(bytes, g, shift)) {
                bloom_insert(sig, bloom_key(entry->block & UINT32_MAX, g, shift), m);
            }
        }
    }
}

void drd_queue_message(struct drd_spec *spec, const struct drd_message *message,
                       const uint64_t *sig)
{
    if (message->has_sig) {
        uint64_t exact[SPEC_SIG_WORDS];
        if (spec->owner->drd->exact != NULL) {
            exact_signature(spec, exact);
            sig = exact;
        }
        *spec->qin.forced = message->forced;
        operate_on(spec, QUEUE_SIGNATURE, sig);
        *spec->qin.forced = 0;
    }
    if (message->forced) {
        return;
    }
    if (message->type == RDU_MISS) {
        bind(spec, message->order);
    }
    answer(spec, message->order);
}

/* ---- loads ---- */

void drd_queue_accepted(struct drd_spec *spec, const struct mem_inst *inst,
                        const struct access_info *access, enum access_result result)
{
    const uint64_t outstanding = spec->sent - spec->oldest;
    struct spec_warp *warp = &spec->warp[access->warp_slot];
    const bool hit = result == RESULT_HIT, direct = result == RESULT_BYPASS;
    if (hit && outstanding == 0 && warp->entries == 0) {
        return;
    }
    const uint32_t id = (uint32_t)__builtin_ctzll(~spec->used); /* drd_queue_room: there is one */
    const int mshr = hit || direct ? -1 : mshr_find(core_mshrs(spec->owner->core), access->block);
    spec->entry[id] = (struct spec_entry){.inst = inst,
                                          .block = access->block,
                                          .bytes = {access->bytes[0], access->bytes[1]},
                                          .slot = access->warp_slot,
                                          .direct = direct,
                                          .order = hit         ? UINT64_MAX
                                                   : mshr >= 0 ? spec->mshr_order[mshr]
                                                               : spec->sent - 1};
    *spec->qin.addr = access->block & UINT32_MAX;
    memcpy(spec->qin.mask, access->bytes, sizeof access->bytes);
    *spec->qin.warp = access->warp_slot;
    *spec->qin.pc = access->pc;
    *spec->qin.id = id;
    *spec->qin.outstanding = outstanding;
    *spec->qin.has_value = hit;
    operate(spec, QUEUE_PUSH);
    spec->used |= UINT64_C(1) << id;
    spec->unserved |= (uint64_t)!hit << id;
    warp->entries++;
    spec->queued++;
    spec->speculative_hits += hit;
}

void drd_queue_served(struct drd_spec *spec, const struct mem_inst *inst, uint64_t block)
{
    for (uint64_t left = spec->unserved; left != 0; left &= left - 1) {
        const uint32_t id = (uint32_t)__builtin_ctzll(left);
        if (spec->entry[id].inst == inst && spec->entry[id].block == block) {
            spec->unserved &= ~(UINT64_C(1) << id);
            *spec->qin.id = id;
            operate(spec, QUEUE_FILL);
            return;
        }
    }
}

bool drd_queue_take(struct drd_spec *spec, uint32_t *slot, bool *failed)
{
    if (spec->nothing_to_take) {
        return false;
    }
    pins_comb(&spec->queue);
    if (!*spec->qout.head_valid) { /* behind an operation it is shown a step later */
        step(spec);
        pins_comb(&spec->queue);
    }
    if (!*spec->qout.head_valid) {
        spec->nothing_to_take = true;
        return false;
    }
    const uint64_t id = *spec->qout.head_id;
    *failed = *spec->qout.head_fail != 0;
    *slot = (uint32_t)*spec->qout.head_warp;
    operate(spec, QUEUE_TAKE);
    if (*failed) { /* the warp goes back; the load is another entry then */
        *spec->qin.id = id;
        operate(spec, QUEUE_REDONE);
    }
    spec->used &= ~(UINT64_C(1) << id);
    spec->warp[*slot].entries--;
    return true;
}
