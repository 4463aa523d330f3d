/* l2_account.c - requests of an L2 bank as others see them: described, and counted by what they met.
 *
 * Works after the definitions of machine/stats/stats.h.  It must not know what a request does.
 */
#include "machine/l2/l2_request.h"

/* Field by field and in place: a copy of fields just written would wait for them. */
void l2_describe(const struct request *request, uint64_t now, struct access_info *access)
{
    uint8_t type = request->packet.type;

    access->block = request->packet.block;
    access->pc = request->pc;
    access->sm = request->packet.source;
    access->kind = type == MSG_WRITE      ? ACCESS_STORE
                   : type == MSG_ATOMIC   ? ACCESS_ATOMIC
                   : type == MSG_COPYBACK ? ACCESS_COPYBACK
                   : type == MSG_PREFETCH ? ACCESS_PREFETCH
                                          : ACCESS_LOAD;
    access->warp_slot = request->ticket.warp_slot;
    access->priority = access->position = 0;
    access->n_requests = 1;
    access->past_l1d = false;
    access->local = request->ticket.local;
    access->answer = 0;
    access->cycle = now;
    access->sectors = request->sectors;
    access->note = 0;
    access->bytes[0] = access->bytes[1] = 0;
}

void l2_count(struct l2_bank *bank, const struct access_info *access, uint32_t set,
              enum access_result result)
{
    struct l2_stats *s = &bank->stats;

    OBSERVE(bank->sockets, acc_result, bank->id, access, set, result);
    if (access->kind == ACCESS_STORE) {
        s->writes++;
        ++*(result == RESULT_HIT            ? &s->write_hits
            : result == RESULT_HIT_RESERVED ? &s->write_merges
                                            : &s->write_misses);
    } else if (access->kind == ACCESS_ATOMIC) {
        s->atomics++;
        ++*(result == RESULT_HIT            ? &s->atomic_hits
            : result == RESULT_HIT_RESERVED ? &s->atomic_merges
                                            : &s->atomic_misses);
    } else if (access->kind != ACCESS_COPYBACK) {
        s->reads++;
        ++*(result == RESULT_HIT            ? &s->read_hits
            : result == RESULT_HIT_RESERVED ? &s->read_merges
            : result == RESULT_MISS         ? &s->read_misses
                                            : &s->read_bypasses);
    }
}
