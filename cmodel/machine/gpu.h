/* gpu.h - the whole machine: SMs, two networks, L2 banks, DRAM, host memory node.
 *
 * See docs/architecture.md, "Cycle level".  One core cycle is: CTA dispatch, SMs (in
 * parallel if asked), request network, L2 banks, DRAM, host memory, reply network.
 * Components asleep are not touched, and SMs run ahead for as many cycles as no reply can
 * reach them in; with `every_cycle` all are stepped in every cycle, with identical statistics
 * (after a fault, SMs that had run ahead count those few cycles).  It must not know front ends
 * (isa.h) nor mechanisms (sockets.h).
 */
#ifndef WARPLOCK_GPU_GPU_H
#define WARPLOCK_GPU_GPU_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/wake.h"
#include "isa/isa.h"
#include "machine/l2/l2.h"
#include "machine/memory/dram_front.h"
#include "machine/memory/hostmem.h"
#include "machine/memory/pages.h"
#include "machine/noc/network.h"
#include "machine/plug/sockets.h"
#include "machine/sm/sm.h"

enum gpu_status {
    GPU_OK,
    GPU_FAULT,   /* the kernel did something illegal, or does not fit the machine */
    GPU_STUCK,   /* no progress: error names what each component waits for */
    GPU_LIMIT,   /* the cycle limit was reached */
    GPU_INTERNAL /* a counter identity is violated: a defect of the simulator */
};

struct gpu;

struct gpu_options {
    uint32_t threads; /* 0 and 1: the SMs run in the calling thread */
    bool every_cycle;
    uint64_t max_cycles; /* over all launches; 0: no limit */
    /* Optional: called about every 2^16 stepped cycles. */
    void (*progress)(void *self, uint64_t cycle, uint64_t instructions, uint64_t ctas_done,
                     uint64_t ctas, const char *kernel);
    void *progress_self;
    /* Optional: called in one thread after each stepped cycle; must change nothing. */
    void (*after_cycle)(void *self);
    void *after_cycle_self;
    /* Optional: called after each launch that has come to its end. */
    void (*after_launch)(void *self, const struct gpu *gpu);
    void *after_launch_self;
};

struct gpu_launch_record {
    char kernel[64];
    uint64_t start_cycle, end_cycle, warp_instructions;
};

/* All counters: those of stats.h, and the flits of the two networks. */
#define GPU_COUNT(name, ...) +1
enum {
    GPU_COUNTS = 2 SM_COUNTERS(GPU_COUNT) FETCH_COUNTERS(GPU_COUNT) SLOT_CLASSES(GPU_COUNT)
        L2_COUNTERS(GPU_COUNT) DRAM_COUNTERS(GPU_COUNT)
};
#undef GPU_COUNT
struct gpu_counts {
    uint64_t value[GPU_COUNTS];
};

/* Something plugged into the machine from outside that lives as long as it. */
struct gpu_extension {
    void *self;
    const char *name;                        /* key of its statistics */
    void (*stats)(void *self, json_t *into); /* optional: add counters to the object */
    int (*check)(void *self, char *error, size_t n_error); /* optional: identities; 0 or -1 */
    void (*destroy)(void *self);                           /* optional */
};
enum { GPU_MAX_EXTENSIONS = 16 };

struct allocations;
struct workers;

/* A page that waits until another one of the same memory has gone; page 0: none does. */
struct gpu_replacement {
    uint64_t page, ready_at; /* ready_at 0: messages are still on their way */
    enum memory_node node;
    bool known; /* SMs that slept have been woken for it */
};

struct gpu {
    struct gpu_config config;
    struct gpu_options options;
    struct memory *memory;
    uint32_t n_sms, n_banks, n_channels;
    struct sm *sm;
    struct l2_bank *bank;
    struct dram_channel *channel;
    struct hostmem host;
    struct network request_net, reply_net;
    const struct allocations *allocations; /* those of the program, or NULL: memory knows them */
    const char *compares_values;           /* who, and so needs launches that carry them; or NULL */
    struct dispatch_socket dispatch;
    void *base_dispatch_self;
    struct placement_socket placement;
    struct pages pages;
    struct gpu_replacement replacement;
    struct machine_sockets sockets;
    /* Core cycle from which each component must be stepped, all in one array (wake.h). */
    uint64_t *wake;
    uint64_t *sm_wake, *bank_wake, *channel_wake; /* parts of it; copies of what those keep */
    uint32_t n_wakes;
    uint64_t *port_wake; /* set when the network takes from an SM's port */
    struct dram_front dram_front;
    struct clock_domain l2_clock;

    struct kernel_facts facts;
    uint64_t ctas, ctas_done;
    bool dispatch_needed;
    uint64_t dispatch_from; /* the first cycle for the kernel's CTAs */
    uint32_t dispatched;    /* the SM that got a CTA last */

    uint64_t now;              /* core cycle to be run next */
    uint32_t lookahead_cycles; /* how many cycles, this one included, an SM may run at once */
    uint64_t horizon;          /* the last of those now */
    uint64_t last_progress;
    uint64_t spin_at, spin_window; /* when the watch for spinning looks next; cycles between */
    bool spin_noting, spin_still;  /* no memory has changed since it looked last */
    struct workers *workers;
    struct gpu_extension extension[GPU_MAX_EXTENSIONS];
    uint32_t n_extensions;
    struct gpu_launch_record *launches;
    uint32_t n_launches, max_launches;
    uint32_t n_untimed; /* launches of somebody else, to whom memory was lent */
    double
        launch_seconds; /* wall time of launches, with what a trace's reading took; no part of the
                              statistics */
    char error[8192];   /* of the last failed call */
};

/* A machine of that (checked) configuration around `memory`, which it does not own.
 * NULL with the reason in `error`. */
struct gpu *gpu_create(const struct gpu_config *config, const struct gpu_options *options,
                       struct memory *memory, char *error, size_t n_error);
void gpu_destroy(struct gpu *gpu);

/* Keep `extension` with the machine: destroyed with it, its counters among the statistics.
 * Returns 0, or -1 when there are too many (and destroys nothing). */
int gpu_extend(struct gpu *gpu, const struct gpu_extension *extension);

/* CTAs of such a kernel that an SM holds at a time; 0 when it does not hold one. */
uint32_t gpu_occupancy(const struct gpu_config *config, uint64_t threads,
                       uint64_t registers_per_thread, uint64_t shared_bytes);

/* Run one kernel to its end. On anything but GPU_OK gpu->error says why. */
enum gpu_status gpu_launch(struct gpu *gpu, const struct isa_launch *launch);

/* Memory as the program would see it, through the L2, without timing. */
void gpu_peek(struct gpu *gpu, uint64_t address, void *to, uint64_t bytes);
void gpu_poke(struct gpu *gpu, uint64_t address, const void *from, uint64_t bytes);
/* Between launches: memory has what the program would see, until somebody else has run a kernel on it and
 * gives it back.  What the L2 holds stays, with the new bytes. */
void gpu_lend_memory(struct gpu *gpu);
void gpu_take_memory(struct gpu *gpu);

/* Check every counter identity; 0, or -1 with all violations in gpu->error. */
int gpu_check_identities(struct gpu *gpu);

/* All statistics; a new reference, or NULL when out of memory.  Same input, same bytes
 * with JSON_PRESERVE_ORDER-stable dumping. */
json_t *gpu_stats_json(struct gpu *gpu);
/* Of these, what a machine whose pages are placed has besides; a new reference. */
json_t *gpu_placement_json(const struct gpu *gpu, const struct dram_stats *dram);
/* One screen of text. */
void gpu_stats_text(struct gpu *gpu, FILE *out);
/* What the launch just ended has added to every counter, as a line of CSV; before the first line
 * their names.  `before`, zeros at first, keeps what they were. */
void gpu_stats_kernel(const struct gpu *gpu, struct gpu_counts *before, FILE *out);
/* launches, cycles, warp_instructions of every kernel, by name; a new reference. */
json_t *gpu_stats_of_kernels(const struct gpu *gpu);
/* Every counter with unit and definition. */
void gpu_stats_describe(FILE *out);

#endif
