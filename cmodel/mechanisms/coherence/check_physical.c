/* check_physical.c - what the checker demands of Temporal Coherence (tabbakh2018 3.5.3):
 *
 *   lease containment: the bank's lease covers every lease it granted, and its line stays
 *     until then;
 *   one value: what a load gets was in the bank while the lease was;
 *   TC-Strong: no store is performed while a lease is live, a live copy is the bank's value;
 *   TC-Weak: a fence is complete only when no lease is live on what its stores wrote over.
 *
 * A reply's proto[1], which TC leaves alone, carries the bank record's lease to the SM. */
#include <inttypes.h>
#include <stdio.h>

#include "mechanisms/coherence/coherence_check.h"

static void answered(struct check_l2 *l2, struct reply *msg, const struct cache_line *line,
                     struct history_block *record, uint64_t cycle)
{
    char where[24];
    snprintf(where, sizeof where, "L2 bank %u", bank_id(l2->bank));
    if (msg->packet.type == MSG_READ_REPLY) {
        if (msg->ticket.to == TO_MSHR && msg->proto[0] > record->lease) {
            record->lease = msg->proto[0];
        }
    } else if (!l2->part.check->leases->weak && cycle <= record->lease) {
        check_violated(&l2->part, cycle, where, record->block,
                       "a store is performed while a lease until %" PRIu64 " is live",
                       record->lease);
    }
    if (line->proto[0] < record->lease) {
        check_violated(&l2->part, cycle, where, record->block,
                       "the bank's lease ends at %" PRIu64 ", a copy's at %" PRIu64, line->proto[0],
                       record->lease);
    }
    msg->proto[1] = record->lease;
}

static void evicted(struct check_l2 *l2, const struct history_block *record)
{
    const uint64_t now = machine_now(l2->part.check->machine);
    char where[24];
    snprintf(where, sizeof where, "L2 bank %u", bank_id(l2->bank));
    if (now <= record->lease) {
        check_violated(&l2->part, now, where, record->block,
                       "the line leaves while a lease until %" PRIu64 " is live", record->lease);
    }
}

static void delivered(struct check_l1 *l1, uint32_t warp, uint64_t block,
                      const struct cache_line *line, const uint8_t *bytes)
{
    const struct history_block *record = check_record(l1->part.check, block);
    const uint64_t hash = history_hash(bytes), now = core_now(l1->core);
    char where[32];
    snprintf(where, sizeof where, "SM %u warp %u", core_id(l1->core), warp);
    if (record == NULL || !history_has(record, hash)) {
        check_violated(&l1->part, now, where, block, "a load gets bytes that the L2 never held");
    } else if (line != NULL && line->proto[0] > record->lease) {
        check_violated(&l1->part, now, where, block,
                       "the copy's lease ends at %" PRIu64 ", the longest granted at %" PRIu64,
                       line->proto[0], record->lease);
    } else if (line != NULL && now > record->lease) {
        check_violated(&l1->part, now, where, block,
                       "a hit after the longest lease granted, %" PRIu64, record->lease);
    } else if (line != NULL && !l1->part.check->leases->weak &&
               history_at(record, UINT64_MAX) != hash) {
        check_violated(&l1->part, now, where, block,
                       "a hit on a copy that is not the L2's version %u", record->n);
    }
}

static void acked(struct check_l1 *l1, const struct reply *msg)
{
    if (msg->ticket.warp_slot < core_config(l1->core)->sm_warps &&
        msg->proto[1] > l1->warp_time[msg->ticket.warp_slot]) {
        l1->warp_time[msg->ticket.warp_slot] = msg->proto[1];
    }
}

static void fenced(struct check_l1 *l1, uint32_t warp)
{
    char where[32];
    snprintf(where, sizeof where, "SM %u warp %u", core_id(l1->core), warp);
    if (core_now(l1->core) <= l1->warp_time[warp]) {
        check_violated(&l1->part, core_now(l1->core), where, 0,
                       "a fence ends while a lease until %" PRIu64 " on what it wrote is live",
                       l1->warp_time[warp]);
    }
}

const struct check_rules check_physical = {.delivered = delivered,
                                           .fenced = fenced,
                                           .acked = acked,
                                           .answered = answered,
                                           .evicted = evicted};
