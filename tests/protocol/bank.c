/* bank.c - an L2 bank of the protocol tester: tags, bytes, replay queues, DRAM.
 *
 * Works after tabbakh2018 3.6.5, 3.6.6 (L2 line).  All timestamps are gtsc_l2's. */
#include <stdio.h>
#include <string.h>

#include "machine.h"

enum { OP_READ, OP_WRITE, OP_ATOMIC, OP_FILL, OP_EVICT };
enum { RESP_NONE, RESP_FILL, RESP_RENEW, RESP_ACK };

bool bank_open(struct machine *m, struct bank *bank, struct library *library, const char *form)
{
    const struct machine_config *c = &m->config;
    struct l2_pins *at = &bank->at;
    struct pins *p = &at->pins;
    char overrides[400];
    snprintf(overrides, sizeof overrides, "LINES=%d,TS_BITS=%d,EPOCH_BITS=%d%s%s", (int)c->l2_lines,
             (int)c->ts_bits, (int)c->epoch_bits, c->l2_overrides[0] ? "," : "", c->l2_overrides);
    if (c->ts_bits < 5) {
        strncat(overrides, ",LEASE_BITS=4", sizeof overrides - strlen(overrides) - 1);
    }
    if (!pins_open(p, library, "gtsc_l2", overrides, form)) {
        return false;
    }
    at->op_valid = pins_in(p, "op_valid"), at->op = pins_in(p, "op"), at->line = pins_in(p, "line");
    at->req_wts = pins_in(p, "req_wts"), at->req_ts = pins_in(p, "req_ts");
    at->req_epoch = pins_in(p, "req_epoch"), at->lease = pins_in(p, "lease");
    at->ext_mem_ts = pins_in(p, "ext_mem_ts"), at->flash = pins_in(p, "flash");
    at->resp = pins_out(p, "resp"), at->resp_wts = pins_out(p, "resp_wts");
    at->resp_rts = pins_out(p, "resp_rts");
    at->resp_reset = pins_out(p, "resp_reset"), at->merge_ok = pins_out(p, "merge_ok");
    at->overflow = pins_out(p, "overflow"), at->epoch = pins_out(p, "epoch");
    at->mem_ts = pins_out(p, "mem_ts");
    *at->lease = (uint64_t)c->lease;
    for (unsigned i = 0; i < MOST_LINES; i++) {
        bank->line[i].block = NO_BLOCK;
    }
    return true;
}

/* One operation of the unit; false when a stamp overflows: nothing was done. */
static bool operate(struct machine *m, struct bank *bank, unsigned op, unsigned line)
{
    struct l2_pins *at = &bank->at;
    *at->op = op;
    *at->line = line;
    *at->ext_mem_ts = 0;
    for (unsigned b = 0; b < (unsigned)m->config.banks; b++) {
        const uint64_t other = *m->bank[b].at.mem_ts;
        *at->ext_mem_ts = other > *at->ext_mem_ts ? other : *at->ext_mem_ts;
    }
    *at->op_valid = 1;
    pins_ask(&at->pins);
    if (*at->overflow) {
        bank->stalled = true;
        return false;
    }
    pins_edge(&at->pins);
    return true;
}

static int find(const struct machine *m, const struct bank *bank, int block)
{
    for (int i = 0; i < (int)m->config.l2_lines; i++) {
        if (bank->line[i].block == block) {
            return i;
        }
    }
    return NO_LINE;
}

/* The request is done to the bytes of its line and becomes its answer; false: overflow. */
static bool perform(struct machine *m, struct bank *bank, const struct message *request, int at)
{
    struct bank_line *line = &bank->line[at];
    struct l2_pins *unit = &bank->at;
    struct message answer = *request;
    machine_check_age(m, request);
    *unit->req_wts = request->wts;
    *unit->req_ts = request->ts;
    *unit->req_epoch = request->epoch;
    if (!operate(m, bank,
                 request->kind == BUS_RD   ? OP_READ
                 : request->kind == BUS_WR ? OP_WRITE
                                           : OP_ATOMIC,
                 (unsigned)at)) {
        return false;
    }
    if (request->kind != BUS_RD) {
        const logical_time when = logical_time_of(m->full_epoch, *unit->resp_wts);
        const uint64_t old = line->data[request->word];
        const size_t word = word_of(m, request->block, request->word);
        if (request->kind == BUS_ATOM && old != golden_latest(&m->golden, word)) {
            machine_fails(m, "atomic at bank %u found an old value", bank->id);
        }
        m->failed |= !golden_store(&m->golden, word, when, request->value, m->error,
                                   sizeof m->error);
        m->flag_stored |= m->config.spin;
        line->data[request->word] = request->value;
        m->merges_lost += request->kind == BUS_WR && request->wts && !*unit->merge_ok;
    }
    m->renewals += *unit->resp == RESP_RENEW;
    answer.kind = *unit->resp == RESP_ACK ? BUS_ACK : *unit->resp == RESP_FILL ? BUS_FILL : BUS_RNW;
    answer.wts = (uint32_t)*unit->resp_wts;
    answer.rts = (uint32_t)*unit->resp_rts;
    answer.epoch = (uint32_t)*unit->epoch;
    answer.full_epoch = m->full_epoch;
    answer.ok = *unit->merge_ok;
    answer.reset = *unit->resp_reset;
    memcpy(answer.data, line->data, sizeof answer.data);
    channel_push(m, &m->answer[request->sm][bank->id], &answer);
    return true;
}

static void evict(struct machine *m, struct bank *bank, int at)
{
    struct bank_line *line = &bank->line[at];
    if (!(m->config.plant & FLAW_NO_MEM_TS)) {
        (void)operate(m, bank, OP_EVICT, (unsigned)at);
    }
    memcpy(m->dram[line->block], line->data, sizeof line->data);
    line->block = NO_BLOCK;
    m->evictions++;
}

/* A line for a new block: a free one, else one without waiting requests. */
static int make_room(struct machine *m, struct bank *bank)
{
    const int n = (int)m->config.l2_lines, start = (int)below(m, (uint64_t)n);
    int victim = find(m, bank, NO_BLOCK);
    for (int i = 0; i < n && victim == NO_LINE; i++) {
        const struct bank_line *line = &bank->line[(start + i) % n];
        if (!line->reserved && line->n_queued == 0) {
            victim = (start + i) % n;
            evict(m, bank, victim);
        }
    }
    return victim;
}

bool bank_receive(struct machine *m, struct bank *bank, const struct message *request)
{
    int at = find(m, bank, request->block);
    if (at == NO_LINE) {
        at = make_room(m, bank);
        if (at == NO_LINE) {
            return false;
        }
        bank->line[at].block = request->block;
        bank->line[at].reserved = true;
        bank->line[at].n_queued = 0;
    }
    struct bank_line *line = &bank->line[at];
    if (!line->reserved && line->n_queued == 0) {
        return perform(m, bank, request, at);
    }
    if (line->n_queued == MOST_MESSAGES) {
        return false;
    }
    line->queue[line->n_queued++] = *request;
    return true;
}

void bank_dram(struct machine *m, struct bank *bank)
{
    const unsigned at = (unsigned)below(m, (uint64_t)m->config.l2_lines);
    struct bank_line *line = &bank->line[at];
    if (line->block != NO_BLOCK && line->reserved && operate(m, bank, OP_FILL, at)) {
        memcpy(line->data, m->dram[line->block], sizeof line->data);
        line->reserved = false;
    }
}

void bank_replay(struct machine *m, struct bank *bank)
{
    const int at = (int)below(m, (uint64_t)m->config.l2_lines);
    struct bank_line *line = &bank->line[at];
    if (line->block != NO_BLOCK && !line->reserved && line->n_queued > 0 &&
        perform(m, bank, &line->queue[0], at)) {
        line->n_queued--;
        memmove(line->queue, line->queue + 1, line->n_queued * sizeof *line->queue);
    }
}

void bank_replace(struct machine *m, struct bank *bank)
{
    const int at = (int)below(m, (uint64_t)m->config.l2_lines);
    const struct bank_line *line = &bank->line[at];
    if (line->block != NO_BLOCK && !line->reserved && line->n_queued == 0) {
        evict(m, bank, at);
    }
}

void bank_flash(struct machine *m, struct bank *bank)
{
    (void)m;
    *bank->at.op_valid = 0;
    *bank->at.flash = 1;
    pins_ask(&bank->at.pins);
    pins_edge(&bank->at.pins);
    *bank->at.flash = 0;
    bank->stalled = false;
}
