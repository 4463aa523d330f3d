/* cuda_properties.h - cudaDeviceProp as programs of CUDA 13 and of CUDA 11 and 12 have it.  Our own
 * declarations of the binary layout; CUDA's headers are not needed.
 */
#ifndef WARPLOCK_CUDA_PROPERTIES_H
#define WARPLOCK_CUDA_PROPERTIES_H

#include <stddef.h>

/* What stands at the same place in both. */
#define CUDA_PROPERTIES_HEAD \
    char name[256], uuid[16], luid[8]; \
    unsigned luid_mask; \
    size_t global_bytes, shared_per_block; \
    int registers_per_block, warp; \
    size_t pitch; \
    int threads_per_block, block[3], grid[3];

/* Limits of textures and surfaces. */
enum { CUDA_TEXTURE_LIMITS = 39, CUDA_TEXTURE_LIMITS_12 = 40 };

struct cuda_properties {
    CUDA_PROPERTIES_HEAD
    size_t const_bytes;
    int major, minor;
    size_t texture_alignment, texture_pitch_alignment;
    int sms, integrated, map_host, texture[CUDA_TEXTURE_LIMITS];
    size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, copy_engines,
        unified_addressing, bus_bits, l2_bytes, persisting_l2, threads_per_sm, priorities,
        global_l1, local_l1;
    size_t shared_per_sm;
    int registers_per_sm, managed, multi_board, board_group, host_atomics, pageable,
        concurrent_managed, preemption, registered_pointer, cooperative;
    size_t shared_optin;
    int host_page_tables, direct_managed, blocks_per_sm, access_window;
    size_t shared_reserved;
    int host_register, sparse, register_read_only, timeline, pools, rest[71];
};
_Static_assert(sizeof(struct cuda_properties) == 1008, "as programs of CUDA 13 have it");
_Static_assert(offsetof(struct cuda_properties, surface_alignment) == 552, "as programs have it");
_Static_assert(offsetof(struct cuda_properties, shared_optin) == 672, "as programs have it");
_Static_assert(offsetof(struct cuda_properties, pools) == 720, "as programs have it");

struct cuda_properties_12 {
    CUDA_PROPERTIES_HEAD
    int clock_khz;
    size_t const_bytes;
    int major, minor;
    size_t texture_alignment, texture_pitch_alignment;
    int overlap, sms, timeout, integrated, map_host, mode, texture[CUDA_TEXTURE_LIMITS_12];
    size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, copy_engines,
        unified_addressing, memory_khz, bus_bits, l2_bytes, persisting_l2, threads_per_sm,
        priorities, global_l1, local_l1;
    size_t shared_per_sm;
    int registers_per_sm, managed, multi_board, board_group, host_atomics, double_ratio, pageable,
        concurrent_managed, preemption, registered_pointer, cooperative, cooperative_multi;
    size_t shared_optin;
    int host_page_tables, direct_managed, blocks_per_sm, access_window;
    size_t shared_reserved; /* the last of CUDA 11 */
};
_Static_assert(sizeof(struct cuda_properties_12) == 728, "as programs of CUDA 11 have it");
enum { CUDA_PROPERTIES_12_BYTES = 1032 };

#endif
