/* stats.h - every counter of the machine, declared once with unit and definition.
 *
 * Works after the metric definitions of wang2015-divergence 3.8, caps-prefetch 5.2 and
 * section 5 of the specifications.  "Coherent" is a load with at most two block requests,
 * "divergent" one with more (wang2015 3.0).  It must not know who counts.
 */
#ifndef WARPLOCK_GPU_STATS_H
#define WARPLOCK_GPU_STATS_H

#include <jansson.h>
#include <stdint.h>

/* C(name, unit, definition) */
#define SM_COUNTERS(C) \
    C(active_cycles, "core cycles", "cycles with at least one resident warp") \
    C(warp_instructions, "instructions", "warp instructions issued") \
    C(thread_instructions, "instructions", "lanes that executed, summed over issued instructions") \
    C(ctas, "CTAs", "CTAs completed") \
    C(loads_coherent, "instructions", "loads with 1..2 block requests") \
    C(loads_divergent, "instructions", "loads with more than 2 block requests") \
    C(loads_empty, "instructions", "loads without an active lane") \
    C(stores, "instructions", "store instructions through the LD/ST unit") \
    C(atomics, "instructions", "atomic and reduction instructions") \
    C(shared_instructions, "instructions", "shared memory instructions") \
    C(shared_conflict_cycles, "core cycles", \
      "extra shared memory passes caused by bank conflicts") \
    C(barriers, "instructions", "barrier instructions") \
    C(fences, "instructions", "fence instructions") \
    C(load_accesses_coherent, "accesses", "accepted block requests of coherent loads") \
    C(load_hits_coherent, "accesses", "of these, served by the L1D") \
    C(load_merges_coherent, "accesses", "of these, merged into a miss in flight (hit reserved)") \
    C(load_misses_coherent, "accesses", "of these, sent to the next level with an MSHR") \
    C(load_bypasses_coherent, "accesses", "of these, sent to the next level without an MSHR") \
    C(load_accesses_divergent, "accesses", "accepted block requests of divergent loads") \
    C(load_hits_divergent, "accesses", "of these, served by the L1D") \
    C(load_merges_divergent, "accesses", "of these, merged into a miss in flight (hit reserved)") \
    C(load_misses_divergent, "accesses", "of these, sent to the next level with an MSHR") \
    C(load_bypasses_divergent, "accesses", "of these, sent to the next level without an MSHR") \
    C(store_accesses, "accesses", "accepted block requests of stores") \
    C(store_hits, "accesses", "of these, the block was VALID in the L1D") \
    C(store_kept, "accesses", \
      "of these, absorbed by the L1D without a message (local write-back)") \
    C(atomic_accesses, "accesses", "accepted block requests of atomics and reductions") \
    C(prefetch_accesses, "accesses", "prefetches presented to the L1D") \
    C(prefetch_duplicates, "accesses", "of these, dropped: block present or in flight") \
    C(prefetch_refused, "accesses", "of these, dropped: no line, MSHR entry or miss queue place") \
    C(prefetch_issued, "accesses", "of these, sent to the next level") \
    C(prefetch_used, "accesses", \
      "prefetched blocks used or merged into by a demand load, once each") \
    C(prefetch_late, "accesses", "of these, merged into before the data had arrived") \
    C(prefetch_distance, "core cycles", \
      "from a prefetch's way into the L1D to its use, summed over the used ones") \
    C(prefetch_evicted_early, "lines", "prefetched lines evicted unused by a demand fill") \
    C(prefetch_evicted_other, "lines", "prefetched lines lost unused otherwise") \
    C(fail_line, "core cycles", "access replayed: every line of the set is reserved") \
    C(fail_mshr, "core cycles", "access replayed: no MSHR entry or target") \
    C(fail_port, "core cycles", "access replayed: miss queue full (loads, stores and atomics)") \
    C(fail_protocol, "core cycles", \
      "access replayed: the coherence protocol or page placement says wait") \
    C(ldst_coal, "core cycles", \
      "L1D accesses that left more accesses of the same instruction behind") \
    C(l1d_evictions, "lines", "valid lines replaced") \
    C(l1d_write_invalidations, "lines", "lines dropped by a store or atomic") \
    C(l1d_killed_fills, "lines", "fills not kept because a store passed them") \
    C(l1d_unplaced_fills, "lines", "fills not kept for want of a replaceable line") \
    C(fully_cached_coherent, "instructions", "coherent loads whose accesses all hit") \
    C(fully_cached_divergent, "instructions", "divergent loads whose accesses all hit") \
    C(fully_missed_coherent, "instructions", "coherent loads without a hit") \
    C(fully_missed_divergent, "instructions", "divergent loads without a hit") \
    C(occlusion_coherent, "core cycles", "memory occlusion delay of coherent loads, summed") \
    C(occlusion_divergent, "core cycles", "memory occlusion delay of divergent loads, summed") \
    C(access_time_coherent, "core cycles", "issue to write-back of coherent loads, summed") \
    C(access_time_divergent, "core cycles", "issue to write-back of divergent loads, summed") \
    C(mshr_cycles, "entry cycles", "MSHR occupancy integrated over resident cycles") \
    C(requests_sent, "messages", "messages handed to the memory port") \
    C(requests_unanswered, "messages", "of these, of a kind without reply") \
    C(replies_received, "messages", "replies taken from the network")

/* Of an SM with a front end. */
#define FETCH_COUNTERS(C) \
    C(l1i_accesses, "accesses", "fetches of two instructions that the instruction cache took") \
    C(l1i_misses, "accesses", "of these, not in it")

/* Issue slots of a scheduler, one class per cycle with resident warps on the SM or without. */
#define SLOT_CLASSES(C) \
    C(issued, "an instruction issued") \
    C(idle, "no warp resident in this scheduler") \
    C(pipe_ldst, "a ready instruction waits for the LD/ST unit only") \
    C(pipe_alu, "a ready instruction waits for an arithmetic pipe only") \
    C(pipe_both, "ready instructions wait for LD/ST and for arithmetic pipes") \
    C(qualify, "ready instructions and free pipes, but the scheduler's policy held them") \
    C(score_load, "all wait, some for a memory load, none for arithmetic") \
    C(score_alu, "all wait, some for arithmetic, none for a memory load") \
    C(score_both, "all wait, some for loads and some for arithmetic") \
    C(sync, "all wait at barriers or fences") \
    C(fetch, "all wait for fetch after a control transfer, or to retire")

#define L2_COUNTERS(C) \
    C(reads, "requests", "reads accepted") \
    C(read_hits, "requests", "of these, hit") \
    C(read_merges, "requests", "of these, merged into a miss in flight") \
    C(read_misses, "requests", "of these, allocated an MSHR") \
    C(read_bypasses, "requests", "of these, served without allocating a line") \
    C(writes, "requests", "writes accepted") \
    C(write_hits, "requests", "of these, block present") \
    C(write_merges, "requests", "of these, queued behind a miss in flight") \
    C(write_misses, "requests", "of these, block absent") \
    C(atomics, "requests", "atomic requests accepted") \
    C(atomic_hits, "requests", "of these, hit") \
    C(atomic_merges, "requests", "of these, queued behind a miss in flight") \
    C(atomic_misses, "requests", "of these, allocated an MSHR") \
    C(atomic_lanes, "lanes", "lane operations performed") \
    C(copy_backs, "requests", "clean lines received from an L1D") \
    C(copy_backs_inserted, "requests", "of these, inserted") \
    C(fills, "lines", "lines returned by DRAM") \
    C(evictions, "lines", "valid lines replaced") \
    C(write_backs, "lines", "dirty lines or direct writes sent to DRAM") \
    C(fail_line, "l2 cycles", "request waits: every line of the set is reserved") \
    C(fail_mshr, "l2 cycles", "request waits: no MSHR entry or target") \
    C(fail_dram, "l2 cycles", "request waits: queue to DRAM full") \
    C(fail_reply, "l2 cycles", "request waits: reply queue full") \
    C(fail_protocol, "l2 cycles", "request waits: coherence protocol") \
    C(replies, "messages", "replies sent")

#define DRAM_COUNTERS(C) \
    C(reads, "requests", "reads served") \
    C(writes, "requests", "writes served") \
    C(read_bytes, "bytes", "bytes on the data bus, reads") \
    C(write_bytes, "bytes", "bytes on the data bus, writes") \
    C(activates, "commands", "rows opened") \
    C(precharges, "commands", "rows closed") \
    C(row_hits, "requests", "requests whose row was open when they became the bank's next") \
    C(bus_cycles, "dram cycles", "data bus busy")

#define STATS_FIELD(name, ...) uint64_t name;

enum slot_class {
#define C(name, definition) SLOT_##name,
    SLOT_CLASSES(C)
#undef C
        SLOT_CLASSES_N
};
enum { MPLI_BINS = 5, LATENCY_BINS = 24, STATS_MAX_MSHRS = 513 };

struct sm_stats {
    SM_COUNTERS(STATS_FIELD)
    FETCH_COUNTERS(STATS_FIELD)
    uint64_t slot[4][SLOT_CLASSES_N];
    uint64_t injected; /* of the issued slots, those of loads that are not the program's; its
                          mechanism reports them */
    uint64_t mpli[2][MPLI_BINS];              /* [coherent, divergent]: 0, 1, 2, 3..31, 32 misses */
    double concentration_divergent;           /* sum of accesses / sets over divergent loads */
    double concentration_all;                 /* the same over all loads */
    uint64_t latency[LATENCY_BINS];           /* loads by floor(log2(issue to write-back)) */
    uint64_t mshr_occupancy[STATS_MAX_MSHRS]; /* cycles with so many entries used */
    uint64_t *set_accesses;                   /* [l1d sets] load accesses by set, for the balance */
};
struct l2_stats {
    L2_COUNTERS(STATS_FIELD)
};
struct dram_stats {
    DRAM_COUNTERS(STATS_FIELD)
    uint64_t latency[LATENCY_BINS]; /* reads by floor(log2(core cycles in the controller)) */
};
struct net_stats {
    uint64_t messages[16], flits[16], bytes[16]; /* by enum msg_type */
};

static inline uint32_t stats_log2(uint64_t x)
{
    uint32_t bin = x ? 63 - (uint32_t)__builtin_clzll(x) : 0;

    return bin < LATENCY_BINS ? bin : LATENCY_BINS - 1;
}

/* Put a statistic that is no count, to six significant places: the same text on every machine. */
void gpu_put_real(json_t *to, const char *name, double value);

#endif
