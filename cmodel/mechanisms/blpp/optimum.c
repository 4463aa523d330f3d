/* optimum.c - see optimum.h. */
#include "mechanisms/blpp/optimum.h"

__extension__ typedef unsigned __int128 wide;

static double of(uint32_t part_mbps, const struct blpp_system *system)
{
    return (double)part_mbps / ((double)system->gpu_mbps + system->cpu_mbps);
}

double blpp_transfer_us(const struct blpp_system *system, double bytes, double p)
{
    const double gpu = p > 0 ? p * bytes / system->gpu_mbps : 0;
    const double cpu = p < 1 ? (1 - p) * bytes / system->cpu_mbps : 0;
    return gpu > cpu ? gpu : cpu;
}

uint32_t blpp_share(const struct blpp_system *system)
{
    return (uint32_t)((uint64_t)BLPP_ONE * system->gpu_mbps /
                      ((uint64_t)system->gpu_mbps + system->cpu_mbps));
}

double blpp_gpu_latency(const struct blpp_system *system, double l1_rate, double l2_rate)
{
    return system->l1d_cycles + l1_rate * (system->l2_cycles + l2_rate * system->gpu_cycles);
}

double blpp_latency_ratio(const struct blpp_system *system, double l1_rate, double l2_rate)
{
    const double gpu = blpp_gpu_latency(system, l1_rate, l2_rate);
    return (of(system->gpu_mbps, system) * gpu +
            of(system->cpu_mbps, system) * system->cpu_cycles) /
           gpu;
}

double blpp_bandwidth_gain(const struct blpp_system *system)
{
    return 1 / of(system->gpu_mbps, system);
}

/* Both counts, shifted alike until the larger has 16 bits. */
static void scale(uint64_t *accesses, uint64_t *misses)
{
    while (*accesses >> 16) {
        *accesses >>= 1;
        *misses >>= 1;
    }
}

/* Eq. 5 < theta_L, multiplied by everything that it divides by. */
bool blpp_tolerates_latency(const struct blpp_system *system, const struct blpp_profile *profile)
{
    uint64_t a1 = profile->l1_accesses, m1 = profile->l1_misses, a2 = profile->l2_accesses,
             m2 = profile->l2_misses;
    if (a1 == 0) {
        return false;
    }
    scale(&a1, &m1);
    scale(&a2, &m2);
    a2 = a2 != 0 ? a2 : 1;
    const wide gpu = (wide)system->l1d_cycles * a1 * a2 +
                     (wide)m1 * ((wide)system->l2_cycles * a2 + (wide)m2 * system->gpu_cycles);
    const wide mixed = system->gpu_mbps * gpu +
                       (wide)system->cpu_mbps * system->cpu_cycles * a1 * a2;
    return 10 * mixed < system->theta_l_tenths * ((wide)system->gpu_mbps + system->cpu_mbps) * gpu;
}

bool blpp_needs_bandwidth(const struct blpp_system *system, const struct blpp_profile *profile)
{
    return (wide)profile->bytes * system->core_khz >
           (wide)system->theta_b_mbps * 1000 * profile->cycles;
}

uint32_t blpp_optimum(const struct blpp_system *system, const struct blpp_profile *profile)
{
    return blpp_tolerates_latency(system, profile) && blpp_needs_bandwidth(system, profile)
               ? blpp_share(system)
               : BLPP_ONE;
}
