/* adi_mrp.c - the new index bit by mean run period, exactly (aci 3.7.7).
 *
 * Means over the same clusters compare like sums, so sums of fractions are compared, and
 * exactly: digit by digit, never by a rounded quotient.  Knows nothing of adi_engine. */
#include "mechanisms/adi/adi_mrp.h"

#include <stdbool.h>
#include <string.h>

enum {
    DIGIT_BITS = 32,
    RUN_BITS = 21, /* runs <= 2^20 fit */
    /* A difference of sums that is not 0 is at least 2^-(bits of all denominators). */
    DIGITS = 2 * ADI_MRP_CLUSTERS * RUN_BITS / DIGIT_BITS + 1
};

void adi_mrp_begin(struct adi_mrp *mrp, const unsigned *selectors, unsigned n_selectors,
                   unsigned victim, unsigned n_bits)
{
    memset(mrp, 0, sizeof *mrp);
    mrp->n_selectors = n_selectors;
    mrp->victim = victim;
    mrp->n_bits = n_bits;
    memcpy(mrp->selectors, selectors, n_selectors * sizeof *selectors);
}

void adi_mrp_access(struct adi_mrp *mrp, uint32_t block)
{
    unsigned cluster = 0;
    for (unsigned i = 0; i < mrp->n_selectors; i++) {
        if (i != mrp->victim) {
            cluster = cluster * 2 + (block >> mrp->selectors[i] & 1);
        }
    }
    const bool first = mrp->accesses[cluster] == 0;
    for (unsigned k = 0; k < mrp->n_bits; k++) {
        mrp->runs[cluster][k] += first || ((block ^ mrp->last[cluster]) >> k & 1) != 0;
    }
    mrp->accesses[cluster]++;
    mrp->last[cluster] = block;
}

/* The sign of (sum of accesses / runs of bit a) - (the same of bit b). */
static int compare(const struct adi_mrp *mrp, unsigned a, unsigned b)
{
    uint64_t rest_a[ADI_MRP_CLUSTERS], rest_b[ADI_MRP_CLUSTERS];
    int64_t difference = 0;
    for (unsigned c = 0; c < ADI_MRP_CLUSTERS; c++) {
        rest_a[c] = rest_b[c] = mrp->accesses[c];
    }
    for (unsigned n = 0; n <= DIGITS; n++) {
        int64_t digit = 0;
        for (unsigned c = 0; c < ADI_MRP_CLUSTERS; c++) {
            if (mrp->accesses[c] != 0) {
                const uint64_t runs_a = mrp->runs[c][a], runs_b = mrp->runs[c][b];
                digit += (int64_t)(rest_a[c] / runs_a) - (int64_t)(rest_b[c] / runs_b);
                rest_a[c] = rest_a[c] % runs_a << DIGIT_BITS;
                rest_b[c] = rest_b[c] % runs_b << DIGIT_BITS;
            }
        }
        difference = difference * (INT64_C(1) << DIGIT_BITS) + digit;
        /* What follows this digit is less than one per cluster and side. */
        if (difference > ADI_MRP_CLUSTERS || difference < -ADI_MRP_CLUSTERS) {
            return difference > 0 ? 1 : -1;
        }
    }
    return 0;
}

unsigned adi_mrp_choose(const struct adi_mrp *mrp)
{
    uint64_t retained = 0;
    for (unsigned i = 0; i < mrp->n_selectors; i++) {
        if (i != mrp->victim) {
            retained |= UINT64_C(1) << mrp->selectors[i];
        }
    }
    unsigned best = mrp->selectors[mrp->victim];
    for (unsigned k = 0; k < mrp->n_bits; k++) {
        if ((retained >> k & 1) == 0 && compare(mrp, k, best) < 0) {
            best = k;
        }
    }
    return best;
}
