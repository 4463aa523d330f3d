/* chapter.h - the result of a document's chapter run again: a cell for every workload and
 * scheme.  Shared by the printers of cmd_chapter.c, chapter_prefetch.c and chapter_memory.c. */
#ifndef WARPLOCK_CLI_CHAPTER_H
#define WARPLOCK_CLI_CHAPTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { CHAPTER_WORKLOADS = 24, CHAPTER_SCHEMES = 24 };

/* What a run gives; all 0 when it failed.  All but the first are a prefetcher's. */
#define CELL_METRICS(M) \
    M(ipc, "IPC") \
    M(coverage, "prefetches issued / demand line requests of loads") \
    M(accuracy, "prefetched lines used / prefetches issued") \
    M(late, "lines asked for before they had arrived / prefetches issued") \
    M(early, "lines evicted by a demand fill before their use / prefetches issued") \
    M(stale, "never used: the warp had asked before the prefetch went out / issued") \
    M(gone, "never used: the warp asked after the line had been evicted / issued") \
    M(wrong, "never used: the warp never asked for the line / issued") \
    M(distance, "cycles from a prefetch's issue to the first use of its line") \
    M(issued, "prefetches sent to the L2") \
    M(requests, "messages from the SMs to the L2") \
    M(dram_reads, "bytes read from DRAM")

/* How the memory stage fared, in a run. */
#define MEMORY_METRICS(M) \
    M(divergent, "divergent loads") \
    M(cached_divergent, "of these, fully cached") \
    M(coherent, "coherent loads") \
    M(cached_coherent, "of these, fully cached") \
    M(misses, "load accesses that did not hit") \
    M(stalls, "LD/ST cycles in which an access was replayed") \
    M(instructions, "warp instructions")

/* What a run gives for a comparison of coherence protocols (chapter_coherence.c). */
#define COHERENCE_METRICS(M) \
    M(cycles, "core cycles") \
    M(traffic, "flits entering both networks") \
    M(stalls, "scheduler cycles in which warps wait for memory, barriers or fences only") \
    M(expired, "loads that found a copy whose lease was over") \
    M(energy, "dynamic energy proxy, nJ: L1D, L2, network and DRAM events")

struct coherence_cell {
#define M(name, ...) double name;
    COHERENCE_METRICS(M)
#undef M
};

/* What a run gives for race detection (chapter_race.c): cycles; percent, NAN where there are
 * none of either kind. */
struct race_cell {
    double time, forced, expired, avu;
};

struct cell {
#define M(name, ...) double name;
    CELL_METRICS(M)
    MEMORY_METRICS(M)
#undef M
    struct coherence_cell coherence;
    struct race_cell race;
};

/* A document's figures for a scheme; 0: not printed there. */
struct prefetch_claim {
    double coverage, accuracy, early, distance, traffic_below;
};

/* The same, of the memory stage: shares of all loads, or ratios to the baseline. */
struct memory_claim {
    double cached_divergent, cached_divergent_ratio, cached_coherent_ratio, mpki_ratio;
};

/* The same, of race detection: percent. */
struct race_claim {
    double forced, expired, avu;
};

/* One column: what is plugged in, a configuration key that it changes (or NULL), the
 * document's mean of IPC over the baseline (0: not printed there). */
struct scheme {
    const char *title, *mechanisms;
    double claimed;
    const char *set;
    struct prefetch_claim prefetch;
    struct memory_claim memory;
    struct race_claim race;
    /* Not run: in every row the best of the baseline and of the columns whose mechanism's
     * name begins so. */
    const char *best_of;
};
struct chapter {
    const char *name, *config, *about, *claim_source;
    const char *workloads[CHAPTER_WORKLOADS]; /* "name", run at size small, or "name:size" */
    struct scheme schemes[CHAPTER_SCHEMES];   /* the first is the baseline */
    const char *remark;
    bool prefetch; /* coverage, accuracy, timeliness and traffic are printed too */
};

struct chapter_table {
    const struct chapter *chapter;
    size_t n_workloads, n_schemes;
    struct cell cell[CHAPTER_WORKLOADS][CHAPTER_SCHEMES];
};

/* The name of row `w`, without its size. */
struct chapter_name {
    char text[32];
};
struct chapter_name chapter_row(const struct chapter *chapter, size_t w);

/* Fill the columns that are the best of others. */
void chapter_take_best(struct chapter_table *table);
/* Which one that was, row by row. */
void chapter_best_text(const struct chapter_table *table);

/* The memory stage: means of every scheme, beside the document's.  Wanted when the document
 * has a figure for one of the schemes. */
bool chapter_memory_wanted(const struct chapter *chapter);
void chapter_memory_read(struct cell *cell, const json_t *statistics);
void chapter_memory_text(const struct chapter_table *table);
json_t *chapter_memory_json(const struct chapter_table *table);

/* The prefetch metrics: means of every scheme, then every workload under the last one. */
void chapter_prefetch_text(const struct chapter_table *table);
json_t *chapter_prefetch_json(const struct chapter_table *table);

/* The number at "key/key/..." below `root`, 0 when there is none. */
double chapter_number(const json_t *root, const char *path);

/* All chapters (chapter_list.c), those of coherence last; NULL past the end. */
const struct chapter *chapter_at(size_t i);

/* The chapters that compare coherence protocols, NULL past the end: time, traffic and energy
 * are printed instead of IPC. */
const struct chapter *chapter_coherence_at(size_t i);
bool chapter_is_coherence(const struct chapter *chapter);
/* The coherence metrics of a run; every metric over the first scheme, then the document's
 * comparisons of two schemes. */
void chapter_coherence_read(const json_t *root, struct coherence_cell *cell);
void chapter_coherence_text(const struct chapter_table *table);
json_t *chapter_coherence_json(const struct chapter_table *table);

/* The chapters on race detection likewise: time, synchronisation points and coherence misses.
 * Their baseline may compute wrong values. */
const struct chapter *chapter_race_at(size_t i);
bool chapter_is_race(const struct chapter *chapter);
void chapter_race_read(const json_t *root, struct race_cell *cell);
void chapter_race_text(const struct chapter_table *table);
json_t *chapter_race_json(const struct chapter_table *table);

#endif
