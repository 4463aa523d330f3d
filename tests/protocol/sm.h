/* sm.h - between the two files of an SM of the protocol tester: gtsc_l1 by operation. */
#ifndef WARPLOCK_TESTS_PROTOCOL_SM_H
#define WARPLOCK_TESTS_PROTOCOL_SM_H

#include "machine.h"

/* As in gtsc_l1.ports.h. */
enum l1_op {
    OP_LOAD,
    OP_VOLATILE,
    OP_STORE,
    OP_ATOMIC,
    OP_FILL,
    OP_RENEW,
    OP_ACK,
    OP_DIRECT,
    OP_SERVE,
    OP_ASK,
    OP_DROP,
    OP_PROBE
};
enum { ANSWER_NONE, ANSWER_HIT, ANSWER_MISS, ANSWER_RENEW, ANSWER_WAIT };

/* The line that holds `block`, or NO_LINE. */
int sm_find(const struct machine *m, const struct sm *sm, int block);
/* Sets the inputs of an operation on `block` (or none) for `warp`; returns the block's line. */
int sm_ask(struct machine *m, struct sm *sm, enum l1_op op, unsigned warp, int block);
/* Sets the inputs to give up `line`; false when the unit holds it. */
bool sm_may_replace(struct machine *m, struct sm *sm, unsigned line);
/* `line` is replaced: counts a renewal that will find it gone. */
void sm_count_replaced(struct machine *m, const struct sm *sm, unsigned line);
/* Sends what the unit said of the operation. */
void sm_request(struct machine *m, struct sm *sm, enum message_kind kind, unsigned warp,
                unsigned slot, const struct access *access);

#endif
