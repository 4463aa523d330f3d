/* adi_site.h - adaptive cache indexing around one cache: adi_engine, adi_idx_mux,
 * flush_ctrl and cache_line_fsm wired together and clocked with it (aci-iacm-blpp 3.7-3.8).
 *
 * The units decide: the engine the index bits, the flush controller which set is flushed
 * when and what is written back first, the line states what is dirty.  The cache itself
 * is reached through struct adi_cache; after every cycle in which something happened to
 * it, its line states must be those of cache_line_fsm.
 * It must not know SMs, L2 banks or the rest of the machine. */
#ifndef WARPLOCK_MECHANISMS_ADI_SITE_H
#define WARPLOCK_MECHANISMS_ADI_SITE_H

#include "mechanisms/adi/adi_exact.h"
#include "mechanisms/ports.h"

/* As in cache_line_fsm. */
enum adi_line { ADI_INVALID, ADI_RESERVED, ADI_VALID, ADI_DOOMED, ADI_MODIFIED };

/* What a site needs of its cache. */
struct adi_cache {
    void *self;
    uint32_t sets, ways;
    bool write_back; /* lines may be modified */
    enum adi_line (*line)(void *self, uint32_t set, uint32_t way);
    bool (*busy)(void *self); /* does a line wait for its data? */
    bool (*room)(void *self); /* can a line be written back now? */
    void (*write_back_line)(void *self, uint32_t set, uint32_t way, uint64_t cycle);
    void (*flush)(void *self, uint32_t set); /* V -> I, R -> RD; nothing in it is modified */
};

/* Whoever says when the engine runs (aci 3.14), asked in every cycle: does it run in this one?  And,
 * before the edge, with its outputs as they are: restart and stay_idle, the inputs, are to be set. */
struct adi_guide {
    void *self;
    bool (*runs)(void *self);
    void (*steer)(void *self);
};

enum { ADI_MAX_CHANGES = 64, ADI_MAX_TOUCHED = 8, ADI_MAX_PINS = 16 };

/* One replaced index bit; bits are block-address bits. */
struct adi_change {
    uint64_t cycle;
    uint8_t position, from, to;
};

struct adi_counters {
    uint64_t victims, bits_changed, bits_kept, exact_differs;
    uint64_t flush_cycles, drain_cycles, lines_dropped, lines_doomed, write_backs, fills_dropped;
};

struct adi_site {
    struct adi_cache cache;
    char where[40];
    unsigned n_selectors;
    bool idle_in_cycles;
    struct adi_guide guide; /* of NULLs: the engine always runs */
    const char
        *engine_words; /* parameters of the engine that its owner gives, ",K=V"; NULL: none */
    bool blocking;     /* a flush waits until no miss is in flight (ASCIB) */
    struct unit_pins engine, mux, walk, lines;
    struct {
        uint64_t *enable, *valid, *miss, *gwrite, *block, *flush_done, *kernel_start, *restart,
            *stay_idle;
        uint64_t *selectors, *flush_req, *sub_phase, *vic_sample, *sel_sample, *victim_chosen,
            *bit_kept, *idle_done;
    } e;
    struct {
        uint64_t *block, *selectors, *index;
    } m;
    struct {
        uint64_t *req, *dirty, *ready, *set, *step, *done, *wb_valid, *wb_way;
    } w;
    struct {
        uint64_t *shown, *rsv, *rsv_set, *rsv_way, *fill, *fill_dirty, *fill_set, *fill_way, *op,
            *op_set, *op_way, *step, *step_set;
        uint64_t *states, *flush_dirty, *refused, *dropped;
    } l;
    uint64_t block_mask;
    uint64_t cycle;
    bool events, launching; /* something happened in this cycle; a kernel has begun */
    uint32_t touched[ADI_MAX_TOUCHED], n_touched; /* sets to be compared at the cycle's end */
    unsigned selected[ADI_MRP_SELECTORS];
    struct adi_exact exact;
    struct adi_counters counters;
    struct adi_change changes[ADI_MAX_CHANGES];
    char difference[200]; /* the first; empty: none */
};

/* Open the units for `cache`; 0, or -1 with the context's error. */
int adi_site_open(struct mechanism_context *context, struct adi_site *site,
                  const struct adi_cache *cache, const char *where);

/* The set of a byte address under the index bits of now. */
uint32_t adi_site_set(void *site, uint64_t address);

/* Cycle `now` begins; false when the cache takes no request in it, because it is flushed.
 * Cycles may be left out when adi_site_end returned false. */
bool adi_site_begin(void *site, uint64_t now, uint64_t skipped);
/* The clock edge at the end of the cycle; true when the next cycle must not be left out. */
bool adi_site_end(void *site);

/* In this cycle an access was accepted; at most one in a cycle. */
void adi_site_access(struct adi_site *site, uint64_t address, bool miss, bool global_write);
/* In this cycle something happened to a line. */
enum adi_line_event { ADI_RESERVE, ADI_FILL, ADI_FILL_DIRTY, ADI_EVICT, ADI_DIRTY };
void adi_site_line(struct adi_site *site, uint32_t set, uint32_t way, enum adi_line_event event);

/* A kernel begins; `emptied`: every line of the cache has been made invalid. */
void adi_site_kernel(struct adi_site *site, bool emptied);

#endif
