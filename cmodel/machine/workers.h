/* workers.h - threads that share out the SMs of a cycle.
 *
 * An SM touches only its own state and its own two rings, so the split cannot change any result.
 * It must not know what an SM does.
 */
#ifndef WARPLOCK_MACHINE_WORKERS_H
#define WARPLOCK_MACHINE_WORKERS_H

#include <stdint.h>

#include "base/set.h"

/* Carry out cycle `now` of the SMs in `due`. */
typedef void (*workers_step)(void *self, const struct set *due, uint64_t now);

struct workers;

/* At most `threads` of them, the caller included, for `n_sms` SMs.  NULL when there is no memory or
 * no thread to be had. */
struct workers *workers_start(uint32_t threads, uint32_t n_sms, workers_step step, void *self);
void workers_stop(struct workers *workers); /* NULL is allowed */
/* Step the SMs of the set, spread over the workers. */
void workers_run(struct workers *workers, const struct set *due, uint64_t now);

#endif
