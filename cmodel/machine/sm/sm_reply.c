/* sm_reply.c - what comes back to an SM: one reply or one waiting access per cycle.
 *
 * Works after wang2015-divergence 3.1 (D-BASE-4: targets are served one per cycle, the
 * entry is free in the cycle after its last) and tabbakh2018-coherence 3.6.4 (waiters
 * that a reply does not cover).  It must not know where replies come from.
 */
#include <string.h>

#include "machine/plug/sockets_base.h"
#include "machine/sm/sm_l1d_sectors.h"

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

static void release(struct reply *reply)
{
    exchange_release(exchange_of_reply(&reply->packet));
}

/* The instruction that the reply goes straight to. */
static struct mem_inst *asking(const struct sm *sm, const struct reply *reply)
{
    return &sm->ldst.inst[reply->ticket.number];
}

/* Those who wait in the entry read the copy here, as if a renewal had come. */
static void serve_from_copy(struct sm *sm, uint32_t at, const struct cache_line *copy)
{
    struct mshr_entry *entry = &sm->mshr.entry[at];
    struct exchange *exchange = l1d_new_request(sm, MSG_READ, &entry->first);

    entry->parked = false;
    entry->returned = true;
    l1d_answers_to(exchange, TO_MSHR, at);
    exchange->reply = (struct reply){
        .packet = {.block = entry->first.block, .type = MSG_READ_REPLY},
        .ticket = exchange->request.ticket,
        .no_data = true};
    bytes_copy(exchange->data, cache_data(&sm->l1d, 0, (uint32_t)(copy - sm->l1d.line)),
               copy->valid);
    sm->reply.serving = &exchange->reply;
    serve_target(sm);
}

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
    serve_from_copy(sm, (uint32_t)at, copy);
}

/* The protocol hears of a store or atomic that was performed; it may give up the copy. */
static void tell_performed(struct sm *sm, struct reply *reply)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;
    uint64_t block = reply->packet.block;

    if (!protocol->reply || reply->ticket.local) {
        return;
    }
    if (protocol->reply(protocol->self, reply, l1d_copy(sm, block)) == COHERENCE_DROP) {
        drop_copy(sm, block);
    }
    wake_parked(sm, block);
}

static void take_ack(struct sm *sm, struct reply *reply)
{
    tell_performed(sm, reply);
    if (reply->ticket.to == TO_WARP && sm->config->ldst_ack_cycles) {
        sm_wheel_add(sm, sm->now + sm->config->ldst_ack_cycles, WHEEL_STORE,
                     reply->ticket.warp_slot, 0, NULL);
    } else if (reply->ticket.to == TO_WARP) {
        sm_store_done(sm, reply->ticket.warp_slot);
    }
    release(reply);
}

/* The old values, into the lanes of the instruction. */
static void take_values(struct isa_memop *op, uint32_t lanes, const struct atomic_lanes *atomic)
{
    for (uint32_t l = 0; lanes; lanes &= lanes - 1, l++) {
        memcpy(op->data[__builtin_ctz(lanes)], atomic->lane[l].value, sizeof atomic->lane[l].value);
    }
}

static void take_atomic(struct sm *sm, struct reply *reply)
{
    struct mem_inst *inst = asking(sm, reply);
    uint32_t slot = inst->slot;
    bool reduces = !inst->returns; /* counted as a store, not as a load */

    tell_performed(sm, reply);
    take_values(&inst->op, reply->ticket.lanes, exchange_of_reply(&reply->packet)->atomic);
    sm_request_done(sm, inst, sm->now + sm->config->l1d_fill_cycles);
    if (reduces) {
        sm_store_done(sm, slot);
    }
    release(reply);
}

static void tell_served(struct sm *sm, const struct mem_inst *inst, const struct reply *reply)
{
    if (sm->sockets.speculation.served && !reply->ticket.local) {
        sm->sockets.speculation.served(sm->sockets.speculation.self, inst, reply->packet.block);
    }
}

/* The lanes whose sectors the reply carries. */
static uint32_t lanes_in(const struct mem_inst *inst, const struct reply *reply)
{
    uint32_t lanes = 0;

    for (uint32_t left = reply->ticket.lanes; left; left &= left - 1) {
        const uint64_t address = inst->op.addr[__builtin_ctz(left)];

        lanes |= reply->sectors >> address / SECTOR_BYTES % SECTORS & 1 ? left & -left : 0;
    }
    return lanes;
}

static void take_direct(struct sm *sm, struct reply *reply)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;
    struct mem_inst *inst = asking(sm, reply);
    bool told = protocol->reply && !reply->ticket.local;

    if (told && protocol->reply(protocol->self, reply, NULL) == COHERENCE_DROP) {
        struct exchange *exchange = exchange_of_reply(&reply->packet);

        exchange->next = sm->reply.repeat;
        sm->reply.repeat = exchange;
        return;
    }
    if (told) {
        wake_parked(sm, reply->packet.block);
    }
    if (sm->valued) {
        sm_load_bytes(sm, inst, lanes_in(inst, reply), reply_data(reply));
    }
    tell_served(sm, inst, reply);
    sm_request_done(sm, inst, sm->now + sm->config->l1d_fill_cycles);
    release(reply);
}

/* A waiter that there are no bytes for is asked about, too: its needs go into the next request. */
static bool covered(struct sm *sm, const struct mshr_entry *entry, const struct mem_inst *inst)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;
    struct cache_line *copy;

    if (!protocol->covers || sm->reply.serving->ticket.local) {
        return !entry->no_bytes;
    }
    copy = entry->no_bytes ? NULL : l1d_copy(sm, entry->first.block);
    return protocol->covers(protocol->self, inst->slot, entry->served - 1u, sm->reply.serving,
                            copy) &&
           !entry->no_bytes;
}

static void serve_target(struct sm *sm)
{
    struct mshr_entry *entry = &sm->mshr.entry[sm->reply.serving->ticket.number];
    const bool by_sectors = l1d_by_sectors(sm);
    struct mshr_target *target;

    if (entry->served == entry->n_targets) {
        return; /* a prefetch: nobody waits */
    }
    target = &entry->target[entry->served++];
    if (entry->served < entry->n_targets) { /* it has waited, and has its turn in the next cycle */
        __builtin_prefetch(entry->target[entry->served].who, 1);
    }
    if ((by_sectors && (target->sectors & ~sm->reply.serving->sectors)) ||
        !covered(sm, entry, target->who)) {
        entry->target[entry->kept++] = *target;
        return;
    }
    sm_load_bytes(sm, target->who, target->lanes, reply_data(sm->reply.serving));
    tell_served(sm, target->who, sm->reply.serving);
    if (by_sectors && sm->sockets.granularity.read && !entry->first.local) {
        l1d_tell_read(sm, entry, target->sectors);
    }
    sm_request_done(sm, target->who, sm->now + sm->config->l1d_fill_cycles);
}

/* All waiters have had their turn: the entry is free, unless some have to ask again. */
static void end_service(struct sm *sm)
{
    uint32_t at = sm->reply.serving->ticket.number;
    struct mshr_entry *entry = &sm->mshr.entry[at];
    bool serves = false;

    if (l1d_by_sectors(sm) && l1d_goes_on(entry, sm->reply.serving, &serves)) {
        sm->reply.serving = serves ? sm->reply.serving : NULL;
        return;
    }
    if (entry->kept) {
        entry->n_targets = entry->kept;
        entry->served = entry->kept = 0;
        l1d_ask_again(sm, at);
    } else {
        sm_count_mshrs(sm, sm->now + 1);
        mshr_release(&sm->mshr, at);
    }
    release(sm->reply.serving);
    sm->reply.serving = NULL;
}

/* A reply that lacks sectors of its block waits for the others in the MSHR entry.  What is complete
 * with this one, or NULL. */
static struct reply *gather(struct sm *sm, struct reply *reply)
{
    struct mshr_entry *entry = &sm->mshr.entry[reply->ticket.number];
    struct exchange *parts = entry->parts;
    uint64_t bytes[2];

    if (!(entry->sectors & ~reply->sectors) || reply->no_data || l1d_by_sectors(sm)) {
        return reply;
    }
    if (!parts) {
        entry->parts = exchange_of_reply(&reply->packet);
        return NULL;
    }
    if (sm->valued) {
        sector_bytes(reply->sectors, bytes);
        bytes_copy(parts->data, reply_data(reply), bytes);
    }
    parts->reply.sectors |= reply->sectors;
    release(reply);
    return entry->sectors & ~parts->reply.sectors ? NULL : &parts->reply;
}

/* The block of an MSHR entry is there; those who wait are served, one a cycle. */
static void take_block(struct sm *sm, struct reply *reply)
{
    struct mshr_entry *entry = &sm->mshr.entry[reply->ticket.number];
    struct exchange **last = &sm->reply.whole;

    if (sm->sectors) {
        sm_sectors_fill(sm, entry, reply);
    } else {
        sm_l1d_fill(sm, entry, reply);
    }
    if (l1d_by_sectors(sm) && !l1d_gather(entry, reply)) {
        return; /* another reply of the entry is being served, and will serve with this one's bytes */
    }
    entry->returned = true;
    if (!sm->reply.serving) {
        sm->reply.serving = reply;
        serve_target(sm);
        return;
    }
    while (*last) {
        last = &(*last)->next;
    }
    *last = exchange_of_reply(&reply->packet);
    (*last)->next = NULL;
}

/* The next of the blocks that came while another was served. */
static void serve_next(struct sm *sm)
{
    struct exchange *next = sm->reply.whole;

    if (next) {
        sm->reply.whole = next->next;
        sm->reply.serving = &next->reply;
        serve_target(sm);
    }
}

static void take_reply(struct sm *sm, struct reply *reply)
{
    sm->stats.replies_received++;
    OBSERVE(sm->sockets, message, sm->id, reply->packet.size_bytes, sm->now);
    switch (reply->packet.type) {
    case MSG_WRITE_ACK: take_ack(sm, reply); break;
    case MSG_ATOMIC_REPLY: take_atomic(sm, reply); break;
    default:
        if (reply->ticket.to == TO_INSTRUCTION) {
            take_direct(sm, reply);
            break;
        }
        if (reply->ticket.to == TO_FETCH) {
            sm_icache_fill(sm, reply->ticket.number, reply->sectors);
            release(reply);
            break;
        }
        reply = gather(sm, reply);
        if (reply) {
            take_block(sm, reply);
        }
        break;
    }
}

/* A load whose reply was refused goes out again, when there is room. */
static void repeat_load(struct sm *sm)
{
    struct exchange *exchange = sm->reply.repeat;

    if (!exchange || !sm_port_room(sm, 1)) {
        return;
    }
    sm->reply.repeat = exchange->next;
    l1d_send(sm, exchange, 0, NULL);
}

/* The line that a fill will have: the reserved one, or the oldest in its set. */
static void expect_fill(const struct sm *sm, const struct mshr_entry *entry, uint64_t block)
{
    if (sm->config->l1d_allocate == ALLOCATE_ON_MISS) {
        if (entry->has_line) {
            cache_prefetch_line(&sm->l1d, entry->set, entry->way);
        }
    } else if (!sm->sockets.owner[SEAM_INDEX] && !sm->sockets.owner[SEAM_POLICY]) {
        const uint32_t set = l1d_set(sm, block);

        cache_prefetch_tags(&sm->l1d, set);
        cache_prefetch_line(&sm->l1d, set, base_lru_oldest(sm->sockets.own.policy, set));
    }
}

void sm_expect(const void *self, const struct packet *packet)
{
    const struct sm *sm = self;
    const struct ticket *ticket = &((const struct reply *)(const void *)packet)->ticket;

    if (ticket->to == TO_MSHR) {
        const struct mshr_entry *entry = &sm->mshr.entry[ticket->number];

        __builtin_prefetch(entry->target->who, 1);
        __builtin_prefetch(&entry->no_bytes, 1); /* the rest of it, behind the target */
        if (!sm->sectors) {
            expect_fill(sm, entry, packet->block);
        }
    } else if (ticket->to == TO_INSTRUCTION) {
        __builtin_prefetch(&sm->ldst.inst[ticket->number], 1);
    }
}

bool sm_take_reply(struct sm *sm)
{
    bool changed = false;

    repeat_load(sm);
    if (sm->reply.serving) {
        struct mshr_entry *entry = &sm->mshr.entry[sm->reply.serving->ticket.number];

        sm->progress = true;
        if (entry->served < entry->n_targets) {
            serve_target(sm);
            if (!sm->config->l2_sectors) {
                return false;
            }
        } else {
            end_service(sm);
            if (!sm->reply.serving) {
                serve_next(sm);
            }
            changed = true;
        }
    }
    if (!sm->reply.in.count || ring_head(&sm->reply.in)->ready_at > sm->now) {
        return changed;
    }
    sm->progress = true;
    take_reply(sm, &exchange_of_reply(ring_pop(&sm->reply.in))->reply);
    return changed || (sm->reply.serving &&
                       sm_ldst_fill_helps(sm, &sm->mshr.entry[sm->reply.serving->ticket.number]));
}
