/* sass_opcode.c - see sass_opcode.h. */
#include "sass/sass_opcode.h"

#include <string.h>

static const struct class_facts {
    enum isa_pipe pipe;
    enum isa_access access;
    enum isa_space space;
} CLASSES[] = {
#define C(name, pipe, access, space) {ISA_PIPE_##pipe, ISA_ACCESS_##access, ISA_SPACE_##space},
    SASS_CLASSES(C)
#undef C
};

static bool is(const char *token, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(token, word, n) == 0;
}

/* Bytes named by a suffix such as 64, U16, S8, F64; 0 when it names none. */
static uint8_t width_of(const char *token, size_t n)
{
    static const struct {
        const char *digits;
        uint8_t bytes;
    } WIDTHS[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}, {"256", 32}};

    if (n > 1 && strchr("USF", token[0])) {
        token++;
        n--;
    }
    for (size_t w = 0; w < sizeof WIDTHS / sizeof WIDTHS[0]; w++) {
        if (is(token, n, WIDTHS[w].digits)) {
            return WIDTHS[w].bytes;
        }
    }
    return 0;
}

static void take_scope(struct isa_inst *inst, const char *token, size_t n)
{
    if (is(token, n, "CTA") || is(token, n, "SM")) {
        inst->scope = ISA_SCOPE_CTA;
    } else if (is(token, n, "GPU") || is(token, n, "GL")) {
        inst->scope = ISA_SCOPE_GPU;
    } else if (is(token, n, "SYS")) {
        inst->scope = ISA_SCOPE_SYSTEM;
    }
}

static void take_cacheop(struct isa_inst *inst, const char *token, size_t n, bool *strong)
{
    if (is(token, n, "STRONG")) {
        *strong = true;
    } else if (is(token, n, "CONSTANT") || is(token, n, "CI") || is(token, n, "NC")) {
        inst->cacheop = ISA_CACHE_NC;
    } else if (is(token, n, "EF") || is(token, n, "LU")) {
        inst->cacheop = ISA_CACHE_CS;
    } else if (is(token, n, "BYPASS") || is(token, n, "CG") || (*strong && is(token, n, "GPU"))) {
        inst->cacheop = ISA_CACHE_CG;
    } else if (is(token, n, "CV") || (*strong && is(token, n, "SYS"))) {
        inst->cacheop = ISA_CACHE_CV;
    }
}

/* The operation decides how much an atomic sends. */
static void take_operation(struct isa_inst *inst, const char *token, size_t n)
{
    static const char *const NAMES[] = {"ADD", "MIN", "MAX", "INC",  "DEC",
                                        "AND", "OR",  "XOR", "EXCH", "CAS"};

    for (size_t a = 0; a < sizeof NAMES / sizeof NAMES[0]; a++) {
        if (is(token, n, NAMES[a])) {
            inst->atom = (uint8_t)a;
        }
    }
}

static void take_suffixes(struct isa_inst *inst, const char *at, const char *end)
{
    bool memory = inst->access != ISA_ACCESS_NONE, strong = false;

    inst->atom = ISA_ATOM_ADD;
    inst->scope = ISA_SCOPE_GPU;
    while (at < end) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        size_t n = (size_t)((dot ? dot : end) - at);

        if (memory && !inst->bytes) {
            inst->bytes = width_of(at, n);
        }
        if (memory) {
            take_cacheop(inst, at, n, &strong);
        }
        take_operation(inst, at, n);
        take_scope(inst, at, n);
        at += n + 1;
    }
    if (memory && !inst->bytes) {
        inst->bytes = 4;
    }
}

/* The number's kind: no value depends on it, only the width. */
static bool take_number(struct isa_inst *inst)
{
    inst->atom = inst->bytes == 2 ? (uint8_t)ISA_ATOM_CAS : inst->atom;
    inst->number = inst->bytes == 8 ? ISA_U64 : inst->bytes == 2 ? ISA_B16 : ISA_U32;
    return inst->bytes == 2 || inst->bytes == 4 || inst->bytes == 8;
}

/* Bytes of an access whose suffixes name none, or are not asked; 0: they are. */
static uint8_t fixed_bytes(enum sass_class class)
{
    switch (class) {
    case SASS_LOAD_MATRIX:
    case SASS_STORE_MATRIX: return 16;
    case SASS_MBARRIER:
    case SASS_ARRIVE_LOADS: return 8;
    default: return 0;
    }
}

enum sass_known sass_opcode_decode(const struct sass_opcodes *opcodes, const char *text, size_t n,
                                   uint32_t version, struct isa_inst *inst, enum sass_class *class,
                                   const char **why)
{
    const char *dot = memchr(text, '.', n), *end = text + n;
    const int found = sass_opcodes_find(opcodes, text, (size_t)((dot ? dot : end) - text), version,
                                        class);
    const struct class_facts *facts;

    if (found < 0) {
        return SASS_UNKNOWN;
    }
    facts = &CLASSES[*class];
    inst->pipe = (uint8_t)facts->pipe;
    inst->access = (uint8_t)facts->access;
    inst->space = (uint8_t)facts->space;
    inst->is_exit = *class == SASS_EXIT;
    inst->is_branch = *class == SASS_BRANCH;
    inst->is_half = *class == SASS_HALF;
    inst->bytes = fixed_bytes(*class);
    take_suffixes(inst, dot ? dot + 1 : end, end);
    if ((inst->access == ISA_ACCESS_ATOMIC || inst->access == ISA_ACCESS_REDUCE) &&
        !take_number(inst)) {
        *why = "atomics of 2, 4 and 8 bytes are known";
        return SASS_REFUSED;
    }
    if (inst->access != ISA_ACCESS_NONE && inst->bytes > 16) {
        *why = "a lane accesses at most 16 bytes";
        return SASS_REFUSED;
    }
    return found ? SASS_KNOWN : SASS_FOREIGN;
}
