/* sm_receive.c - what an SM of the protocol tester does with messages, and with those who
 * wait for them.  Works after tabbakh2018 3.6.4 (responses, serve waiters). */
#include <string.h>

#include "sm.h"

/* Inputs from a message. */
static void show(struct sm *sm, const struct message *message, unsigned plant)
{
    struct l1_pins *at = &sm->at;
    *at->msg_wts = message->wts;
    *at->msg_rts = message->rts;
    *at->msg_epoch = message->epoch;
    *at->msg_ok = message->ok;
    *at->msg_stamps = message->stamps;
    if ((plant & FLAW_OLD_DATA) && message->full_epoch < sm->full_epoch) {
        *at->msg_epoch = *at->epoch;
    }
}

/* The clock edge of a message; the SM may have taken up the next epoch. */
static void commit(struct machine *m, struct sm *sm)
{
    struct l1_pins *at = &sm->at;
    if (*at->flush) {
        memset(sm->tag, NO_BLOCK, sizeof sm->tag);
        sm->full_epoch++;
    }
    pins_edge(&at->pins);
    if (sm->full_epoch > m->full_epoch) {
        machine_fails(m, "SM %u is in an epoch that has not begun", sm->id);
    }
}

static void begin_service(struct sm *sm, int block, bool from_msg, const struct message *message)
{
    sm->service = (struct service){.block = (int8_t)block, .from_msg = from_msg, .msg = *message};
}

/* Where a fill may go: the block's own line, a free one, one that may go, or nowhere. */
static int place(struct machine *m, struct sm *sm, int block)
{
    const int n = (int)m->config.l1_lines, start = (int)below(m, (uint64_t)n);
    int line = sm_find(m, sm, block);
    if (line == NO_LINE) {
        line = sm_find(m, sm, NO_BLOCK);
    }
    for (int i = 0; i < n && line == NO_LINE; i++) {
        const int victim = (start + i) % n;
        line = sm_may_replace(m, sm, (unsigned)victim) ? victim : NO_LINE;
    }
    return line;
}

/* One of the block's requests has its answer. */
static void answered(struct sm *sm, const struct message *message)
{
    sm->mshr[message->block].outstanding--;
    sm->mshr[message->block].renews = false;
}

static void receive_fill(struct machine *m, struct sm *sm, const struct message *message)
{
    struct l1_pins *at = &sm->at;
    const int line = place(m, sm, message->block);
    answered(sm, message);
    (void)sm_ask(m, sm, OP_FILL, 0, NO_BLOCK);
    *at->line = line == NO_LINE ? 0 : (unsigned)line;
    *at->present = line != NO_LINE;
    show(sm, message, m->config.plant);
    pins_ask(&at->pins);
    commit(m, sm);
    if (*at->install) {
        if (sm->tag[line] != message->block) {
            sm_count_replaced(m, sm, (unsigned)line);
        }
        sm->tag[line] = message->block;
        memcpy(sm->data[line], message->data, sizeof sm->data[line]);
    }
    begin_service(sm, message->block, true, message);
}

static void receive_renewal(struct machine *m, struct sm *sm, const struct message *message)
{
    answered(sm, message);
    (void)sm_ask(m, sm, OP_RENEW, 0, message->block);
    show(sm, message, m->config.plant);
    pins_ask(&sm->at.pins);
    commit(m, sm);
    begin_service(sm, message->block, false, message);
}

static void receive_ack(struct machine *m, struct sm *sm, const struct message *message)
{
    struct l1_pins *at = &sm->at;
    const struct access access = sm->warp[message->warp].in_flight[message->slot];
    (void)sm_ask(m, sm, OP_ACK, message->warp, message->block);
    if (message->stamps) {
        *at->line = (uint64_t)message->line;
    }
    const unsigned line = (unsigned)*at->line;
    show(sm, message, m->config.plant);
    pins_ask(&at->pins);
    commit(m, sm);
    if (*at->write_late) {
        sm->data[line][message->word] = message->value;
    }
    if (*at->drop) {
        sm->tag[line] = NO_BLOCK;
    }
    sm_performed(m, sm, message->warp, message->slot,
                 logical_time_of(message->full_epoch, message->wts), access.value);
    begin_service(sm, message->block, false, message);
}

/* The answer to a volatile load, for itself alone; or it asks again. */
static void receive_direct(struct machine *m, struct sm *sm, const struct message *message)
{
    struct l1_pins *at = &sm->at;
    const struct access access = sm->warp[message->warp].in_flight[message->slot];
    (void)sm_ask(m, sm, OP_DIRECT, message->warp, NO_BLOCK);
    show(sm, message, m->config.plant);
    pins_ask(&at->pins);
    const bool serve = *at->serve;
    const uint64_t asked_at = message->reset ? 1 : message->ts;
    commit(m, sm);
    if (serve) {
        const uint64_t ts = asked_at > message->wts ? asked_at : message->wts;
        sm_performed(m, sm, message->warp, message->slot, logical_time_of(sm->full_epoch, ts),
                     message->data[message->word]);
        return;
    }
    (void)sm_ask(m, sm, OP_VOLATILE, message->warp, NO_BLOCK);
    pins_ask(&at->pins);
    pins_edge(&at->pins);
    sm_request(m, sm, BUS_RD, message->warp, message->slot, &access);
}

void sm_receive(struct machine *m, struct sm *sm, const struct message *message)
{
    machine_check_age(m, message);
    if (message->kind == BUS_RESET) {
        (void)sm_ask(m, sm, OP_PROBE, 0, NO_BLOCK);
        show(sm, message, 0);
        pins_ask(&sm->at.pins);
        commit(m, sm);
    } else if (message->direct) {
        receive_direct(m, sm, message);
    } else if (message->kind == BUS_FILL) {
        receive_fill(m, sm, message);
    } else if (message->kind == BUS_RNW) {
        receive_renewal(m, sm, message);
    } else {
        receive_ack(m, sm, message);
    }
}

/* ---- waiters ---- */

/* All had their turn: those kept ask again, unless an ack or an answer will come. */
static void end_service(struct machine *m, struct sm *sm)
{
    struct service *service = &sm->service;
    struct mshr *mshr = &sm->mshr[service->block];
    struct l1_pins *at = &sm->at;
    mshr->n = service->kept;
    if (service->kept > 0) {
        const struct waiter first = mshr->waiter[0];
        const struct access access = sm->warp[first.warp].in_flight[first.slot];
        (void)sm_ask(m, sm, OP_ASK, first.warp, service->block);
        *at->outstanding = mshr->outstanding > 0;
        pins_ask(&at->pins);
        pins_edge(&at->pins);
        if (*at->send) {
            mshr->outstanding++;
            mshr->renews |= *at->req_wts != 0;
            sm_request(m, sm, BUS_RD, first.warp, first.slot, &access);
        }
    }
    service->block = NO_BLOCK;
}

void sm_serve(struct machine *m, struct sm *sm)
{
    struct service *service = &sm->service;
    struct mshr *mshr = &sm->mshr[service->block];
    struct l1_pins *at = &sm->at;
    if (service->next == mshr->n) {
        end_service(m, sm);
        return;
    }
    const struct waiter waiter = mshr->waiter[service->next++];
    const struct access access = sm->warp[waiter.warp].in_flight[waiter.slot];
    const int line = sm_ask(m, sm, OP_SERVE, waiter.warp, service->block);
    *at->from_msg = service->from_msg;
    show(sm, &service->msg, m->config.plant);
    pins_ask(&at->pins);
    pins_edge(&at->pins);
    if (!*at->serve) {
        mshr->waiter[service->kept++] = waiter;
        return;
    }
    sm_performed(m, sm, waiter.warp, waiter.slot, logical_time_of(sm->full_epoch, *at->load_ts),
                 service->from_msg ? service->msg.data[access.word] : sm->data[line][access.word]);
}
