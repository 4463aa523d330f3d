/* ptx_parse_init.c - initialisers of module variables (PTX ISA, "Initializers").
 *
 * Nested braces follow the array's dimensions; missing values are zero.
 */
#include <string.h>

#include "ptx/ptx_parser.h"

enum { MAX_INITIAL_BYTES = 64 * 1024 * 1024 };

/* Make room for initial bytes [0, end). */
static void reserve_initial(struct ptx_parser *ps, struct ptx_variable *var, uint64_t end)
{
    if (end <= var->n_initial) {
        return;
    }
    if (end > MAX_INITIAL_BYTES) {
        PTX_FAIL_AT(ps, ps->token, "initialiser exceeds %d bytes; fill the variable at run time",
                    MAX_INITIAL_BYTES);
    }
    uint64_t room = var->n_initial < 16 ? 16 : var->n_initial;
    while (room < end) {
        room *= 2;
    }
    uint8_t *bytes = ptx_alloc(ps->diag, room, 1);
    if (var->n_initial != 0) {
        memcpy(bytes, var->initial, var->n_initial);
    }
    var->initial = bytes;
    var->n_initial = room;
}

static uint64_t element_bits(struct ptx_parser *ps, const struct ptx_token *at,
                             const struct ptx_constant *c, enum ptx_type type)
{
    bool wants_float = ptx_type_is_float(type);
    if (c->kind == PTX_CONST_INTEGER) {
        if (wants_float) {
            PTX_FAIL_AT(ps, at,
                        "a %s element needs a float constant; write 0f... or a decimal point",
                        ptx_type_name(type));
        }
        return (uint64_t)c->value;
    }
    if (wants_float && c->kind == PTX_CONST_F64 && type == PTX_F32) {
        double wide;
        memcpy(&wide, &c->value, sizeof(wide));
        float narrow = (float)wide;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof(bits));
        return bits;
    }
    enum ptx_type given = c->kind == PTX_CONST_F32 ? PTX_F32 : PTX_F64;
    if (ptx_type_bytes(given) != ptx_type_bytes(type) && wants_float) {
        PTX_FAIL_AT(ps, at, "constant of type %s in an initialiser of %s", ptx_type_name(given),
                    ptx_type_name(type));
    }
    return (uint64_t)c->value;
}

static void add_relocation(struct ptx_parser *ps, struct ptx_variable *var, uint64_t at_byte,
                           const struct ptx_constant *c, const struct ptx_token *at)
{
    uint32_t bytes = ptx_type_bytes(var->type);
    if (c->variable->space != ISA_SPACE_GLOBAL && c->variable->space != ISA_SPACE_CONST) {
        PTX_FAIL_AT(ps, at,
                    "the address of \"%s\" is not known before the kernel runs; "
                    "initialise with .global or .const variables",
                    c->variable->name);
    }
    if (bytes != 8 && !(bytes == 1 && var->type != PTX_NONE)) {
        PTX_FAIL_AT(ps, at, "an address needs 64 bits, not %s", ptx_type_name(var->type));
    }
    var->relocations = ptx_grow(ps->diag, var->relocations, var->n_relocations,
                                sizeof(*var->relocations));
    var->relocations[var->n_relocations++] = (struct ptx_relocation){.at = at_byte,
                                                                     .bytes = (uint8_t)bytes,
                                                                     .shift = c->shift,
                                                                     .variable = c->variable,
                                                                     .addend = c->value};
}

static void parse_element(struct ptx_parser *ps, struct ptx_variable *var, uint64_t at_byte)
{
    const struct ptx_token *at = ps->token;
    uint32_t bytes = ptx_type_bytes(var->type);
    struct ptx_constant c = ptx_parse_constant(ps);
    if (var->bytes != 0 && at_byte + bytes > var->bytes) {
        PTX_FAIL_AT(ps, at, "more initial values than \"%s\" has elements", var->name);
    }
    reserve_initial(ps, var, at_byte + bytes);
    if (c.kind == PTX_CONST_ADDRESS) {
        add_relocation(ps, var, at_byte, &c, at);
        return;
    }
    uint64_t bits = element_bits(ps, at, &c, var->type);
    for (uint32_t i = 0; i < bytes; i++) {
        var->initial[at_byte + i] = (uint8_t)(i < 8 ? bits >> (8 * i) : 0);
    }
}

/* Bytes of one row at brace level `level`: the product of the inner dimensions. */
static uint64_t row_bytes(const struct ptx_shape *shape, const struct ptx_variable *var,
                          uint32_t level)
{
    uint64_t bytes = ptx_type_bytes(var->type);
    for (uint32_t d = level; d < shape->n_dims; d++) {
        bytes *= shape->dims[d];
    }
    return bytes;
}

/* One brace level; returns the bytes it covers. */
static uint64_t parse_braces(struct ptx_parser *ps, struct ptx_variable *var,
                             const struct ptx_shape *shape, uint32_t level, uint64_t at_byte)
{
    uint64_t at = at_byte;
    ptx_enter(ps);
    ptx_expect_punct(ps, '{');
    while (!ptx_is_punct(ps, '}')) {
        if (ptx_is_punct(ps, '{')) {
            if (level + 1 > shape->n_dims) {
                PTX_FAIL_AT(ps, ps->token, "more braces than \"%s\" has dimensions", var->name);
            }
            parse_braces(ps, var, shape, level + 1, at);
            at += row_bytes(shape, var, level);
        } else {
            parse_element(ps, var, at);
            at += ptx_type_bytes(var->type);
        }
        if (!ptx_accept_punct(ps, ',')) {
            break;
        }
    }
    ptx_expect_punct(ps, '}');
    ptx_leave(ps);
    return at - at_byte;
}

void ptx_parse_initialiser(struct ptx_parser *ps, struct ptx_variable *var,
                           const struct ptx_shape *shape)
{
    const struct ptx_token *at = ps->token;
    if (var->space != ISA_SPACE_GLOBAL && var->space != ISA_SPACE_CONST) {
        PTX_FAIL_AT(ps, at, "only .global and .const variables may be initialised");
    }
    bool counted = var->bytes == 0 && shape->n_dims != 0;
    if (!ptx_is_punct(ps, '{')) {
        parse_element(ps, var, 0);
        return;
    }
    uint64_t covered = parse_braces(ps, var, shape, 1, 0);
    if (counted) {
        var->bytes = covered;
    }
    var->n_initial = var->n_initial > var->bytes ? var->bytes : var->n_initial;
}
