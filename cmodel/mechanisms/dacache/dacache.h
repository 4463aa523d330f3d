/* dacache.h - DaCache's units beside one L1D, between the files of the mechanism. */
#ifndef WARPLOCK_MECHANISMS_DACACHE_H
#define WARPLOCK_MECHANISMS_DACACHE_H

#include "mechanisms/dacache/partition.h"
#include "mechanisms/sched/ranks.h"

/* What to do when the thrashing region has no replaceable line: the words of the option `none`.
 * CLASS: only loads that would be inserted at LRU bypass, the others stall. */
enum dacache_none { DACACHE_BYPASS, DACACHE_UNCON, DACACHE_STALL, DACACHE_CLASS };
/* Whose age rank training compares with the partition: the words of the option `rank`. */
enum dacache_rank { DACACHE_RANK_SM, DACACHE_RANK_SCHEDULER };

/* The options, see dacache.c. */
struct dacache_kind {
    int partition; /* warps per scheduler, or -1: trained */
    enum dacache_none none;
    enum dacache_rank rank;
};

/* A load between coalescing and its last access, in the order of the LD/ST queue. */
enum { DACACHE_LOADS = 16 };
struct dacache_load {
    uint8_t profile; /* dac_clp's answer, sampled once (3.12.8) */
    bool sampled;    /* a coherent load of the SM's oldest warp */
};

/* Sums of one SM. */
struct dacache_counts {
    uint64_t inserted_mru, inserted_lru, inserted_between;
    uint64_t bypasses_coherent, bypasses_divergent;
    uint64_t vc_probes, vc_hits, found_locality, found_none;
};

struct dacache {
    const struct core *core;
    struct dacache_kind kind;
    struct ranks ranks;
    struct partition part; /* of a trained partition */
    struct unit_pins gauge, region, victim, stack, track, vc, clp;
    struct {
        uint64_t *prio, *nreq, *clp, *fcw, *enable, *insert_pos;
    } gauge_at;
    struct {
        uint64_t *fcw, *p_eff;
    } region_at;
    struct {
        uint64_t *lru_stack, *valid, *reserved, *p_eff, *uncon, *found, *vway;
    } victim_at;
    struct {
        uint64_t *op, *set_index, *pos, *insert_pos, *climb, *lru_stack;
    } stack_at;
    struct {
        uint64_t *start_valid, *start_nreq, *acc_valid, *acc_result, *acc_last, *retire_valid,
            *miss_seen;
    } track_at;
    struct {
        uint64_t *acc_valid, *pc, *tag, *push, *inv_valid, *inv_pc, *kernel_start, *hit,
            *disp_valid, *disp_pc;
    } vc_at;
    struct {
        uint64_t *lk_valid, *lk_pc, *ins_valid, *ins_pc, *ins_flag, *kernel_start, *state;
    } clp_at;
    bool is_load; /* the instruction being coalesced */
    struct dacache_load load[DACACHE_LOADS];
    uint32_t load_head, n_loads;
    struct dacache_counts counts;
};

/* Open and wire all units for `dacache->core`; 0, or -1 with an error. */
int dacache_open(struct mechanism_context *context, struct dacache *dacache);

/* ---- coherent load profiling (dacache_profile.c) ---- */

/* The profile of a load's PC: 0 unknown, 1 locality, 2 none. */
uint8_t dacache_profile_of(struct dacache *dacache, uint32_t pc);
/* A sampled coherent load's access of `block` was accepted (D-DAC-11). */
void dacache_profile(struct dacache *dacache, uint32_t pc, uint64_t block, bool l1d_hit);
/* A kernel starts (D-DAC-1). */
void dacache_profile_clear(struct dacache *dacache);

#endif
