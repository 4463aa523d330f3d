/* view.h - the machine as a mechanism sees it: handles, const views, and the few things that it
 * may ask for.
 *
 * A mechanism reads what the hardware beside it could see (which warps wait, what a line holds,
 * which MSHRs are in use) and changes nothing but through the calls below and through the answers
 * of the seams that it has plugged (plug.h).  A handle is valid for as long as the machine.  Cycles
 * are core cycles, but in a bank, where they are L2 ticks.
 * It must not show how an SM or a bank is built.
 */
#ifndef WARPLOCK_PLUG_VIEW_H
#define WARPLOCK_PLUG_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"
#include "machine/cache/cache.h"
#include "machine/cache/mshr.h"
#include "machine/config/config.h"
#include "machine/stats/stats.h"

struct gpu;
struct machine; /* the GPU */
struct core;    /* an SM */
struct bank;    /* an L2 bank */

/* ---- the machine ---- */

struct machine *machine_of(struct gpu *gpu);
const struct gpu_config *machine_config(const struct machine *machine);
/* Its configuration, to be changed before the first kernel only: what a protocol asks of the L1D
 * or the schedulers is a key like any other. */
struct gpu_config *machine_settings(struct machine *machine);
uint32_t machine_cores(const struct machine *machine);
struct core *machine_core(struct machine *machine, uint32_t number);
uint32_t machine_banks(const struct machine *machine);
struct bank *machine_bank(struct machine *machine, uint32_t number);
uint64_t machine_now(const struct machine *machine);
/* Pages that lie in each memory. */
struct machine_pages {
    uint64_t gpu, host;
};
struct machine_pages machine_pages(const struct machine *machine);
/* Step an SM no later than in `cycle`. */
void machine_wake_core(struct machine *machine, uint32_t number, uint64_t cycle);
/* Allocation number `i`, ascending by address: bytes [*base, *limit).  False when there are fewer. */
bool machine_allocation(const struct machine *machine, uint32_t i, uint64_t *base, uint64_t *limit);
/* The number of the bank that holds a block. */
uint32_t machine_bank_of(const struct machine *machine, uint64_t block);
/* `mechanism` looks at the values of loads: launches that carry none are refused with its name. */
void machine_needs_values(struct machine *machine, const char *mechanism);

/* ---- an SM ---- */

/* Warps by what they wait for, one bit a slot: `draining` for their own requests before a barrier,
 * `done` for the same before they leave; `memory_next` have a memory instruction next, and its
 * operands. */
struct core_warps {
    uint64_t resident, load, barrier, draining, fence, fetch, done, memory_next;
};

uint32_t core_id(const struct core *core);
const struct gpu_config *core_config(const struct core *core);
/* The cycle being stepped; the cycle that will be stepped next, as seen between two steps. */
uint64_t core_now(const struct core *core);
uint64_t core_next_cycle(const struct core *core);
struct core_warps core_warps(const struct core *core);
/* Warp slots of scheduler `number`. */
uint64_t core_slots_of(const struct core *core, uint32_t number);
/* Is the initial distribution of CTAs still going on (sm.launch_hold)? */
bool core_on_hold(const struct core *core);
const struct isa_warp *core_warp(const struct core *core, uint32_t slot);
/* Of the kernel being run; none before the first. */
const struct isa_kernel *core_kernel(const struct core *core);
uint32_t core_warps_per_cta(const struct core *core);
/* CTAs of the kernel being run that an SM has room for. */
uint32_t core_most_ctas(const struct core *core);
/* CTAs of its grid. */
uint64_t core_grid_ctas(const struct core *core);
/* Bytes of one warp's architectural state (isa_launch.warp_bytes), and 64-bit words of a mask with a
 * bit for each register. */
size_t core_warp_bytes(const struct core *core);
uint32_t core_register_words(const struct core *core);
/* Does a copy of a warp's state, put back, take the warp back to that point? */
bool core_warps_copyable(const struct core *core);
/* Instructions of a warp in the pipes; loads not written back; stores not acknowledged. */
uint32_t core_in_flight(const struct core *core, uint32_t slot);
uint32_t core_loads(const struct core *core, uint32_t slot);
uint32_t core_stores(const struct core *core, uint32_t slot);
const struct cache *core_l1d(const struct core *core);
const struct mshr_file *core_mshrs(const struct core *core);
/* The warp slot of a load that waits in an MSHR (mshr_target.who). */
uint32_t core_waiter_slot(const struct mem_inst *waiter);
/* The set that the L1D's index gives a block. */
uint32_t core_set_of(const struct core *core, uint64_t block);
/* Age rank of a warp inside its scheduler, 0 the oldest. */
uint32_t core_rank(const struct core *core, uint32_t number, uint32_t slot);
/* Can the memory port take `n` messages more? */
bool core_port_room(const struct core *core, uint32_t n);
const struct sm_stats *core_stats(const struct core *core);
/* Requests set aside in the replay queue so far; cycles in which its head could not be sent. */
uint64_t core_replay_taken(const struct core *core);
uint64_t core_replay_stall_cycles(const struct core *core);

/* Does the kernel being run show what its instructions do to registers (isa_kernel.shape)?  Then:
 * operand `k` of the instruction at `pc` as it stands for a warp now (isa_launch.operand). */
bool core_shows_operands(const struct core *core);
void core_operand(const struct core *core, uint32_t slot, uint32_t pc, uint32_t k,
                  uint64_t value[ISA_LANES]);
/* Do so many bytes from `address` on lie in one buffer? */
bool core_is_allocated(const struct core *core, uint64_t address, uint32_t bytes);

/* What a warp may issue has changed: look at it again. */
void core_recheck(struct core *core, uint32_t slot);
/* Put a warp back to a state that core_warp gave, core_warp_bytes of it. */
void core_restore_warp(struct core *core, uint32_t slot, const void *state);
/* The copy in a line of the L1D goes without being written back; its own policy and observers are
 * told as by any invalidation. */
void core_drop_line(struct core *core, uint32_t set, uint32_t way);
/* A line of the L1D, by its number set * ways + way, for the coherence protocol: proto, locked and
 * pinned are the protocol's own, the rest is to be read. */
struct cache_line *core_protocol_line(struct core *core, uint32_t line);
/* A flush, set by set: dirty lines are written back first, each with core_port_room; then the set's
 * lines go, and those still reserved with their fill. */
void core_write_back(struct core *core, uint32_t set, uint32_t way);
void core_flush_set(struct core *core, uint32_t set);
/* End the run as a fault of the kernel does, with one line in the words of `format`: what the
 * mechanism cannot do, and the remedy.  For use inside the SM's cycle; the first one counts. */
void core_refuse(struct core *core, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- an L2 bank ---- */

uint32_t bank_id(const struct bank *bank);
const struct gpu_config *bank_config(const struct bank *bank);
const struct cache *bank_cache(const struct bank *bank);
const struct mshr_file *bank_mshrs(const struct bank *bank);
/* The address that the bank's index sees for a block (l2.index_address). */
uint64_t bank_index_address(const struct bank *bank, uint64_t block);
/* The set that its index gives a block. */
uint32_t bank_set_of(const struct bank *bank, uint64_t block);
/* Requests that the queue to DRAM has room for. */
uint32_t bank_miss_room(const struct bank *bank);
/* Are the requests that waited for a line being answered just now: for any line; for this one? */
bool bank_serving(const struct bank *bank);
bool bank_in_service(const struct bank *bank, uint32_t set, uint32_t way);
/* As core_write_back and core_flush_set, with bank_miss_room. */
void bank_write_back(struct bank *bank, uint32_t set, uint32_t way, uint64_t tick);
void bank_flush_set(struct bank *bank, uint32_t set);

#endif
