/* ptx_parse_const.c - constant expressions (PTX ISA, "Constant Expressions").
 *
 * Integers are 64 bits; a value is unsigned when one of its operands is (a
 * literal too large for .s64, or a .u64 cast).  Knows tokens and symbols only.
 */
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/ptx_parser.h"

struct value {
    struct ptx_constant c;
    bool is_unsigned;
};

static struct value parse_ternary(struct ptx_parser *ps);

static struct value integer(uint64_t bits, bool is_unsigned)
{
    return (struct value){.c = {.kind = PTX_CONST_INTEGER, .value = (int64_t)bits},
                          .is_unsigned = is_unsigned};
}

static double as_double(struct ptx_constant c)
{
    if (c.kind == PTX_CONST_F32) {
        float f;
        uint32_t bits = (uint32_t)c.value;
        memcpy(&f, &bits, sizeof(f));
        return (double)f;
    }
    double d;
    memcpy(&d, &c.value, sizeof(d));
    return d;
}

static struct value from_double(double d)
{
    struct value v = {.c = {.kind = PTX_CONST_F64}};
    memcpy(&v.c.value, &d, sizeof(d));
    return v;
}

/* generic(symbol), mask(symbol) and plain symbols; the name is current. */
static struct value parse_symbol(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    const char *name = ptx_expect_name(ps, "a constant");
    if (strcmp(name, "WARP_SZ") == 0) {
        return integer(ISA_LANES, false);
    }
    if (strcmp(name, "generic") == 0 && ptx_accept_punct(ps, '(')) {
        struct value v = parse_ternary(ps);
        ptx_expect_punct(ps, ')');
        return v;
    }
    const struct ptx_symbol *symbol = ptx_find(ps, name);
    if (symbol != NULL && symbol->kind == PTX_SYMBOL_FUNCTION) {
        symbol->function->is_address_taken = true;
        return integer(symbol->function->address, false);
    }
    if (symbol == NULL || symbol->kind != PTX_SYMBOL_VARIABLE) {
        PTX_FAIL_AT(ps, at, "\"%s\" is not a constant or a variable; declare it before its use",
                    name);
    }
    return (struct value){.c = {.kind = PTX_CONST_ADDRESS, .variable = symbol->variable}};
}

static struct value parse_cast_or_parentheses(struct ptx_parser *ps)
{
    ptx_expect_punct(ps, '(');
    bool to_signed = ptx_accept_dot(ps, ".s64"),
         to_unsigned = !to_signed && ptx_accept_dot(ps, ".u64");
    if (to_signed || to_unsigned) {
        ptx_expect_punct(ps, ')');
        struct value v = parse_ternary(ps);
        v.is_unsigned = to_unsigned;
        return v;
    }
    struct value v = parse_ternary(ps);
    ptx_expect_punct(ps, ')');
    return v;
}

/* 0xFF00(symbol): the byte of the address under the mask. */
static struct value parse_masked(struct ptx_parser *ps, uint64_t mask, const struct ptx_token *at)
{
    ptx_expect_punct(ps, '(');
    struct value v = parse_ternary(ps);
    ptx_expect_punct(ps, ')');
    unsigned shift = 0;
    while (shift < 64 && mask != (UINT64_C(0xff) << shift)) {
        shift += 8;
    }
    bool is_code = v.c.kind == PTX_CONST_INTEGER && v.c.value >= (int64_t)PTX_CODE_WINDOW;
    if ((v.c.kind != PTX_CONST_ADDRESS && !is_code) || shift == 64) {
        PTX_FAIL_AT(ps, at, "a mask selects one byte of an address, as in 0xFF00(symbol)");
    }
    if (is_code) { /* a function's address is known */
        return integer((uint64_t)v.c.value >> shift & 0xff, false);
    }
    v.c.shift = (uint8_t)shift;
    return v;
}

static struct value parse_literal(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    ptx_next(ps);
    switch (at->kind) {
    case PTX_TOKEN_INTEGER:
        return ptx_is_punct(ps, '(') ? parse_masked(ps, at->bits, at)
                                     : integer(at->bits, at->bits > INT64_MAX);
    case PTX_TOKEN_F32:
        return (struct value){.c = {.kind = PTX_CONST_F32, .value = (int64_t)at->bits}};
    case PTX_TOKEN_F64:
        return (struct value){.c = {.kind = PTX_CONST_F64, .value = (int64_t)at->bits}};
    default: PTX_FAIL_AT(ps, at, "a constant is expected, not %s", ptx_token_text(ps, at));
    }
}

static void need_integer(struct ptx_parser *ps, const struct value *v, const struct ptx_token *at)
{
    if (v->c.kind != PTX_CONST_INTEGER) {
        PTX_FAIL_AT(ps, at, "this operator takes integer constants only");
    }
}

static struct value parse_unary(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    if (at->kind == PTX_TOKEN_NAME) {
        return parse_symbol(ps);
    }
    if (ptx_is_punct(ps, '(')) {
        ptx_enter(ps);
        struct value v = parse_cast_or_parentheses(ps);
        ptx_leave(ps);
        return v;
    }
    if (at->kind != PTX_TOKEN_PUNCT) {
        return parse_literal(ps);
    }
    if (strchr("-+~!", at->punct) == NULL || at->punct > 255) {
        PTX_FAIL_AT(ps, at, "a constant is expected, not %s", ptx_token_text(ps, at));
    }
    ptx_next(ps);
    ptx_enter(ps);
    struct value v = parse_unary(ps);
    ptx_leave(ps);
    if (at->punct == '-' && (v.c.kind == PTX_CONST_F32 || v.c.kind == PTX_CONST_F64)) {
        v.c.value ^= v.c.kind == PTX_CONST_F32 ? INT64_C(0x80000000) : INT64_MIN;
        return v;
    }
    need_integer(ps, &v, at);
    uint64_t bits = (uint64_t)v.c.value;
    bits = at->punct == '-' ? 0 - bits : at->punct == '~' ? ~bits : at->punct == '!' ? !bits : bits;
    return integer(bits, v.is_unsigned && at->punct != '-');
}

static int precedence_of(const struct ptx_token *token)
{
    if (token->kind != PTX_TOKEN_PUNCT) {
        return 0;
    }
    switch (token->punct) {
    case '*':
    case '/':
    case '%': return 10;
    case '+':
    case '-': return 9;
    case PTX_PUNCT_SHL:
    case PTX_PUNCT_SHR: return 8;
    case '<':
    case '>':
    case PTX_PUNCT_LE:
    case PTX_PUNCT_GE: return 7;
    case PTX_PUNCT_EQ:
    case PTX_PUNCT_NE: return 6;
    case '&': return 5;
    case '^': return 4;
    case '|': return 3;
    case PTX_PUNCT_AND: return 2;
    case PTX_PUNCT_OR: return 1;
    default: return 0;
    }
}

static uint64_t divide(struct ptx_parser *ps, const struct ptx_token *op, uint64_t a, uint64_t b,
                       bool is_unsigned)
{
    if (b == 0) {
        PTX_FAIL_AT(ps, op, "division by zero in a constant expression");
    }
    bool quotient = op->punct == '/';
    if (is_unsigned) {
        return quotient ? a / b : a % b;
    }
    if (b == UINT64_MAX) { /* -1: INT64_MIN / -1 does not fit */
        return quotient ? 0 - a : 0;
    }
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    return (uint64_t)(quotient ? sa / sb : sa % sb);
}

static uint64_t shift_right(uint64_t a, uint64_t n, bool is_unsigned)
{
    if (is_unsigned) {
        return n > 63 ? 0 : a >> n;
    }
    return (uint64_t)((int64_t)a >> (n > 63 ? 63 : n));
}

static struct value apply_integer(struct ptx_parser *ps, const struct ptx_token *op, struct value l,
                                  struct value r)
{
    uint64_t a = (uint64_t)l.c.value, b = (uint64_t)r.c.value;
    bool u = l.is_unsigned || r.is_unsigned;
    bool less = u ? a < b : l.c.value < r.c.value;
    switch (op->punct) {
    case '*': return integer(a * b, u);
    case '/':
    case '%': return integer(divide(ps, op, a, b, u), u);
    case '+': return integer(a + b, u);
    case '-': return integer(a - b, u);
    case PTX_PUNCT_SHL: return integer(b > 63 ? 0 : a << b, l.is_unsigned);
    case PTX_PUNCT_SHR: return integer(shift_right(a, b, l.is_unsigned), l.is_unsigned);
    case '<': return integer(less, false);
    case '>': return integer(!less && a != b, false);
    case PTX_PUNCT_LE: return integer(less || a == b, false);
    case PTX_PUNCT_GE: return integer(!less, false);
    case PTX_PUNCT_EQ: return integer(a == b, false);
    case PTX_PUNCT_NE: return integer(a != b, false);
    case '&': return integer(a & b, u);
    case '^': return integer(a ^ b, u);
    case '|': return integer(a | b, u);
    case PTX_PUNCT_AND: return integer(a != 0 && b != 0, false);
    default: return integer(a != 0 || b != 0, false);
    }
}

static bool is_float(const struct value *v)
{
    return v->c.kind == PTX_CONST_F32 || v->c.kind == PTX_CONST_F64;
}

static struct value apply(struct ptx_parser *ps, const struct ptx_token *op, struct value l,
                          struct value r)
{
    if (l.c.kind == PTX_CONST_ADDRESS && r.c.kind == PTX_CONST_INTEGER &&
        (op->punct == '+' || op->punct == '-')) {
        uint64_t a = (uint64_t)l.c.value, b = (uint64_t)r.c.value;
        l.c.value = (int64_t)(op->punct == '+' ? a + b : a - b);
        return l;
    }
    if (is_float(&l) && is_float(&r)) {
        double a = as_double(l.c), b = as_double(r.c);
        switch (op->punct) {
        case '+': return from_double(a + b);
        case '-': return from_double(a - b);
        case '*': return from_double(a * b);
        case '/': return from_double(a / b);
        default: break;
        }
    }
    need_integer(ps, &l, op);
    need_integer(ps, &r, op);
    return apply_integer(ps, op, l, r);
}

static struct value parse_binary(struct ptx_parser *ps, int lowest)
{
    struct value left = parse_unary(ps);
    for (;;) {
        const struct ptx_token *op = ps->token;
        int precedence = precedence_of(op);
        if (precedence == 0 || precedence < lowest) {
            return left;
        }
        ptx_next(ps);
        left = apply(ps, op, left, parse_binary(ps, precedence + 1));
    }
}

static struct value parse_ternary(struct ptx_parser *ps)
{
    ptx_enter(ps);
    const struct ptx_token *at = ps->token;
    struct value v = parse_binary(ps, 1);
    if (ptx_accept_punct(ps, '?')) {
        need_integer(ps, &v, at);
        struct value yes = parse_ternary(ps);
        ptx_expect_punct(ps, ':');
        struct value no = parse_ternary(ps);
        v = v.c.value != 0 ? yes : no;
    }
    ptx_leave(ps);
    return v;
}

struct ptx_constant ptx_parse_constant(struct ptx_parser *ps)
{
    return parse_ternary(ps).c;
}

int64_t ptx_parse_integer(struct ptx_parser *ps, const char *what, int64_t low, int64_t high)
{
    const struct ptx_token *at = ps->token;
    struct ptx_constant c = ptx_parse_constant(ps);
    if (c.kind != PTX_CONST_INTEGER || c.value < low || c.value > high) {
        PTX_FAIL_AT(ps, at, "%s must be an integer from %lld to %lld", what, (long long)low,
                    (long long)high);
    }
    return c.value;
}
