/* gtsc_l1.c - G-TSC at the L1D: which operation of the unit gtsc_l1 each event of the cache
 * is, and what its answer means to the cache (tabbakh2018-coherence 3.6.3, 3.6.4, 3.6.6).
 *
 * An operation is asked (the unit's outputs, nothing changes) and, when the machine goes
 * through with it, committed.  The unit knows lines by their position in the L1D. */
#include "mechanisms/gtsc/gtsc_l1.h"

#include <string.h>

#include "mechanisms/gtsc/gtsc_message.h"

/* ---- the unit ---- */

static uint32_t index_of(const struct gtsc_l1 *l1, const struct cache_line *line)
{
    return line != NULL ? (uint32_t)(line - l1->l1d->line) : 0;
}

/* Put the operation to the unit. */
static void ask_at(struct gtsc_l1 *l1, unsigned op, uint32_t warp, uint32_t line, bool present)
{
    *l1->in.op = op;
    *l1->in.warp = warp;
    *l1->in.line = line;
    *l1->in.present = present;
    l1->refetched = NULL;
    pins_comb(&l1->unit);
}

/* The same; `line` is NULL when the block has none. */
static void ask(struct gtsc_l1 *l1, unsigned op, uint32_t warp, const struct cache_line *line)
{
    ask_at(l1, op, warp, index_of(l1, line), line != NULL);
}

static void set_message(struct gtsc_l1 *l1, const struct reply *msg)
{
    *l1->in.msg_wts = (uint32_t)msg->proto[0];
    *l1->in.msg_rts = msg->proto[0] >> 32;
    *l1->in.msg_epoch = msg->proto[1] & GTSC_EPOCH_MASK;
    *l1->in.msg_ok = msg->proto[1] >> GTSC_OK_SHIFT & 1;
}

/* All copies but `keep` go: the SM is in a new epoch.  Local data stay. */
static void flush(struct gtsc_l1 *l1, const struct cache_line *keep)
{
    for (uint32_t n = 0; n < l1->l1d->sets * l1->l1d->ways; n++) {
        struct cache_line *line = core_protocol_line(l1->core, n);
        line->locked = line->pinned = false;
        if (line->state == LINE_VALID && line != keep && !(line->dirty[0] | line->dirty[1])) {
            core_drop_line(l1->core, n / l1->l1d->ways, n % l1->l1d->ways);
        }
    }
}

static void begin_epoch(struct gtsc_l1 *l1, const struct cache_line *keep)
{
    flush(l1, keep);
    pins_comb(&l1->unit);
    l1->epoch = *l1->out.epoch;
}

/* The operation just asked happens. */
static void commit(struct gtsc_l1 *l1, const struct cache_line *keep)
{
    const bool new_epoch = *l1->out.flush;
    l1->lease_expired += *l1->out.lease_expired;
    l1->lock_retries += *l1->out.lock_retry;
    l1->old_messages += *l1->out.old_message;
    l1->merges_failed += *l1->out.merge_failed;
    l1->resets_adopted += *l1->out.adopted;
    l1->refetched = NULL;
    pins_seq(&l1->unit);
    if (new_epoch) {
        begin_epoch(l1, keep);
    }
}

/* The unit's word on replacing the line of the operation just committed. */
static void hold(struct gtsc_l1 *l1, struct cache_line *line)
{
    pins_comb(&l1->unit);
    line->locked = *l1->out.lock;
    line->pinned = *l1->out.pin;
}

/* ---- a warp's earlier accesses to the block ([D-G15]) ---- */

static bool waits_in_mshr(const struct mshr_file *mshrs, uint32_t warp, uint64_t block)
{
    const int at = mshr_find(mshrs, block);
    for (uint32_t t = 0; at >= 0 && t < mshrs->entry[at].n_targets; t++) {
        const bool over = t < mshrs->entry[at].served && t >= mshrs->entry[at].kept;
        if (!over && core_waiter_slot(mshrs->entry[at].target[t].who) == warp) {
            return true;
        }
    }
    return false;
}

static bool own_pending(const struct gtsc_l1 *l1, uint32_t warp, uint64_t block)
{
    return l1->rc &&
           (gtsc_record_find(&l1->records, warp, block) || waits_in_mshr(l1->mshrs, warp, block));
}

/* ---- accesses ---- */

static enum coherence_probe load(void *self, const struct access_info *access,
                                 struct cache_line *line)
{
    struct gtsc_l1 *l1 = self;
    const uint32_t warp_slot = access->warp_slot;
    *l1->in.outstanding = 0;
    *l1->in.own_pending = own_pending(l1, warp_slot, access->block);
    ask(l1, GTSC_L1_op_LOAD, warp_slot, line);
    if (*l1->out.answer == GTSC_L1_answer_HIT) {
        l1->load_time = *l1->out.load_ts;
        commit(l1, NULL);
        return COHERENCE_HIT;
    }
    l1->refetched = *l1->out.send ? line : NULL;
    return *l1->out.answer == GTSC_L1_answer_WAIT ? COHERENCE_WAIT : COHERENCE_REFETCH;
}

static bool may_send(void *self, const struct access_info *access, struct cache_line *line)
{
    struct gtsc_l1 *l1 = self;
    const bool pending = own_pending(l1, access->warp_slot, access->block);
    if (pending || access->kind == ACCESS_LOAD) {
        return !pending && (!access->past_l1d || gtsc_record_room(&l1->records));
    }
    if (!gtsc_record_room(&l1->records)) {
        return false;
    }
    *l1->in.own_pending = 0;
    ask(l1, access->kind == ACCESS_STORE ? GTSC_L1_op_STORE : GTSC_L1_op_ATOMIC, access->warp_slot,
        line != NULL && line->state == LINE_VALID ? line : NULL);
    return *l1->out.answer != GTSC_L1_answer_WAIT;
}

/* The store happens at the unit, now; `send` tells the L2. */
static void do_store(struct gtsc_l1 *l1, uint32_t warp_slot, const struct cache_line *line)
{
    *l1->in.own_pending = 0;
    ask(l1, GTSC_L1_op_STORE, warp_slot, line);
    l1->store.wts = *l1->out.req_wts;
    l1->store.ts = *l1->out.req_ts;
    l1->store.stamps = *l1->out.stamps;
    l1->store.line = (uint16_t)index_of(l1, line);
    commit(l1, NULL);
    l1->staged = true;
}

static bool store_hit(void *self, uint32_t warp_slot, struct cache_line *line)
{
    struct gtsc_l1 *l1 = self;
    do_store(l1, warp_slot, line);
    line->locked = l1->store.stamps;
    line->pinned = false; /* locked is enough; without a lock the copy goes */
    return l1->store.stamps;
}

/* ---- requests ---- */

static void put_request(struct gtsc_l1 *l1, struct request *msg, uint64_t wts, uint64_t ts,
                        uint32_t stamps)
{
    msg->proto[0] = wts | ts << 32;
    msg->proto[1] = l1->epoch;
    msg->proto[2] = GTSC_NO_RECORD;
    msg->proto_bytes = (uint8_t)(stamps * GTSC_STAMP_BYTES);
}

/* A renewal is what the load that found the copy has just asked of the unit: its outputs stand. */
static void send_read(struct gtsc_l1 *l1, struct request *msg, struct cache_line *line)
{
    const bool again = l1->mshrs->entry[msg->ticket.number].n_targets > 0;
    if (again || line == NULL || l1->refetched != line) {
        *l1->in.outstanding = *l1->in.own_pending = 0;
        ask(l1, again ? GTSC_L1_op_ASK : GTSC_L1_op_LOAD, msg->ticket.warp_slot, line);
    }
    put_request(l1, msg, *l1->out.req_wts, *l1->out.req_ts, 2);
    commit(l1, NULL);
    if (line != NULL && l1->pins) {
        hold(l1, line);
    }
}

static void send_recorded(struct gtsc_l1 *l1, struct request *msg, unsigned op)
{
    struct gtsc_record record = {.block = msg->packet.block, .warp = msg->ticket.warp_slot};
    if (op == GTSC_L1_op_STORE) {
        if (!l1->staged) {
            do_store(l1, msg->ticket.warp_slot, NULL);
        }
        l1->staged = false;
        record.stamps = l1->store.stamps;
        record.line = l1->store.line;
        put_request(l1, msg, l1->store.wts, l1->store.ts, 2);
    } else {
        *l1->in.own_pending = 0;
        ask(l1, op, msg->ticket.warp_slot, NULL);
        put_request(l1, msg, *l1->out.req_wts, *l1->out.req_ts, op == GTSC_L1_op_VOLATILE ? 2 : 1);
        commit(l1, NULL);
    }
    msg->proto[2] = gtsc_record_take(&l1->records, &record);
}

static void send(void *self, struct request *msg, struct cache_line *line)
{
    struct gtsc_l1 *l1 = self;
    switch (msg->packet.type) {
    case MSG_WRITE: send_recorded(l1, msg, GTSC_L1_op_STORE); break;
    case MSG_ATOMIC: send_recorded(l1, msg, GTSC_L1_op_ATOMIC); break;
    case MSG_READ:
        if (msg->ticket.to != TO_MSHR) {
            send_recorded(l1, msg, GTSC_L1_op_VOLATILE);
        } else {
            send_read(l1, msg, line);
        }
        break;
    default: /* a prefetch belongs to no warp: the earliest time */
        put_request(l1, msg, 0, 1, 2);
        break;
    }
}

/* ---- replies ---- */

/* BusFill or BusRnw for an MSHR entry. */
static enum coherence_reply take_bytes(struct gtsc_l1 *l1, struct reply *msg,
                                       struct cache_line *line)
{
    const bool here = line != NULL && !line->killed && !line->doomed;
    const bool fresh = line != NULL && !(line->valid[0] | line->valid[1]);
    set_message(l1, msg);
    ask(l1, msg->no_data ? GTSC_L1_op_RENEW : GTSC_L1_op_FILL, 0, here ? line : NULL);
    const bool install = *l1->out.install || msg->no_data;
    const bool held = *l1->out.lock || *l1->out.pin;
    commit(l1, line);
    if (here && (held || line->locked || line->pinned)) { /* it may be free now, never held anew */
        hold(l1, line);
    }
    l1->renewals_orphaned += msg->no_data && !here;
    if (install) {
        return COHERENCE_INSTALL;
    }
    return fresh ? COHERENCE_DROP : COHERENCE_IGNORE;
}

static enum coherence_reply take_direct(struct gtsc_l1 *l1, struct reply *msg)
{
    const struct gtsc_record record = gtsc_record_end(&l1->records, (uint16_t)msg->proto[2]);
    set_message(l1, msg);
    ask(l1, GTSC_L1_op_DIRECT, record.warp, NULL);
    const bool served = *l1->out.serve;
    commit(l1, NULL);
    return served ? COHERENCE_INSTALL : COHERENCE_DROP;
}

static enum coherence_reply take_ack(struct gtsc_l1 *l1, struct reply *msg)
{
    const struct gtsc_record record = gtsc_record_end(&l1->records, (uint16_t)msg->proto[2]);
    struct cache_line *line = core_protocol_line(l1->core, record.line);
    const bool here = record.stamps && line->state == LINE_VALID &&
                      l1->l1d->tag[record.line] == record.block;
    set_message(l1, msg);
    *l1->in.msg_stamps = record.stamps;
    ask_at(l1, GTSC_L1_op_ACK, record.warp, record.line, here);
    const bool drops = *l1->out.drop && here;
    commit(l1, NULL);
    hold(l1, line);
    *l1->in.msg_stamps = 0;
    return drops ? COHERENCE_DROP : COHERENCE_INSTALL;
}

static enum coherence_reply reply(void *self, struct reply *msg, struct cache_line *line)
{
    struct gtsc_l1 *l1 = self;
    if (msg->packet.type != MSG_READ_REPLY) {
        return take_ack(l1, msg);
    }
    return msg->ticket.to != TO_MSHR ? take_direct(l1, msg) : take_bytes(l1, msg, line);
}

/* A waiter's turn; the kept ones before it may be its own warp's. */
static bool covers(void *self, uint32_t warp_slot, uint32_t position, const struct reply *msg,
                   struct cache_line *line)
{
    struct gtsc_l1 *l1 = self;
    const struct mshr_entry *entry = &l1->mshrs->entry[msg->ticket.number];
    bool pending = l1->rc && gtsc_record_find(&l1->records, warp_slot, msg->packet.block);
    (void)position;
    for (uint32_t t = 0; t < entry->kept && l1->rc; t++) {
        pending |= core_waiter_slot(entry->target[t].who) == warp_slot;
    }
    set_message(l1, msg);
    *l1->in.from_msg = !msg->no_data;
    *l1->in.own_pending = pending;
    ask(l1, GTSC_L1_op_SERVE, warp_slot, line);
    const bool served = *l1->out.serve;
    l1->load_time = *l1->out.load_ts;
    commit(l1, NULL);
    *l1->in.from_msg = *l1->in.own_pending = 0;
    return served;
}

static bool may_ask(void *self, uint32_t warp_slot, struct cache_line *line)
{
    struct gtsc_l1 *l1 = self;
    *l1->in.outstanding = 0;
    ask(l1, GTSC_L1_op_ASK, warp_slot, line);
    const bool sends = *l1->out.send;
    if (!sends) {
        l1->parked++;
        commit(l1, NULL); /* the unit forgets its waiters' timestamp: it is of this block (D-G8) */
    }
    return sends;
}

/* What one warp has seen, the others may rely on after the barrier: all go on at the latest
 * of their timestamps.  (3.6 does not say; without it a warp could read data from before
 * what another warp of its CTA has seen.)  For the unit it is the answer to a store. */
static void barrier(void *self, uint64_t warps)
{
    struct gtsc_l1 *l1 = self;
    uint64_t latest = 0;
    for (uint64_t left = warps; left != 0; left &= left - 1) {
        ask(l1, GTSC_L1_op_SERVE, (uint32_t)__builtin_ctzll(left), NULL);
        latest = *l1->out.ts > latest ? *l1->out.ts : latest;
    }
    *l1->in.msg_wts = latest;
    *l1->in.msg_epoch = l1->epoch;
    for (uint64_t left = warps; left != 0; left &= left - 1) {
        ask(l1, GTSC_L1_op_ACK, (uint32_t)__builtin_ctzll(left), NULL);
        commit(l1, NULL);
    }
}

/* ---- for the checker ---- */

static bool state_value(const struct unit_pins *unit, const char *name, uint32_t at,
                        uint64_t *value)
{
    const struct unit_desc *desc = unit->backend->desc;
    const uint8_t *state = unit->backend->state != NULL ? unit->backend->state(unit->instance)
                                                        : NULL;
    for (unsigned f = 0; f < desc->n_state && state != NULL; f++) {
        const struct unit_field *field = &desc->state[f];
        if (strcmp(field->name, name) == 0) {
            *value = 0; /* little-endian, as every host that this runs on */
            memcpy(value, state + field->offset_bytes + at * field->element_bytes,
                   field->element_bytes);
            return true;
        }
    }
    return false;
}

bool gtsc_l1_stamps(const struct gtsc_l1 *l1, uint32_t line, uint64_t *wts, uint64_t *rts)
{
    return state_value(&l1->unit, "wts", line, wts) && state_value(&l1->unit, "rts", line, rts);
}

/* ---- plugging in ---- */

static void kernel_start(void *self)
{
    struct gtsc_l1 *l1 = self;
    gtsc_records_clear(&l1->records);
    ask(l1, GTSC_L1_op_KERNEL_START, 0, NULL);
    commit(l1, NULL);
}

void gtsc_l1_probe(struct gtsc_l1 *l1, uint64_t epoch)
{
    *l1->in.msg_epoch = epoch;
    ask(l1, GTSC_L1_op_PROBE, 0, NULL);
    commit(l1, NULL);
}

int gtsc_l1_plug(struct mechanism_context *context, struct gtsc_l1 *l1)
{
    const struct coherence_l1_socket socket = {.self = l1,
                                               .needs_still = true,
                                               .load = load,
                                               .may_send = may_send,
                                               .store_hit = store_hit,
                                               .send = send,
                                               .reply = reply,
                                               .covers = covers,
                                               .may_ask = may_ask,
                                               .barrier = barrier,
                                               .kernel_start = kernel_start};
    l1->pins = pins_parameter(&l1->unit, "PIN") != 0;
    *l1->in
         .op_valid = 1; /* nothing happens but at an edge, and there is none without an operation */
    return plug_coherence(l1->core, &context->plug, &socket);
}
