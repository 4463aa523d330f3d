/* l2_request.h - between the files of an L2 bank: requests and why they may have to wait. */
#ifndef WARPLOCK_GPU_L2_REQUEST_H
#define WARPLOCK_GPU_L2_REQUEST_H

#include "gpu/l2.h"

enum l2_verdict {
    L2_DONE,
    L2_FAIL_LINE,     /* every line of the set is reserved */
    L2_FAIL_MSHR,     /* no entry or no target */
    L2_FAIL_DRAM,     /* queue to DRAM full */
    L2_FAIL_REPLY,    /* reply queue full */
    L2_FAIL_PROTOCOL  /* the coherence protocol says wait */
};

/* Try the request; on L2_DONE it is the bank's, or already answered. */
enum l2_verdict l2_request(struct l2_bank *bank, struct msg *msg, uint64_t tick, uint64_t now);

/* Perform the request on bytes at hand, occupy the port, send the reply. */
void l2_answer(struct l2_bank *bank, struct msg *msg, struct cache_line *line, uint8_t *data,
               uint64_t tick, uint64_t now);

#endif
