/* drd_link.c - the link from the race detection unit to each SM: messages in the unit's
 * order, and what each does to the access validation unit (tabbakh2018-coherence 3.7.3).
 *
 * The source says nothing of this way.  Here it is ordered, carries signatures beside the
 * network and is at least as fast as the network: a reply brings everything that was sent
 * before its own answer. */
#include "mechanisms/drd/drd_spec.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *sig_at(const struct drd_sm *sm, uint32_t i)
{
    const struct drd_inbox *inbox = &sm->inbox;
    return &inbox->sig[(size_t)((inbox->head + i) % inbox->capacity) * sm->drd->sig_words];
}

static bool grow(struct drd_sm *sm)
{
    struct drd_inbox larger = sm->inbox;
    const size_t words = sm->drd->sig_words;
    larger.capacity = larger.capacity > 0 ? 2 * larger.capacity : 8;
    larger.head = 0;
    larger.message = malloc(larger.capacity * sizeof *larger.message);
    larger.sig = malloc(larger.capacity * words * sizeof *larger.sig);
    if (larger.message == NULL || larger.sig == NULL) {
        free(larger.message);
        free(larger.sig);
        return false;
    }
    for (uint32_t i = 0; i < sm->inbox.count; i++) {
        larger.message[i] = sm->inbox.message[(sm->inbox.head + i) % sm->inbox.capacity];
        memcpy(&larger.sig[i * words], sig_at(sm, i), words * sizeof *larger.sig);
    }
    free(sm->inbox.message);
    free(sm->inbox.sig);
    sm->inbox = larger;
    return true;
}

uint64_t drd_post(struct drd_sm *sm, const struct drd_message *message, const uint64_t *sig)
{
    struct drd_inbox *inbox = &sm->inbox;
    if (inbox->count == inbox->capacity && !grow(sm)) {
        inbox->no_memory = true;
        return inbox->posted;
    }
    inbox->message[(inbox->head + inbox->count) % inbox->capacity] = *message;
    if (message->has_sig) {
        memcpy(sig_at(sm, inbox->count), sig, sm->drd->sig_words * sizeof *sig);
    }
    inbox->count++;
    return ++inbox->posted;
}

/* The signature reaches the AVU, a word a step; but for the last word, with which its epoch begins. */
static void bring_signature(struct drd_sm *sm, const uint64_t *sig)
{
    const uint32_t lanes = drd_word_lanes(&sm->drd->options);
    *sm->in.sig_valid = 1;
    for (uint32_t at = 0; at < sm->drd->sig_words; at += lanes) {
        *sm->in.sig_at = at / lanes;
        memcpy(sm->in.sig, &sig[at], lanes * sizeof *sig);
        if (at + lanes < sm->drd->sig_words) {
            drd_avu_step(sm);
        }
    }
}

/* The oldest message reaches the AVU. */
static void take(struct drd_sm *sm)
{
    struct drd_inbox *inbox = &sm->inbox;
    const struct drd_message *message = &inbox->message[inbox->head];
    const bool miss = message->type == RDU_MISS && message->mshr != DRD_NO_MSHR;
    if (message->has_sig) {
        bring_signature(sm, sig_at(sm, 0));
        sm->seen = (struct drd_interval){sm->seen.upto, message->stores};
    }
    *sm->in.rsp_valid = miss;
    *sm->in.rsp_mshr = miss ? message->mshr : 0;
    if (message->has_sig || miss) {
        drd_avu_step(sm);
    }
    *sm->in.sig_valid = 0;
    *sm->in.rsp_valid = 0;
    if (sm->spec != NULL) {
        drd_queue_message(sm->spec, message, sig_at(sm, 0));
    }
    if (miss) {
        sm->bound[message->mshr] = core_mshrs(sm->core)->entry[message->mshr].n_targets;
    }
    inbox->head = (inbox->head + 1) % inbox->capacity;
    inbox->count--;
    inbox->taken++;
}

void drd_take_ready(struct drd_sm *sm, uint64_t now)
{
    while (sm->inbox.count > 0 && sm->inbox.message[sm->inbox.head].ready <= now) {
        take(sm);
    }
}

void drd_take_until(struct drd_sm *sm, uint64_t number)
{
    while (sm->inbox.taken < number && sm->inbox.count > 0) {
        take(sm);
    }
}

void drd_link_clear(struct drd_sm *sm)
{
    sm->inbox.head = sm->inbox.count = 0;
    sm->inbox.posted = sm->inbox.taken = 0;
}
