/* cells.c - the words of a design, in the order in which they can be computed. */
#include "tb/prove/cells.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/design.h"
#include "tb/prove/operators.h"

static int64_t number(json_t *bit)
{
    return json_is_integer(bit) ? (int64_t)json_integer_value(bit) : -1;
}

unsigned cells_use(struct design *d, unsigned width)
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
    fprintf(d->body, "    const u%u n%d = ", cells_use(d, width), d->n_words);
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

json_t *cells_pins(json_t *cell, const char *port)
{
    return json_object_get(json_object_get(cell, "connections"), port);
}

unsigned cells_width(json_t *cell, const char *port)
{
    return (unsigned)json_array_size(cells_pins(cell, port));
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
    fprintf(to, "((u%u)0", cells_use(d, width));
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
        fprintf(to, " | (u%u)(u%u)(n%d >> %d) << %zu", width, cells_use(d, run), bit->word,
                bit->offset, i - first);
        i += run;
    }
    fputc(')', to);
    fclose(to);
    return text;
}

static void write_cell(struct design *d, json_t *cell)
{
    const int word = operators_put(d, cell, type_of(cell));
    json_t *y = cells_pins(cell, "Y");
    for (unsigned i = 0; i < json_array_size(y); i++) {
        cells_drive(d, json_array_get(y, i), word, i);
    }
}

static size_t highest_net(json_t *cells)
{
    size_t highest = 0;
    const char *name, *port;
    json_t *cell, *bits;
    json_object_foreach(cells, name, cell)
    {
        json_object_foreach(json_object_get(cell, "connections"), port, bits)
        {
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
    json_object_foreach(d->cells, name, cell)
    {
        const char *type = type_of(cell);
        const bool dff = strcmp(type, "$dff") == 0;
        if (!dff && (strstr(type, "dff") != NULL || strstr(type, "latch") != NULL ||
                     strncmp(type, "$mem", 4) == 0)) {
            fprintf(stderr, "transition: a %s cell is left in the design\n", type);
            return false;
        }
        json_t *out = cells_pins(cell, dff ? "Q" : "Y"), *in = dff ? cells_pins(cell, "D") : NULL;
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
    cells_use(d, 1);
    for (unsigned width = 1; width <= CELLS_MAX_WIDTH; width++) {
        if (d->used_width[width]) {
            fprintf(to,
                    "typedef unsigned __CPROVER_bitvector[%u] u%u;\n"
                    "typedef signed __CPROVER_bitvector[%u] i%u;\n",
                    width, width, width, width);
        }
    }
    fprintf(to,
            "u1 nondet_bit(void);\n/* %d words, %u dead bits of state */\n"
            "static void rtl(const struct state *s, const struct in *in, _Bool rst,\n"
            "                struct out *out, struct state *next)\n{\n",
            d->n_words, d->dead_bits);
    fwrite(d->text, 1, d->n_text, to);
    fputs("}\n", to);
    free(d->text);
    free(d->bits);
    free(d->widths);
    return !d->failed;
}
