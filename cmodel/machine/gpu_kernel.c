/* gpu_kernel.c - a kernel comes to the machine: occupancy, scoreboard masks, CTA dispatch.
 *
 * Works after caps-prefetch 3.1 (CTA distribution, occupancy limits).  See gpu.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "machine/gpu_private.h"

/* ---- kernel facts ---- */

static int fail(struct gpu *gpu, const char *what, uint64_t needs, uint64_t has)
{
    snprintf(gpu->error, sizeof gpu->error,
             "kernel %s: one CTA needs %llu %s, an SM has %llu; "
             "use a smaller block or another configuration",
             gpu->facts.launch->kernel->name, (unsigned long long)needs, what,
             (unsigned long long)has);
    return -1;
}

uint32_t gpu_occupancy(const struct gpu_config *c, uint64_t threads, uint64_t registers_per_thread,
                       uint64_t shared_bytes)
{
    uint64_t warps = (threads + ISA_LANES - 1) / ISA_LANES;
    uint64_t registers = warps * ISA_LANES * registers_per_thread;
    uint32_t fit = c->sm_ctas;

    if (threads == 0) {
        return 0;
    }
    fit = smaller_u32(fit, c->sm_threads / threads);
    fit = smaller_u32(fit, c->sm_warps / warps);
    fit = registers ? smaller_u32(fit, c->sm_registers / registers) : fit;
    return shared_bytes ? smaller_u32(fit, c->sm_shared_bytes / shared_bytes) : fit;
}

/* CTAs that fit one SM at a time. */
static int occupancy(struct gpu *gpu)
{
    const struct gpu_config *c = &gpu->config;
    const struct isa_launch *launch = gpu->facts.launch;
    uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    uint64_t warps = (threads + ISA_LANES - 1) / ISA_LANES;
    uint64_t registers = warps * ISA_LANES * launch->kernel->registers_per_thread;
    uint64_t shared = (uint64_t)launch->kernel->shared_bytes + launch->dynamic_shared_bytes;

    if (threads == 0 || threads > c->sm_threads) {
        return fail(gpu, "threads (at least 1)", threads, c->sm_threads);
    }
    if (warps > c->sm_warps) {
        return fail(gpu, "warps", warps, c->sm_warps);
    }
    if (registers > c->sm_registers) {
        return fail(gpu, "registers", registers, c->sm_registers);
    }
    if (shared > c->sm_shared_bytes) {
        return fail(gpu, "bytes of shared memory", shared, c->sm_shared_bytes);
    }
    gpu->facts.ctas_per_sm = gpu_occupancy(c, threads, launch->kernel->registers_per_thread,
                                           shared);
    gpu->facts.warps_per_cta = (uint32_t)warps;
    gpu->facts.threads_per_cta = (uint32_t)threads;
    gpu->facts.shared_bytes = ((uint32_t)shared + launch->kernel->hidden_shared_bytes + 15) & ~15u;
    return 0;
}

static void mark(uint64_t *mask, uint32_t reg, uint32_t n_registers)
{
    if (reg < n_registers) {
        mask[reg / 64] |= UINT64_C(1) << (reg % 64);
    }
}

static uint8_t pipe_of(const struct gpu_config *config, const struct isa_inst *inst)
{
    if (inst->is_half && inst->pipe == ISA_PIPE_FP32 && config->pipe_fp16_interval) {
        return ISA_PIPE_FP16;
    }
    if (inst->pipe == ISA_PIPE_TENSOR && !config->pipe_tensor_units) {
        return ISA_PIPE_SFU;
    }
    if (inst->pipe == ISA_PIPE_UNIFORM && !config->pipe_uniform_units) {
        return ISA_PIPE_INT;
    }
    return inst->is_exit && inst->pipe == ISA_PIPE_CONTROL ? (uint8_t)ISA_PIPE_EXIT : inst->pipe;
}

/* Banks of registers, as warp 0 finds them; each register once. */
static uint8_t banks_of(const struct gpu *gpu, const uint16_t *reg, uint32_t n, uint8_t *bank)
{
    const struct gpu_config *c = &gpu->config;
    const uint16_t *number = gpu->facts.launch->kernel->register_number;
    const uint32_t banks = c->operands_banks / (c->operands_subcores ? c->sm_schedulers : 1);
    uint8_t found = 0;

    for (uint32_t r = 0; banks && r < n; r++) {
        uint32_t before = 0;

        while (reg[before] != reg[r]) {
            before++;
        }
        if (before == r) {
            bank[found++] = (uint8_t)(((number ? number[reg[r]] : reg[r]) + 1u) % banks);
        }
    }
    return found;
}

static int scoreboard_masks(struct gpu *gpu)
{
    struct kernel_facts *facts = &gpu->facts;
    const struct isa_kernel *kernel = facts->launch->kernel;

    facts->words = kernel->n_registers / 64 + 1;
    free(facts->masks);
    free(facts->inst);
    facts->masks = calloc((size_t)kernel->n_inst * 2 * facts->words + 1, sizeof(uint64_t));
    facts->inst = calloc((size_t)kernel->n_inst + 1, sizeof *facts->inst);
    if (!facts->masks || !facts->inst) {
        return -1;
    }
    for (uint32_t pc = 0; pc < kernel->n_inst; pc++) {
        const struct isa_inst *inst = &kernel->inst[pc];
        uint64_t *use = &facts->masks[(size_t)pc * 2 * facts->words], *define = use + facts->words;

        for (uint32_t s = 0; s < inst->n_src; s++) {
            mark(use, inst->src[s], kernel->n_registers);
        }
        for (uint32_t d = 0; d < inst->n_dst; d++) {
            mark(use, inst->dst[d], kernel->n_registers);
            mark(define, inst->dst[d], kernel->n_registers);
        }
        facts->inst[pc] = (struct inst_facts){.use = use,
                                              .define = define,
                                              .pipe = pipe_of(&gpu->config, inst),
                                              .defines = inst->n_dst > 0,
                                              .is_branch = inst->is_branch};
        facts->inst[pc].n_sources = banks_of(gpu, inst->src, inst->n_src,
                                             facts->inst[pc].source_bank);
        facts->inst[pc].n_results = banks_of(gpu, inst->dst, inst->n_dst,
                                             facts->inst[pc].result_bank);
    }
    return 0;
}

/* A reply that leaves the network in one cycle is there no sooner than so many later, and a
 * request leaves an SM through a port with a queue: until then an SM can run by itself. */
static uint32_t lookahead(const struct gpu *gpu)
{
    const struct clock_domain *clock = &gpu->reply_net.clock;
    uint64_t cycles = gpu->config.icnt_latency * gpu->config.icnt_speedup * clock->den / clock->num;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (!sm_keeps_to_itself(sm_at(gpu->sm, s))) {
            return 1;
        }
    }
    if (gpu->options.every_cycle || gpu->options.after_cycle || cycles < 1 ||
        gpu->dispatch.self != gpu->base_dispatch_self || gpu->facts.launch->cluster_ctas > 1) {
        return 1;
    }
    return cycles < 32 ? (uint32_t)cycles : 32;
}

/* Banks that work by sectors do not serve everything that can be plugged in. */
static int check_banks(struct gpu *gpu)
{
    const char *what = l2_cannot(&gpu->bank[0]);

    if (what) {
        snprintf(gpu->error, sizeof gpu->error, "l2.sectors does not serve %s; set it to no", what);
    }
    return what ? -1 : 0;
}

/* Nor do SMs whose L1D works by sectors. */
static int check_sms(struct gpu *gpu)
{
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        const char *what = sm_cannot(sm_at(gpu->sm, s));

        if (what) {
            snprintf(gpu->error, sizeof gpu->error,
                     "an L1D by sectors (l1d.sector_bytes) does not serve %s; use a configuration "
                     "without",
                     what);
            return -1;
        }
    }
    return 0;
}

/* Nor does every mechanism keep its books of an L1D over a launch. */
static int check_copies(struct gpu *gpu)
{
    const bool stay = gpu->config.l1d_at_launch == AT_LAUNCH_REFRESHED;

    for (uint32_t s = 0; stay && s < gpu->n_sms; s++) {
        const char *what = sm_cannot_keep(sm_at(gpu->sm, s));

        if (what) {
            snprintf(gpu->error, sizeof gpu->error,
                     "copies do not stay from launch to launch with %s; set l1d.at_launch=emptied",
                     what);
            return -1;
        }
    }
    return 0;
}

static void peek_block(void *self, uint64_t block, uint8_t *out)
{
    gpu_peek(self, block, out, BLOCK_BYTES);
}

static int dispatch_start(struct gpu *gpu, const struct isa_launch *launch)
{
    const struct dispatch_kernel kernel = {.n_ctas = gpu->ctas,
                                           .grid_x = launch->grid.x,
                                           .n_sms = gpu->n_sms,
                                           .ctas_per_sm = gpu->facts.ctas_per_sm};
    const char *why = launch->cluster_ctas > 1 && gpu->dispatch.self != gpu->base_dispatch_self
                          ? "its CTAs come in clusters, which only the machine's own dispatch "
                            "serves; leave the dispatch mechanism out"
                          : gpu->dispatch.kernel_start(gpu->dispatch.self, &kernel);

    if (why) {
        snprintf(gpu->error, sizeof gpu->error, "kernel %s: %s", launch->kernel->name, why);
    }
    return why ? -1 : 0;
}

int gpu_kernel_start(struct gpu *gpu, const struct isa_launch *launch)
{
    gpu->facts.launch = launch;
    if (check_banks(gpu) != 0 || check_sms(gpu) != 0 || check_copies(gpu) != 0 ||
        gpu_pages_start(gpu, launch) != 0 || occupancy(gpu) != 0 || gpu_cluster_start(gpu) != 0) {
        return -1;
    }
    gpu->ctas = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    gpu->ctas_done = 0;
    if (gpu->config.machine_spread) {
        gpu->facts.ctas_per_sm = smaller_u32(gpu->facts.ctas_per_sm,
                                             (gpu->ctas + gpu->n_sms - 1) / gpu->n_sms);
    }
    if (scoreboard_masks(gpu) != 0) {
        goto no_memory;
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (sm_kernel_start(sm_at(gpu->sm, s), &gpu->facts, gpu->placement.demand) != 0) {
            goto no_memory;
        }
        if (gpu->config.l1d_at_launch == AT_LAUNCH_REFRESHED && launch->carries_values) {
            sm_refresh(sm_at(gpu->sm, s), peek_block, gpu);
        }
        gpu->sm_wake[s] = gpu->now;
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        l2_kernel_start(&gpu->bank[b], launch->carries_values);
    }
    if (dispatch_start(gpu, launch) != 0) {
        return -1;
    }
    gpu->dispatch_needed = true;
    gpu->dispatch_from = gpu->now + gpu->config.machine_launch_cycles;
    gpu->lookahead_cycles = lookahead(gpu);
    gpu->last_progress = gpu->now;
    gpu_spin_start(gpu);
    return 0;
no_memory:
    snprintf(gpu->error, sizeof gpu->error, "out of memory for the warps of kernel %s",
             launch->kernel->name);
    return -1;
}

/* ---- dispatch ---- */

enum { MOST_SMS = 128 }; /* machine.sms, config_keys.h */

static uint32_t room_of(const struct gpu *gpu, uint32_t s)
{
    const struct sm *sm = sm_at(gpu->sm, s);

    return sm_untold(sm) ? 0 : gpu->facts.ctas_per_sm - sm_ctas(sm);
}

/* May another CTA start now?  If not, this is asked again when one has ended. */
static bool may_start(const struct gpu *gpu)
{
    const struct isa_launch *launch = gpu->facts.launch;

    return !launch->may_start || launch->may_start(launch->self);
}

static void launch_cta(struct gpu *gpu, uint32_t s, int64_t cta)
{
    sm_launch_cta(sm_at(gpu->sm, s), (uint64_t)cta, gpu->now);
    gpu->sm_wake[s] = gpu->now;
    gpu->dispatched = s;
}

/* Whoever is plugged in chooses the SMs. */
static bool assign_ctas(struct gpu *gpu)
{
    uint32_t room[MOST_SMS], sm;
    bool assigned = false;
    int64_t cta;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        room[s] = room_of(gpu, s);
    }
    while (may_start(gpu) &&
           (cta = gpu->dispatch.assign(gpu->dispatch.self, room, gpu->now, &sm)) >= 0) {
        launch_cta(gpu, sm, cta);
        room[sm]--;
        assigned = true;
    }
    return assigned;
}

/* SM by SM, each asks for a CTA. */
static bool ask_for_ctas(struct gpu *gpu)
{
    const uint32_t first = gpu->config.machine_dispatch == DISPATCH_NEXT ? gpu->dispatched + 1 : 0;
    bool assigned = false;

    for (uint32_t turn = 0; turn < gpu->n_sms; turn++) {
        const uint32_t s = (first + turn) % gpu->n_sms;
        int64_t cta;

        if (room_of(gpu, s) == 0) {
            continue; /* full, or not yet known to have room */
        }
        if (!may_start(gpu)) {
            break;
        }
        cta = gpu->dispatch.next(gpu->dispatch.self, s, sm_ctas(sm_at(gpu->sm, s)), gpu->now);
        if (cta >= 0) {
            launch_cta(gpu, s, cta);
            assigned = true;
        }
    }
    return assigned;
}

/* At most one CTA for each SM and cycle; asks again until nobody takes one. */
void gpu_dispatch(struct gpu *gpu)
{
    bool assigned;

    if (gpu->now < gpu->dispatch_from) {
        return;
    }
    if (gpu->facts.launch->cluster_ctas > 1) {
        assigned = gpu_cluster_dispatch(gpu);
    } else {
        assigned = gpu->dispatch.assign ? assign_ctas(gpu) : ask_for_ctas(gpu);
    }
    gpu->dispatch_needed = assigned;
    if (assigned) {
        gpu->last_progress = gpu->now;
        return;
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (sm_distributed(sm_at(gpu->sm, s), gpu->now)) {
            gpu->sm_wake[s] = gpu->now;
        }
    }
}
