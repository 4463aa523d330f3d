/* machine.c - what happens next in the protocol tester, and its channels.  See machine.h. */
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void machine_fails(struct machine *m, const char *format, ...)
{
    va_list args;
    if (m->failed) {
        return;
    }
    va_start(args, format);
    vsnprintf(m->error, sizeof m->error, format, args);
    va_end(args);
    m->failed = true;
}

void machine_check_age(struct machine *m, const struct message *message)
{
    if (m->full_epoch - message->full_epoch > (UINT64_C(1) << m->config.epoch_bits) - 2) {
        machine_fails(m, "a message is %d resets old, more than its %d bits of epoch can tell",
                      (int)(m->full_epoch - message->full_epoch), (int)m->config.epoch_bits);
    }
}

/* ---- channels ---- */

void channel_push(struct machine *m, struct channel *channel, const struct message *message)
{
    if (channel->n == MOST_MESSAGES) {
        machine_fails(m, "a channel holds more than %d messages", MOST_MESSAGES);
        return;
    }
    channel->message[channel->n++] = *message;
}

int channel_pick(struct machine *m, const struct channel *channel)
{
    if (channel->n == 0) {
        return -1;
    }
    unsigned pick = (unsigned)below(m, channel->n);
    for (unsigned i = 0; i < pick && !(m->config.plant & FLAW_REORDER); i++) {
        if (channel->message[i].block == channel->message[pick].block) {
            return (int)i;
        }
    }
    return (int)pick;
}

void channel_remove(struct channel *channel, unsigned i)
{
    channel->n--;
    memmove(&channel->message[i], &channel->message[i + 1],
            (channel->n - i) * sizeof *channel->message);
}

/* ---- open and close ---- */

static bool open_reset(struct machine *m, struct library *library, const char *form)
{
    struct reset_pins *r = &m->reset;
    char overrides[128];
    snprintf(overrides, sizeof overrides, "BANKS=%d,SMS=%d,EPOCH_BITS=%d,RESET_MODE=%d",
             (int)m->config.banks, (int)m->config.sms, (int)m->config.epoch_bits,
             m->config.reset_mode);
    if (!pins_open(&r->pins, library, "gtsc_reset_ctl", overrides, form)) {
        return false;
    }
    r->overflow = pins_in(&r->pins, "overflow"), r->drained = pins_in(&r->pins, "drained");
    r->adopted = pins_in(&r->pins, "adopted"), r->stop = pins_out(&r->pins, "stop");
    r->flash = pins_out(&r->pins, "flash"), r->probe = pins_out(&r->pins, "probe");
    pins_ask(&r->pins);
    return true;
}

bool machine_open(struct machine *m, struct library *library, const struct machine_config *config,
                  const char *form, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->config = *config;
    tb_random_seed(&m->random, seed);
    if (!golden_init(&m->golden, (size_t)(config->blocks * config->words))) {
        fprintf(stderr, "gtsc_random: out of memory\n");
        return false;
    }
    bool ok = open_reset(m, library, form);
    for (unsigned i = 0; ok && i < (unsigned)config->sms; i++) {
        m->sm[i].id = i;
        ok = sm_open(m, &m->sm[i], library, form);
    }
    for (unsigned i = 0; ok && i < (unsigned)config->banks; i++) {
        m->bank[i].id = i;
        ok = bank_open(m, &m->bank[i], library, form);
    }
    for (unsigned i = 0; ok && i < (unsigned)config->banks; i++) {
        pins_ask(&m->bank[i].at.pins);
    }
    return ok;
}

bool machine_record(struct machine *m, const char *folder)
{
    char where[128];
    bool ok = true;
    for (unsigned i = 0; i < (unsigned)m->config.sms; i++) {
        snprintf(where, sizeof where, "%s/sm%u", folder, i);
        ok = ok && pins_record(&m->sm[i].at.pins, where);
    }
    for (unsigned i = 0; i < (unsigned)m->config.banks; i++) {
        snprintf(where, sizeof where, "%s/bank%u", folder, i);
        ok = ok && pins_record(&m->bank[i].at.pins, where);
    }
    return ok;
}

void machine_close(struct machine *m)
{
    for (unsigned i = 0; i < MOST_SMS; i++) {
        pins_close(&m->sm[i].at.pins);
    }
    for (unsigned i = 0; i < MOST_BANKS; i++) {
        pins_close(&m->bank[i].at.pins);
    }
    pins_close(&m->reset.pins);
    golden_free(&m->golden);
}

/* ---- resets ---- */

static bool drained(const struct machine *m, unsigned bank)
{
    for (unsigned s = 0; m->config.reset_mode == 1 && s < (unsigned)m->config.sms; s++) {
        if (m->answer[s][bank].n > 0) {
            return false;
        }
    }
    return true;
}

static void probe(struct machine *m)
{
    for (unsigned s = 0; s < (unsigned)m->config.sms; s++) {
        if ((*m->reset.probe >> s & 1) && !m->sm[s].probed && !(m->config.plant & FLAW_NO_PROBE)) {
            struct message message = {.kind = BUS_RESET,
                                      .block = NO_BLOCK,
                                      .full_epoch = m->full_epoch,
                                      .epoch = (uint32_t)*m->bank[0].at.epoch};
            m->sm[s].probed = true;
            if (m->config.reset_mode == 1) {
                sm_receive(m, &m->sm[s], &message);
            } else {
                channel_push(m, &m->answer[s][0], &message);
            }
        }
    }
}

/* One step of the reset controller, while there is anything for it to do. */
static void control_resets(struct machine *m)
{
    struct reset_pins *r = &m->reset;
    *r->overflow = *r->drained = *r->adopted = 0;
    for (unsigned b = 0; b < (unsigned)m->config.banks; b++) {
        *r->overflow |= (uint64_t)m->bank[b].stalled << b;
        *r->drained |= (uint64_t)drained(m, b) << b;
    }
    if (*r->overflow == 0 && !*r->stop) {
        return;
    }
    for (unsigned s = 0; s < (unsigned)m->config.sms; s++) {
        *r->adopted |= (uint64_t)(m->sm[s].full_epoch == m->full_epoch) << s;
    }
    pins_ask(&r->pins);
    if (*r->flash) {
        m->full_epoch++;
        for (unsigned b = 0; b < (unsigned)m->config.banks; b++) {
            bank_flash(m, &m->bank[b]);
            pins_ask(&m->bank[b].at.pins);
        }
        for (unsigned s = 0; s < (unsigned)m->config.sms; s++) {
            m->sm[s].probed = false;
        }
    }
    probe(m);
    pins_edge(&r->pins);
    pins_ask(&r->pins);
}

/* ---- what happens next ---- */

static void deliver(struct machine *m)
{
    struct sm *sm = &m->sm[below(m, (uint64_t)m->config.sms)];
    struct channel *channel = &m->answer[sm->id][below(m, (uint64_t)m->config.banks)];
    const int at = sm->service.block == NO_BLOCK ? channel_pick(m, channel) : -1;
    if (at >= 0) {
        const struct message message = channel->message[at];
        channel_remove(channel, (unsigned)at);
        sm_receive(m, sm, &message);
    }
}

static void arrive(struct machine *m)
{
    struct bank *bank = &m->bank[below(m, (uint64_t)m->config.banks)];
    struct channel *channel = &m->request[below(m, (uint64_t)m->config.sms)][bank->id];
    if (bank->stalled || *m->reset.stop) {
        return;
    }
    const int at = channel_pick(m, channel);
    if (at >= 0 && bank_receive(m, bank, &channel->message[at])) {
        channel_remove(channel, (unsigned)at);
    }
}

static void bank_event(struct machine *m, uint64_t draw)
{
    struct bank *bank = &m->bank[below(m, (uint64_t)m->config.banks)];
    if (bank->stalled || *m->reset.stop) {
        return;
    }
    if (draw < 4) {
        bank_dram(m, bank);
    } else if (draw < 9) {
        bank_replay(m, bank);
    } else if (below(m, 8) == 0) {
        bank_replace(m, bank);
    }
}

static void sm_event(struct machine *m, uint64_t draw)
{
    struct sm *sm = &m->sm[below(m, (uint64_t)m->config.sms)];
    const bool idle = m->config.idle && sm->id + 1 == (unsigned)m->config.sms;
    if (sm->service.block != NO_BLOCK && draw % 2) {
        sm_serve(m, sm);
    } else if (draw == 0 && below(m, 8) == 0 && !m->config.spin) { /* a polled line stays */
        sm_replace(m, sm);
    } else if (!idle && !(m->config.reset_mode == 1 && *m->reset.stop)) {
        sm_access(m, sm);
    }
}

static bool all_saw_flag(const struct machine *m)
{
    for (unsigned s = 0; s < (unsigned)m->config.sms; s++) {
        for (unsigned w = 0; w < (unsigned)m->config.warps; w++) {
            if (!m->sm[s].warp[w].saw_flag) {
                return false;
            }
        }
    }
    return true;
}

static void check_progress(struct machine *m)
{
    for (unsigned s = 0; s < (unsigned)m->config.sms; s++) {
        m->mismatch |= pins_mismatch(&m->sm[s].at.pins);
    }
    for (unsigned b = 0; b < (unsigned)m->config.banks; b++) {
        m->mismatch |= pins_mismatch(&m->bank[b].at.pins);
    }
    m->stuck = m->events - m->last_progress > (uint64_t)m->config.patience;
}

void machine_run(struct machine *m, uint64_t accesses)
{
    while (m->performed < accesses && !m->failed && !m->stuck && !m->mismatch) {
        const uint64_t draw = below(m, 32);
        if (draw < 12) {
            sm_event(m, draw);
        } else if (draw < 18) {
            deliver(m);
        } else if (draw < 23) {
            arrive(m);
        } else {
            bank_event(m, draw - 23);
        }
        control_resets(m);
        if (++m->events % 1024 == 0) {
            check_progress(m);
            if (m->config.spin && all_saw_flag(m)) {
                return;
            }
        }
    }
}
