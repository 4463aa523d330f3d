/* check_logical.c - what the checker demands of G-TSC (tabbakh2018 3.6.10, I1..I7):
 *
 *   I1 1 <= wts <= rts in a bank's answer; I5 neither decreases for a block;
 *   I2 a copy of the bank's version has no longer a lease than the bank;
 *   I3 a copy of an older version ends before the bank's version begins;
 *   I5 the timestamp of a warp's loads does not decrease;
 *   I6 a load at time t gets the newest version stored at or before t: one value for each
 *      time, whoever reads, so stores are atomic;
 *   I7 a line with a store in flight delivers nothing.
 *
 * Time is epoch and timestamp.  Epochs are counted here from the tags in the messages: a reply's
 * proto[0] is its wts, rts above bit 32, the low bits of proto[1] the number of the epoch. */
#include <inttypes.h>
#include <stdio.h>

#include "mechanisms/coherence/coherence_check.h"

/* The epoch counted from the first one, from its number (the low bits of `tag`) and the resets
 * until now. */
static uint64_t whole_epoch(const struct check *check, uint64_t tag)
{
    const struct leases *leases = check->leases;
    const uint64_t resets = leases->resets(leases->self);
    return resets - ((resets - tag) & (leases->epoch_numbers - 1));
}

static void answered(struct check_l2 *l2, struct reply *msg, const struct cache_line *line,
                     struct history_block *record, uint64_t cycle)
{
    const uint64_t epoch = whole_epoch(l2->part.check, msg->proto[1]);
    const uint64_t wts = history_time(epoch, (uint32_t)msg->proto[0]);
    const uint64_t rts = history_time(epoch, msg->proto[0] >> 32);
    char where[24];
    (void)line;
    snprintf(where, sizeof where, "L2 bank %u", bank_id(l2->bank));
    if ((uint32_t)msg->proto[0] == 0 || wts > rts) {
        check_violated(&l2->part, cycle, where, record->block,
                       "I1: answered with wts %" PRIu64 ", rts %" PRIu64, wts, rts);
    }
    if (wts < record->wts || rts < record->rts) {
        check_violated(&l2->part, cycle, where, record->block,
                       "I5: wts %" PRIu64 ", rts %" PRIu64 " after %" PRIu64 ", %" PRIu64, wts, rts,
                       record->wts, record->rts);
    }
    if (msg->packet.type != MSG_READ_REPLY) {
        record->version[record->n - 1].time = wts;
        if (record->n > 1 && wts <= record->rts) {
            check_violated(&l2->part, cycle, where, record->block,
                           "I3: a store at %" PRIu64 " inside a lease until %" PRIu64, wts,
                           record->rts);
        }
    }
    record->wts = wts;
    record->rts = rts;
}

/* A copy's lease against the bank's last answer. */
static void check_lease(struct check_l1 *l1, const struct history_block *record,
                        const struct cache_line *line, uint64_t epoch, const char *where)
{
    const struct leases *leases = l1->part.check->leases;
    const uint32_t number = (uint32_t)(line - core_l1d(l1->core)->line);
    uint64_t wts, rts;
    if (!leases->stamps(leases->self, core_id(l1->core), number, &wts, &rts)) {
        return; /* a netlist shows no state */
    }
    wts = history_time(epoch, wts);
    rts = history_time(epoch, rts);
    const bool refetched = history_at(record, wts) == history_at(record, record->wts);
    if (wts == record->wts && rts > record->rts) {
        check_violated(&l1->part, core_now(l1->core), where, record->block,
                       "I2: the copy's lease ends at %" PRIu64 ", the bank's at %" PRIu64, rts,
                       record->rts);
    } else if (wts != record->wts && rts >= record->wts && !refetched) {
        check_violated(&l1->part, core_now(l1->core), where, record->block,
                       "I3: a copy of %" PRIu64 " is leased until %" PRIu64
                       ", the bank's version begins at %" PRIu64,
                       wts, rts, record->wts);
    }
}

static void delivered(struct check_l1 *l1, uint32_t warp, uint64_t block,
                      const struct cache_line *line, const uint8_t *bytes)
{
    const struct leases *leases = l1->part.check->leases;
    const struct history_block *record = check_record(l1->part.check, block);
    const uint32_t sm = core_id(l1->core);
    const uint64_t epoch = whole_epoch(l1->part.check, leases->epoch(leases->self, sm));
    const uint64_t time = history_time(epoch, leases->load_time(leases->self, sm));
    const uint64_t now = core_now(l1->core);
    char where[32];
    snprintf(where, sizeof where, "SM %u warp %u", sm, warp);
    if (record == NULL) {
        check_violated(&l1->part, now, where, block, "a load gets bytes that the L2 never held");
        return;
    }
    if (history_at(record, time) != history_hash(bytes)) {
        check_violated(&l1->part, now, where, block,
                       "I6: a load at time %" PRIu64 " does not get the version of that time; "
                       "the bank's is of %" PRIu64,
                       time, record->wts);
    }
    if (time < l1->warp_time[warp]) {
        check_violated(&l1->part, now, where, block,
                       "I5: a load at time %" PRIu64 " after one at %" PRIu64, time,
                       l1->warp_time[warp]);
    }
    l1->warp_time[warp] = time;
    if (line != NULL && line->locked) {
        check_violated(&l1->part, now, where, block, "I7: a hit on a line with a store in flight");
    }
    if (line != NULL) {
        check_lease(l1, record, line, epoch, where);
    }
}

const struct check_rules check_logical = {.delivered = delivered, .answered = answered};
