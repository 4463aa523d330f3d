/* test_glue_protocol.h - a coherence protocol of the small machine, event by event: SM 0 and L2
 * bank 0 as its sockets see them (sm_l1d.c, sm_reply.c, l2_step.c), behind test_glue.h. */
#ifndef WARPLOCK_TEST_GLUE_PROTOCOL_H
#define WARPLOCK_TEST_GLUE_PROTOCOL_H

#include "test_glue.h"

static inline const struct coherence_l1_socket *glue_l1(struct glue *g)
{
    return &glue_sockets(g)->coherence;
}

static inline const struct coherence_l2_socket *glue_l2(struct glue *g)
{
    return &g->rig.gpu->bank[0].sockets.coherence;
}

/* Line `n` of the L1D holds block `block`. */
static inline struct cache_line *glue_line(struct glue *g, uint32_t n, uint32_t block)
{
    struct cache *l1d = &g->rig.gpu->sm[0].l1d;

    l1d->tag[n] = (uint64_t)block * 128;
    l1d->line[n].state = LINE_VALID;
    l1d->line[n].valid[0] = l1d->line[n].valid[1] = UINT64_MAX;
    return &l1d->line[n];
}

static inline struct access_info glue_of(uint8_t kind, uint32_t warp, uint32_t block)
{
    return (struct access_info){.block = (uint64_t)block * 128,
                                .kind = kind,
                                .warp_slot = (uint8_t)warp,
                                .n_requests = 1,
                                .bytes = {0xf, 0}};
}

static inline struct request glue_request(uint8_t type, uint8_t to, uint32_t warp, uint32_t block)
{
    return (struct request){.packet = {.type = type, .block = (uint64_t)block * 128},
                            .ticket = {.to = to, .warp_slot = (uint8_t)warp},
                            .bytes = {0xf0, 0}};
}

/* The answer to `asked`, which says `first` and `second`. */
static inline struct reply glue_reply(const struct request *asked, uint64_t first, uint64_t second)
{
    static const uint8_t answer[] = {
        [MSG_READ] = MSG_READ_REPLY, [MSG_WRITE] = MSG_WRITE_ACK, [MSG_ATOMIC] = MSG_ATOMIC_REPLY};
    struct reply msg = {.packet = asked->packet,
                        .ticket = asked->ticket,
                        .proto = {first, second, asked->proto[2]}};

    msg.packet.type = answer[asked->packet.type];
    return msg;
}

#endif
