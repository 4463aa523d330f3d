/* prefetch_block.h - the prefetchers that look at misses, not at loads (caps-prefetch 3.12,
 * 3.13): the next line, and the rest of a macro block. */
#ifndef WARPLOCK_MECHANISMS_PREFETCH_BLOCK_H
#define WARPLOCK_MECHANISMS_PREFETCH_BLOCK_H

#include "mechanisms/prefetch/prefetch.h"

extern const struct prefetch_kind prefetch_nlp, prefetch_lap;

/* LAP beside every L1D. */
int lap_attach(struct mechanism_context *context);

#endif
