/* sharing.c - how blocks are shared: SMs per block over the run and over time windows, merges of
 * misses of shared blocks, compulsory misses (tabbakh2018 2.3).
 *
 * A block is shared when two SMs or more ask an L2 bank for it.  L2 misses of a block that no bank
 * was asked for before are compulsory, L1D misses those of a block that the SM had not asked for.
 * It changes nothing. */
#include "mechanisms/sharing/block_table.h"

#include "mechanisms/instances.h"

enum { SOON_CYCLES = 1000 };

struct of_bank { /* of a block */
    uint64_t sms, window_sms, window;
};
struct bank_watch {
    uint64_t window_cycles;
    struct block_table blocks;
    uint64_t misses, compulsory;
    uint64_t window_blocks, window_shared, window_sharers; /* of windows that are over */
};

struct of_core {
    uint64_t filled; /* cycle of the last fill, + 1; 0: none yet */
    uint32_t misses, merges, repeats, soon;
};
struct core_watch {
    const struct core *core;
    struct block_table blocks;
    uint64_t misses, compulsory;
};

static uint64_t sms_in(uint64_t mask)
{
    return (uint64_t)__builtin_popcountll(mask);
}

static void end_window(struct bank_watch *watch, const struct of_bank *block)
{
    const uint64_t sms = sms_in(block->window_sms);
    watch->window_blocks += sms > 0;
    watch->window_shared += sms > 1;
    watch->window_sharers += sms > 1 ? sms : 0;
}

static void bank_access(void *self, uint32_t bank, const struct access_info *access, uint32_t set,
                        enum access_result result)
{
    struct bank_watch *watch = self;
    struct of_bank *block = block_table_at(&watch->blocks, access->block);
    const uint64_t bit = UINT64_C(1) << access->sm, window = access->cycle / watch->window_cycles;
    const bool missed = result == RESULT_MISS || result == RESULT_BYPASS;
    (void)bank, (void)set;
    watch->misses += missed;
    watch->compulsory += missed && block->sms == 0;
    if (block->window != window) {
        end_window(watch, block);
        block->window = window;
        block->window_sms = 0;
    }
    block->sms |= bit;
    block->window_sms |= bit;
}

static void core_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                        enum access_result result)
{
    struct core_watch *watch = self;
    const size_t known = watch->blocks.n;
    struct of_core *block = block_table_at(&watch->blocks, access->block);
    const bool missed = result == RESULT_MISS || result == RESULT_BYPASS;
    (void)sm, (void)set;
    watch->misses += missed;
    watch->compulsory += missed && watch->blocks.n != known;
    block->misses += missed;
    block->merges += result == RESULT_HIT_RESERVED;
    if (block->filled != 0) {
        block->repeats++;
        block->soon += access->cycle < block->filled + SOON_CYCLES;
    }
}

static void core_fill(void *self, uint32_t sm, uint64_t address)
{
    struct core_watch *watch = self;
    struct of_core *block = block_table_at(&watch->blocks, address);
    (void)sm;
    block->filled = core_now(watch->core) + 1;
}

/* ---- what comes of it ---- */

struct sharing {
    struct machine *machine;
    struct instances *cores, *banks;
};

/* Did two SMs ask for the block? */
static bool is_shared(const struct sharing *sharing, uint64_t address)
{
    const struct bank_watch *watch = instance_at(sharing->banks,
                                                 machine_bank_of(sharing->machine, address));
    const struct of_bank *block = block_table_find(&watch->blocks, address);
    return block != NULL && sms_in(block->sms) > 1;
}

static void report_banks(const struct sharing *sharing, json_t *into)
{
    uint64_t blocks = 0, shared = 0, sharers = 0, address;
    struct bank_watch windows = {.misses = 0};
    for (uint32_t b = 0; b < sharing->banks->n; b++) {
        const struct bank_watch *watch = instance_at(sharing->banks, b);
        windows.window_blocks += watch->window_blocks;
        windows.window_shared += watch->window_shared;
        windows.window_sharers += watch->window_sharers;
        for (size_t slot = 0; slot < watch->blocks.slots; slot++) {
            const struct of_bank *block = block_table_slot(&watch->blocks, slot, &address);
            if (block != NULL) {
                const uint64_t sms = sms_in(block->sms);
                blocks++;
                shared += sms > 1;
                sharers += sms > 1 ? sms : 0;
                end_window(&windows, block);
            }
        }
    }
    put_count(into, "blocks", blocks);
    put_count(into, "shared_blocks", shared);
    put_count(into, "sms_of_shared_blocks", sharers);
    put_count(into, "window_blocks", windows.window_blocks);
    put_count(into, "window_shared_blocks", windows.window_shared);
    put_count(into, "window_sms_of_shared_blocks", windows.window_sharers);
    put_count(into, "l2_misses",
              instances_sum(sharing->banks, offsetof(struct bank_watch, misses)));
    put_count(into, "l2_compulsory_misses",
              instances_sum(sharing->banks, offsetof(struct bank_watch, compulsory)));
}

static void report_cores(const struct sharing *sharing, json_t *into)
{
    uint64_t misses = 0, merges = 0, repeats = 0, soon = 0, address;
    for (uint32_t c = 0; c < sharing->cores->n; c++) {
        const struct core_watch *watch = instance_at(sharing->cores, c);
        for (size_t slot = 0; slot < watch->blocks.slots; slot++) {
            const struct of_core *block = block_table_slot(&watch->blocks, slot, &address);
            if (block != NULL && is_shared(sharing, address)) {
                misses += block->misses;
                merges += block->merges;
                repeats += block->repeats;
                soon += block->soon;
            }
        }
    }
    put_count(into, "l1d_misses",
              instances_sum(sharing->cores, offsetof(struct core_watch, misses)));
    put_count(into, "l1d_compulsory_misses",
              instances_sum(sharing->cores, offsetof(struct core_watch, compulsory)));
    put_count(into, "shared_l1d_misses", misses);
    put_count(into, "shared_mshr_hits", merges);
    put_count(into, "shared_repeats", repeats);
    put_count(into, "shared_repeats_within_1000", soon);
}

static void statistics(void *self, json_t *into)
{
    report_banks(self, into);
    report_cores(self, into);
}

static void release(void *self)
{
    const struct sharing *sharing = self;
    for (uint32_t c = 0; c < sharing->cores->n; c++) {
        block_table_free(&((struct core_watch *)instance_at(sharing->cores, c))->blocks);
    }
    for (uint32_t b = 0; b < sharing->banks->n; b++) {
        block_table_free(&((struct bank_watch *)instance_at(sharing->banks, b))->blocks);
    }
}

/* ---- attaching ---- */

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct core_watch *watch = instance;
    const struct observer observer = {.self = watch, .acc_result = core_access, .fill = core_fill};
    watch->core = core;
    block_table_init(&watch->blocks, sizeof(struct of_core));
    return plug_observer(core, &context->plug, &observer);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct bank_watch *watch = instance;
    const struct observer observer = {.self = watch, .acc_result = bank_access};
    watch->window_cycles = (uint64_t)mechanism_value(context, "window");
    block_table_init(&watch->blocks, sizeof(struct of_bank));
    return plug_bank_observer(bank, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    struct sharing *sharing = mechanism_keep(context, sizeof *sharing);
    const struct mechanism_report report = {
        .self = sharing, .name = "sharing", .statistics = statistics};
    if (sharing == NULL) {
        return -1;
    }
    sharing->machine = context->machine;
    if ((sharing->cores = instances_of_cores(context, sizeof(struct core_watch), attach_core)) ==
            NULL ||
        (sharing->banks = instances_of_banks(context, sizeof(struct bank_watch), attach_bank)) ==
            NULL ||
        mechanism_at_end(context, release, sharing) != 0) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static bool fits_mask(const struct gpu_config *config)
{
    return config->machine_sms <= 64 && !config->l2_sectors && config->l1d_sector_bytes == 0;
}

static const struct mechanism_option options[] = {OPTION_COUNT(
    "window", 10000, 100, 1000000000, "core cycles of a window over which SMs are counted", "2.3")};
static const struct mechanism_need needs[] = {
    {fits_mask, "it counts up to 64 SMs, by blocks; set machine.sms, l2.sectors=no, "
                "l1d.sector_bytes=0"}};

const struct mechanism mechanism_sharing = {
    .name = "sharing",
    .title = "monitor: SMs per block, merges on shared blocks, compulsory misses (C only)",
    .document = "tabbakh2018",
    .section = "2.3",
    MECHANISM_OPTIONS(options),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
