/* sm.h - one streaming multiprocessor, as the machine sees it.
 *
 * Works after wang2015-divergence 2 and 3.1 (BASE-SM).  An SM has two rings: requests leave by
 * one, addressed to a memory node; replies come by the other.  An SM asleep (nothing can change
 * before sm_wake) is not stepped at all; the counters of the skipped cycles are made up for on
 * the next step.  What is inside is in sm_private.h, which only the SM's own files include.
 * It must not know about the network beyond its rings, nor about any front end beyond isa.h.
 */
#ifndef WARPLOCK_MACHINE_SM_H
#define WARPLOCK_MACHINE_SM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cycle.h"
#include "isa/isa.h"
#include "machine/config/config.h"
#include "machine/memory/memory.h"
#include "machine/noc/packet.h"
#include "machine/stats/stats.h"

enum { SM_MAX_WARPS = 64, SM_MAX_CTAS = 32 };

/* Per-launch facts shared by all SMs, read-only during a kernel. */
struct kernel_facts {
    const struct isa_launch *launch;
    uint32_t words;  /* 64-bit words of a scoreboard mask */
    uint64_t *masks; /* of all instructions */
    struct inst_facts {
        const uint64_t *use, *define; /* [words] registers read or written; written */
        uint8_t pipe;                 /* enum isa_pipe */
        bool defines;                 /* writes registers */
        bool is_branch;
        /* Register banks as warp 0 finds them in its sub-core, each register once (sm_operands.h). */
        uint8_t n_sources, n_results, source_bank[ISA_MAX_SRC], result_bank[ISA_MAX_DST];
    } *inst; /* [n_inst] */
    uint32_t warps_per_cta, threads_per_cta, ctas_per_sm;
    uint32_t shared_bytes; /* of a CTA, static and dynamic */
};

struct sm;

/* ---- storage ---- */

/* So many SMs side by side around `memory`, which they read; NULL when out of memory. */
struct sm *sm_create_all(uint32_t n, const struct gpu_config *config, struct memory *memory);
void sm_destroy_all(struct sm *all, uint32_t n);
struct sm *sm_at(struct sm *all, uint32_t number);

/* Requests on their way to the network, replies from it. */
struct ring *sm_requests(struct sm *sm);
struct ring *sm_replies(struct sm *sm);
/* A reply has come into that ring: the host's cache fetches what it will change (network.h). */
void sm_expect(const void *sm, const struct packet *reply);

/* ---- a kernel ---- */

/* Size the warp storage, empty the L1D, but for what stays in it.  `demand_paging`: a page must be
 * placed before it is used.  Returns 0, or -1 when out of memory. */
int sm_kernel_start(struct sm *sm, const struct kernel_facts *facts, bool demand_paging);
/* Between kernels the host wrote `bytes` from `address` on: no copy of them stays. */
void sm_host_wrote(struct sm *sm, uint64_t address, uint64_t bytes);
/* What stays in the L1D gets the bytes that `peek` has of its block, 128. */
void sm_refresh(struct sm *sm, void (*peek)(void *self, uint64_t block, uint8_t *out), void *self);
/* Who bears no L1D that is kept when a kernel starts; NULL: nobody. */
const char *sm_cannot_keep(const struct sm *sm);
/* What is plugged into the SM and not served by its L1D; NULL: nothing. */
const char *sm_cannot(const struct sm *sm);
/* What is plugged into the SM that host memory, or pages that move if `moves`, cannot be had with: one line
 * with the remedy; NULL: nothing. */
const char *sm_needs_one_memory(const struct sm *sm, bool moves);
/* Does nothing that it does in a cycle depend on others in the same cycle, nor the other way
 * round?  As far as its sockets say. */
bool sm_keeps_to_itself(const struct sm *sm);
uint32_t sm_ctas(const struct sm *sm);
/* Take CTA `id` at the start of cycle `now`; the SM has a free CTA slot. */
void sm_launch_cta(struct sm *sm, uint64_t id, uint64_t now);
/* The initial distribution of CTAs is complete; true when the SM has waited for that, and may go
 * on in cycle `now`. */
bool sm_distributed(struct sm *sm, uint64_t now);
/* The kernel is over, or given up: bring every counter up to cycle `now` (exclusive), or to
 * where the SM has run ahead of it, and release what its warps hold. */
void sm_kernel_end(struct sm *sm, uint64_t now);

/* ---- cycles ---- */

/* The cycles from `first` to `last` in which there is something to do.  Cycle `now` is the
 * machine's, the later ones are run ahead of it: the caller knows of every reply that can be
 * there by then.  Ends before a cycle whose outcome the rest of the machine may still change,
 * and behind one of which it has to hear: then sm_untold(). */
void sm_run(struct sm *sm, uint64_t now, uint64_t first, uint64_t last);
bool sm_ran(const struct sm *sm);             /* was there such a cycle? */
uint64_t sm_now(const struct sm *sm);         /* the last one */
uint64_t sm_wake(const struct sm *sm);        /* before it there is nothing to do */
uint64_t sm_progress_at(const struct sm *sm); /* the last in which something moved */
/* A CTA has finished, or there was a fault, in cycle sm_now(): the SM waits to be asked then. */
bool sm_untold(const struct sm *sm);
/* The CTAs that have finished, and how many: asked once. */
uint32_t sm_take_finished(struct sm *sm, const uint64_t **ids);
/* What the kernel did wrong, or NULL. */
const char *sm_fault(const struct sm *sm);
/* The page that must be placed before an access goes on, or 0: asked once. */
uint64_t sm_take_touched_page(struct sm *sm);
/* May it go on when the network takes a request? */
bool sm_waits_for_port(const struct sm *sm);

/* ---- what it counts and holds ---- */

const struct sm_stats *sm_stats(const struct sm *sm);
/* Exchanges, MSHR entries, memory instructions in use. */
struct sm_held {
    uint64_t exchanges;
    uint32_t mshrs, instructions;
};
struct sm_held sm_held(const struct sm *sm);
/* No warp, request or reply? */
bool sm_is_empty(const struct sm *sm);
/* A block leaves the L1D, without timing, while the SM holds no exchange: what was written goes to
 * memory. */
void sm_drop_block(struct sm *sm, uint64_t block);
/* What the SM waits for, in words. */
void sm_describe(const struct sm *sm, char *out, size_t n_out);

/* ---- the watch for kernels that spin (gpu_spin.c) ---- */

/* Since the last call: has memory that only this SM writes changed? has a warp, a CTA or a
 * barrier done what is not done again? */
struct sm_spin_news {
    bool changed, went_on;
};
struct sm_spin_news sm_spin_news(struct sm *sm);
/* Note the state of every warp, or stop to; then, is every one that has moved since back in it? */
void sm_spin_note(struct sm *sm);
void sm_spin_forget(struct sm *sm);
bool sm_spin_everywhere(const struct sm *sm);

/* Begin anew to note what loads bring, and, while states are noted, where warps are; can it? */
void sm_round_clear(struct sm *sm, bool open);
bool sm_round_open(const struct sm *sm);
const struct values *sm_round_values(const struct sm *sm);

/* Warps of one SM that do the same: go round by a memory instruction at one address, or without
 * memory, wait at a barrier, or do nothing at all. */
enum spin_kind { SPIN_MEMORY, SPIN_PLAIN, SPIN_BARRIER, SPIN_STILL };
struct spin_group {
    enum spin_kind kind;
    uint32_t sm, warp_in_cta, n; /* of the first; how many there are */
    uint64_t cta;
    uint32_t pc;               /* of the first, when it was noted */
    const struct isa_inst *op; /* the memory instruction, and the first lane's address */
    uint64_t address;
};
/* All groups; at most SM_MAX_WARPS. */
uint32_t sm_spin_groups(const struct sm *sm, struct spin_group *groups);

#endif
