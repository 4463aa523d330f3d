/* drd_options.h - what may be chosen of race detection: -m drd-nospec:KEY=VALUE:...
 * DRD_OPTION(key, standard, lowest, highest, words, about): a number, or one of `words`
 * separated by |, whose position is the value.  Included with DRD_OPTION defined, or once
 * without, which declares the struct. */
#ifndef WARPLOCK_MECHANISMS_DRD_OPTIONS_H
#define WARPLOCK_MECHANISMS_DRD_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#define DRD_OPTIONS(O) \
    O(m, 4096, 64, 16384, NULL, "bits of a signature, a power of two") \
    O(per, 8, 2, 64, NULL, "bits of a signature per element before it is forced, a power of two") \
    O(sig, 0, 0, 1, "bloom|exact", "what a signature holds: exact has no false positives") \
    O(gran, 2, 0, 3, "byte|word|block|half", "what is tracked: 1, 4, 128 or 512 bytes") \
    O(hits, 4, 1, 15, NULL, "hits in a row of a line before one is checked (D-R4)") \
    O(stall, 0, 0, 1, "warp|sm", "who waits under a miss or a write, without speculation") \
    O(link, 20, 0, 1000, NULL, "core cycles from the race detection unit to an SM") \
    O(carry, 0, 0, 1, "link|noc", "signatures: on the link, or in the replies too (K36)") \
    O(unique, 0, 0, 1, NULL, "D-R2: 1 counts only insertions that set a new bit") \
    O(once, 0, 0, 1, NULL, "D-R2: 1 forces a full signature between two granules") \
    O(tags, 0, 0, 2, NULL, "D-R10: 0 ages, 1 epoch numbers, 2 numbers that come again") \
    O(epochbits, 5, 2, 8, NULL, "D-R10: bits of an epoch number") \
    O(retag, 0, 0, 1, NULL, "1: a validated hit of all granules moves its line on") \
    O(syncs, 0, 0, 1, "request|instruction", "D-R16: what of a store is a point") \
    O(check, 0, 0, 1, "block|touched", "D-R15: what the race check of a miss covers") \
    O(tagged, 0, 0, 1, "check|fill", "D-R5: the epoch of a line is that of its check or fill") \
    O(order, 0, 0, 1, "l2|late", "D-R9: the unit sees a store with its L2 bank, or later") \
    O(atomic, 0, 0, 1, "drops|keeps", "D-R12: the copy that an atomic meets") \
    O(own, 0, 0, 1, "waits|hits", "loads of a line with an unacknowledged store of the SM") \
    O(queue, 32, 2, 64, NULL, "D-R8: loads that wait for validation, with speculation") \
    O(stores, 0, 0, 1, "wait|early", "D-R7: stores behind speculative loads of their warp") \
    O(forced, 0, 0, 1, "fails|passes", "D-R17: forced signatures and speculative loads") \
    O(commit, 0, 0, 1, "order|any", "D-R18: in which order loads of a warp are committed") \
    O(merged, 0, 0, 1, "checks|trusts", "D-R20: a load that joined a fetch after its check") \
    O(ownstore, 0, 0, 1, "fails|passes", "D-R21: an own store and younger speculative loads")

enum drd_mode { DRD_NOSPEC, DRD_IDEAL, DRD_SPEC };

struct drd_options {
    enum drd_mode mode;
#define O(key, ...) uint32_t key;
    DRD_OPTIONS(O)
#undef O
};

/* log2 of the granule's bytes. */
uint32_t drd_shift(const struct drd_options *options);

/* Set all to the standard, then as `text` ("m=1024:gran=word") says.  0, or -1 with one line
 * in `error`. */
int drd_options_read(const char *text, struct drd_options *options, char *error, size_t n_error);

#endif
