/* config.h - the machine's configuration: a flat record of numbers, each with its legal range.
 *
 * Works after section 2 of every specification (docs/sections.md); the keys are in config_keys.h.
 * It must not know what a component does with a value, nor any mechanism, nor files:
 * config_file.h reads those.
 */
#ifndef WARPLOCK_GPU_CONFIG_H
#define WARPLOCK_GPU_CONFIG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    BLOCK_BYTES = 128,
    BLOCK_SHIFT = 7,
    SECTOR_BYTES = 32,
    SECTORS = 4,
    ADDRESS_BITS = 40,
    L1D_BANKS = 4
};

enum config_scheduler { SCHEDULER_GTO, SCHEDULER_LRR, SCHEDULER_TWO_LEVEL };
enum config_consistency { CONSISTENCY_RC, CONSISTENCY_SC };
enum config_index { INDEX_LINEAR, INDEX_FERMI_HASH, INDEX_POLYNOMIAL };
enum config_slices { SLICES_INTERLEAVED, SLICES_POLYNOMIAL };
enum config_allocate { ALLOCATE_ON_MISS, ALLOCATE_ON_FILL };
enum config_at_launch { AT_LAUNCH_EMPTIED, AT_LAUNCH_REFRESHED };
enum config_prefetch_stall { PREFETCH_RETRY, PREFETCH_DROP };
enum config_global_write { WRITE_EVICT, WRITE_THROUGH, WRITE_THROUGH_ALLOCATE };
enum config_local_write { LOCAL_AS_GLOBAL, LOCAL_BACK };
enum config_switch { SWITCH_FLITS, SWITCH_PACKETS };
enum config_topology { TOPOLOGY_CROSSBAR, TOPOLOGY_MESH };
enum config_index_address { INDEX_ADDRESS_PARTITION, INDEX_ADDRESS_RAW };
enum config_dispatch { DISPATCH_FIRST, DISPATCH_NEXT };
enum config_greed { GREED_WARP, GREED_SLOT };
enum config_order { ORDER_LANES, ORDER_DESCENDING };
enum config_segments { SEGMENTS_BLOCKS, SEGMENTS_WIDTH };
enum config_local { LOCAL_GRID, LOCAL_SLOTS };
enum config_past { PAST_BLOCKS, PAST_SECTORS };
enum config_fence { FENCE_PERFORMED, FENCE_REGISTERS };
enum config_conflicts { CONFLICTS_ALL_WORDS, CONFLICTS_FIRST_WORD };
enum config_dram_scheduler { DRAM_SCHEDULER_REQUESTS, DRAM_SCHEDULER_BANKS };
enum config_command_bus { COMMAND_BUS_ONE, COMMAND_BUS_DUAL };
enum config_l2_write { L2_WRITE_BACK, L2_WRITE_BACK_FETCH, L2_WRITE_EVICT };

struct gpu_config {
#define U(section, name, def, min, max, unit, meaning) uint32_t section##_##name;
#define E(section, name, def, words, meaning) uint32_t section##_##name;
#include "machine/config/config_keys.h"
#undef U
#undef E
};

enum {
    CONFIG_KEYS = 0
#define U(section, name, def, min, max, unit, meaning) +1
#define E(section, name, def, words, meaning) +1
#include "machine/config/config_keys.h"
#undef U
#undef E
};

/* Every key at its default: a 15-SM Fermi-like machine. */
void config_defaults(struct gpu_config *config);

/* Give a key the value that a text stands for.  Returns the key's number, below CONFIG_KEYS;
 * else -1 with the reason, without a place, in `why`. */
int config_assign(struct gpu_config *config, const char *section, const char *name,
                  const char *value, char *why, size_t n_why);

/* One `section.key=value`, as given on a command line. */
int config_set(struct gpu_config *config, const char *assignment, char *error, size_t n_error);

/* Relations between keys.  Returns 0; else -1 and one line with the remedy.  */
int config_check(const struct gpu_config *config, char *error, size_t n_error);

/* "section.key" of a key's number, and its value as a file would have it. */
void config_key_name(size_t key, char *out, size_t n_out);
void config_key_value(const struct gpu_config *config, size_t key, char *out, size_t n_out);
/* Every key with value, unit, legal range and meaning, one a line. */
void config_print(const struct gpu_config *config, FILE *out);

#endif
