/* operators.c - one Yosys cell as a C expression over CBMC's bit vectors. */
#include "tb/prove/operators.h"

#include <stdlib.h>
#include <string.h>

#include "tb/design.h"

/* Pin `port` extended to `width` bits as the cell says. */
static char *operand(struct design *d, json_t *cell, const char *port, unsigned width)
{
    const unsigned own = cells_width(cell, port);
    char name[16], *text = NULL;
    snprintf(name, sizeof name, "%s_SIGNED", port);
    char *value = cells_value(d, cells_pins(cell, port), 0, own);
    cells_use(d, width);
    const int n = design_parameter(cell, name)
                      ? asprintf(&text, "(u%u)(i%u)(i%u)%s", width, width, own, value)
                      : asprintf(&text, "(u%u)%s", width, value);
    free(value);
    return n > 0 ? text : NULL;
}

static unsigned largest(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static int put_binary(struct design *d, json_t *cell, const char *op, bool guarded)
{
    const unsigned y = cells_width(cell, "Y");
    const unsigned w = guarded ? largest(y, largest(cells_width(cell, "A"), cells_width(cell, "B")))
                               : y;
    char *a = operand(d, cell, "A", w), *b = operand(d, cell, "B", w);
    const int word = guarded ? cells_word(d, y, "(u%u)(%s == 0 ? (u%u)0 : (u%u)(%s %s %s))", y, b,
                                          w, w, a, op, b)
                             : cells_word(d, y, "(u%u)(%s %s %s)", y, a, op, b);
    free(a);
    free(b);
    return word;
}

static bool is_constant(json_t *bits)
{
    for (size_t i = 0; i < json_array_size(bits); i++) {
        if (json_is_integer(json_array_get(bits, i))) {
            return false;
        }
    }
    return true;
}

/* $mul: of two variables and up to 32 bits by a name that the harness may give another
 * meaning. */
static int put_product(struct design *d, json_t *cell)
{
    const unsigned y = cells_width(cell, "Y");
    if (y > 32 || is_constant(cells_pins(cell, "A")) || is_constant(cells_pins(cell, "B"))) {
        return put_binary(d, cell, "*", false);
    }
    char *a = operand(d, cell, "A", y), *b = operand(d, cell, "B", y);
    const int word = cells_word(d, y, "UNIT_PRODUCT(u%u, %s, %s)", y, a, b);
    free(a);
    free(b);
    return word;
}

static int put_compare(struct design *d, json_t *cell, const char *op)
{
    const unsigned w = largest(cells_width(cell, "A"), cells_width(cell, "B"));
    const char sign = design_parameter(cell, "A_SIGNED") && design_parameter(cell, "B_SIGNED")
                          ? 'i'
                          : 'u';
    char *a = operand(d, cell, "A", w), *b = operand(d, cell, "B", w);
    const int word = cells_word(d, cells_width(cell, "Y"), "(%c%u)(%s) %s (%c%u)(%s)", sign, w, a,
                                op, sign, w, b);
    free(a);
    free(b);
    return word;
}

/* Bits of an amount that shifts a word of `width` bits by less than its width: CBMC builds a
 * stage for each, so that amounts are cut to these once they are known to be in range. */
static unsigned amount_width(struct design *d, unsigned width)
{
    unsigned bits = 1;
    while (1u << bits < width) {
        bits++;
    }
    return cells_use(d, bits);
}

/* Left or right, arithmetic or not; an amount past the width shifts everything out. */
static int put_shift(struct design *d, json_t *cell, bool left, bool arithmetic)
{
    const unsigned y = cells_width(cell, "Y"), w = largest(y, cells_width(cell, "A"));
    const bool negative = design_parameter(cell, "A_SIGNED") && arithmetic;
    char *a = operand(d, cell, "A", w);
    char *b = cells_value(d, cells_pins(cell, "B"), 0, cells_width(cell, "B"));
    const char *beyond = negative ? "(u%u)((i%u)(%s) < 0 ? -1 : 0)" : "(u%u)0";
    char *over = NULL;
    if (asprintf(&over, beyond, w, w, a) < 0) {
        abort();
    }
    const int word = cells_word(d, y, "(u%u)((u64)%s >= %u ? %s : (u%u)((%c%u)(%s) %s (u%u)%s))", y,
                                b, w, over, w, negative ? 'i' : 'u', w, a, left ? "<<" : ">>",
                                amount_width(d, w), b);
    cells_use(d, 64);
    free(over);
    free(a);
    free(b);
    return word;
}

/* $shift, $shiftx: right by B, left when a signed B is negative. */
static int put_slice(struct design *d, json_t *cell)
{
    const unsigned y = cells_width(cell, "Y"), w = largest(y, cells_width(cell, "A"));
    const unsigned n = cells_width(cell, "B"), k = amount_width(d, w);
    char *a = operand(d, cell, "A", w);
    char *b = cells_value(d, cells_pins(cell, "B"), 0, n);
    int word;
    cells_use(d, 64);
    if (design_parameter(cell, "B_SIGNED")) {
        word = cells_word(
            d, y,
            "(u%u)((i%u)%s < 0 ? ((i64)(i%u)%s <= -%d ? (u%u)0 : (u%u)(%s << (u%u)-(i64)(i%u)%s))"
            " : ((i64)(i%u)%s >= %u ? (u%u)0 : (u%u)(%s >> (u%u)%s)))",
            y, n, b, n, b, (int)w, w, w, a, k, n, b, n, b, w, w, w, a, k, b);
    } else {
        word = cells_word(d, y, "(u%u)((u64)%s >= %u ? (u%u)0 : (u%u)(%s >> (u%u)%s))", y, b, w, w,
                          w, a, k, b);
    }
    free(a);
    free(b);
    return word;
}

static int put_reduce(struct design *d, json_t *cell, const char *type)
{
    const unsigned w = cells_width(cell, "A"), y = cells_width(cell, "Y");
    char *a = cells_value(d, cells_pins(cell, "A"), 0, w);
    int word;
    if (strcmp(type, "$reduce_and") == 0) {
        word = cells_word(d, y, "%s == (u%u)~(u%u)0", a, w, w);
    } else if (strcmp(type, "$logic_not") == 0) {
        word = cells_word(d, y, "%s == 0", a);
    } else if (strcmp(type, "$reduce_xor") == 0 || strcmp(type, "$reduce_xnor") == 0) {
        /* Term by term from bit 0 up, as models do: equal parities are then found so. */
        const int whole = cells_word(d, w, "%s", a);
        int folded = cells_word(d, 1, "(u1)n%d", whole);
        for (unsigned bit = 1; bit < w; bit++) {
            folded = cells_word(d, 1, "n%d ^ (u1)(n%d >> %u)", folded, whole, bit);
        }
        word = cells_word(d, y, "(u%u)(n%d ^ %d)", y, folded, strcmp(type, "$reduce_xnor") == 0);
        cells_use(d, 1);
    } else {
        word = cells_word(d, y, "%s != 0", a);
    }
    free(a);
    return word;
}

static int put_logic(struct design *d, json_t *cell, const char *op)
{
    char *a = cells_value(d, cells_pins(cell, "A"), 0, cells_width(cell, "A"));
    char *b = cells_value(d, cells_pins(cell, "B"), 0, cells_width(cell, "B"));
    const int word = cells_word(d, cells_width(cell, "Y"), "%s != 0 %s %s != 0", a, op, b);
    free(a);
    free(b);
    return word;
}

static int put_unary(struct design *d, json_t *cell, const char *op)
{
    const unsigned y = cells_width(cell, "Y");
    char *a = operand(d, cell, "A", y);
    const int word = cells_word(d, y, "(u%u)(%s(%s))", y, op, a);
    free(a);
    return word;
}

/* $mux and $pmux: A, or the slice of B that a bit of S selects. */
static int put_mux(struct design *d, json_t *cell)
{
    const unsigned y = cells_width(cell, "Y"), n = cells_width(cell, "S");
    char *a = cells_value(d, cells_pins(cell, "A"), 0, y);
    char *s = cells_value(d, cells_pins(cell, "S"), 0, n);
    char *text = NULL;
    size_t n_text;
    FILE *to = open_memstream(&text, &n_text);
    for (unsigned i = 0; i < n; i++) {
        char *b = cells_value(d, cells_pins(cell, "B"), (size_t)i * y, y);
        fprintf(to, "(%s >> %u & 1) != 0 ? %s : ", s, i, b);
        free(b);
    }
    fprintf(to, "%s", a);
    fclose(to);
    const int word = cells_word(d, y, "%s", text);
    free(text);
    free(a);
    free(s);
    return word;
}

/* $bmux: slice number S of A. */
static int put_bmux(struct design *d, json_t *cell)
{
    const unsigned y = cells_width(cell, "Y"), w = cells_width(cell, "A");
    char *a = cells_value(d, cells_pins(cell, "A"), 0, w);
    char *s = cells_value(d, cells_pins(cell, "S"), 0, cells_width(cell, "S"));
    const int word = cells_word(d, y, "(u%u)(%s >> ((u64)%s * %u))", y, a, s, y);
    cells_use(d, 64);
    free(a);
    free(s);
    return word;
}

int operators_put(struct design *d, json_t *cell, const char *type)
{
    static const struct {
        const char *type, *op;
    } binary[] = {{"$and", "&"}, {"$or", "|"}, {"$xor", "^"}, {"$add", "+"}, {"$sub", "-"}};
    static const struct {
        const char *type, *op;
    } guarded[] = {{"$div", "/"}, {"$mod", "%"}};
    static const struct {
        const char *type, *op;
    } compared[] = {{"$eq", "=="}, {"$ne", "!="}, {"$eqx", "=="}, {"$nex", "!="},
                    {"$lt", "<"},  {"$le", "<="}, {"$gt", ">"},   {"$ge", ">="}};
    static const struct {
        const char *type, *op;
    } unary[] = {{"$not", "~"}, {"$neg", "-"}, {"$pos", ""}};
#define FIND(list, put, ...) \
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) \
        if (strcmp(list[i].type, type) == 0) \
            return put(d, cell, list[i].op __VA_OPT__(, ) __VA_ARGS__);
    FIND(binary, put_binary, false)
    FIND(guarded, put_binary, true)
    FIND(compared, put_compare)
    FIND(unary, put_unary)
#undef FIND
    if (strcmp(type, "$mul") == 0) {
        return put_product(d, cell);
    } else if (strncmp(type, "$reduce_", 8) == 0 || strcmp(type, "$logic_not") == 0) {
        return put_reduce(d, cell, type);
    } else if (strcmp(type, "$logic_and") == 0 || strcmp(type, "$logic_or") == 0) {
        return put_logic(d, cell, type[7] == 'a' ? "&&" : "||");
    } else if (strcmp(type, "$mux") == 0 || strcmp(type, "$pmux") == 0) {
        return put_mux(d, cell);
    } else if (strcmp(type, "$bmux") == 0) {
        return put_bmux(d, cell);
    } else if (strcmp(type, "$shift") == 0 || strcmp(type, "$shiftx") == 0) {
        return put_slice(d, cell);
    } else if (strcmp(type, "$shl") == 0 || strcmp(type, "$sshl") == 0) {
        return put_shift(d, cell, true, false);
    } else if (strcmp(type, "$shr") == 0 || strcmp(type, "$sshr") == 0) {
        return put_shift(d, cell, false, type[2] == 's');
    } else if (strcmp(type, "$xnor") == 0) {
        const unsigned y = cells_width(cell, "Y");
        return cells_word(d, y, "(u%u)~n%d", y, put_binary(d, cell, "^", false));
    }
    fprintf(stderr, "transition: no translation of a %s cell\n", type);
    d->failed = true;
    return cells_word(d, cells_width(cell, "Y"), "0");
}
