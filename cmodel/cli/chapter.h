/* chapter.h - the result of a document's chapter run again: a cell for every workload and
 * scheme.  Shared by the printers of cmd_chapter.c and chapter_prefetch.c. */
#ifndef WARPLOCK_CLI_CHAPTER_H
#define WARPLOCK_CLI_CHAPTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { CHAPTER_WORKLOADS = 20, CHAPTER_SCHEMES = 24 };

/* What a run gives; all 0 when it failed.  The last seven are a prefetcher's. */
#define CELL_METRICS(M)                                                                \
    M(ipc, "IPC")                                                                      \
    M(coverage, "prefetches issued / demand line requests of loads")                   \
    M(accuracy, "prefetched lines used / prefetches issued")                           \
    M(late, "lines asked for before they had arrived / prefetches issued")             \
    M(early, "lines evicted by a demand fill before their use / prefetches issued")    \
    M(distance, "cycles from a prefetch's issue to the first use of its line")         \
    M(requests, "messages from the SMs to the L2")                                     \
    M(dram_reads, "bytes read from DRAM")

/* What a run gives for a comparison of coherence protocols (chapter_coherence.c). */
#define COHERENCE_METRICS(M)                                                           \
    M(cycles, "core cycles")                                                           \
    M(traffic, "flits entering both networks")                                         \
    M(stalls, "scheduler cycles in which warps wait for memory, barriers or fences only") \
    M(expired, "loads that found a copy whose lease was over")                         \
    M(energy, "dynamic energy proxy, nJ: L1D, L2, network and DRAM events")

struct coherence_cell {
#define M(name, ...) double name;
    COHERENCE_METRICS(M)
#undef M
};

struct cell {
#define M(name, ...) double name;
    CELL_METRICS(M)
#undef M
    struct coherence_cell coherence;
};

/* A document's figures for a scheme; 0: not printed there. */
struct prefetch_claim {
    double coverage, accuracy, early, distance, traffic_below;
};

/* One column: what is plugged in, a configuration key that it changes (or NULL), the
 * document's mean of IPC over the baseline (0: not printed there). */
struct scheme {
    const char *title, *mechanisms;
    double claimed;
    const char *set;
    struct prefetch_claim prefetch;
};
struct chapter {
    const char *name, *config, *about, *claim_source;
    const char *workloads[CHAPTER_WORKLOADS];
    struct scheme schemes[CHAPTER_SCHEMES]; /* the first is the baseline */
    const char *remark;
    bool prefetch; /* coverage, accuracy, timeliness and traffic are printed too */
};

struct chapter_table {
    const struct chapter *chapter;
    size_t n_workloads, n_schemes;
    struct cell cell[CHAPTER_WORKLOADS][CHAPTER_SCHEMES];
};

/* The prefetch metrics: means of every scheme, then every workload under the last one. */
void chapter_prefetch_text(const struct chapter_table *table);
json_t *chapter_prefetch_json(const struct chapter_table *table);

/* The number at "key/key/..." below `root`, 0 when there is none. */
double chapter_number(const json_t *root, const char *path);

/* The chapters that compare coherence protocols, NULL past the end: time, traffic and energy
 * are printed instead of IPC. */
const struct chapter *chapter_coherence_at(size_t i);
bool chapter_is_coherence(const struct chapter *chapter);
/* The coherence metrics of a run; every metric over the first scheme, then the document's
 * comparisons of two schemes. */
void chapter_coherence_read(const json_t *root, struct coherence_cell *cell);
void chapter_coherence_text(const struct chapter_table *table);
json_t *chapter_coherence_json(const struct chapter_table *table);

#endif
