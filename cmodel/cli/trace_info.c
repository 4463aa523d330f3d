/* trace_info.c - `warplock trace info`, `check` and `classes`. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"
#include "cli/options.h"
#include "cli/trace_commands.h"
#include "sass/sass_survey.h"

enum { MAX_OPCODES = 1 << 14 };

struct opcode_count {
    char name[32];
    uint64_t n;
};

struct info {
    json_t *kernels;
    FILE *out;
    bool table; /* a line for each kernel */
    uint64_t n, copies, copy_bytes, blocks, instructions, marks, accesses, bytes;
    struct sass_oddities odd;
    struct opcode_count *opcode;
    uint32_t n_opcodes, unknown;
    struct sass_pages pages;
};

/* ---- opcodes ---- */

static struct opcode_count *find_opcode(struct info *info, const char *text)
{
    size_t n = strcspn(text, ".");

    n = n < sizeof info->opcode->name ? n : sizeof info->opcode->name - 1;
    for (uint32_t o = 0; o < info->n_opcodes; o++) {
        if (strncmp(info->opcode[o].name, text, n) == 0 && info->opcode[o].name[n] == '\0') {
            return &info->opcode[o];
        }
    }
    if (info->n_opcodes == MAX_OPCODES) {
        return NULL;
    }
    memcpy(info->opcode[info->n_opcodes].name, text, n);
    info->opcode[info->n_opcodes].name[n] = '\0';
    return &info->opcode[info->n_opcodes++];
}

static int by_count(const void *a, const void *b)
{
    const struct opcode_count *x = a, *y = b;

    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

static void count_opcodes(struct info *info, const struct sass_program *program)
{
    for (uint32_t e = 0; e < program->n; e++) {
        const struct sass_entry *entry = &program->entry[e];
        struct opcode_count *opcode = find_opcode(info, sass_program_opcode(program, entry));

        if (opcode) {
            opcode->n += entry->executions;
        }
    }
}

/* ---- one kernel ---- */

static json_t *kernel_json(const struct sass_kernel *kernel)
{
    const struct sass_header *h = &kernel->header;

    return json_pack(
        "{s:s, s:s, s:[I,I,I], s:[I,I,I], s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I,"
        " s:I, s:I}",
        "file", kernel->path, "name", h->name, "grid", (json_int_t)h->grid.x, (json_int_t)h->grid.y,
        (json_int_t)h->grid.z, "block", (json_int_t)h->block.x, (json_int_t)h->block.y,
        (json_int_t)h->block.z, "shared_bytes", (json_int_t)h->shared_bytes, "registers",
        (json_int_t)h->registers, "binary_version", (json_int_t)h->binary_version, "tracer_version",
        (json_int_t)h->tracer_version, "stream", (json_int_t)h->stream, "blocks",
        (json_int_t)kernel->blocks, "cluster_blocks", (json_int_t)kernel->cluster.blocks,
        "warp_instructions", (json_int_t)kernel->instructions, "replay_marks",
        (json_int_t)kernel->marks, "accesses", (json_int_t)kernel->accesses, "access_bytes",
        (json_int_t)kernel->bytes);
}

static void print_kernel(const struct info *info, const struct sass_kernel *kernel)
{
    const struct sass_header *h = &kernel->header;
    char grid[40], block[40];

    snprintf(grid, sizeof grid, "%u,%u,%u", h->grid.x, h->grid.y, h->grid.z);
    snprintf(block, sizeof block, "%u,%u,%u", h->block.x, h->block.y, h->block.z);
    fprintf(info->out, "%4" PRIu64 " %-24.24s %14s %12s %3u %2u %10" PRIu64 " %12" PRIu64 "\n",
            info->n, h->name, grid, block, h->binary_version, h->tracer_version, kernel->blocks,
            kernel->instructions);
}

static int take_kernel(void *self, const struct sass_kernel *kernel)
{
    struct info *info = self;

    info->n++;
    info->blocks += kernel->blocks;
    info->instructions += kernel->instructions;
    info->marks += kernel->marks;
    info->accesses += kernel->accesses;
    info->bytes += kernel->bytes;
    sass_oddities_add(&info->odd, &kernel->odd);
    count_opcodes(info, &kernel->program);
    if (info->table) {
        print_kernel(info, kernel);
    }
    json_array_append_new(info->kernels, kernel_json(kernel));
    info->unknown += trace_print_unknown(kernel, info->out);
    return 0;
}

static int take_copy(void *self, uint64_t address, uint64_t bytes)
{
    struct info *info = self;

    (void)address;
    info->copies++;
    info->copy_bytes += bytes;
    return 0;
}

/* ---- the whole ---- */

static json_t *info_json(const struct info *info)
{
    json_t *opcodes = json_object();

    for (uint32_t o = 0; o < info->n_opcodes; o++) {
        json_object_set_new(opcodes, info->opcode[o].name,
                            json_integer((json_int_t)info->opcode[o].n));
    }
    return json_pack(
        "{s:O, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "kernels", info->kernels, "blocks",
        (json_int_t)info->blocks, "warp_instructions", (json_int_t)info->instructions,
        "replay_marks", (json_int_t)info->marks, "accesses", (json_int_t)info->accesses,
        "access_bytes", (json_int_t)info->bytes, "footprint_bytes",
        (json_int_t)((uint64_t)info->pages.n << SASS_PAGE_SHIFT), "copies",
        (json_int_t)info->copies, "copy_bytes", (json_int_t)info->copy_bytes, "opcodes", opcodes);
}

static void print_totals(const struct info *info, double seconds)
{
    FILE *out = info->out;

    fprintf(out, "kernels        %" PRIu64 ", %" PRIu64 " thread blocks\n", info->n, info->blocks);
    fprintf(out,
            "instructions   %" PRIu64 " of warps, %" PRIu64 " replay marks, read at %.2f M/s\n",
            info->instructions, info->marks, (double)info->instructions / seconds / 1e6);
    fprintf(out, "accesses       %" PRIu64 " by lanes, %" PRIu64 " bytes\n", info->accesses,
            info->bytes);
    fprintf(out, "footprint      %" PRIu64 " MiB in pages of 2 MiB\n",
            (uint64_t)info->pages.n << (SASS_PAGE_SHIFT - 20));
    fprintf(out, "copies         %" PRIu64 " of %" PRIu64 " bytes\n", info->copies,
            info->copy_bytes);
}

static void print_opcodes(const struct info *info)
{
    fprintf(info->out, "opcodes        %u", info->n_opcodes);
    for (uint32_t o = 0; o < info->n_opcodes; o++) {
        fprintf(info->out, "%s%-12s %12" PRIu64, o % 3 ? "   " : "\n  ", info->opcode[o].name,
                info->opcode[o].n);
    }
    fputc('\n', info->out);
}

static enum verdict survey(const struct trace_command *command, struct info *info)
{
    double last = 0, start = seconds_now();
    const struct sass_scan_options options = {.opcodes = command->options.opcodes,
                                              .unknown = command->options.unknown,
                                              .progress = trace_show_progress,
                                              .progress_self = &last};
    struct sass_survey survey = {
        .self = info, .copy = take_copy, .kernel = take_kernel, .pages = &info->pages};
    char error[512];

    if (info->table) {
        fprintf(info->out, "%4s %-24s %14s %12s %3s %2s %10s %12s\n", "", "kernel", "grid", "block",
                "sm", "v", "blocks", "instructions");
    }
    if (sass_survey(command->path[0], &options, &survey, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    print_totals(info, seconds_now() - start);
    return VERDICT_PASS;
}

static enum verdict write_json(const char *path, json_t *json)
{
    int result = strcmp(path, "-") == 0
                     ? json_dumpf(json, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER)
                     : json_dump_file(json, path, JSON_INDENT(1) | JSON_PRESERVE_ORDER);

    if (strcmp(path, "-") == 0) {
        putchar('\n');
    }
    json_decref(json);
    if (result != 0) {
        fprintf(stderr, "warplock: cannot write %s; check the path\n", path);
    }
    return result == 0 ? VERDICT_PASS : VERDICT_USAGE;
}

static enum verdict look(const struct trace_command *command, bool table)
{
    struct info info = {.kernels = json_array(),
                        .table = table,
                        .out = command->json && strcmp(command->json, "-") == 0 ? stderr : stdout,
                        .opcode = calloc(MAX_OPCODES, sizeof(struct opcode_count))};
    enum verdict verdict = VERDICT_USAGE;

    if (!info.opcode || !info.kernels) {
        fprintf(stderr, "warplock: out of memory\n");
    } else {
        verdict = survey(command, &info);
    }
    if (verdict == VERDICT_PASS) {
        qsort(info.opcode, info.n_opcodes, sizeof *info.opcode, by_count);
        if (table) {
            print_opcodes(&info);
        }
        trace_print_oddities(&info.odd, info.out);
        if (!table) {
            fprintf(info.out, "%s\n", info.unknown ? "unknown opcodes; see above" : "sound");
        }
        if (command->json) {
            verdict = write_json(command->json, info_json(&info));
        }
        if (info.unknown && command->options.list_unknown) {
            verdict = VERDICT_USAGE;
        }
    }
    json_decref(info.kernels);
    sass_pages_free(&info.pages);
    free(info.opcode);
    return verdict;
}

enum verdict trace_info(const struct trace_command *command)
{
    return look(command, true);
}

enum verdict trace_check(const struct trace_command *command)
{
    return look(command, false);
}

enum verdict trace_classes(const struct trace_command *command)
{
    (void)command;
    for (uint32_t c = 0; c < SASS_CLASS_COUNT; c++) {
        printf("%s\n", sass_class_name((enum sass_class)c));
    }
    return VERDICT_PASS;
}
