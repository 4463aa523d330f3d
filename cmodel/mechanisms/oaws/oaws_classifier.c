/* oaws_classifier.c - what the SM asks of the divergent load classifier, and how long it waits for it
 * (wang2015 3.16.1).
 *
 * Occurrences and accesses come as the LD/ST unit makes them, which does not wait: they queue, in
 * their order, and what finds the queue full is not counted; hits, which never are, need no place.
 * A look-up is asked until it is taken; one is under way at a time.  A classifier of one cycle takes
 * and answers everything at once: then nothing ever queues. */
#include "mechanisms/oaws/oaws.h"

static void enqueue(struct oaws *o)
{
    o->now.acc &= o->now.miss || o->classifies_at_once;
    if (!o->now.coal && !o->now.acc) {
        return;
    }
    if (o->n_requests == OAWS_REQUESTS) {
        o->counts.unclassified++;
    } else {
        o->request[(o->request_head + o->n_requests++) % OAWS_REQUESTS] = o->now;
    }
    o->now.coal = o->now.acc = false;
}

void oaws_classifier_offer(struct oaws *o)
{
    const struct oaws_request *request = &o->request[o->request_head];
    enqueue(o);
    pins_comb(&o->epoch);
    o->ageing |= *o->epoch_at.age_tick != 0;
    *o->dlc_at.age_tick = o->ageing;
    *o->dlc_at.lk_valid = 0;
    *o->dlc_at.coal_valid = o->n_requests > 0 && request->coal;
    *o->dlc_at.acc_valid = o->n_requests > 0 && request->acc;
    if (*o->dlc_at.coal_valid) {
        *o->dlc_at.coal_pc = request->coal_pc;
        *o->dlc_at.coal_nreq = request->nreq;
    }
    if (*o->dlc_at.acc_valid) {
        *o->dlc_at.acc_pc = request->acc_pc;
        *o->dlc_at.acc_miss = request->miss;
    }
}

/* The answer to the look-up that was taken, if it is there. */
static void hear(struct oaws *o)
{
    if (o->looking == NULL) {
        return;
    }
    pins_settle(&o->dlc);
    if (*o->dlc_at.lk_done) {
        o->looking->state = OAWS_ANSWERED;
        o->looking->hit = *o->dlc_at.lk_hit != 0;
        o->looking->miss = *o->dlc_at.lk_miss;
        o->looking->acc = *o->dlc_at.lk_acc;
        o->looking = NULL;
    }
}

void oaws_classifier_ask(struct oaws *o, struct oaws_look_up *look_up)
{
    hear(o);
    const bool another_asks = *o->dlc_at.lk_valid && !o->classifies_at_once;
    if (look_up->state != OAWS_ASKED || o->looking != NULL || another_asks) {
        return;
    }
    *o->dlc_at.lk_valid = 1;
    *o->dlc_at.lk_pc = look_up->pc;
    pins_settle(&o->dlc);
    if (*o->dlc_at.lk_ready) {
        look_up->state = OAWS_TAKEN;
        o->looking = look_up;
    }
    if (o->classifies_at_once) {
        hear(o);
    }
}

void oaws_classifier_forget(struct oaws *o, struct oaws_look_up *look_up)
{
    if (o->looking == look_up) {
        o->looking = &o->dropped;
    }
    look_up->state = OAWS_NOT_ASKED;
}

/* What the classifier takes in this cycle is no longer offered. */
static void take(struct oaws *o)
{
    struct oaws_request *request = &o->request[o->request_head];
    o->ageing &= !*o->dlc_at.age_ready;
    request->coal &= !*o->dlc_at.coal_ready;
    request->acc &= !*o->dlc_at.acc_ready;
    if (o->n_requests > 0 && !request->coal && !request->acc) {
        o->request_head = (o->request_head + 1) % OAWS_REQUESTS;
        o->n_requests--;
    }
}

/* At rest, and asked for nothing, it changes nothing, and stays at rest. */
static void clock_classifier(struct oaws *o)
{
    const bool asked = *o->dlc_at.age_tick || *o->dlc_at.coal_valid || *o->dlc_at.acc_valid ||
                       (*o->dlc_at.lk_valid && !o->classifies_at_once);
    if (o->classifier_rests && !asked) {
        return;
    }
    hear(o);
    pins_settle(&o->dlc);
    o->counts.classified += *o->dlc_at.alloc;
    o->counts.evicted += *o->dlc_at.evict;
    o->classifier_rests = !asked && *o->dlc_at.age_ready;
    if (!o->classifier_rests) {
        take(o);
        pins_seq(&o->dlc);
    }
}

void oaws_classifier_clock(struct oaws *o)
{
    clock_classifier(o);
    pins_seq(&o->epoch);
}

void oaws_classifier_kernel_start(struct oaws *o)
{
    o->classifier_rests = false;
    *o->dlc_at.kernel_start = 1;
    pins_comb(&o->dlc);
    pins_seq(&o->dlc);
    *o->dlc_at.kernel_start = 0;
    *o->epoch_at.enable = 0;
    pins_comb(&o->epoch);
    pins_seq(&o->epoch);
    *o->epoch_at.enable = 1;
    o->ageing = false;
    o->looking = NULL;
    o->ahead.state = OAWS_NOT_ASKED;
}
