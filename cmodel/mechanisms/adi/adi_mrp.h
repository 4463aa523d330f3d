/* adi_mrp.h - the new index bit by mean run period, exactly (aci 3.7.7).
 *
 * Software's comparison for adi_engine, which counts toggles as the cost claims pay for:
 * the source defines the choice by the mean run period (MRP), and the two do not always
 * agree.  Not a unit: per-cluster quotients have no place in the claimed hardware. */
#ifndef WARPLOCK_MECHANISMS_ADI_ADI_MRP_H
#define WARPLOCK_MECHANISMS_ADI_ADI_MRP_H

#include <stdint.h>

enum { ADI_MRP_SELECTORS = 7, ADI_MRP_BITS = 32, ADI_MRP_CLUSTERS = 1 << (ADI_MRP_SELECTORS - 1) };

/* A selection phase in progress.  The caller owns it; no other memory is used. */
struct adi_mrp {
    unsigned n_selectors, victim, n_bits;
    unsigned selectors[ADI_MRP_SELECTORS];         /* block-address bit per index position */
    uint32_t accesses[ADI_MRP_CLUSTERS];           /* length of the cluster */
    uint32_t last[ADI_MRP_CLUSTERS];               /* block address of its last access */
    uint32_t runs[ADI_MRP_CLUSTERS][ADI_MRP_BITS]; /* runs of equal values per bit */
};

/* Begins a phase: n_selectors (2..7) block-address bits below n_bits (<= 32), of which the
 * one at index position `victim` is to be replaced; the candidates are the other bits
 * below n_bits and the victim. */
void adi_mrp_begin(struct adi_mrp *mrp, const unsigned *selectors, unsigned n_selectors,
                   unsigned victim, unsigned n_bits);

/* One access visible to the selection phase, at most 2^20 of them. */
void adi_mrp_access(struct adi_mrp *mrp, uint32_t block);

/* The candidate with the lowest mean, over the clusters that were accessed, of
 * accesses / runs.  Ties: the victim, then the lowest bit, as for toggles (3.7.5). */
unsigned adi_mrp_choose(const struct adi_mrp *mrp);

#endif
