/* transition.c - build tool: a unit's RTL as a C function of state and inputs, for CBMC.
 *
 *   transition c.so design.json > rtl.c
 *
 * Writes `static void rtl(const struct state *s, const struct in *in, bool rst,
 * struct out *out, struct state *next)` over the types of the unit's table: all outputs and
 * the whole next state, word by word, one statement for each cell of the design; and the
 * comparisons that the table asks for.
 * design.json: Yosys write_json after `proc; flatten; memory_collect; memory_map; dffunmap`,
 * so that every register is a $dff with a name from the RTL.  An undefined bit (x) becomes
 * a free one: nothing is proven that rests on its value.  It knows no unit. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/design.h"
#include "tb/prove/cells.h"
#include "tb/value.h"

static json_t *object(json_t *from, const char *name)
{
    return json_object_get(from, name);
}

/* "nacc" or, of an array, "nacc[3]". */
static void element_text(char *text, size_t n, const char *name, unsigned i, bool is_array)
{
    if (is_array) {
        snprintf(text, n, "%s[%u]", name, i);
    } else {
        snprintf(text, n, "%s", name);
    }
}

/* The same of a field in `side`, a struct state.  A field of one element may be an array, too:
 * its address serves both. */
static void place_text(char *text, size_t n, const char *side, const struct unit_field *field,
                       unsigned i)
{
    if (field->depth > 1) {
        snprintf(text, n, "%s->%s[%u]", side, field->name, i);
    } else {
        snprintf(text, n, "(*(uint%zu_t *)&%s->%s)", 8 * field->element_bytes, side, field->name);
    }
}

static json_t *bits_of_net(struct design *d, const char *name)
{
    return object(object(d->nets, name), "bits");
}

/* A sign of Verilator's writing back to what the design has. */
static void put_back(char *name, const char *written, char sign)
{
    const size_t n = strlen(written);
    for (char *at = name; (at = strstr(at, written)) != NULL;) {
        *at++ = sign;
        memmove(at, at + n - 1, strlen(at + n - 1) + 1);
    }
}

/* "outer__DOT__inner, reg_q" of the table is "outer.inner.reg_q" in the flattened design, and
 * "g__BRA__0__KET__, reg_q" is "g[0].reg_q". */
static void net_name(char *name, size_t n, const char *where)
{
    size_t at = 0;
    for (; *where != '\0' && at + 1 < n; where++) {
        if (*where != ' ') {
            name[at++] = *where == ',' ? '.' : *where;
        }
    }
    name[at] = '\0';
    put_back(name, "__DOT__", '.');
    put_back(name, "__BRA__", '[');
    put_back(name, "__KET__", ']');
}

/* The bits of element `i` of a field: a register, a slice of a flat one, or a word of a memory or a
 * part of it.  Offset of the first in *first; NULL when the design has no such register. */
static json_t *element_bits(struct design *d, const struct unit_field *field, unsigned i,
                            size_t *first)
{
    char name[160], word[192];
    net_name(name, sizeof name, field->where);
    snprintf(word, sizeof word, "%s[0]", name);
    const size_t in_word = json_array_size(bits_of_net(d, word)) / field->width;
    const unsigned of_word = in_word > 1 ? (unsigned)in_word : 1;
    snprintf(word, sizeof word, "%s[%u]", name, i / of_word);
    json_t *bits = field->depth > 1 ? bits_of_net(d, word) : NULL;
    *first = (size_t)(i % of_word) * field->width;
    if (bits == NULL && (bits = bits_of_net(d, name)) != NULL) {
        *first = (size_t)i * field->width;
    }
    return bits != NULL && json_array_size(bits) >= *first + field->width ? bits : NULL;
}

static void name_inputs(struct design *d, const struct unit_clocking *clocking)
{
    for (unsigned i = 0; i < d->desc->n_in; i++) {
        const struct unit_port *port = &d->desc->in[i];
        json_t *bits = object(object(d->ports, port->name), "bits");
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            char name[160];
            element_text(name, sizeof name, port->name, lane, port->is_array);
            const int word = cells_word(d, port->width, "(u%u)in->%s", port->width, name);
            for (unsigned b = 0; b < port->width; b++) {
                cells_drive(d, json_array_get(bits, (size_t)lane * port->width + b), word, b);
            }
        }
    }
    json_t *rst = object(object(d->ports, clocking->reset), "bits");
    if (rst != NULL) {
        const char *level = clocking->low ? "(u1)!rst" : "(u1)rst";
        cells_drive(d, json_array_get(rst, 0), cells_word(d, 1, level), 0);
    }
}

static void name_state(struct design *d)
{
    for (unsigned f = 0; f < d->desc->n_state; f++) {
        const struct unit_field *field = &d->desc->state[f];
        for (unsigned i = 0; i < field->depth; i++) {
            char name[160];
            size_t first;
            json_t *bits = element_bits(d, field, i, &first);
            if (bits == NULL) {
                continue;
            }
            place_text(name, sizeof name, "s", field, i);
            const int word = cells_word(d, field->width, "(u%u)%s", field->width, name);
            for (unsigned b = 0; b < field->width; b++) {
                json_t *bit = json_array_get(bits, first + b);
                if (cells_is_register(d, bit)) {
                    cells_drive(d, bit, word, b);
                }
            }
        }
    }
}

static void write_outputs(struct design *d)
{
    for (unsigned i = 0; i < d->desc->n_out; i++) {
        const struct unit_port *port = &d->desc->out[i];
        json_t *bits = object(object(d->ports, port->name), "bits");
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            char *value = cells_value(d, bits, (size_t)lane * port->width, port->width);
            char name[160];
            element_text(name, sizeof name, port->name, lane, port->is_array);
            fprintf(d->body, "    out->%s = %s;\n", name, value);
            free(value);
        }
    }
}

/* The next value of an element: what its registers' D inputs hold; a bit that is no
 * register (a parameter made it dead, or constant) keeps its value. */
static void write_next(struct design *d)
{
    for (unsigned f = 0; f < d->desc->n_state; f++) {
        const struct unit_field *field = &d->desc->state[f];
        for (unsigned i = 0; i < field->depth; i++) {
            char place[160], present[160];
            size_t first;
            json_t *bits = element_bits(d, field, i, &first);
            place_text(place, sizeof place, "next", field, i);
            place_text(present, sizeof present, "s", field, i);
            if (bits == NULL) {
                fprintf(d->body, "    %s = %s;\n", place, present);
                d->dead_bits += field->width;
                continue;
            }
            json_t *inputs = json_array();
            for (unsigned b = 0; b < field->width; b++) {
                json_t *bit = json_array_get(bits, first + b);
                d->dead_bits += !cells_is_register(d, bit);
                json_array_append(inputs, cells_is_register(d, bit) ? cells_next(d, bit) : bit);
            }
            char *value = cells_value(d, inputs, 0, field->width);
            fprintf(d->body, "    %s = %s;\n", place, value);
            free(value);
            json_decref(inputs);
        }
    }
}

/* ---- What the table says of values and guards, in C ---- */

/* All values of the table's widths, and no others. */
static void write_ranges(const struct unit_desc *desc)
{
    puts("static void in_range(struct state *s, struct in *in)\n{\n    (void)s, (void)in;");
    for (unsigned f = 0; f < desc->n_state; f++) {
        const struct unit_field *field = &desc->state[f];
        for (unsigned i = 0; i < field->depth; i++) {
            char name[160];
            place_text(name, sizeof name, "s", field, i);
            printf("    %s &= 0x%llx;\n", name, (unsigned long long)value_mask(field->width));
        }
    }
    for (unsigned i = 0; i < desc->n_in; i++) {
        const struct unit_port *port = &desc->in[i];
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            char name[160];
            element_text(name, sizeof name, port->name, lane, port->is_array);
            printf("    in->%s &= 0x%llx;\n", name, (unsigned long long)value_mask(port->width));
        }
    }
    puts("}");
}

static unsigned checks(const struct unit_desc *desc)
{
    unsigned n = 0;
    for (unsigned i = 0; i < desc->n_out; i++) {
        n += desc->out[i].lanes;
    }
    for (unsigned f = 0; f < desc->n_state; f++) {
        n += desc->state[f].depth;
    }
    return n;
}

/* Each output equal, while its guard is open on side a: those that the harness wants in this
 * part of the proof.  Returns how many there are. */
static unsigned write_output_check(const struct unit_desc *desc)
{
    const unsigned of = checks(desc);
    unsigned n = 0;
    puts("static void same_outputs(const struct out *a, const struct out *b)\n{");
    for (unsigned i = 0; i < desc->n_out; i++) {
        const struct unit_port *port = &desc->out[i];
        const struct unit_port *guard = value_port(desc->out, desc->n_out, port->guard);
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            char name[160];
            element_text(name, sizeof name, port->name, lane, port->is_array);
            printf("#ifndef PROVE_WITHOUT_%s\n", port->name);
            printf("    if (of_this_part(%u, %u)) __CPROVER_assert(", n++, of);
            if (guard != NULL) {
                printf("a->%s == 0 || ", guard->name);
            }
            printf("a->%s == b->%s, \"output %s\");\n#endif\n", name, name, name);
        }
    }
    puts("}");
    return n;
}

/* The guard of an element, as lockstep.c has it: a flag of it and its neighbours, its bit, or one
 * for all. */
static void write_guard(const struct unit_desc *desc, const struct unit_field *field, unsigned i)
{
    const struct unit_field *guard = strcmp(field->guard, "ALWAYS") == 0
                                         ? NULL
                                         : value_field_named(desc, field->guard);
    if (guard == NULL) {
        return;
    }
    char flag[160];
    place_text(flag, sizeof flag, "a", guard,
               guard->depth > 1 ? i / (field->depth / guard->depth) : 0);
    if (guard->depth == 1 && guard->width > 1 && field->depth > 1) {
        printf("(%s >> %u & 1) == 0 || ", flag, i);
    } else {
        printf("%s == 0 || ", flag);
    }
}

/* Each element equal, while its guard is open on side a: all of them, or those that the
 * harness wants in this part of the proof; `n` checks came before.  All is asked after a reset, which
 * leaves what is UNRESET undefined. */
static void write_state_check(const struct unit_desc *desc, unsigned n)
{
    const unsigned of = checks(desc);
    puts("static void same_state(const struct state *a, const struct state *b, bool all)\n{\n"
         "    (void)a, (void)b, (void)all;");
    for (unsigned f = 0; f < desc->n_state; f++) {
        const struct unit_field *field = &desc->state[f];
        for (unsigned i = 0; i < field->depth; i++, n++) {
            char name[160], a[160], b[160];
            element_text(name, sizeof name, field->name, i, field->depth > 1);
            place_text(a, sizeof a, "a", field, i);
            place_text(b, sizeof b, "b", field, i);
            printf("    if (%s of_this_part(%u, %u)) __CPROVER_assert(",
                   strcmp(field->guard, "UNRESET") == 0 ? "!all &&" : "all ||", n, of);
            write_guard(desc, field, i);
            printf("%s == %s, \"state %s\");\n", a, b, name);
        }
    }
    puts("}");
}

static int run(const struct design_files *files)
{
    const struct unit_desc *desc = files->desc;
    struct design d;
    if (!cells_open(&d, desc, files->json)) {
        return 2;
    }
    name_inputs(&d, &files->clocking);
    name_state(&d);
    write_outputs(&d);
    if (desc->kind == UNIT_SEQUENTIAL) {
        write_next(&d);
    }
    const bool whole = cells_close(&d, stdout);
    printf("#define PROVE_SEQUENTIAL %d\n", desc->kind == UNIT_SEQUENTIAL);
    write_ranges(desc);
    write_state_check(desc, write_output_check(desc));
    return whole ? 0 : 2;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: transition c.so design.json\n", stderr);
        return 2;
    }
    struct design_files files;
    if (!design_open(&files, "transition", argv[1], argv[2])) {
        return 2;
    }
    const int status = run(&files);
    design_close(&files);
    return status;
}
