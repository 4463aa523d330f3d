/* sass_scan.c - the first reading of a kernel's trace.  See sass_kernel.h.
 *
 * Checks what only the whole tells: that lanes exist and have not exited, that every lane
 * exits, alignment, the extent of local memory, the number of blocks.
 */
#include <string.h>

#include "sass/sass_async.h"
#include "sass/sass_flow.h"
#include "sass/sass_kernel.h"
#include "sass/sass_shape.h"

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
    uint64_t before;       /* instructions of the blocks before the one at hand */
    bool empty;            /* the warp at hand has no lines */
    struct sass_shape shape;
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

    if (mask && scan->n_groups == 1 && scan->group[0].mask == mask) { /* as most often */
        const uint32_t from = scan->group[0].entry;

        scan->group[0].entry = entry;
        return follow(scan, from, entry);
    }
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
    int result = sass_pages_is_last(scan->pages, address) ? 0
                                                          : sass_pages_add(scan->pages, address);

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

/* The elements of a bulk copy. */
static int check_bulk(struct scan *scan, struct sass_input *in, const struct sass_bulk *bulk)
{
    for (uint32_t a = 0; a < bulk->n; a++) {
        /* The last byte may lie in another page. */
        if (check_global(scan, in, bulk->address[a]) != 0 ||
            (bulk->width > 1 && check_global(scan, in, bulk->address[a] + bulk->width - 1) != 0)) {
            return -1;
        }
    }
    scan->kernel->accesses += bulk->n;
    scan->kernel->bytes += (uint64_t)bulk->n * bulk->width;
    return 0;
}

/* ---- the sink ---- */

static int block_begin(void *self, struct sass_input *in, struct isa_dim3 at,
                       const struct sass_cluster *cluster)
{
    struct scan *scan = self;

    (void)in;
    sass_shape_add(&scan->shape, at, cluster);
    sass_kept_block(&scan->kernel->kept, at);
    scan->before = scan->kernel->instructions;
    return 0;
}

static int block_end(void *self, struct sass_input *in)
{
    const struct scan *scan = self;

    return scan->kernel->instructions > scan->before
               ? 0
               : sass_fail(in, "a block none of whose warps has an instruction; leave it out");
}

static int warp_begin(void *self, struct sass_input *in, uint32_t warp, uint64_t lines)
{
    struct scan *scan = self;

    (void)in;
    scan->lanes = scan->live = sass_header_lanes(&scan->kernel->header, warp);
    scan->group[0] = (struct group){scan->lanes, SASS_START};
    scan->n_groups = 1;
    scan->empty = lines == 0;
    sass_kept_warp(&scan->kernel->kept, warp);
    return 0;
}

/* Lanes that are not there: an error of old tracers, something to be told of new ones. */
static int check_lanes(struct scan *scan, struct sass_input *in, uint32_t mask)
{
    if (!(mask & ~scan->live)) {
        return 0;
    }
    if (scan->kernel->header.modern) {
        scan->kernel->odd.lanes++;
        return 0;
    }
    return sass_fail(in, "mask %08x has lane %d, which %s", mask, __builtin_ctz(mask & ~scan->live),
                     mask & ~scan->lanes ? "the block's size does not give this warp"
                                         : "has exited");
}

static int check_access(struct scan *scan, struct sass_input *in, const struct sass_entry *entry,
                        const struct sass_executed *executed)
{
    struct sass_kernel *kernel = scan->kernel;

    if (entry->bulk) {
        return executed->mask ? check_bulk(scan, in, &executed->bulk) : 0;
    }
    if (entry->inst.access == ISA_ACCESS_NONE) {
        return 0;
    }
    if (!executed->addressed && executed->mask && !kernel->header.modern) {
        return sass_fail(in, "opcode %s accesses memory and has memory width 0",
                         sass_program_opcode(&kernel->program, entry));
    }
    if (!executed->addressed) {
        kernel->odd.no_address += executed->mask != 0;
        return 0;
    }
    kernel->accesses += (uint32_t)__builtin_popcount(executed->mask);
    kernel->bytes += (uint64_t)__builtin_popcount(executed->mask) * entry->inst.bytes;
    return check_addresses(scan, in, &entry->inst, executed);
}

static int executed(void *self, struct sass_input *in, const struct sass_executed *executed)
{
    struct scan *scan = self;
    struct sass_kernel *kernel = scan->kernel;
    struct sass_entry *entry = &kernel->program.entry[executed->entry];
    struct isa_async aside;
    int besides = 0;

    if (check_lanes(scan, in, executed->mask) != 0 ||
        check_access(scan, in, entry, executed) != 0) {
        return -1;
    }
    if (sass_async_class(entry->class)) {
        besides = sass_async_of(kernel, entry, executed, &aside, &kernel->odd);
    }
    if (besides < 0) {
        return sass_fail(in, "a barrier's number is 0 to 15");
    }
    if (move_lanes(scan, executed->mask & scan->live, executed->entry) != 0) {
        return sass_fail(in, "out of memory for the kernel's control flow");
    }
    if (entry->inst.is_exit) {
        scan->live &= ~executed->mask;
    }
    sass_kept_line(&kernel->kept, entry, executed, besides > 0 ? &aside : NULL);
    entry->executions++;
    kernel->instructions++;
    kernel->unknown += entry->unknown;
    kernel->odd.foreign += entry->foreign;
    return 0;
}

static int warp_end(void *self, struct sass_input *in, uint32_t warp)
{
    const struct scan *scan = self;

    sass_kept_warp_end(&scan->kernel->kept, warp);
    if (scan->live && scan->kernel->header.modern) {
        scan->kernel->odd.exits += !scan->empty;
    } else if (scan->live) {
        return sass_fail(in, "warp %u ends before its lane %d has executed an EXIT", warp,
                         __builtin_ctz(scan->live));
    }
    return 0;
}

/* ---- the whole ---- */

/* Too few are no error where the tracer leaves blocks out, or a cut has. */
static int check_count(struct scan *scan, struct sass_input *in)
{
    const struct sass_header *head = &scan->kernel->header;
    const uint64_t blocks = scan->kernel->blocks;
    const uint64_t expected = head->kept_blocks ? head->kept_blocks : head->blocks;

    if (blocks < head->blocks && blocks > UINT32_MAX) {
        return sass_fail(in, "%llu of %llu blocks; a part of a grid is run up to 2^32 blocks",
                         (unsigned long long)blocks, (unsigned long long)head->blocks);
    }
    if (blocks == expected || (head->modern && !head->kept_blocks && blocks > 0)) {
        return 0;
    }
    return sass_fail(in, "the file ends after %llu of %llu blocks; it is cut short",
                     (unsigned long long)blocks, (unsigned long long)expected);
}

static int read_blocks(struct scan *scan, struct sass_input *in,
                       const struct sass_scan_options *options)
{
    struct sass_kernel *kernel = scan->kernel;
    const struct sass_sink sink = {.self = scan,
                                   .block_begin = block_begin,
                                   .warp_begin = warp_begin,
                                   .executed = executed,
                                   .warp_end = warp_end,
                                   .block_end = block_end};
    struct sass_reader reader = {
        .in = in, .header = &kernel->header, .program = &kernel->program, .finds = true};
    int more;

    while ((more = sass_read_block(&reader, &sink)) > 0) {
        if (++kernel->blocks > kernel->header.blocks) {
            more = sass_fail(in, "block %llu of a grid of %llu; mend the head",
                             (unsigned long long)kernel->blocks,
                             (unsigned long long)kernel->header.blocks);
            break;
        }
        if (options->progress) {
            options->progress(options->progress_self, kernel->path, in->bytes_in, in->bytes_total);
        }
    }
    kernel->marks = reader.marks;
    sass_reader_free(&reader);
    return more == 0 ? check_count(scan, in) : more;
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
    for (uint32_t e = 0; e < program->n; e++) {
        kernel->asynchronous |= sass_async_starts(program->entry[e].class);
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

    if (sass_header_read(in, &kernel->header) != 0 ||
        (in->tracez &&
         sass_tracez_check(in->tracez, in, kernel->header.grid, kernel->header.warps) != 0)) {
        return -1;
    }
    sass_shape_init(&scan.shape, &kernel->header);
    sass_kept_begin(&kernel->kept, kernel->header.warps, in->tracez ? 0 : options->keep_bytes);
    if (sass_program_init(&kernel->program, &kernel->header, options->opcodes, options->unknown) !=
        0) {
        sass_fail(in, "out of memory for the kernel's instructions");
    } else if (read_blocks(&scan, in, options) == 0 && lay_out_local(&scan, in) == 0) {
        kernel->odd.clusters = !sass_shape_end(&scan.shape, in->tracez, &kernel->cluster);
        result = make_program(&scan, in);
    }
    sass_edges_free(&scan.edges);
    return result;
}
