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
 * Time is epoch and timestamp.  Epochs are counted here from the tags in the messages. */
#include <inttypes.h>
#include <stdio.h>

#include "mechanisms/coherence/coherence_check.h"
#include "mechanisms/gtsc/gtsc.h"

enum { EPOCHS = 16 }; /* TS_EPW = 4 */

/* The epoch counted from the first one, from its tag and the reset count now. */
static uint64_t whole_epoch(const struct check *check, uint64_t tag)
{
    const uint64_t resets = ((const struct gtsc_l2 *)check->l2[0].inner.self)->gtsc->resets;
    return resets - ((resets - tag) & (EPOCHS - 1));
}

static void answered(struct check_l2 *l2, struct reply *msg, const struct cache_line *line,
                     struct history_block *record, uint64_t cycle)
{
    const uint64_t epoch = whole_epoch(l2->part.check, msg->proto[1] & GTSC_EPOCH_MASK);
    const uint64_t wts = history_time(epoch, (uint32_t)msg->proto[0]);
    const uint64_t rts = history_time(epoch, msg->proto[0] >> 32);
    char where[24];
    (void)line;
    snprintf(where, sizeof where, "L2 bank %u", l2->bank->id);
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
    struct gtsc_stamps stamps;
    if (!gtsc_stamps_of(l1->inner.self, line, &stamps)) {
        return; /* a netlist shows no state */
    }
    const uint64_t wts = history_time(epoch, stamps.wts), rts = history_time(epoch, stamps.rts);
    const bool refetched = history_at(record, wts) == history_at(record, record->wts);
    if (wts == record->wts && rts > record->rts) {
        check_violated(&l1->part, l1->sm->now, where, record->block,
                       "I2: the copy's lease ends at %" PRIu64 ", the bank's at %" PRIu64, rts,
                       record->rts);
    } else if (wts != record->wts && rts >= record->wts && !refetched) {
        check_violated(&l1->part, l1->sm->now, where, record->block,
                       "I3: a copy of %" PRIu64 " is leased until %" PRIu64
                       ", the bank's version begins at %" PRIu64,
                       wts, rts, record->wts);
    }
}

static void delivered(struct check_l1 *l1, uint32_t warp, uint64_t block,
                      const struct cache_line *line, const uint8_t *bytes)
{
    const struct gtsc_l1 *gtsc = l1->inner.self;
    const struct history_block *record = check_record(l1->part.check, block);
    const uint64_t epoch = whole_epoch(l1->part.check, gtsc->epoch);
    const uint64_t time = history_time(epoch, *gtsc->out.load_ts), now = l1->sm->now;
    char where[32];
    snprintf(where, sizeof where, "SM %u warp %u", l1->sm->id, warp);
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
