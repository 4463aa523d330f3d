/* sectors.h - what a mechanism of granularity has at each L1D and at each L2 bank: the sectors of its
 * lines (sect_tag), and the predictor of those that a block miss fetches beyond what it needs.
 *
 * Works after lakshminarayana2014 3.6.  The two levels know each other by requests alone: a request
 * says which sectors it wants and the load's PC (D-GRAN-3). */
#ifndef WARPLOCK_GRAPH_SECTORS_H
#define WARPLOCK_GRAPH_SECTORS_H

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

enum sectors_policy { SECTORS_COARSE, SECTORS_PLAIN, SECTORS_SPP, SECTORS_BIM, SECTORS_NAP };

/* Of a line: what its block was fetched with. */
struct sectors_line {
    uint64_t block;
    uint16_t sm;
    uint8_t note, first; /* of the predictor; the first sector of the miss */
    bool trains;         /* a load brought it */
};

struct sectors {
    const char *level; /* "sm3.l1d", "bank1" */
    uint32_t ways;
    bool at_l1, emptied; /* when a kernel starts */
    enum sectors_policy policy;
    struct policy_socket inner;
    struct unit_pins tag, predictor;
    struct {
        uint64_t *flush, *lk_valid, *lk_present, *lk_line, *lk_need, *inv_valid, *inv_line,
            *fill_valid, *fill_new, *fill_line, *fill_mask, *read_valid, *read_line, *read_mask;
        uint64_t *hit, *blk_miss, *miss_mask, *evict_valid, *evict_used, *evict_unused;
    } at;
    struct {
        uint64_t *valid, *pc, *first, *need, *line, *mask, *note, *coarse, *flipped;
        uint64_t *evict_valid, *evict_note, *evict_first, *evict_line, *evict_used;
    } of;
    struct sectors_line *line;
    uint64_t block_misses, sector_misses, needed, added, insertions, private_hits, shared_hits;
    uint64_t evicted[5], unused, flips; /* by sectors that were read */
    uint64_t differences;               /* between sect_tag and what the cache holds */
};

/* Open the units and plug in. */
int sectors_at_core(struct mechanism_context *context, struct core *core, void *sectors);
int sectors_at_bank(struct mechanism_context *context, struct bank *bank, void *sectors);

/* ---- the predictor: predict.c ---- */

int predict_open(struct mechanism_context *context, struct sectors *sectors);
/* Sectors to fetch for a block miss that needs `needed`, or some of them; the miss's note. */
uint8_t predict(struct sectors *sectors, const struct access_info *access, uint8_t needed,
                uint8_t *note);
/* A line leaves of which those were read. */
void predict_train(struct sectors *sectors, const struct sectors_line *line, uint8_t used);

#endif
