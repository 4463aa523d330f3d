/* cells.h - a Yosys design as words of C over CBMC's bit vectors.
 *
 * A design is a flattened JSON netlist.  Every bit is driven by a word (a C variable of
 * any width) at an offset; the word of a cell is written when first asked for, so that
 * statements come out in order.  Knows the cells, not the unit. */
#ifndef WARPLOCK_TB_PROVE_CELLS_H
#define WARPLOCK_TB_PROVE_CELLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "units/unit.h"

enum { CELLS_MAX_WIDTH = 1 << 16 };

struct cells_bit {
    int word, offset; /* driver; word -1: none */
    json_t *cell;     /* the cell with this output, written or not */
    const char *port; /* its output */
    json_t *next;     /* of a register: its D bit */
};

struct design {
    const struct unit_desc *desc;
    json_t *ports, *nets, *cells;
    struct cells_bit *bits; /* by net number */
    size_t n_bits;
    FILE *body;
    char *text;
    size_t n_text;
    int n_words, n_free;
    unsigned *widths; /* per word */
    bool used_width[CELLS_MAX_WIDTH + 1];
    unsigned dead_bits;
    bool failed;
};

/* False, with a line on stderr, when the design cannot be read. */
bool cells_open(struct design *d, const struct unit_desc *desc, json_t *file);
/* Write types and function to `to`; false when a cell could not be translated. */
bool cells_close(struct design *d, FILE *to);

/* A new word of `width` bits with this C expression; returns its number. */
__attribute__((format(printf, 3, 4))) int cells_word(struct design *d, unsigned width,
                                                     const char *format, ...);
/* `bit` of the netlist is bit `offset` of a word. */
void cells_drive(struct design *d, json_t *bit, int word, unsigned offset);
bool cells_is_register(const struct design *d, json_t *bit);
json_t *cells_next(const struct design *d, json_t *bit);
/* The C expression of `width` bits of an array of netlist bits, from `first` on; the cells
 * it needs are written before.  The caller frees it. */
char *cells_value(struct design *d, json_t *bits, size_t first, unsigned width);
/* A type of `width` bits is needed; returns the width. */
unsigned cells_use(struct design *d, unsigned width);
/* The bits at a pin of a cell, and how many. */
json_t *cells_pins(json_t *cell, const char *port);
unsigned cells_width(json_t *cell, const char *port);

#endif
