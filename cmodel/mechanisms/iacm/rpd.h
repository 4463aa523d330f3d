/* rpd.h - bypassing by remaining protection distance at an L1D: the unit rpd_bypass as its replacement
 * policy (aci 3.13).  Knows nothing of phases or limits. */
#ifndef WARPLOCK_MECHANISMS_IACM_RPD_H
#define WARPLOCK_MECHANISMS_IACM_RPD_H

#include "mechanisms/ports.h"

struct rpd {
    struct core *core;
    uint32_t ways;
    uint8_t *rank; /* [sets * ways] LRU, 0 the least recently used */
    struct unit_pins unit;
    uint64_t *req_valid, *req_accept, *req_set, *hit, *hit_rsv, *hit_pend, *hit_way, *line_state,
        *lru_rank, *fill_valid, *fill_set, *fill_way, *inv_valid, *inv_set, *inv_mask;
    uint64_t *bypass, *victim_valid, *victim_way;
    uint64_t bypasses_reserved, bypasses_protected;
};

/* Open the unit and plug it in; 0, or -1 with an error. */
int rpd_join(struct mechanism_context *context, struct core *core, struct rpd *rpd);

#endif
