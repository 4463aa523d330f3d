/* dacache.h - DaCache's units beside one L1D, between the files of the mechanism. */
#ifndef WARPLOCK_MECHANISMS_DACACHE_H
#define WARPLOCK_MECHANISMS_DACACHE_H

#include "mechanisms/dacache/partition.h"
#include "mechanisms/sched/ranks.h"

/* What to do when the thrashing region has no replaceable line.  BYPASS_CLASS: only loads that
 * would be inserted at LRU bypass, the others stall (D-DAC-8). */
enum dacache_replacement { DACACHE_UNCON, DACACHE_STALL, DACACHE_BYPASS, DACACHE_BYPASS_CLASS };

/* One variant of the document. */
struct dacache_kind {
    int partition; /* warps per scheduler, or -1: trained */
    enum dacache_replacement replacement;
    uint32_t promotion;   /* positions a hit climbs; 0: straight to MRU */
    bool scheduler_scope; /* D-DAC-12: training compares FCW with the rank in the scheduler */
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
    const struct sm *sm;
    struct dacache_kind kind;
    struct ranks ranks;
    struct partition part; /* of a trained partition */
    struct unit_pins gauge, region, victim, stack, track, vc, clp;
    struct {
        uint64_t *prio, *nreq, *clp, *fcw, *en_gauge, *q;
    } gauge_at;
    struct {
        uint64_t *fcw, *p_eff;
    } region_at;
    struct {
        uint64_t *stack_i, *valid, *reserved, *p_eff, *uncon, *found, *vway;
    } victim_at;
    struct {
        uint64_t *op, *set_index, *pos, *q, *g, *stack_o;
    } stack_at;
    struct {
        uint64_t *start_v, *start_nreq, *acc_v, *acc_result, *acc_last, *retire_v, *miss_seen;
    } track_at;
    struct {
        uint64_t *acc_v, *pc, *tag, *push, *inv_v, *inv_pc, *clear, *hit, *disp_v, *disp_pc;
    } vc_at;
    struct {
        uint64_t *lk_v, *lk_pc, *ins_v, *ins_pc, *ins_flag, *clear, *state;
    } clp_at;
    bool is_load; /* the instruction being coalesced */
    struct dacache_load load[DACACHE_LOADS];
    uint32_t load_head, n_loads;
    struct dacache_counts counts;
};

/* Open and wire all units for `dacache->sm`; 0, or -1 with an error. */
int dacache_open(struct mechanism_context *context, struct dacache *dacache);

/* ---- coherent load profiling (dacache_profile.c) ---- */

/* The profile of a load's PC: 0 unknown, 1 locality, 2 none. */
uint8_t dacache_profile_of(struct dacache *dacache, uint32_t pc);
/* A sampled coherent load's access of `block` was accepted (D-DAC-11). */
void dacache_profile(struct dacache *dacache, uint32_t pc, uint64_t block, bool l1d_hit);
/* A kernel starts (D-DAC-1). */
void dacache_profile_clear(struct dacache *dacache);

#endif
