/* coherence.h - between the coherence protocols: what each makes of the machine. */
#ifndef WARPLOCK_MECHANISMS_COHERENCE_H
#define WARPLOCK_MECHANISMS_COHERENCE_H

#include "mechanisms/mechanism.h"

/* What a protocol asks of the machine's own parts (tabbakh2018-coherence 3.4). */
struct coherence_rules {
    bool sequential;       /* one memory instruction of a warp at a time ([D-M1]) */
    bool barrier_drains;   /* a CTA barrier is a fence ([D-M2]) */
    uint32_t global_write; /* enum config_global_write */
    bool leases;           /* a line of the L2 must not leave unnoticed */
};

/* Set the machine's keys so; `name` is for the message when the machine does not fit or
 * has a protocol already.  0, or -1 with the context's error. */
int coherence_machine(struct mechanism_context *context, const char *name,
                      const struct coherence_rules *rules);

/* No protocol: "off" for no L1D, "sc" one instruction at a time, "" for the machine as it is. */
int attach_no_protocol(struct mechanism_context *context, const char *argument);
/* Temporal Coherence: "strong LEASE" or "weak LEASE", the lease in core cycles. */
int attach_tc(struct mechanism_context *context, const char *argument);
bool tc_is_attached(const struct gpu *gpu, bool *weak);
/* G-TSC: "sc LEASE" or "rc LEASE", the lease in units of logical time; then the bits of a
 * timestamp when not 16. */
int attach_gtsc(struct mechanism_context *context, const char *argument);
bool gtsc_is_attached(const struct gpu *gpu);
/* Race detection: "nospec" or "ideal", then options of drd_options.h as "KEY=VALUE:...". */
int attach_drd(struct mechanism_context *context, const char *argument);
/* The protocol checker, after TC or G-TSC; no argument. */
int attach_coherence_check(struct mechanism_context *context, const char *argument);

#endif
