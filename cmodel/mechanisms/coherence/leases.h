/* leases.h - what a protocol that grants leases shows its checker: offered as COHERENCE_LEASES by
 * the protocol, looked for by check-coherence (coherence_check.c).  Neither knows the other. */
#ifndef WARPLOCK_MECHANISMS_LEASES_H
#define WARPLOCK_MECHANISMS_LEASES_H

#include <stdbool.h>
#include <stdint.h>

#define COHERENCE_LEASES "leases"

struct leases {
    bool logical;           /* in logical time; else in core cycles, and the rest is unused */
    bool weak;              /* in core cycles: stores do not wait for leases */
    uint32_t epoch_numbers; /* after so many epochs a number comes again */
    void *self;
    /* Times that all timestamps began anew; the number of the epoch that an SM is in. */
    uint64_t (*resets)(const void *self);
    uint64_t (*epoch)(const void *self, uint32_t sm);
    /* The logical time of the load that the SM was just given. */
    uint64_t (*load_time)(const void *self, uint32_t sm);
    /* The stamps of a line of the L1D, by its number; false when they cannot be seen. */
    bool (*stamps)(const void *self, uint32_t sm, uint32_t line, uint64_t *wts, uint64_t *rts);
};

#endif
