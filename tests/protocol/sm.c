/* sm.c - an SM of the protocol tester: accesses of its warps, tags, bytes, MSHRs.
 *
 * Works after tabbakh2018 3.4 (SC, RC), 3.6.4, 3.6.6 (L1 line).  All timestamps are
 * gtsc_l1's; what comes back is in sm_receive.c. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sm.h"

/* Until the flag is stored the others fetch and poll it. */
enum { FLAG_AFTER_EVENTS = 5000 };

bool sm_open(struct machine *m, struct sm *sm, struct library *library, const char *form)
{
    const struct machine_config *c = &m->config;
    struct l1_pins *at = &sm->at;
    struct pins *p = &at->pins;
    char overrides[400];
    snprintf(overrides, sizeof overrides, "LINES=%d,WARPS=%d,TS_BITS=%d,EPOCH_BITS=%d,RC=%d%s%s",
             (int)c->l1_lines, (int)c->warps, (int)c->ts_bits, (int)c->epoch_bits, !c->sc,
             c->l1_overrides[0] ? "," : "", c->l1_overrides);
    if (!pins_open(p, library, "gtsc_l1", overrides, form)) {
        return false;
    }
    at->op_valid = pins_in(p, "op_valid"), at->op = pins_in(p, "op"), at->warp = pins_in(p, "warp");
    at->line = pins_in(p, "line"), at->present = pins_in(p, "present");
    at->outstanding = pins_in(p, "outstanding"), at->own_pending = pins_in(p, "own_pending");
    at->from_msg = pins_in(p, "from_msg"), at->msg_wts = pins_in(p, "msg_wts");
    at->msg_rts = pins_in(p, "msg_rts"), at->msg_epoch = pins_in(p, "msg_epoch");
    at->msg_ok = pins_in(p, "msg_ok"), at->msg_stamps = pins_in(p, "msg_stamps");
    at->answer = pins_out(p, "answer"), at->send = pins_out(p, "send");
    at->req_wts = pins_out(p, "req_wts"), at->req_ts = pins_out(p, "req_ts");
    at->epoch = pins_out(p, "epoch"), at->stamps = pins_out(p, "stamps");
    at->write_now = pins_out(p, "write_now"), at->write_late = pins_out(p, "write_late");
    at->install = pins_out(p, "install"), at->serve = pins_out(p, "serve");
    at->load_ts = pins_out(p, "load_ts"), at->lock = pins_out(p, "lock"),
    at->pin = pins_out(p, "pin");
    at->drop = pins_out(p, "drop"), at->flush = pins_out(p, "flush");
    at->lock_wait = pins_out(p, "lock_wait");
    *at->op_valid = 1;
    for (unsigned i = 0; i < MOST_LINES; i++) {
        sm->tag[i] = NO_BLOCK;
    }
    sm->service.block = NO_BLOCK;
    return true;
}

int sm_find(const struct machine *m, const struct sm *sm, int block)
{
    for (int i = 0; i < (int)m->config.l1_lines; i++) {
        if (sm->tag[i] == block) {
            return i;
        }
    }
    return NO_LINE;
}

int sm_ask(struct machine *m, struct sm *sm, enum l1_op op, unsigned warp, int block)
{
    struct l1_pins *at = &sm->at;
    const int line = block == NO_BLOCK ? NO_LINE : sm_find(m, sm, block);
    *at->op = op;
    *at->warp = warp;
    *at->line = line == NO_LINE ? 0 : (unsigned)line;
    *at->present = line != NO_LINE;
    *at->own_pending = 0;
    *at->from_msg = 0;
    return line;
}

void sm_request(struct machine *m, struct sm *sm, enum message_kind kind, unsigned warp,
                unsigned slot, const struct access *access)
{
    const struct l1_pins *at = &sm->at;
    const struct message message = {.kind = (uint8_t)kind,
                                    .sm = (uint8_t)sm->id,
                                    .warp = (uint8_t)warp,
                                    .slot = (uint8_t)slot,
                                    .block = access->block,
                                    .word = access->word,
                                    .value = access->value,
                                    .line = (int8_t)*at->line,
                                    .stamps = *at->stamps,
                                    .direct = access->kind == ACCESS_VOLATILE,
                                    .wts = (uint32_t)*at->req_wts,
                                    .ts = (uint32_t)*at->req_ts,
                                    .epoch = (uint32_t)*at->epoch,
                                    .full_epoch = sm->full_epoch};
    channel_push(m, &m->request[sm->id][bank_of(m, access->block)], &message);
}

void sm_performed(struct machine *m, struct sm *sm, unsigned warp, unsigned slot, logical_time at,
                  uint64_t value)
{
    struct warp *w = &sm->warp[warp];
    const struct access access = w->in_flight[slot];
    const logical_time after = m->config.sc ? w->latest : w->last_of_block[access.block];
    if ((access.kind == ACCESS_LOAD || access.kind == ACCESS_VOLATILE) &&
        !golden_load(&m->golden, word_of(m, access.block, access.word), at, value, m->error,
                     sizeof m->error)) {
        m->failed = true;
    }
    if (at < after || at < w->not_before) {
        machine_fails(m,
                      "program order: SM %u warp %u block %d performed at epoch %" PRIu64
                      " ts %" PRIu64 " after one at epoch %" PRIu64 " ts %" PRIu64,
                      sm->id, warp, access.block, at >> 32, at & UINT32_MAX,
                      (at < after ? after : w->not_before) >> 32,
                      (at < after ? after : w->not_before) & UINT32_MAX);
    }
    w->last_of_block[access.block] = at;
    w->latest = at > w->latest ? at : w->latest;
    w->in_flight[slot].kind = ACCESS_NONE;
    w->n_in_flight--;
    w->saw_flag |= value != 0 || access.kind == ACCESS_STORE;
    m->performed++;
    if (!m->config.spin || !m->flag_stored || w->saw_flag) {
        m->last_progress = m->events;
    }
}

/* ---- accesses ---- */

static void draw_access(struct machine *m, struct sm *sm, unsigned warp)
{
    struct access *next = &sm->warp[warp].next;
    const struct machine_config *c = &m->config;
    int64_t draw = (int64_t)below(m, 100);
    *next = (struct access){.kind = ACCESS_LOAD};
    if (c->spin) {
        const bool stores = sm->id == 0 && warp == 0;
        next->kind = stores ? ACCESS_STORE : c->volatiles ? ACCESS_VOLATILE : ACCESS_LOAD;
        next->value = stores ? ++m->last_value : 0;
        return;
    }
    next->block = (int8_t)below(m, (uint64_t)c->blocks);
    next->word = (int8_t)below(m, (uint64_t)c->words);
    next->value = ++m->last_value;
    next->kind = draw < c->stores                               ? ACCESS_STORE
                 : (draw -= c->stores) < c->atomics             ? ACCESS_ATOMIC
                 : (draw -= c->atomics) < c->volatiles          ? ACCESS_VOLATILE
                 : !c->sc && (draw -= c->volatiles) < c->fences ? ACCESS_FENCE
                                                                : ACCESS_LOAD;
}

/* Has the warp an access to the block that is not performed? */
static bool own_pending(const struct machine *m, const struct warp *w, int block)
{
    const bool load = w->next.kind == ACCESS_LOAD;
    for (unsigned i = 0; i < MOST_OUTSTANDING; i++) {
        const enum access_kind kind = w->in_flight[i].kind;
        const bool writes = kind == ACCESS_STORE || kind == ACCESS_ATOMIC;
        if (kind != ACCESS_NONE && w->in_flight[i].block == block &&
            (!(m->config.plant & FLAW_ONLY_D_G15) || (load && writes))) {
            return true;
        }
    }
    return false;
}

/* The access has been taken: it is in flight from now on. */
static unsigned take(struct warp *w)
{
    unsigned slot = 0;
    while (w->in_flight[slot].kind != ACCESS_NONE) {
        slot++;
    }
    w->in_flight[slot] = w->next;
    w->next.kind = ACCESS_NONE;
    w->n_in_flight++;
    return slot;
}

static void load(struct machine *m, struct sm *sm, unsigned warp)
{
    struct warp *w = &sm->warp[warp];
    struct l1_pins *at = &sm->at;
    const struct access access = w->next;
    struct mshr *mshr = &sm->mshr[access.block];
    const int line = sm_ask(m, sm, OP_LOAD, warp, access.block);
    *at->outstanding = mshr->outstanding > 0 || sm->service.block == access.block;
    *at->own_pending = own_pending(m, w, access.block);
    pins_ask(&at->pins);
    if ((*at->answer == ANSWER_WAIT && !*at->lock_wait) || mshr->n == MOST_WAITERS) {
        return;
    }
    pins_edge(&at->pins);
    const unsigned slot = take(w);
    if (*at->answer == ANSWER_HIT) {
        sm->hits++;
        sm_performed(m, sm, warp, slot, logical_time_of(sm->full_epoch, *at->load_ts),
                     sm->data[line][access.word]);
        return;
    }
    mshr->waiter[mshr->n++] = (struct waiter){(uint8_t)warp, (uint8_t)slot};
    if (*at->send) {
        mshr->outstanding++;
        mshr->renews |= *at->req_wts != 0;
        sm_request(m, sm, BUS_RD, warp, slot, &access);
    }
}

/* A store, an atomic or a volatile load: leaves at once or comes again. */
static void leave(struct machine *m, struct sm *sm, unsigned warp)
{
    struct warp *w = &sm->warp[warp];
    struct l1_pins *at = &sm->at;
    const struct access access = w->next;
    const enum l1_op op = access.kind == ACCESS_STORE    ? OP_STORE
                          : access.kind == ACCESS_ATOMIC ? OP_ATOMIC
                                                         : OP_VOLATILE;
    const int line = sm_ask(m, sm, op, warp, access.block);
    *at->own_pending = own_pending(m, w, access.block);
    pins_ask(&at->pins);
    if (*at->answer == ANSWER_WAIT) {
        return;
    }
    pins_edge(&at->pins);
    sm->mshr[access.block].renews &= !*at->stamps;
    if (*at->write_now) {
        sm->data[line][access.word] = access.value;
    }
    if (*at->drop) {
        sm->tag[line] = NO_BLOCK;
    }
    const unsigned slot = take(w);
    sm_request(m, sm,
               op == OP_STORE    ? BUS_WR
               : op == OP_ATOMIC ? BUS_ATOM
                                 : BUS_RD,
               warp, slot, &access);
}

void sm_access(struct machine *m, struct sm *sm)
{
    const unsigned warp = (unsigned)below(m, (uint64_t)m->config.warps);
    struct warp *w = &sm->warp[warp];
    if (w->next.kind == ACCESS_NONE) {
        const bool early = sm->id == 0 && warp == 0 && m->events < FLAG_AFTER_EVENTS;
        if (m->config.spin && (w->saw_flag || early)) {
            return;
        }
        draw_access(m, sm, warp);
    }
    if (w->next.kind == ACCESS_FENCE) {
        if (w->n_in_flight == 0) {
            w->not_before = w->latest;
            w->next.kind = ACCESS_NONE;
        }
    } else if (w->n_in_flight < (unsigned)(m->config.sc ? 1 : m->config.outstanding)) {
        if (w->next.kind == ACCESS_LOAD) {
            load(m, sm, warp);
        } else {
            leave(m, sm, warp);
        }
    }
}

bool sm_may_replace(struct machine *m, struct sm *sm, unsigned line)
{
    (void)sm_ask(m, sm, OP_DROP, 0, NO_BLOCK);
    *sm->at.line = line;
    pins_ask(&sm->at.pins);
    return !*sm->at.lock && !*sm->at.pin;
}

void sm_count_replaced(struct machine *m, const struct sm *sm, unsigned line)
{
    const int block = sm->tag[line];
    m->renewals_orphaned += block != NO_BLOCK && sm->mshr[block].renews;
}

/* A line leaves, as its set needs room. */
void sm_replace(struct machine *m, struct sm *sm)
{
    const unsigned line = (unsigned)below(m, (uint64_t)m->config.l1_lines);
    if (sm_may_replace(m, sm, line)) {
        sm_count_replaced(m, sm, line);
        pins_edge(&sm->at.pins);
        sm->tag[line] = NO_BLOCK;
    }
}
