/* adi_exact.h - a round of adaptive indexing worked out by the document's definitions
 * (aci-iacm-blpp 3.7.5, 3.7.7): the victim from entropies and correlations, the new bit
 * from the exact mean run period.
 *
 * Software beside adi_engine: its victim must be the same, its new bit may differ,
 * because the engine counts toggles instead.  It knows nothing of caches or units. */
#ifndef WARPLOCK_MECHANISMS_ADI_EXACT_H
#define WARPLOCK_MECHANISMS_ADI_EXACT_H

#include <stdint.h>

#include "mechanisms/adi/adi_mrp.h"

enum { ADI_EXACT_PAIRS = ADI_MRP_SELECTORS * (ADI_MRP_SELECTORS - 1) / 2 };

struct adi_exact {
    unsigned n_selectors, n_bits; /* index bits; candidates are block-address bits below n_bits */
    uint32_t samples, ones[ADI_MRP_SELECTORS], different[ADI_EXACT_PAIRS];
    unsigned victim; /* index position, from adi_exact_choose_victim on */
    struct adi_mrp mrp;
};

/* Victimization: one missed access; `selectors` are block-address bits by position. */
void adi_exact_sample(struct adi_exact *exact, const unsigned *selectors, uint32_t block);
/* Begins victimization anew. */
void adi_exact_forget(struct adi_exact *exact);
/* Ends victimization: sets `victim`, clears the counts, begins the selection. */
void adi_exact_choose_victim(struct adi_exact *exact, const unsigned *selectors);

#endif
