/* address_map.h - which memory partition, bank and piece of it a block belongs to.
 *
 * Works after aci-iacm-blpp 2.5 (two banks per partition, 256-byte interleave).  It must not
 * know who asks.
 */
#ifndef WARPLOCK_MACHINE_ADDRESS_MAP_H
#define WARPLOCK_MACHINE_ADDRESS_MAP_H

#include <stdint.h>

#include "machine/config/config.h"
#include "machine/config/polynomial.h"

/* Interleaves are powers of two (config.c): a shift is many times faster than a division. */
static inline uint32_t l2_interleave_shift(const struct gpu_config *config)
{
    return (uint32_t)__builtin_ctz(config->l2_interleave_bytes);
}

/* The bank number of a block: as the interleave has it, or hashed with the bits above. */
static inline uint32_t l2_bank_of(const struct gpu_config *config, uint64_t block)
{
    uint64_t piece = block >> l2_interleave_shift(config), turn = piece / config->l2_partitions;

    const uint32_t bank = (uint32_t)(config->l2_banks * (piece - turn * config->l2_partitions) +
                                     turn % config->l2_banks);

    return config->l2_slices == SLICES_POLYNOMIAL ? polynomial_64(bank, turn / config->l2_banks)
                                                  : bank;
}

/* The address that the bank's index sees (l2.index_address). */
static inline uint64_t l2_index_address(const struct gpu_config *config, uint64_t block)
{
    uint32_t shift = l2_interleave_shift(config);
    uint32_t round = config->l2_partitions * config->l2_banks;

    if (config->l2_index_address == INDEX_ADDRESS_RAW) {
        return block;
    }
    return (block >> shift) / round << shift | (block & (config->l2_interleave_bytes - 1));
}

/* Nodes of the networks' memory side: the banks, then the ports of the host, which blocks go round. */
static inline uint16_t node_of_host(const struct gpu_config *config)
{
    return (uint16_t)(config->l2_partitions * config->l2_banks);
}

static inline uint16_t host_port_of(const struct gpu_config *config, uint64_t block)
{
    return (uint16_t)((block >> BLOCK_SHIFT) % config->host_ports);
}

#endif
