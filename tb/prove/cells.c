/* cells.c - Yosys cells as C expressions over CBMC's bit vectors. */
#include "tb/prove/cells.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/design.h"

static int64_t number(json_t *bit)
{
    return json_is_integer(bit) ? (int64_t)json_integer_value(bit) : -1;
}

static unsigned use(struct design *d, unsigned width)
{
    if (width > CELLS_MAX_WIDTH) {
        fprintf(stderr, "transition: a word of %u bits; at most %d\n", width, CELLS_MAX_WIDTH);
        d->failed = true;
        width = CELLS_MAX_WIDTH;
    }
    d->used_width[width] = true;
    return width;
}

int cells_word(struct design *d, unsigned width, const char *format, ...)
{
    va_list args;
    fprintf(d->body, "    const u%u n%d = ", use(d, width), d->n_words);
    va_start(args, format);
    vfprintf(d->body, format, args);
    va_end(args);
    fputs(";\n", d->body);
    unsigned *widths = realloc(d->widths, (size_t)(d->n_words + 1) * sizeof *widths);
    if (widths == NULL) {
        abort();
    }
    d->widths = widths;
    d->widths[d->n_words] = width;
    return d->n_words++;
}

void cells_drive(struct design *d, json_t *bit, int word, unsigned offset)
{
    const int64_t n = number(bit);
    if (n >= 0) {
        d->bits[n].word = word;
        d->bits[n].offset = (int)offset;
    }
}

bool cells_is_register(const struct design *d, json_t *bit)
{
    const int64_t n = number(bit);
    return n >= 0 && d->bits[n].next != NULL;
}

json_t *cells_next(const struct design *d, json_t *bit)
{
    return d->bits[number(bit)].next;
}

static const char *type_of(json_t *cell)
{
    return json_string_value(json_object_get(cell, "type"));
}

static json_t *pins(json_t *cell, const char *port)
{
    return json_object_get(json_object_get(cell, "connections"), port);
}

static unsigned width_of(json_t *cell, const char *port)
{
    return (unsigned)json_array_size(pins(cell, port));
}

static void write_cell(struct design *d, json_t *cell);

/* Make sure that the driver of a bit is written. */
static void need(struct design *d, json_t *bit)
{
    const int64_t n = number(bit);
    if (n < 0 || d->bits[n].word >= 0) {
        return;
    }
    if (d->bits[n].next != NULL) {
        fprintf(stderr, "transition: a register (net %lld) is not in the table\n", (long long)n);
        d->failed = true;
    } else if (d->bits[n].cell != NULL) {
        write_cell(d, d->bits[n].cell);
    }
    if (d->bits[n].word < 0) { /* nothing drives it */
        cells_drive(d, bit, cells_word(d, 1, "nondet_bit()"), 0);
    }
}

/* How many bits from `at` on come from consecutive bits of one word. */
static unsigned run_of_word(const struct design *d, json_t *bits, size_t at, size_t end)
{
    const struct cells_bit *first = &d->bits[number(json_array_get(bits, at))];
    unsigned n = 1;
    while (at + n < end) {
        const int64_t next = number(json_array_get(bits, at + n));
        if (next < 0 || d->bits[next].word != first->word ||
            d->bits[next].offset != first->offset + (int)n) {
            break;
        }
        n++;
    }
    return n;
}

static void put_constant(struct design *d, FILE *to, unsigned width, size_t shift, json_t *bit)
{
    const char *text = json_string_value(bit);
    if (text != NULL && text[0] == '1') {
        fprintf(to, " | (u%u)1 << %zu", width, shift);
    } else if (text == NULL || text[0] != '0') {
        fprintf(to, " | (u%u)n%d << %zu", width, cells_word(d, 1, "nondet_bit()"), shift);
    }
}

char *cells_value(struct design *d, json_t *bits, size_t first, unsigned width)
{
    char *text = NULL;
    size_t n_text;
    for (size_t i = first; i < first + width; i++) {
        need(d, json_array_get(bits, i));
    }
    FILE *to = open_memstream(&text, &n_text);
    fprintf(to, "((u%u)0", use(d, width));
    for (size_t i = first; i < first + width;) {
        const int64_t n = number(json_array_get(bits, i));
        if (n < 0) {
            put_constant(d, to, width, i - first, json_array_get(bits, i));
            i++;
            continue;
        }
        const unsigned run = run_of_word(d, bits, i, first + width);
        const struct cells_bit *bit = &d->bits[n];
        if (run == width && d->widths[bit->word] == width) {
            fclose(to);
            free(text);
            return asprintf(&text, "n%d", bit->word) > 0 ? text : NULL;
        }
        fprintf(to, " | (u%u)(u%u)(n%d >> %d) << %zu", width, use(d, run), bit->word, bit->offset,
                i - first);
        i += run;
    }
    fputc(')', to);
    fclose(to);
    return text;
}

/* Pin `port` extended to `width` bits as the cell says. */
static char *operand(struct design *d, json_t *cell, const char *port, unsigned width)
{
    const unsigned own = width_of(cell, port);
    char name[16], *text = NULL;
    snprintf(name, sizeof name, "%s_SIGNED", port);
    char *value = cells_value(d, pins(cell, port), 0, own);
    use(d, width);
    const int n = design_parameter(cell, name) ? asprintf(&text, "(u%u)(i%u)(i%u)%s", width, width, own, value)
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
    const unsigned y = width_of(cell, "Y");
    const unsigned w = guarded ? largest(y, largest(width_of(cell, "A"), width_of(cell, "B"))) : y;
    char *a = operand(d, cell, "A", w), *b = operand(d, cell, "B", w);
    const int word = guarded ? cells_word(d, y, "(u%u)(%s == 0 ? (u%u)0 : (u%u)(%s %s %s))", y, b, w, w, a, op, b)
                             : cells_word(d, y, "(u%u)(%s %s %s)", y, a, op, b);
    free(a);
    free(b);
    return word;
}

static bool is_constant(json_t *bits)
{
    for (size_t i = 0; i < json_array_size(bits); i++) {
        if (number(json_array_get(bits, i)) >= 0) {
            return false;
        }
    }
    return true;
}

/* $mul: of two variables and up to 32 bits by a name that the harness may give another
 * meaning. */
static int put_product(struct design *d, json_t *cell)
{
    const unsigned y = width_of(cell, "Y");
    if (y > 32 || is_constant(pins(cell, "A")) || is_constant(pins(cell, "B"))) {
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
    const unsigned w = largest(width_of(cell, "A"), width_of(cell, "B"));
    const char sign = design_parameter(cell, "A_SIGNED") && design_parameter(cell, "B_SIGNED") ? 'i' : 'u';
    char *a = operand(d, cell, "A", w), *b = operand(d, cell, "B", w);
    const int word = cells_word(d, width_of(cell, "Y"), "(%c%u)(%s) %s (%c%u)(%s)", sign, w, a, op, sign, w, b);
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
    return use(d, bits);
}

/* Left or right, arithmetic or not; an amount past the width shifts everything out. */
static int put_shift(struct design *d, json_t *cell, bool left, bool arithmetic)
{
    const unsigned y = width_of(cell, "Y"), w = largest(y, width_of(cell, "A"));
    const bool negative = design_parameter(cell, "A_SIGNED") && arithmetic;
    char *a = operand(d, cell, "A", w);
    char *b = cells_value(d, pins(cell, "B"), 0, width_of(cell, "B"));
    const char *beyond = negative ? "(u%u)((i%u)(%s) < 0 ? -1 : 0)" : "(u%u)0";
    char *over = NULL;
    if (asprintf(&over, beyond, w, w, a) < 0) {
        abort();
    }
    const int word = cells_word(d, y, "(u%u)((u64)%s >= %u ? %s : (u%u)((%c%u)(%s) %s (u%u)%s))", y, b, w, over,
                                w, negative ? 'i' : 'u', w, a, left ? "<<" : ">>", amount_width(d, w), b);
    use(d, 64);
    free(over);
    free(a);
    free(b);
    return word;
}

/* $shift, $shiftx: right by B, left when a signed B is negative. */
static int put_slice(struct design *d, json_t *cell)
{
    const unsigned y = width_of(cell, "Y"), w = largest(y, width_of(cell, "A"));
    const unsigned n = width_of(cell, "B"), k = amount_width(d, w);
    char *a = operand(d, cell, "A", w);
    char *b = cells_value(d, pins(cell, "B"), 0, n);
    int word;
    use(d, 64);
    if (design_parameter(cell, "B_SIGNED")) {
        word = cells_word(d, y,
                          "(u%u)((i%u)%s < 0 ? ((i64)(i%u)%s <= -%d ? (u%u)0 : (u%u)(%s << (u%u)-(i64)(i%u)%s))"
                          " : ((i64)(i%u)%s >= %u ? (u%u)0 : (u%u)(%s >> (u%u)%s)))",
                          y, n, b, n, b, (int)w, w, w, a, k, n, b, n, b, w, w, w, a, k, b);
    } else {
        word = cells_word(d, y, "(u%u)((u64)%s >= %u ? (u%u)0 : (u%u)(%s >> (u%u)%s))", y, b, w, w, w, a, k, b);
    }
    free(a);
    free(b);
    return word;
}

static int put_reduce(struct design *d, json_t *cell, const char *type)
{
    const unsigned w = width_of(cell, "A"), y = width_of(cell, "Y");
    char *a = cells_value(d, pins(cell, "A"), 0, w);
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
        use(d, 1);
    } else {
        word = cells_word(d, y, "%s != 0", a);
    }
    free(a);
    return word;
}

static int put_logic(struct design *d, json_t *cell, const char *op)
{
    char *a = cells_value(d, pins(cell, "A"), 0, width_of(cell, "A"));
    char *b = cells_value(d, pins(cell, "B"), 0, width_of(cell, "B"));
    const int word = cells_word(d, width_of(cell, "Y"), "%s != 0 %s %s != 0", a, op, b);
    free(a);
    free(b);
    return word;
}

static int put_unary(struct design *d, json_t *cell, const char *op)
{
    const unsigned y = width_of(cell, "Y");
    char *a = operand(d, cell, "A", y);
    const int word = cells_word(d, y, "(u%u)(%s(%s))", y, op, a);
    free(a);
    return word;
}

/* $mux and $pmux: A, or the slice of B that a bit of S selects. */
static int put_mux(struct design *d, json_t *cell)
{
    const unsigned y = width_of(cell, "Y"), n = width_of(cell, "S");
    char *a = cells_value(d, pins(cell, "A"), 0, y);
    char *s = cells_value(d, pins(cell, "S"), 0, n);
    char *text = NULL;
    size_t n_text;
    FILE *to = open_memstream(&text, &n_text);
    for (unsigned i = 0; i < n; i++) {
        char *b = cells_value(d, pins(cell, "B"), (size_t)i * y, y);
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
    const unsigned y = width_of(cell, "Y"), w = width_of(cell, "A");
    char *a = cells_value(d, pins(cell, "A"), 0, w);
    char *s = cells_value(d, pins(cell, "S"), 0, width_of(cell, "S"));
    const int word = cells_word(d, y, "(u%u)(%s >> ((u64)%s * %u))", y, a, s, y);
    use(d, 64);
    free(a);
    free(s);
    return word;
}

static int put_cell(struct design *d, json_t *cell, const char *type)
{
    static const struct { const char *type, *op; } binary[] = {
        {"$and", "&"}, {"$or", "|"}, {"$xor", "^"}, {"$add", "+"}, {"$sub", "-"}};
    static const struct { const char *type, *op; } guarded[] = {{"$div", "/"}, {"$mod", "%"}};
    static const struct { const char *type, *op; } compared[] = {
        {"$eq", "=="}, {"$ne", "!="}, {"$eqx", "=="}, {"$nex", "!="},
        {"$lt", "<"}, {"$le", "<="}, {"$gt", ">"}, {"$ge", ">="}};
    static const struct { const char *type, *op; } unary[] = {{"$not", "~"}, {"$neg", "-"}, {"$pos", ""}};
#define FIND(list, put, ...)                                                  \
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)                   \
        if (strcmp(list[i].type, type) == 0)                                  \
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
        const unsigned y = width_of(cell, "Y");
        return cells_word(d, y, "(u%u)~n%d", y, put_binary(d, cell, "^", false));
    }
    fprintf(stderr, "transition: no translation of a %s cell\n", type);
    d->failed = true;
    return cells_word(d, width_of(cell, "Y"), "0");
}

static void write_cell(struct design *d, json_t *cell)
{
    const int word = put_cell(d, cell, type_of(cell));
    json_t *y = pins(cell, "Y");
    for (unsigned i = 0; i < json_array_size(y); i++) {
        cells_drive(d, json_array_get(y, i), word, i);
    }
}

static size_t highest_net(json_t *cells)
{
    size_t highest = 0;
    const char *name, *port;
    json_t *cell, *bits;
    json_object_foreach(cells, name, cell) {
        json_object_foreach(json_object_get(cell, "connections"), port, bits) {
            for (size_t i = 0; i < json_array_size(bits); i++) {
                const int64_t n = number(json_array_get(bits, i));
                highest = n > (int64_t)highest ? (size_t)n : highest;
            }
        }
    }
    return highest;
}

static bool find_drivers(struct design *d)
{
    const char *name;
    json_t *cell;
    json_object_foreach(d->cells, name, cell) {
        const char *type = type_of(cell);
        const bool dff = strcmp(type, "$dff") == 0;
        if (!dff && (strstr(type, "dff") != NULL || strstr(type, "latch") != NULL ||
                     strncmp(type, "$mem", 4) == 0)) {
            fprintf(stderr, "transition: a %s cell is left in the design\n", type);
            return false;
        }
        json_t *out = pins(cell, dff ? "Q" : "Y"), *in = dff ? pins(cell, "D") : NULL;
        for (size_t i = 0; i < json_array_size(out); i++) {
            struct cells_bit *bit = &d->bits[number(json_array_get(out, i))];
            bit->cell = dff ? NULL : cell;
            bit->next = dff ? json_array_get(in, i) : NULL;
        }
    }
    return true;
}

bool cells_open(struct design *d, const struct unit_desc *desc, json_t *file)
{
    memset(d, 0, sizeof *d);
    d->desc = desc;
    json_t *module = json_object_get(json_object_get(file, "modules"), desc->name);
    d->ports = json_object_get(module, "ports");
    d->nets = json_object_get(module, "netnames");
    d->cells = json_object_get(module, "cells");
    if (d->cells == NULL || d->ports == NULL || d->nets == NULL) {
        fprintf(stderr, "transition: no module %s in the design\n", desc->name);
        return false;
    }
    d->n_bits = highest_net(d->cells) + json_object_size(d->ports) * 4096 + 2;
    d->bits = calloc(d->n_bits, sizeof *d->bits);
    d->body = open_memstream(&d->text, &d->n_text);
    if (d->bits == NULL || d->body == NULL) {
        return false;
    }
    for (size_t i = 0; i < d->n_bits; i++) {
        d->bits[i].word = -1;
    }
    return find_drivers(d);
}

bool cells_close(struct design *d, FILE *to)
{
    fclose(d->body);
    use(d, 1);
    for (unsigned width = 1; width <= CELLS_MAX_WIDTH; width++) {
        if (d->used_width[width]) {
            fprintf(to, "typedef unsigned __CPROVER_bitvector[%u] u%u;\n"
                    "typedef signed __CPROVER_bitvector[%u] i%u;\n", width, width, width, width);
        }
    }
    fprintf(to, "u1 nondet_bit(void);\n/* %d words, %u dead bits of state */\n"
            "static void rtl(const struct state *s, const struct in *in, _Bool rst,\n"
            "                struct out *out, struct state *next)\n{\n", d->n_words, d->dead_bits);
    fwrite(d->text, 1, d->n_text, to);
    fputs("}\n", to);
    free(d->text);
    free(d->bits);
    free(d->widths);
    return !d->failed;
}
