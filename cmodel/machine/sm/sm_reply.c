/* sm_reply.c - what comes back to an SM: one reply or one waiting access per cycle.
 *
 * Works after wang2015-divergence 3.1 (D-BASE-4: targets are served one per cycle, the
 * entry is free in the cycle after its last) and tabbakh2018-coherence 3.6.4 (waiters
 * that a reply does not cover).  It must not know where replies come from.
 */
#include "machine/sm/sm_l1d.h"

static void drop_copy(struct sm *sm, uint64_t block)
{
    uint32_t set = l1d_set(sm, block);
    int way = cache_find(&sm->l1d, set, block);

    if (way < 0 || cache_line(&sm->l1d, set, (uint32_t)way)->state != LINE_VALID) {
        return;
    }
    OBSERVE(sm->sockets, line, sm->id, set, (uint32_t)way, LINE_DROP, false);
    l1d_drop(sm, set, (uint32_t)way);
}

static void serve_target(struct sm *sm);

/* Something was performed for which loads of the block may have been made to wait: they have
 * their turn at the copy here, or ask for one. */
static void wake_parked(struct sm *sm, uint64_t block)
{
    int at = mshr_find(&sm->mshr, block);
    struct cache_line *copy = l1d_copy(sm, block);
    struct mshr_entry *entry;
    uint64_t need[2];

    if (at < 0 || !sm->mshr.entry[at].parked) {
        return;
    }
    entry = &sm->mshr.entry[at];
    sector_bytes(entry->sectors, need);
    if (!copy || copy->locked || !bytes_cover(copy->valid, need)) {
        l1d_ask_again(sm, (uint32_t)at);
        return;
    }
    entry->parked = false;
    entry->returned = true;
    sm->serving = l1d_new_request(sm, MSG_READ_REPLY, &entry->first);
    sm->serving->mshr = (uint16_t)at;
    sm->serving->no_data = true; /* as a renewal: the bytes are the copy's */
    bytes_copy(sm->serving->data, cache_data(&sm->l1d, 0, (uint32_t)(copy - sm->l1d.line)),
               copy->valid);
    serve_target(sm);
}

/* The protocol hears of a store or atomic that was performed; it may give up the copy. */
static void tell_performed(struct sm *sm, struct msg *msg)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;

    if (!protocol->reply || msg->local) {
        return;
    }
    if (protocol->reply(protocol->self, msg, l1d_copy(sm, msg->block)) == COHERENCE_DROP) {
        drop_copy(sm, msg->block);
    }
    wake_parked(sm, msg->block);
}

static void take_ack(struct sm *sm, struct msg *msg)
{
    if (msg->warp_slot != UINT8_MAX) {
        sm_store_done(sm, msg->warp_slot);
    }
    msg_release(msg);
}

static void take_atomic(struct sm *sm, struct msg *msg)
{
    struct mem_inst *inst = msg->inst;
    uint32_t slot = inst->slot;
    bool reduces = !inst->returns;

    tell_performed(sm, msg);
    sm_request_done(sm, inst, sm->now + sm->config->l1d_fill_cycles);
    msg->inst = NULL;
    if (!reduces) {
        msg->warp_slot = UINT8_MAX; /* counted as a load, not as a store */
    } else {
        msg->warp_slot = (uint8_t)slot;
    }
    take_ack(sm, msg);
}

static void tell_served(struct sm *sm, const struct mem_inst *inst, const struct msg *msg)
{
    if (sm->sockets.speculation.served && !msg->local) {
        sm->sockets.speculation.served(sm->sockets.speculation.self, inst, msg->block);
    }
}

static void take_direct(struct sm *sm, struct msg *msg)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;

    if (protocol->reply && !msg->local &&
        protocol->reply(protocol->self, msg, NULL) == COHERENCE_DROP) {
        msg->next = sm->repeat;
        sm->repeat = msg;
        return;
    }
    if (protocol->reply && !msg->local) {
        wake_parked(sm, msg->block);
    }
    sm_load_bytes(msg->inst, msg->lanes, msg->data);
    tell_served(sm, msg->inst, msg);
    sm_request_done(sm, msg->inst, sm->now + sm->config->l1d_fill_cycles);
    msg_release(msg);
}

static bool covered(struct sm *sm, const struct mshr_entry *entry, const struct mem_inst *inst)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;

    if (entry->no_bytes) {
        return false;
    }
    return !protocol->covers || sm->serving->local ||
           protocol->covers(protocol->self, inst->slot, entry->served - 1u, sm->serving,
                            l1d_copy(sm, entry->first.block));
}

static void serve_target(struct sm *sm)
{
    struct mshr_entry *entry = &sm->mshr.entry[sm->serving->mshr];
    struct mshr_target *target;

    if (entry->served == entry->n_targets) {
        return; /* a prefetch: nobody waits */
    }
    target = &entry->target[entry->served++];
    if (!covered(sm, entry, target->who)) {
        entry->target[entry->kept++] = *target;
        return;
    }
    sm_load_bytes(target->who, target->lanes, sm->serving->data);
    tell_served(sm, target->who, sm->serving);
    sm_request_done(sm, target->who, sm->now + sm->config->l1d_fill_cycles);
}

/* All waiters have had their turn: the entry is free, unless some have to ask again. */
static void end_service(struct sm *sm)
{
    uint32_t at = sm->serving->mshr;
    struct mshr_entry *entry = &sm->mshr.entry[at];

    if (entry->kept) {
        entry->n_targets = entry->kept;
        entry->served = entry->kept = 0;
        l1d_ask_again(sm, at);
    } else {
        sm_count_mshrs(sm, sm->now + 1);
        mshr_release(&sm->mshr, at);
    }
    msg_release(sm->serving);
    sm->serving = NULL;
}

static void take_reply(struct sm *sm, struct msg *msg)
{
    sm->stats.replies_received++;
    switch (msg->type) {
    case MSG_WRITE_ACK:
        tell_performed(sm, msg);
        take_ack(sm, msg);
        break;
    case MSG_ATOMIC_REPLY: take_atomic(sm, msg); break;
    default:
        if (msg->mshr == MSG_NO_MSHR) {
            take_direct(sm, msg);
            break;
        }
        sm->serving = msg;
        sm->mshr.entry[msg->mshr].returned = true;
        sm_l1d_fill(sm, &sm->mshr.entry[msg->mshr], msg);
        serve_target(sm);
        break;
    }
}

/* A load whose reply was refused goes out again, when there is room. */
static void repeat_load(struct sm *sm)
{
    struct msg *msg = sm->repeat;

    if (!msg || !sm_port_room(sm, 1)) {
        return;
    }
    sm->repeat = msg->next;
    msg->type = MSG_READ;
    l1d_send(sm, msg, 0, NULL);
}

bool sm_take_reply(struct sm *sm)
{
    bool changed = false;

    repeat_load(sm);
    if (sm->serving) {
        struct mshr_entry *entry = &sm->mshr.entry[sm->serving->mshr];

        sm->progress = true;
        if (entry->served < entry->n_targets) {
            serve_target(sm);
            return false;
        }
        end_service(sm);
        changed = true;
    }
    if (!sm->in.count || ring_head(&sm->in)->ready_at > sm->now) {
        return changed;
    }
    sm->progress = true;
    take_reply(sm, ring_pop(&sm->in));
    return changed || (sm->serving && sm_ldst_fill_helps(sm, &sm->mshr.entry[sm->serving->mshr]));
}
