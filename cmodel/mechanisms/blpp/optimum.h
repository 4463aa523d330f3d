/* optimum.h - where pages had best lie: the equations of BLPP (aci 3.17.3), and its decision in integers
 * (aci 3.17.4).
 *
 * Shares are in 65536ths of all pages; 65536: all in GPU memory.  Knows no machine. */
#ifndef WARPLOCK_MECHANISMS_BLPP_OPTIMUM_H
#define WARPLOCK_MECHANISMS_BLPP_OPTIMUM_H

#include <stdbool.h>
#include <stdint.h>

enum { BLPP_ONE = 65536 };

/* Bandwidths in MB/s, not both 0; latencies in core cycles; thresholds of latency in tenths, of bandwidth in
 * MB/s. */
struct blpp_system {
    uint32_t gpu_mbps, cpu_mbps;
    uint32_t l1d_cycles, l2_cycles, gpu_cycles, cpu_cycles;
    uint32_t theta_l_tenths, theta_b_mbps;
    uint32_t core_khz;
};

/* What was counted in so many core cycles; misses are no more than accesses. */
struct blpp_profile {
    uint64_t l1_accesses, l1_misses, l2_accesses, l2_misses;
    uint64_t bytes, cycles;
};

/* Eq. 1: time of `bytes` of which the share p lies in GPU memory, in us; p from 0 to 1. */
double blpp_transfer_us(const struct blpp_system *system, double bytes, double p);
/* Eq. 2: the share that the bandwidths have. */
uint32_t blpp_share(const struct blpp_system *system);
/* Eq. 3: mean latency of GPU data, in cycles, at miss rates of L1D and L2. */
double blpp_gpu_latency(const struct blpp_system *system, double l1_rate, double l2_rate);
/* Eq. 5, which is Eq. 8: mean latency at the share of Eq. 2 over that of GPU data alone. */
double blpp_latency_ratio(const struct blpp_system *system, double l1_rate, double l2_rate);
/* Eq. 7: at most so many times faster than with GPU memory alone. */
double blpp_bandwidth_gain(const struct blpp_system *system);

/* The two conditions of Eq. 6, exactly. */
bool blpp_tolerates_latency(const struct blpp_system *system, const struct blpp_profile *profile);
bool blpp_needs_bandwidth(const struct blpp_system *system, const struct blpp_profile *profile);
/* Eq. 6, with Eq. 2 and Eq. 4: the best share.  Without an access: all in GPU memory. */
uint32_t blpp_optimum(const struct blpp_system *system, const struct blpp_profile *profile);

#endif
