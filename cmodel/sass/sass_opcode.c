/* sass_opcode.c - see sass_opcode.h. */
#include "sass/sass_opcode.h"

#include <string.h>

static const struct opcode {
    const char *name, *generations;
    enum sass_class class;
} OPCODES[] = {
#define SASS(name, class, generations) {#name, generations, SASS_##class},
#include "sass/sass_opcode_list.h"
#undef SASS
};

static const struct class_facts {
    enum isa_pipe pipe;
    enum isa_access access;
    enum isa_space space;
} CLASSES[] = {
#define C(name, pipe, access, space) {ISA_PIPE_##pipe, ISA_ACCESS_##access, ISA_SPACE_##space},
    SASS_CLASSES(C)
#undef C
};

char sass_generation(uint32_t binary_version)
{
    switch (binary_version) {
    case 35: return 'K';
    case 60:
    case 61: return 'P';
    case 70: return 'V';
    case 75: return 'T';
    case 80:
    case 86: return 'A';
    default: return 0;
    }
}

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
    } WIDTHS[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};

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
    } else if (is(token, n, "CG") || (*strong && is(token, n, "GPU"))) {
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

static const struct opcode *find(const char *name, size_t n, char generation)
{
    for (size_t o = 0; o < sizeof OPCODES / sizeof OPCODES[0]; o++) {
        if (is(name, n, OPCODES[o].name) && strchr(OPCODES[o].generations, generation)) {
            return &OPCODES[o];
        }
    }
    return NULL;
}

enum sass_known sass_opcode_decode(const char *text, size_t n, char generation,
                                   struct isa_inst *inst, enum sass_class *class, const char **why)
{
    const char *dot = memchr(text, '.', n), *end = text + n;
    const struct opcode *opcode = find(text, (size_t)((dot ? dot : end) - text), generation);
    const struct class_facts *facts;

    if (!opcode) {
        return SASS_UNKNOWN;
    }
    *class = opcode->class;
    facts = &CLASSES[opcode->class];
    inst->pipe = (uint8_t)facts->pipe;
    inst->access = (uint8_t)facts->access;
    inst->space = (uint8_t)facts->space;
    inst->is_exit = opcode->class == SASS_EXIT;
    inst->is_branch = opcode->class == SASS_BRANCH;
    inst->is_half = opcode->class == SASS_FP32 && *text == 'H';
    inst->bytes = opcode->class == SASS_LOAD_MATRIX ? 16 : 0;
    take_suffixes(inst, dot ? dot + 1 : end, end);
    if (opcode->class == SASS_ONE_ADDRESS) {
        *why = "it copies from global to shared memory and the trace holds one address only";
        return SASS_REFUSED;
    }
    if ((inst->access == ISA_ACCESS_ATOMIC || inst->access == ISA_ACCESS_REDUCE) &&
        !take_number(inst)) {
        *why = "atomics of 2, 4 and 8 bytes are known";
        return SASS_REFUSED;
    }
    return SASS_KNOWN;
}
