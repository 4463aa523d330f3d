/* sass_scan.c - the first reading of a kernel's trace.  See sass_kernel.h.
 *
 * Checks what only the whole tells: that lanes exist and have not exited, that every lane
 * exits, alignment, the extent of local memory, the number of blocks.
 */
#include <string.h>

#include "sass/sass_flow.h"
#include "sass/sass_kernel.h"

/* Instructions times 64 registers that the machine's scoreboard may have to tabulate. */
#define MAX_TABLE_WORDS (UINT64_C(1) << 22)

/* Threads of the warp at hand that executed the same instruction last. */
struct group {
    uint32_t mask, entry;
};

struct scan {
    struct sass_kernel *kernel;
    struct sass_pages *pages;
    struct sass_edges edges;
    struct group group[ISA_LANES + 1];
    uint32_t n_groups;
    uint32_t lanes, live; /* of the warp at hand: those that exist, have not exited */
    uint64_t local_low, local_high;
    uint32_t widest_local; /* bytes of the widest access that may be to local memory */
};

/* ---- control flow ---- */

static int follow(struct scan *scan, uint32_t from, uint32_t to)
{
    uint32_t *follows;

    if (from == SASS_START) {
        return sass_edges_add(&scan->edges, from, to);
    }
    follows = scan->kernel->program.entry[from].follows;
    if (follows[0] == to || follows[1] == to) {
        return 0;
    }
    follows[1] = follows[0];
    follows[0] = to;
    return sass_edges_add(&scan->edges, from, to);
}

/* The lanes of `mask` go from what they executed last to `entry`. */
static int move_lanes(struct scan *scan, uint32_t mask, uint32_t entry)
{
    uint32_t kept = 0;

    for (uint32_t g = 0; g < scan->n_groups; g++) {
        struct group group = scan->group[g];

        if ((group.mask & mask) && follow(scan, group.entry, entry) != 0) {
            return -1;
        }
        group.mask &= ~mask;
        if (group.mask) {
            scan->group[kept++] = group;
        }
    }
    if (mask) {
        scan->group[kept++] = (struct group){mask, entry};
    }
    scan->n_groups = kept;
    return 0;
}

/* ---- addresses ---- */

static int check_global(struct scan *scan, struct sass_input *in, uint64_t address)
{
    int result = sass_pages_add(scan->pages, address);

    if (result == 0) {
        return 0;
    }
    if (result < 0) {
        return sass_fail(in, "out of memory for the pages touched");
    }
    return sass_fail(in,
                     "address 0x%llx and one before differ only above bit %d, which the "
                     "machine does not have; trace with less memory",
                     (unsigned long long)address, SASS_ADDRESS_BITS);
}

static int check_local(struct scan *scan, struct sass_input *in, uint64_t address, uint32_t bytes)
{
    uint64_t offset = sass_local_offset(&scan->kernel->header, address);

    if (offset >= SASS_LOCAL_WINDOW) {
        return sass_fail(in,
                         "local address 0x%llx is outside the window of 16 MiB; is '-local mem "
                         "base_addr' right?",
                         (unsigned long long)address);
    }
    scan->local_low = offset < scan->local_low ? offset : scan->local_low;
    scan->local_high = offset + bytes > scan->local_high ? offset + bytes : scan->local_high;
    return 0;
}

static int check_lane(struct scan *scan, struct sass_input *in, const struct isa_inst *inst,
                      uint32_t lane, uint64_t address)
{
    if (address & (inst->bytes - 1u)) {
        return sass_fail(in, "address 0x%llx of lane %u is not aligned to the access's %u bytes",
                         (unsigned long long)address, lane, inst->bytes);
    }
    switch (sass_space_of(&scan->kernel->header, inst->space, address)) {
    case ISA_SPACE_GLOBAL: return check_global(scan, in, address);
    case ISA_SPACE_LOCAL: return check_local(scan, in, address, inst->bytes);
    default: return 0;
    }
}

static int check_addresses(struct scan *scan, struct sass_input *in, const struct isa_inst *inst,
                           const struct sass_executed *executed)
{
    for (uint32_t left = executed->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t address = executed->addresses.lane[lane];

        if (sass_is_access(inst->space, address) &&
            check_lane(scan, in, inst, lane, address) != 0) {
            return -1;
        }
    }
    if (inst->space == ISA_SPACE_LOCAL || inst->space == ISA_SPACE_GENERIC) {
        scan->widest_local = inst->bytes > scan->widest_local ? inst->bytes : scan->widest_local;
    }
    return 0;
}

/* ---- the sink ---- */

static int warp_begin(void *self, struct sass_input *in, uint32_t warp)
{
    struct scan *scan = self;

    (void)in;
    scan->lanes = scan->live = sass_header_lanes(&scan->kernel->header, warp);
    scan->group[0] = (struct group){scan->lanes, SASS_START};
    scan->n_groups = 1;
    return 0;
}

static int executed(void *self, struct sass_input *in, const struct sass_executed *executed)
{
    struct scan *scan = self;
    const struct sass_entry *entry = &scan->kernel->program.entry[executed->entry];
    bool memory = entry->inst.access != ISA_ACCESS_NONE;

    if (executed->mask & ~scan->live) {
        return sass_fail(in, "mask %08x has lane %d, which %s", executed->mask,
                         __builtin_ctz(executed->mask & ~scan->live),
                         executed->mask & ~scan->lanes ? "the block's size does not give this warp"
                                                       : "has exited");
    }
    if (memory && !executed->addressed && executed->mask) {
        return sass_fail(in, "opcode %s accesses memory and has memory width 0",
                         scan->kernel->program.texts + entry->text + entry->n_text + 1);
    }
    if (memory && executed->addressed && check_addresses(scan, in, &entry->inst, executed) != 0) {
        return -1;
    }
    if (move_lanes(scan, executed->mask, executed->entry) != 0) {
        return sass_fail(in, "out of memory for the kernel's control flow");
    }
    if (entry->inst.is_exit) {
        scan->live &= ~executed->mask;
    }
    scan->kernel->instructions++;
    scan->kernel->unknown += entry->unknown;
    return 0;
}

static int warp_end(void *self, struct sass_input *in, uint32_t warp)
{
    const struct scan *scan = self;

    if (scan->live) {
        return sass_fail(in, "warp %u ends before its lane %d has executed an EXIT", warp,
                         __builtin_ctz(scan->live));
    }
    return 0;
}

/* ---- the whole ---- */

static int read_blocks(struct scan *scan, struct sass_input *in,
                       const struct sass_scan_options *options)
{
    struct sass_kernel *kernel = scan->kernel;
    const struct sass_sink sink = {scan, warp_begin, executed, warp_end};
    struct sass_reader reader = {
        .in = in, .header = &kernel->header, .program = &kernel->program, .finds = true};
    uint64_t blocks = 0;
    int more;

    while ((more = sass_read_block(&reader, &sink)) > 0) {
        if (++blocks > kernel->header.blocks) {
            return sass_fail(in, "block %llu of a grid of %llu; mend the head",
                             (unsigned long long)blocks, (unsigned long long)kernel->header.blocks);
        }
        if (options->progress) {
            options->progress(options->progress_self, kernel->path, in->bytes_in, in->bytes_total);
        }
    }
    if (more == 0 && blocks < kernel->header.blocks) {
        return sass_fail(in, "the file ends after %llu of %llu blocks; it is cut short",
                         (unsigned long long)blocks, (unsigned long long)kernel->header.blocks);
    }
    return more;
}

/* The layout that the head gives, or the tightest one in granules of the widest access. */
static int lay_out_local(struct scan *scan, struct sass_input *in)
{
    struct sass_kernel *kernel = scan->kernel;
    const struct sass_header *head = &kernel->header;
    uint32_t granule = scan->widest_local < 4 ? 4 : scan->widest_local;

    if (scan->local_high == 0) {
        return 0;
    }
    kernel->local_low = head->local_bytes ? 0 : scan->local_low & ~(uint64_t)(granule - 1);
    if (scan->local_high - kernel->local_low > SASS_LOCAL_BYTES) {
        return sass_fail(in, "the local accesses of a thread span %llu bytes, more than 512 KiB",
                         (unsigned long long)(scan->local_high - kernel->local_low));
    }
    kernel->local_bytes = (uint32_t)(scan->local_high - kernel->local_low);
    kernel->local_granule_bytes = granule;
    if (head->local_bytes) {
        if (kernel->local_bytes > head->local_bytes || head->local_granule_bytes < granule) {
            return sass_fail(in,
                             "local accesses reach offset %llu in pieces of %u bytes, the head "
                             "says %u and %u; dump it again",
                             (unsigned long long)scan->local_high, granule, head->local_bytes,
                             head->local_granule_bytes);
        }
        kernel->local_bytes = head->local_bytes;
        kernel->local_granule_bytes = head->local_granule_bytes;
    }
    return 0;
}

static int make_program(struct scan *scan, struct sass_input *in)
{
    struct sass_kernel *kernel = scan->kernel;
    struct sass_program *program = &kernel->program;
    char why[256];

    if (sass_flow(program, &scan->edges, why, sizeof why) != 0) {
        return sass_fail(in, "%s", why);
    }
    if (sass_program_seal(program) != 0) {
        return sass_fail(in, "out of memory for the kernel's instructions");
    }
    if ((uint64_t)program->n_table * (program->n_registers / 64 + 1) > MAX_TABLE_WORDS) {
        return sass_fail(in, "%u instructions and %u registers; this is no kernel", program->n,
                         program->n_registers);
    }
    kernel->isa = (struct isa_kernel){.name = kernel->header.name,
                                      .file = kernel->path,
                                      .inst = program->table,
                                      .n_inst = program->n_table,
                                      .n_registers = program->n_registers,
                                      .register_number = program->number,
                                      .registers_per_thread = kernel->header.registers,
                                      .shared_bytes = kernel->header.shared_bytes,
                                      .local_bytes = kernel->local_bytes};
    return 0;
}

int sass_kernel_scan(struct sass_kernel *kernel, struct sass_input *in, struct sass_pages *pages,
                     const struct sass_scan_options *options)
{
    struct scan scan = {.kernel = kernel, .pages = pages, .local_low = UINT64_MAX};
    int result = -1;

    if (sass_header_read(in, &kernel->header) != 0) {
        return -1;
    }
    if (sass_program_init(&kernel->program, kernel->header.generation, options->unknown_as_alu) !=
        0) {
        sass_fail(in, "out of memory for the kernel's instructions");
    } else if (read_blocks(&scan, in, options) == 0 && lay_out_local(&scan, in) == 0) {
        result = make_program(&scan, in);
    }
    sass_edges_free(&scan.edges);
    return result;
}

void sass_kernel_free(struct sass_kernel *kernel)
{
    sass_program_free(&kernel->program);
}

uint64_t sass_kernel_local_total(const struct sass_kernel *kernel)
{
    uint64_t granule = kernel->local_granule_bytes ? kernel->local_granule_bytes : 1;
    uint64_t per_thread = (kernel->local_bytes + granule - 1) / granule * granule;

    return per_thread * ISA_LANES * kernel->header.warps * kernel->header.blocks;
}
