/* sass_program.c - see sass_program.h. */
#include "sass/sass_program.h"

#include <stdlib.h>
#include <string.h>

#include "sass/sass_scan_text.h"

enum { FIRST_SLOTS = 256, FIRST_TEXTS = 4096 };

int sass_program_init(struct sass_program *program, const struct sass_header *header,
                      const struct sass_opcodes *opcodes, enum sass_unknown unknown)
{
    *program = (struct sass_program){
        .header = header, .opcodes = opcodes, .unknown = unknown, .n_slots = FIRST_SLOTS};
    program->slot = malloc(FIRST_SLOTS * sizeof *program->slot);
    if (!program->slot) {
        return -1;
    }
    memset(program->slot, 0xff, FIRST_SLOTS * sizeof *program->slot);
    return 0;
}

void sass_program_free(struct sass_program *program)
{
    free(program->entry);
    free(program->slot);
    free(program->texts);
    free(program->table);
    free(program->entry_of);
    free(program->number_of);
    program->entry = NULL;
    program->slot = NULL;
    program->texts = NULL;
    program->table = NULL;
    program->entry_of = NULL;
    program->number_of = NULL;
}

static uint32_t slot_of(const struct sass_program *program, uint32_t pc)
{
    return (pc ^ pc >> 3) * UINT32_C(2654435761) >> 8 & (program->n_slots - 1);
}

uint32_t sass_program_find(const struct sass_program *program, uint32_t pc, const char **cursor,
                           const char *end)
{
    uint32_t e = program->slot[slot_of(program, pc)];

    for (; e != SASS_NONE; e = program->entry[e].same_slot) {
        const struct sass_entry *entry = &program->entry[e];
        const char *behind = *cursor + entry->n_text;

        if (entry->pc == pc && (size_t)(end - *cursor) >= entry->n_text &&
            scan_stops(behind, end) &&
            memcmp(*cursor, program->texts + entry->text, entry->n_text) == 0) {
            *cursor = behind;
            return e;
        }
    }
    return SASS_NONE;
}

/* ---- adding ---- */

static uint16_t dense(struct sass_program *program, uint32_t number)
{
    if (!program->dense[number]) {
        program->number[program->n_registers] = (uint16_t)(number < SASS_FILE_UNIFORM
                                                               ? number
                                                               : (number - SASS_FILE_UNIFORM) %
                                                                     256);
        program->dense[number] = (uint16_t)++program->n_registers;
    }
    return (uint16_t)(program->dense[number] - 1);
}

/* RZ, URZ, which up to Hopper is UR63, PT and UPT hold what nobody writes. */
static bool is_constant(const struct sass_program *program, uint32_t number)
{
    return number == SASS_RZ || number == SASS_FILE_UNIFORM + 255 ||
           number == SASS_FILE_PREDICATE + 7 || number == SASS_FILE_UNIFORM_PREDICATE + 7 ||
           (number == SASS_FILE_UNIFORM + 63 && program->header->binary_version < 100);
}

static void take_registers(struct sass_program *program, struct sass_entry *entry,
                           const struct sass_operands *operands)
{
    struct isa_inst *inst = &entry->inst;

    entry->registers = (uint8_t)(operands->n_dst + operands->n_src);
    entry->results = (uint8_t)operands->n_dst;
    if (operands->n_dst && !is_constant(program, operands->dst)) {
        inst->dst[inst->n_dst++] = dense(program, operands->dst);
    }
    for (uint32_t s = 0; s < operands->n_src; s++) {
        if (!is_constant(program, operands->src[s])) {
            inst->src[inst->n_src++] = dense(program, operands->src[s]);
        }
    }
}

static int take_opcode(struct sass_program *program, struct sass_input *in,
                       const struct sass_operands *operands, struct sass_entry *entry)
{
    const char *why = "it is in the table of no binary version",
               *end = operands->opcode + operands->n_opcode;

    switch (sass_opcode_decode(program->opcodes, operands->opcode, operands->n_opcode,
                               program->header->table, &entry->inst, &entry->class, &why)) {
    case SASS_KNOWN: return 0;
    case SASS_FOREIGN:
        if (program->header->modern) {
            entry->foreign = true;
            return 0;
        }
        why = "it is not in the table of this binary version";
        break;
    case SASS_REFUSED:
    case SASS_UNKNOWN:
    default: break;
    }
    if (program->unknown == SASS_UNKNOWN_ERROR) {
        return sass_fail(in,
                         "opcode %s cannot be run: %s; add it with --opcodes FILE or run with "
                         "--unknown-opcodes=alu",
                         sass_quote(operands->opcode, end).text, why);
    }
    entry->inst = (struct isa_inst){.pipe = ISA_PIPE_INT};
    entry->class = SASS_INT;
    entry->unknown = true;
    return 0;
}

/* The texts: as in the trace, then the opcode alone for messages. */
static int keep_text(struct sass_program *program, struct sass_entry *entry, const char *text,
                     const struct sass_operands *operands)
{
    size_t n = entry->n_text + 1 + operands->n_opcode + 1;

    if (program->max_texts - program->n_texts < n) {
        size_t max = 2 * program->max_texts + FIRST_TEXTS + n;
        char *more = realloc(program->texts, max);

        if (!more) {
            return -1;
        }
        program->texts = more;
        program->max_texts = max;
    }
    entry->text = program->n_texts;
    memcpy(program->texts + entry->text, text, entry->n_text);
    program->texts[entry->text + entry->n_text] = '\0';
    memcpy(program->texts + entry->text + entry->n_text + 1, operands->opcode, operands->n_opcode);
    program->texts[entry->text + n - 1] = '\0';
    program->n_texts += n;
    return 0;
}

static void hash_all(struct sass_program *program)
{
    memset(program->slot, 0xff, program->n_slots * sizeof *program->slot);
    for (uint32_t e = 0; e < program->n; e++) {
        uint32_t *slot = &program->slot[slot_of(program, program->entry[e].pc)];

        program->entry[e].same_slot = *slot;
        *slot = e;
    }
}

/* Room for one more entry. */
static int grow(struct sass_program *program)
{
    if (program->n == program->max) {
        uint32_t max = program->max ? 2 * program->max : 64;
        struct sass_entry *more = realloc(program->entry, max * sizeof *more);

        if (!more) {
            return -1;
        }
        program->entry = more;
        program->max = max;
    }
    if (program->n >= program->n_slots) {
        uint32_t *more = realloc(program->slot, 2 * program->n_slots * sizeof *more);

        if (!more) {
            return -1;
        }
        program->slot = more;
        program->n_slots *= 2;
        hash_all(program);
    }
    return 0;
}

uint32_t sass_program_add(struct sass_program *program, struct sass_input *in, uint32_t pc,
                          const char **cursor, const char *end)
{
    struct sass_entry entry = {.pc = pc, .follows = {SASS_NONE, SASS_NONE}};
    const char *text = *cursor;
    struct sass_operands operands;
    uint32_t *slot;
    uint64_t line;

    if (sass_line_operands(in, program->header, cursor, end, &operands) != 0 ||
        take_opcode(program, in, &operands, &entry) != 0) {
        return SASS_NONE;
    }
    if (program->n == SASS_MAX_ENTRIES) {
        sass_fail(in, "more than %d different instructions; this is no kernel", SASS_MAX_ENTRIES);
        return SASS_NONE;
    }
    entry.n_text = (uint32_t)(*cursor - text);
    entry.addressed = operands.addressed;
    entry.bulk = operands.bulk;
    entry.commit = operands.commit;
    line = in->tracez ? in->place.line : in->line;
    entry.inst.line = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    take_registers(program, &entry, &operands);
    if (grow(program) != 0 || keep_text(program, &entry, text, &operands) != 0) {
        sass_fail(in, "out of memory for the kernel's instructions");
        return SASS_NONE;
    }
    slot = &program->slot[slot_of(program, pc)];
    entry.same_slot = *slot;
    *slot = program->n;
    program->entry[program->n] = entry;
    return program->n++;
}

/* ---- sealing ---- */

static int by_pc(const void *a, const void *b, void *program)
{
    const struct sass_entry *entry = ((const struct sass_program *)program)->entry;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (entry[x].pc != entry[y].pc) {
        return entry[x].pc < entry[y].pc ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

/* Instructions between one that ends at `end` and the next at `pc`, to be filled in. */
static uint32_t gap(uint32_t end, uint32_t pc, uint32_t step, uint32_t *budget)
{
    uint32_t fillers = (pc - end + step - 1) / step;

    if (pc <= end) {
        return 0;
    }
    if (fillers > *budget) {
        return 1;
    }
    *budget -= fillers;
    return fillers;
}

/* Number the entries in their order, leaving room for fillers. */
static void number_entries(struct sass_program *program, const uint32_t *order)
{
    uint32_t step = sass_opcodes_step(program->header->table), end = 0;
    uint32_t budget = SASS_MAX_FILLERS;

    for (uint32_t at = 0; at < program->n; at++) {
        struct sass_entry *entry = &program->entry[order[at]];

        program->n_table += gap(end, entry->pc, step, &budget);
        entry->index = program->n_table++;
        end = entry->pc < UINT32_MAX - step ? entry->pc + step : entry->pc;
    }
}

static int fill_table(struct sass_program *program)
{
    program->table = calloc((size_t)program->n_table + 1, sizeof *program->table);
    program->entry_of = malloc(((size_t)program->n_table + 1) * sizeof *program->entry_of);
    program->number_of = malloc(((size_t)program->n + 1) * sizeof *program->number_of);
    if (!program->table || !program->entry_of || !program->number_of) {
        return -1;
    }
    for (uint32_t at = 0; at < program->n_table; at++) {
        program->table[at].text = "(never executed)";
        program->entry_of[at] = SASS_NONE;
    }
    for (uint32_t e = 0; e < program->n; e++) {
        struct sass_entry *entry = &program->entry[e];

        entry->inst.text = sass_program_opcode(program, entry);
        entry->inst.is_async = entry->class == SASS_LOAD_ASYNC;
        program->table[entry->index] = entry->inst;
        program->entry_of[entry->index] = e;
        program->number_of[e] = entry->index;
    }
    return 0;
}

int sass_program_seal(struct sass_program *program)
{
    uint32_t *order = malloc((program->n + 1) * sizeof *order);

    if (!order) {
        return -1;
    }
    for (uint32_t e = 0; e < program->n; e++) {
        order[e] = e;
    }
    qsort_r(order, program->n, sizeof *order, by_pc, program);
    number_entries(program, order);
    free(order);
    return fill_table(program);
}
