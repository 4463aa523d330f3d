/* hier_queue.c - a clean line on its way from an L1D to the L2: a head flit and four of data
 * (lakshminarayana2014 3.3.4, 3.3.5; copyback_q). */
#include <stdio.h>

#include "mechanisms/graph/hier.h"

enum { FLIT_WORDS = 4, CORE_BITS = 7, ADDR_BITS = 33 };

int hier_queue_open(struct mechanism_context *context, uint32_t core, struct hier_queue *queue)
{
    uint64_t *number;
    const struct pin_name ports[] = {{&number, "core"},
                                     {&queue->ev_valid, "ev_valid"},
                                     {&queue->ev_addr, "ev_addr"},
                                     {&queue->ev_cb, "ev_cb"},
                                     {&queue->ev_data, "ev_data"},
                                     {&queue->flit_ready, "flit_ready"},
                                     {&queue->ev_ready, "ev_ready"},
                                     {&queue->flit_valid, "flit_valid"},
                                     {&queue->flit_head, "flit_head"},
                                     {&queue->flit_tail, "flit_tail"},
                                     {&queue->flit, "flit"}};
    char where[48], overrides[48];
    snprintf(where, sizeof where, "sm%u.l1d.copy_backs", core);
    snprintf(overrides, sizeof overrides, "ADDR_W=%d,CORE_W=%d,WORDS=%d", ADDR_BITS, CORE_BITS,
             HIER_WORDS);
    if (pins_open(context, &queue->unit, "copyback_q", overrides, where) != 0 ||
        pins_all(context, &queue->unit, PINS(ports)) != 0) {
        return -1;
    }
    *number = queue->core = core;
    return 0;
}

/* The next flit is taken; whether it is number `n` of the packet, with those words. */
static bool next_flit(struct hier_queue *queue, uint32_t n, const uint64_t words[FLIT_WORDS])
{
    *queue->flit_ready = 1;
    pins_comb(&queue->unit);
    const bool is = *queue->flit_valid && *queue->flit_head == (n == 0) &&
                    *queue->flit_tail == (n == HIER_WORDS / FLIT_WORDS) &&
                    memcmp(queue->flit, words, n == 0 ? sizeof *words : 4 * sizeof *words) == 0;
    pins_seq(&queue->unit);
    *queue->flit_ready = 0;
    return is;
}

bool hier_queue_pass(struct hier_queue *queue, uint64_t block, const uint8_t *bytes)
{
    const uint64_t line = block / BLOCK_BYTES;
    const uint64_t head[FLIT_WORDS] = {(uint64_t)queue->core << ADDR_BITS | line};
    uint64_t words[HIER_WORDS];
    memcpy(words, bytes, sizeof words);
    *queue->ev_valid = *queue->ev_cb = 1;
    *queue->ev_addr = line;
    memcpy(queue->ev_data, words, sizeof words);
    pins_comb(&queue->unit);
    bool whole = *queue->ev_ready;
    pins_seq(&queue->unit);
    *queue->ev_valid = 0;
    whole &= next_flit(queue, 0, head);
    for (uint32_t n = 0; n < HIER_WORDS / FLIT_WORDS; n++) {
        whole &= next_flit(queue, n + 1, &words[(size_t)n * FLIT_WORDS]);
    }
    pins_comb(&queue->unit);
    return whole && !*queue->flit_valid;
}
