/* test_glue_gtsc.h - G-TSC's messages, and how lines and warps of an SM come to the timestamps that
 * a test begins with. */
#ifndef WARPLOCK_TEST_GLUE_GTSC_H
#define WARPLOCK_TEST_GLUE_GTSC_H

#include "test_glue_protocol.h"

static const char *const gtsc_machine[] = {"l2.write=back-fetch", NULL};

static inline uint64_t stamps(uint64_t low, uint64_t high)
{
    return low | high << 32;
}

static inline void fill(struct glue *g, const struct request *asked, struct cache_line *line,
                        uint64_t wts, uint64_t rts)
{
    struct reply msg = glue_reply(asked, stamps(wts, rts), asked->proto[1]);

    glue_l1(g)->reply(glue_l1(g)->self, &msg, line);
}

/* Line `n` holds block `block`, leased from `wts` to `rts`. */
static inline struct cache_line *leased(struct glue *g, uint32_t n, uint32_t block, uint64_t wts,
                                        uint64_t rts)
{
    struct request asked = glue_request(MSG_READ, TO_MSHR, 0, block);
    struct cache_line *line = glue_line(g, n, block);

    glue_l1(g)->send(glue_l1(g)->self, &asked, NULL);
    fill(g, &asked, line, wts, rts);
    return line;
}

/* A store of the warp, past the L1D, is performed at `ts`: "warp_ts = max(warp_ts, wts)". */
static inline void raise_warp(struct glue *g, uint32_t warp, uint64_t ts)
{
    struct request store = glue_request(MSG_WRITE, TO_WARP, warp, 1000);

    glue_l1(g)->send(glue_l1(g)->self, &store, NULL);
    struct reply ack = glue_reply(&store, stamps(ts, ts + 10), store.proto[1]);
    glue_l1(g)->reply(glue_l1(g)->self, &ack, NULL);
}

static inline enum coherence_probe probe(struct glue *g, uint32_t warp, uint32_t block,
                                         struct cache_line *line)
{
    const struct access_info access = glue_of(ACCESS_LOAD, warp, block);

    return glue_l1(g)->load(glue_l1(g)->self, &access, line);
}

/* The request of the warp's load that has just been refused the copy, or found none. */
static inline struct request read_of(struct glue *g, uint32_t warp, uint32_t block,
                                     struct cache_line *line)
{
    struct request asked = glue_request(MSG_READ, TO_MSHR, warp, block);

    glue_l1(g)->send(glue_l1(g)->self, &asked, line);
    return asked;
}

/* Bank 0 performs a request of that type on `line`. */
static inline struct reply perform(struct glue *g, uint8_t type, uint64_t stamped, uint64_t epoch,
                                   struct cache_line *line)
{
    const struct coherence_l2_socket *l2 = glue_l2(g);
    struct request asked = glue_request(type, TO_WARP, 0, 7);

    asked.proto[0] = stamped;
    asked.proto[1] = epoch;
    struct reply msg = glue_reply(&asked, stamped, epoch);
    assert_int_equal(l2->admit(l2->self, &asked, line, 1), 0);
    l2->performed(l2->self, &asked, &msg, line, 1);
    return msg;
}

#endif
