/* test_glue_drd.h - SMs and a bank under race detection, message by message. */
#ifndef WARPLOCK_TEST_GLUE_DRD_H
#define WARPLOCK_TEST_GLUE_DRD_H

#include "test_glue_protocol.h"

enum { A = 1, B, C, D, LINK = 20 }; /* blocks; cycles of the link */

static inline const struct coherence_l1_socket *l1_of(struct glue *g, uint32_t sm)
{
    return &sm_at(g->rig.gpu->sm, sm)->sockets.coherence;
}

/* In every SM block b sits in line b, once it was loaded. */
static inline struct cache_line *line_of(struct glue *g, uint32_t sm, uint32_t block)
{
    struct cache *l1d = &sm_at(g->rig.gpu->sm, sm)->l1d;

    l1d->tag[block] = (uint64_t)block * 128;
    l1d->line[block].valid[0] = l1d->line[block].valid[1] = UINT64_MAX;
    return &l1d->line[block];
}

/* The SM sends a request by MSHR `block`; its copy of the block is `line`. */
static inline struct request ask(struct glue *g, uint32_t sm, uint8_t type, uint32_t block,
                                 struct cache_line *line)
{
    static const uint8_t kinds[] = {
        [MSG_READ] = ACCESS_LOAD, [MSG_WRITE] = ACCESS_STORE, [MSG_ATOMIC] = ACCESS_ATOMIC};
    const struct access_info access = glue_of(kinds[type], 0, block);
    struct request asked = glue_request(type, type == MSG_READ ? TO_MSHR : TO_WARP, 0, block);

    asked.packet.source = (uint16_t)sm;
    asked.ticket.number = (uint16_t)block;
    assert_true(l1_of(g, sm)->may_send(l1_of(g, sm)->self, &access, line));
    l1_of(g, sm)->send(l1_of(g, sm)->self, &asked, line);
    return asked;
}

/* The bank performs it in cycle `now`. */
static inline struct reply serve(struct glue *g, const struct request *asked, uint64_t now)
{
    struct reply msg = glue_reply(asked, asked->proto[0], asked->proto[1]);

    glue_l2(g)->performed(glue_l2(g)->self, asked, &msg, glue_line(g, 0, 0), now);
    return msg;
}

static inline void answer(struct glue *g, uint32_t sm, struct reply *msg, struct cache_line *line)
{
    l1_of(g, sm)->reply(l1_of(g, sm)->self, msg, line);
}

/* Cycle `now` begins in the SM. */
static inline void cycle(struct glue *g, uint32_t sm, uint64_t now)
{
    struct sm_sockets *s = &sm_at(g->rig.gpu->sm, sm)->sockets;

    clocked_begin(s->clocked, s->n_clocked, now, &s->clocked_next);
}

static inline void store(struct glue *g, uint32_t sm, uint32_t block)
{
    const struct request asked = ask(g, sm, MSG_WRITE, block, NULL);
    struct reply ack = serve(g, &asked, 0);

    answer(g, sm, &ack, NULL);
}

/* Hit, Miss, or the Limit: a check without data. */
static inline char load(struct glue *g, uint32_t sm, uint32_t block)
{
    const struct coherence_l1_socket *l1 = l1_of(g, sm);
    struct cache_line *line = line_of(g, sm, block);
    const struct access_info access = glue_of(ACCESS_LOAD, 0, block);
    const bool present = line->state == LINE_VALID;

    if (present && l1->load(l1->self, &access, line) == COHERENCE_HIT) {
        return 'H';
    }
    const struct request asked = ask(g, sm, MSG_READ, block, present ? line : NULL);
    struct mshr_entry *entry = &sm_at(g->rig.gpu->sm, sm)->mshr.entry[block];
    struct reply msg = serve(g, &asked, 0);
    entry->n_targets = 1; /* it waits there */
    line->state = LINE_VALID;
    answer(g, sm, &msg, line);
    assert_true(l1->covers(l1->self, 0, 0, &msg, line));
    entry->n_targets = 0;
    return msg.no_data ? 'L' : 'M';
}

#endif
