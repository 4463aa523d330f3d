/* coherence.h - between the coherence protocols: what each makes of the machine. */
#ifndef WARPLOCK_MECHANISMS_COHERENCE_H
#define WARPLOCK_MECHANISMS_COHERENCE_H

#include "mechanisms/mechanism.h"

/* What a protocol asks of the machine's own parts (tabbakh2018-coherence 3.4). */
struct coherence_rules {
    bool sequential;       /* one memory instruction of a warp at a time ([D-M1]) */
    bool barrier_drains;   /* a CTA barrier is a fence ([D-M2]) */
    uint32_t global_write; /* enum config_global_write */
};

/* Set the machine's keys so. */
void coherence_machine(struct machine *machine, const struct coherence_rules *rules);

#endif
