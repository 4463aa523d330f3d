/* sm_l1d_sectors.h - an L1D that works by sectors (l1d.sector_bytes), in place of one of lines.
 *
 * Each sector misses, merges and is filled by itself: an MSHR entry is of one sector, under its own
 * address.  A store goes through, and its bytes are kept in a line that is given to its block if it
 * has none; nothing is fetched for it, and nothing written back.  A sector of which some bytes are
 * missing misses when it is read.  Behind a store a later load does not merge into an older miss.  An
 * atomic takes the sector's copy away, a fence takes everything.  With l1d.carveout the shared memory
 * that a kernel's CTAs need on an SM takes ways away.
 * Protocols, policies, prefetchers and whoever looks at lines have no part in it.
 */
#ifndef WARPLOCK_MACHINE_SM_L1D_SECTORS_H
#define WARPLOCK_MACHINE_SM_L1D_SECTORS_H

#include "machine/cache/sector_cache.h"
#include "machine/sm/sm_l1d.h"

/* NULL when out of memory. */
struct sector_cache *sm_sectors_new(const struct gpu_config *config);
void sm_sectors_free(struct sector_cache *cache);
/* A kernel starts. */
void sm_sectors_start(struct sm *sm);

/* What is plugged into the SM and not served, since its L1D works by sectors; NULL: nothing. */
const char *sm_sectors_cannot(const struct sm *sm);

/* As sm_l1d_load and kin. */
int sm_sectors_load(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                    const struct access_info *info);
int sm_sectors_store(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                     const struct access_info *info);
int sm_sectors_atomic(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                      const struct access_info *info);
void sm_sectors_fill(struct sm *sm, const struct mshr_entry *entry, const struct reply *reply);
/* Everything goes, also what is on its way. */
void sm_sectors_drop_all(struct sm *sm);
/* The bytes of a block, whether all are valid or not; NULL: it is not there. */
const uint8_t *sm_sectors_bytes(const struct sm *sm, uint64_t block);

/* Which of so many banks a request goes to. */
static inline uint32_t sm_sectors_bank(const struct gpu_config *config, uint8_t pieces)
{
    const uint32_t of_sector = config->l1d_sector_bytes ? config->l1d_sector_bytes / SECTOR_BYTES
                                                        : SECTORS;

    return (uint32_t)__builtin_ctz(pieces) / of_sector % config->l1d_banks;
}

#endif
