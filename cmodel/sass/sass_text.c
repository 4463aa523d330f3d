/* sass_text.c - see sass_text.h. */
#include "sass/sass_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/sass_line.h"

enum { MIDDLE_BYTES = 96 };

/* ---- opcodes ---- */

static const char *width_suffix(uint32_t bytes)
{
    switch (bytes) {
    case 1: return ".U8";
    case 2: return ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
    }
}

static const char *cache_suffix(uint8_t cacheop)
{
    switch (cacheop) {
    case ISA_CACHE_CG: return ".STRONG.GPU";
    case ISA_CACHE_CV:
    case ISA_CACHE_VOLATILE: return ".STRONG.SYS";
    case ISA_CACHE_CS: return ".EF";
    case ISA_CACHE_NC: return ".CONSTANT";
    default: return "";
    }
}

static const char *atomic_suffix(uint8_t atom)
{
    static const char *const NAMES[] = {".ADD", ".MIN", ".MAX", ".INC",  ".DEC",
                                        ".AND", ".OR",  ".XOR", ".EXCH", ".CAS"};

    return NAMES[atom];
}

/* The opcode of a memory instruction, or NULL. */
static const char *memory_opcode(const struct isa_inst *inst)
{
    static const char *const OPCODES[][5] = {
        /* NONE, LOAD, STORE, ATOMIC, REDUCE */
        [ISA_SPACE_GLOBAL] = {NULL, "LDG.E", "STG.E", "ATOMG.E", "RED.E"},
        [ISA_SPACE_LOCAL] = {NULL, "LDL", "STL", NULL, NULL},
        [ISA_SPACE_SHARED] = {NULL, "LDS", "STS", "ATOMS", "ATOMS"},
        [ISA_SPACE_GENERIC] = {NULL, "LD.E", "ST.E", "ATOM.E", NULL},
    };

    return inst->space <= ISA_SPACE_GENERIC ? OPCODES[inst->space][inst->access] : NULL;
}

static bool is_addressed(const struct isa_inst *inst)
{
    return inst->access != ISA_ACCESS_NONE &&
           (inst->pipe == ISA_PIPE_MEM || inst->pipe == ISA_PIPE_SHARED);
}

static const char *fence_opcode(uint8_t scope)
{
    return scope == ISA_SCOPE_CTA   ? "MEMBAR.SC.CTA"
           : scope == ISA_SCOPE_GPU ? "MEMBAR.SC.GPU"
                                    : "MEMBAR.SC.SYS";
}

/* The opcode that stands for the instruction, with suffixes; false when none does. */
static bool opcode_of(const struct isa_inst *inst, char *out, size_t n_out)
{
    static const char *const BY_PIPE[ISA_PIPE_COUNT] = {[ISA_PIPE_INT] = "IADD3",
                                                        [ISA_PIPE_FP32] = "FFMA",
                                                        [ISA_PIPE_FP64] = "DFMA",
                                                        [ISA_PIPE_SFU] = "MUFU.RCP",
                                                        [ISA_PIPE_CONST] = "LDC",
                                                        [ISA_PIPE_BARRIER] = "BAR.SYNC",
                                                        [ISA_PIPE_CONTROL] = "CALL.REL.NOINC"};
    const char *name = BY_PIPE[inst->pipe];
    bool atomic = inst->access == ISA_ACCESS_ATOMIC || inst->access == ISA_ACCESS_REDUCE;

    if (is_addressed(inst)) {
        name = memory_opcode(inst);
        if (name) {
            snprintf(out, n_out, "%s%s%s%s", name, atomic ? atomic_suffix(inst->atom) : "",
                     width_suffix(inst->bytes), atomic ? "" : cache_suffix(inst->cacheop));
        }
        return name != NULL;
    }
    if (inst->pipe == ISA_PIPE_CONTROL) {
        name = inst->is_exit ? "EXIT" : inst->is_branch ? "BRA" : name;
    }
    if (inst->pipe == ISA_PIPE_FENCE) {
        name = fence_opcode(inst->scope);
    }
    snprintf(out, n_out, "%s%s", name ? name : "",
             inst->pipe == ISA_PIPE_CONST ? width_suffix(inst->bytes) : "");
    return name != NULL;
}

/* ---- registers ---- */

static uint32_t root_of(const uint32_t *parent, uint32_t reg)
{
    while (parent[reg] != reg) {
        reg = parent[reg];
    }
    return reg;
}

/* number[r]: what register r is called; registers written together share a name.  NULL when
 * out of memory. */
static uint32_t *number_registers(const struct isa_kernel *kernel, uint32_t *most)
{
    uint32_t n = kernel->n_registers, next = 0;
    uint32_t *number = malloc((n + 1) * sizeof *number), *parent = malloc((n + 1) * sizeof *parent);

    for (uint32_t r = 0; number && parent && r < n; r++) {
        parent[r] = r;
    }
    for (uint32_t pc = 0; number && parent && pc < kernel->n_inst; pc++) {
        for (uint32_t d = 1; d < kernel->inst[pc].n_dst; d++) {
            parent[root_of(parent, kernel->inst[pc].dst[d])] = root_of(parent,
                                                                       kernel->inst[pc].dst[0]);
        }
    }
    for (uint32_t r = 0; number && parent && r < n; r++) {
        if (parent[r] == r) {
            next += next == SASS_RZ;
            number[r] = next++;
        }
    }
    for (uint32_t r = 0; number && parent && r < n; r++) {
        number[r] = number[root_of(parent, r)];
    }
    if (!parent) {
        free(number);
        number = NULL;
    }
    free(parent);
    *most = next;
    return number;
}

/* Up to four source numbers, the address's first. */
static uint32_t sources(const struct isa_inst *inst, const uint32_t *number,
                        uint32_t out[SASS_MAX_SRC])
{
    uint32_t n = 0, listed[ISA_MAX_SRC];
    bool address_first = is_addressed(inst) && inst->address_src;

    if (address_first) {
        listed[n++] = number[inst->src[inst->address_src - 1]];
    }
    for (uint32_t s = 0; s < inst->n_src; s++) {
        uint32_t name = number[inst->src[s]], at = 0;

        while (at < n && listed[at] != name) {
            at++;
        }
        if (at == n) {
            listed[n++] = name;
        }
    }
    for (uint32_t s = 0; s < SASS_MAX_SRC && s < n; s++) {
        out[s] = n > SASS_MAX_SRC && s > 0 ? listed[n - SASS_MAX_SRC + s] : listed[s];
    }
    return n < SASS_MAX_SRC ? n : SASS_MAX_SRC;
}

static char *middle_of(const struct isa_inst *inst, const uint32_t *number, const char *opcode)
{
    char text[MIDDLE_BYTES];
    uint32_t source[SASS_MAX_SRC], n_src = sources(inst, number, source);
    size_t n = sizeof text;
    int at = inst->n_dst ? snprintf(text, n, "1 R%u %s %u", number[inst->dst[0]], opcode, n_src)
                         : snprintf(text, n, "0 %s %u", opcode, n_src);

    for (uint32_t s = 0; s < n_src; s++) {
        at += snprintf(text + at, n - (size_t)at, " R%u", source[s]);
    }
    snprintf(text + at, n - (size_t)at, " %u", is_addressed(inst) ? inst->bytes : 0u);
    return strdup(text);
}

int sass_text_init(struct sass_text *text, const struct isa_launch *launch, char *error,
                   size_t n_error)
{
    const struct isa_kernel *kernel = launch->kernel;
    uint32_t most = 0, *number = number_registers(kernel, &most);
    char opcode[48];

    *text = (struct sass_text){.launch = launch};
    text->middle = calloc((size_t)kernel->n_inst + 1, sizeof *text->middle);
    error[0] = '\0';
    if (!number || !text->middle) {
        snprintf(error, n_error, "out of memory for dumping kernel %s", kernel->name);
    } else if (most > SASS_MAX_REGISTER) {
        snprintf(error, n_error,
                 "%s:1: kernel %s has %u registers, a trace can name 4096; dump a "
                 "smaller kernel",
                 kernel->file, kernel->name, most);
    }
    for (uint32_t pc = 0; pc < kernel->n_inst && !error[0]; pc++) {
        const struct isa_inst *inst = &kernel->inst[pc];

        if (!opcode_of(inst, opcode, sizeof opcode)) {
            snprintf(error, n_error,
                     "%s:%u: no SASS opcode stands for this instruction; a trace "
                     "of kernel %s cannot be dumped",
                     kernel->file, inst->line, kernel->name);
        } else if (!(text->middle[pc] = middle_of(inst, number, opcode))) {
            snprintf(error, n_error, "out of memory for dumping kernel %s", kernel->name);
        }
    }
    free(number);
    return error[0] ? -1 : 0;
}

void sass_text_free(struct sass_text *text)
{
    for (uint32_t pc = 0; text->middle && pc < text->launch->kernel->n_inst; pc++) {
        free(text->middle[pc]);
    }
    free(text->middle);
    text->middle = NULL;
}

/* ---- lines ---- */

static char *put_hex(char *at, uint64_t value, uint32_t least_digits)
{
    uint32_t digits = value ? (67 - (uint32_t)__builtin_clzll(value)) / 4 : 1;

    for (digits = digits < least_digits ? least_digits : digits; digits > 0; digits--) {
        *at++ = "0123456789abcdef"[value >> (4 * (digits - 1)) & 15];
    }
    return at;
}

static char *put_signed(char *at, int64_t value)
{
    return at + sprintf(at, " %lld", (long long)value);
}

/* As the trace has it: generic addresses through their window, local ones as offsets. */
static uint64_t traced_address(const struct isa_launch *launch, const struct isa_memop *memop,
                               uint32_t lane)
{
    bool generic = memop->inst->space == ISA_SPACE_GENERIC;
    uint64_t address = memop->addr[lane];

    if (memop->space == ISA_SPACE_LOCAL) {
        address = isa_local_offset(launch->local_base, launch->local_granule_bytes,
                                   launch->kernel->local_bytes, address);
    }
    if (generic && memop->space != ISA_SPACE_GLOBAL) {
        address += memop->space == ISA_SPACE_LOCAL ? SASS_TEXT_LOCAL_BASE : SASS_TEXT_SHARED_BASE;
    }
    return address;
}

/* Adjacent lanes at equal distances? */
static bool is_strided(uint32_t mask, const int64_t *delta, uint32_t n)
{
    uint32_t ones = mask >> __builtin_ctz(mask);

    if (n < 2 || (ones & (ones + 1)) || delta[1] < INT32_MIN || delta[1] > INT32_MAX) {
        return false;
    }
    for (uint32_t d = 2; d < n; d++) {
        if (delta[d] != delta[1]) {
            return false;
        }
    }
    return true;
}

static char *put_addresses(char *at, const struct isa_launch *launch, const struct isa_memop *memop)
{
    int64_t delta[ISA_LANES];
    uint64_t first = 0, last = 0;
    uint32_t n = 0;
    bool strided;

    for (uint32_t left = memop->mask; left; left &= left - 1) {
        uint64_t address = traced_address(launch, memop, (uint32_t)__builtin_ctz(left));

        first = n ? first : address;
        delta[n++] = (int64_t)(address - last);
        last = address;
    }
    strided = is_strided(memop->mask, delta, n);
    memcpy(at, strided ? " 1 0x" : " 2 0x", 5);
    at = put_hex(at + 5, first, 1);
    for (uint32_t d = 1; d < (strided ? 2 : n); d++) {
        at = put_signed(at, delta[d]);
    }
    return at;
}

size_t sass_text_line(const struct sass_text *text, uint32_t pc, const struct isa_step *step,
                      const struct isa_memop *memop, char line[SASS_TEXT_LINE])
{
    const struct isa_inst *inst = &text->launch->kernel->inst[pc];
    bool memory = step->kind == ISA_STEP_MEMORY || step->kind == ISA_STEP_SHARED;
    /* The second half of a reducing barrier fetches its result. */
    bool result = inst->pipe == ISA_PIPE_BARRIER && step->kind != ISA_STEP_BARRIER && step->active;
    const char *middle = result ? "0 B2R.RESULT 0 0" : text->middle[pc];
    char *at = put_hex(line, (uint64_t)pc * SASS_TEXT_PC_BYTES, 4);

    *at++ = ' ';
    at = put_hex(at, step->active, 8);
    *at++ = ' ';
    at = stpcpy(at, middle);
    if (memory && memop->mask) {
        at = put_addresses(at, text->launch, memop);
    } else if (is_addressed(inst)) {
        at = stpcpy(at, " 0");
    }
    *at++ = '\n';
    return (size_t)(at - line);
}
