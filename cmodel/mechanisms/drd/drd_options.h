/* drd_options.h - what may be chosen of race detection, one row an option: the table of the
 * descriptors and the struct of the values are made of it.
 *
 * N(key, standard, least, greatest, meaning, section): a number; P: the same, a power of two;
 * W(key, standard, words, meaning, section): one of `words`, whose position is the value. */
#ifndef WARPLOCK_MECHANISMS_DRD_OPTIONS_H
#define WARPLOCK_MECHANISMS_DRD_OPTIONS_H

#include <stdint.h>

#define DRD_OPTIONS(N, P, W) \
    P(m, 4096, 64, 16384, "bits of a signature", "3.7.2") \
    P(per, 8, 2, 64, "bits of a signature per element before it is forced", "3.7.4, D-R2") \
    W(sig, 0, "bloom|exact", "what a signature holds: exact has no false positives", "3.7.2") \
    W(gran, 2, "byte|word|block|half", "what is tracked: 1, 4, 128 or 512 bytes", "3.7.2, D-R1") \
    N(hits, 4, 1, 15, "hits in a row of a line before one is checked", "3.7.5, D-R4") \
    W(limit, 0, "spec|always|never", \
      "a load at that limit goes on under its check: by mode, or not", "3.7.5, 3.7.6, D-R22") \
    W(stall, 0, "warp|sm", "who waits under a miss or a write, without speculation", "3.7.5") \
    N(link, 20, 0, 1000, "core cycles from the race detection unit to an SM", "3.7.3") \
    W(carry, 0, "link|noc", "signatures: on the link, or in the replies too (K36)", "3.7.3") \
    N(unique, 0, 0, 1, "1 counts only insertions that set a new bit", "3.7.4, D-R2") \
    N(once, 0, 0, 1, "1 forces a full signature between two granules", "3.7.4, D-R2") \
    N(tags, 0, 0, 2, "0 ages, 1 epoch numbers, 2 numbers that come again", "3.7.7, D-R10") \
    N(epochbits, 5, 2, 8, "bits of an epoch number", "3.7.7, D-R10") \
    N(retag, 0, 0, 1, "1: a validated hit of all granules moves its line on", "3.7.5") \
    W(syncs, 0, "request|instruction", "what of a store is a point", "3.7.4, D-R16") \
    W(check, 0, "block|touched", "what the race check of a miss covers", "3.7.4, D-R15") \
    W(tagged, 0, "check|fill", "the epoch of a line is that of its check or fill", "3.7.7, D-R5") \
    W(order, 0, "l2|late", "the unit sees a store with its L2 bank, or later", "3.7.7, D-R9") \
    W(atomic, 0, "drops|keeps", "the copy that an atomic meets", "3.7.7, D-R12") \
    W(own, 0, "waits|hits", "loads of a line with an unacknowledged store of the SM", "3.7.5") \
    N(queue, 32, 2, 64, "loads that wait for validation, with speculation", "3.7.6, D-R8") \
    W(stores, 0, "wait|early", "stores behind speculative loads of their warp", "3.7.6, D-R7") \
    W(acks, 0, "wait|overlap", "with speculation, stores behind those of their warp", \
      "3.7.4, D-R23") \
    W(forced, 0, "fails|passes", "forced signatures and speculative loads", "3.7.6, D-R17") \
    W(commit, 0, "order|any", "in which order loads of a warp are committed", "3.7.6, D-R18") \
    W(merged, 0, "checks|trusts", "a load that joined a fetch after its check", "3.7.6, D-R20") \
    W(ownstore, 0, "fails|passes", "an own store and younger speculative loads", "3.7.6, D-R21") \
    W(kernels, 0, "clear|keep", "L1Ds, epochs and signatures when a kernel begins", \
      "3.7.7, D-R11") \
    W(local, 0, "free|checked", "local memory: no protocol's business, or checked below the L1D", \
      "3.7.5, D-R24") \
    W(pace, 0, "none|units", "time of units: none, or a cycle for each of their steps", \
      "3.7.8, D-R13")

enum drd_mode { DRD_NOSPEC, DRD_IDEAL, DRD_SPEC };

struct drd_options {
    enum drd_mode mode;
#define O(key, ...) uint32_t key;
    DRD_OPTIONS(O, O, O)
#undef O
};

/* log2 of the granule's bytes. */
static inline uint32_t drd_shift(const struct drd_options *options)
{
    static const uint8_t shifts[] = {0, 2, 7, 9};
    return shifts[options->gran];
}

/* Most bits of a word in which a signature goes from unit to unit: the beats of 3.7.8. */
enum { DRD_WORD = 256 };

static inline uint32_t drd_word_lanes(const struct drd_options *options)
{
    return (options->m < DRD_WORD ? options->m : DRD_WORD) / 64;
}

#endif
