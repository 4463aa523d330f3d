/* adi_exact.c - see adi_exact.h. */
#include "mechanisms/adi/adi_exact.h"

#include <string.h>

void adi_exact_sample(struct adi_exact *exact, const unsigned *selectors, uint32_t block)
{
    unsigned pair = 0;
    for (unsigned a = 0; a < exact->n_selectors; a++) {
        const uint32_t bit = block >> selectors[a] & 1;
        exact->ones[a] += bit;
        for (unsigned b = a + 1; b < exact->n_selectors; b++, pair++) {
            exact->different[pair] += bit ^ (block >> selectors[b] & 1);
        }
    }
    exact->samples++;
}

/* MIN(c, T - c): how evenly the samples are split. */
static uint32_t usefulness(const struct adi_exact *exact, uint32_t count)
{
    return count < exact->samples - count ? count : exact->samples - count;
}

/* 3.7.5: the bit of least entropy, unless a pair is at most as useful; ties go to the
 * lowest position and the first pair. */
static unsigned victim_of(const struct adi_exact *exact)
{
    unsigned lowest = 0, pair = 0, first = 0, second = 1;
    uint32_t pair_use = UINT32_MAX, use[ADI_MRP_SELECTORS];
    for (unsigned a = 0; a < exact->n_selectors; a++) {
        use[a] = usefulness(exact, exact->ones[a]);
        lowest = use[a] < use[lowest] ? a : lowest;
    }
    for (unsigned a = 0; a < exact->n_selectors; a++) {
        for (unsigned b = a + 1; b < exact->n_selectors; b++, pair++) {
            const uint32_t together = usefulness(exact, exact->different[pair]);
            if (together < pair_use) {
                pair_use = together;
                first = a;
                second = b;
            }
        }
    }
    if (use[lowest] < pair_use) {
        return lowest;
    }
    return use[second] < use[first] ? second : first;
}

void adi_exact_forget(struct adi_exact *exact)
{
    exact->samples = 0;
    memset(exact->ones, 0, sizeof exact->ones);
    memset(exact->different, 0, sizeof exact->different);
}

void adi_exact_choose_victim(struct adi_exact *exact, const unsigned *selectors)
{
    exact->victim = victim_of(exact);
    adi_exact_forget(exact);
    adi_mrp_begin(&exact->mrp, selectors, exact->n_selectors, exact->victim, exact->n_bits);
}
