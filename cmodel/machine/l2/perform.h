/* perform.h - what a request does to the bytes of its block, and the reply to it.
 *
 * Serves L2 banks and the host memory node.  It must not know tags or time.
 */
#ifndef WARPLOCK_MACHINE_PERFORM_H
#define WARPLOCK_MACHINE_PERFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/cache/values.h"
#include "machine/noc/message.h"

/* Carry out the exchange's request on the bytes of `block` and make its reply, sent from
 * `node`; where there are no values `block` is NULL, and no byte moves.  The bytes written are left in `written`, and noted in `values`.  Returns the reply's
 * data bytes. */
uint32_t perform(struct exchange *exchange, const struct gpu_config *config, uint16_t node,
                 uint8_t *block, uint64_t written[2], struct values *values);

/* Ticks that the data port of a bank is occupied. */
uint32_t perform_ticks(const struct request *request, const struct gpu_config *config);

#endif
