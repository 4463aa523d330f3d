/* wave_unit.c - a unit's scope in a waveform: declared from its table, filled from what
 * the harness sees of it. */
#include "tb/wave_unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/value.h"
#include "tb/wave_inside.h"

/* Signals of one element of an output or field. */
struct trio {
    uint32_t a, b, mismatch;
};

struct wave_unit {
    struct wave *wave;
    const struct unit_backend *backend;
    const struct unit_desc *desc;
    bool pair, state_pair; /* two sides; and both show their state */
    struct wave_sides sides;
    uint32_t step, rst, mismatch;
    uint32_t *in;                          /* per input slot */
    struct trio *out;                      /* per output slot */
    struct trio *state;                    /* per state element, in table order */
    int *out_guard;                        /* per output: slot of its guard, -1 for always */
    const struct unit_field **state_guard; /* per field, NULL for always */
    struct wave_inside *inside;            /* of an open RTL side, else NULL */
    unsigned char *last_a, *last_b;        /* states as last written */
    bool any_state, outputs_differ, state_differs;
};

struct wave_sides wave_sides(const struct unit_backend *backend)
{
    struct wave_sides sides = {"", ""};
    const char *plus = strchr(backend->name, '+');
    const size_t length = plus != NULL ? (size_t)(plus - backend->name) : strlen(backend->name);
    snprintf(sides.a, sizeof sides.a, "%.*s", (int)length, backend->name);
    snprintf(sides.b, sizeof sides.b, "%s", plus != NULL ? plus + 1 : "");
    return sides;
}

void wave_element_name(char *text, size_t n, const char *name, unsigned element, bool is_array)
{
    if (is_array) {
        snprintf(text, n, "%s_%u", name, element);
    } else {
        snprintf(text, n, "%s", name);
    }
}

/* ---- declaration ---- */

static uint32_t names_of(struct wave_unit *unit, const char *of, unsigned width)
{
    struct wave_name names[256];
    unsigned n = 0;
    for (unsigned i = 0; i < unit->desc->n_enums && n < 256; i++) {
        if (strcmp(unit->desc->enums[i].of, of) == 0) {
            names[n++] = (struct wave_name){unit->desc->enums[i].name, unit->desc->enums[i].value};
        }
    }
    return wave_names(unit->wave, of, width, names, n);
}

/* nacc_c, nacc_rtl and nacc_mismatch: the viewer shows leaf names only. */
static struct trio declare_trio(struct wave_unit *unit, const char *element, unsigned width,
                                uint32_t names, bool pair)
{
    char leaf[128];
    struct trio t = {0, 0, 0};
    snprintf(leaf, sizeof leaf, "%s_%s", element, unit->sides.a);
    t.a = wave_declare(unit->wave, leaf, width, names);
    if (pair) {
        snprintf(leaf, sizeof leaf, "%s_%s", element, unit->sides.b);
        t.b = wave_declare(unit->wave, leaf, width, names);
        snprintf(leaf, sizeof leaf, "%s_mismatch", element);
        t.mismatch = wave_declare(unit->wave, leaf, 1, 0);
    }
    return t;
}

static void declare_inputs(struct wave_unit *unit)
{
    wave_enter(unit->wave, "in");
    for (unsigned i = 0; i < unit->desc->n_in; i++) {
        const struct unit_port *port = &unit->desc->in[i];
        const uint32_t names = names_of(unit, port->name, port->width);
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            char name[96];
            wave_element_name(name, sizeof name, port->name, lane, port->is_array);
            unit->in[port->slot + lane] = wave_declare(unit->wave, name, port->width, names);
        }
    }
    wave_leave(unit->wave);
}

static void declare_outputs(struct wave_unit *unit)
{
    wave_enter(unit->wave, "out");
    for (unsigned i = 0; i < unit->desc->n_out; i++) {
        const struct unit_port *port = &unit->desc->out[i];
        const uint32_t names = names_of(unit, port->name, port->width);
        const struct unit_port *guard = value_port(unit->desc->out, unit->desc->n_out, port->guard);
        unit->out_guard[i] = guard != NULL ? (int)guard->slot : -1;
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            char name[96];
            wave_element_name(name, sizeof name, port->name, lane, port->is_array);
            unit->out[port->slot + lane] = declare_trio(unit, name, port->width, names, unit->pair);
        }
    }
    wave_leave(unit->wave);
}

static void declare_state(struct wave_unit *unit)
{
    struct trio *next = unit->state;
    wave_enter(unit->wave, "state");
    for (unsigned i = 0; i < unit->desc->n_state; i++) {
        const struct unit_field *field = &unit->desc->state[i];
        const uint32_t names = names_of(unit, field->name, field->width);
        unit->state_guard[i] = value_field_named(unit->desc, field->guard);
        for (unsigned e = 0; e < field->depth; e++) {
            char name[96];
            wave_element_name(name, sizeof name, field->name, e, field->depth > 1);
            *next++ = declare_trio(unit, name, field->width, names, unit->state_pair);
        }
    }
    wave_leave(unit->wave);
}

static bool allocate(struct wave_unit *unit)
{
    const struct unit_desc *desc = unit->desc;
    size_t elements = 0;
    for (unsigned i = 0; i < desc->n_state; i++) {
        elements += desc->state[i].depth;
    }
    unit->in = calloc(desc->in_slots + 1, sizeof *unit->in);
    unit->out = calloc(desc->out_slots + 1, sizeof *unit->out);
    unit->state = calloc(elements + 1, sizeof *unit->state);
    unit->out_guard = calloc(desc->n_out + 1, sizeof *unit->out_guard);
    unit->state_guard = calloc(desc->n_state + 1, sizeof *unit->state_guard);
    unit->last_a = calloc(1, desc->state_bytes + 1);
    unit->last_b = calloc(1, desc->state_bytes + 1);
    return unit->in && unit->out && unit->state && unit->out_guard && unit->state_guard &&
           unit->last_a && unit->last_b;
}

struct wave_unit *wave_unit_new(struct wave *wave, const struct unit_backend *backend)
{
    struct wave_unit *unit = calloc(1, sizeof *unit);
    if (unit == NULL) {
        return NULL;
    }
    unit->wave = wave;
    unit->backend = backend;
    unit->desc = backend->desc;
    unit->pair = lockstep_is(backend);
    unit->state_pair = unit->pair && lockstep_compares_state(backend);
    unit->sides = wave_sides(backend);
    if (!allocate(unit)) {
        wave_unit_free(unit);
        return NULL;
    }
    unit->step = wave_declare(wave, "step", 64, 0);
    unit->rst = wave_declare(wave, "rst", 1, 0);
    unit->mismatch = wave_declare(wave, "mismatch", 1, 0);
    declare_inputs(unit);
    declare_outputs(unit);
    declare_state(unit);
    unit->inside = wave_inside_new(wave, backend);
    return unit;
}

void wave_unit_free(struct wave_unit *unit)
{
    if (unit != NULL) {
        free(unit->in);
        free(unit->out);
        free(unit->state);
        free(unit->out_guard);
        free(unit->state_guard);
        free(unit->last_a);
        free(unit->last_b);
        wave_inside_free(unit->inside);
        free(unit);
    }
}

/* ---- values ---- */

/* Returns whether the sides differ where they are compared. */
static bool emit_trio(struct wave_unit *unit, const struct trio *t, uint64_t a, uint64_t b,
                      bool compared)
{
    const bool differ = unit->pair && compared && a != b;
    wave_emit(unit->wave, t->a, a);
    wave_emit(unit->wave, t->b, b);
    wave_emit(unit->wave, t->mismatch, differ);
    return differ;
}

static void emit_inputs(struct wave_unit *unit, uint64_t step, bool rst, const uint64_t *in)
{
    wave_emit(unit->wave, unit->step, step);
    wave_emit(unit->wave, unit->rst, rst);
    for (unsigned slot = 0; slot < unit->desc->in_slots; slot++) {
        wave_emit(unit->wave, unit->in[slot], in[slot]);
    }
}

void wave_unit_comb(struct wave_unit *unit, void *self, uint64_t step, bool rst, const uint64_t *in,
                    const uint64_t *out)
{
    struct lockstep_sides sides = {out, NULL, NULL};
    if (unit->pair) {
        lockstep_get_sides(self, &sides);
    }
    emit_inputs(unit, step, rst, in);
    unit->outputs_differ = false;
    for (unsigned i = 0; i < unit->desc->n_out; i++) {
        const struct unit_port *port = &unit->desc->out[i];
        const bool compared = unit->out_guard[i] < 0 || out[unit->out_guard[i]] != 0;
        for (unsigned slot = port->slot; slot < port->slot + port->lanes; slot++) {
            unit->outputs_differ |= emit_trio(unit, &unit->out[slot], out[slot], sides.out_b[slot],
                                              compared);
        }
    }
    wave_emit(unit->wave, unit->mismatch, unit->outputs_differ || unit->state_differs);
    wave_inside_emit(unit->inside, self);
}

static bool field_changed(const struct wave_unit *unit, const struct unit_field *field,
                          const unsigned char *a, const unsigned char *b)
{
    const size_t at = field->offset_bytes, size = field->depth * field->element_bytes;
    return memcmp(a + at, unit->last_a + at, size) != 0 ||
           memcmp(b + at, unit->last_b + at, size) != 0;
}

/* Only fields that changed, or whose guard did, are looked at element by element. */
static void emit_state(struct wave_unit *unit, const unsigned char *a, const unsigned char *b)
{
    const struct trio *next = unit->state;
    for (unsigned i = 0; i < unit->desc->n_state; i++) {
        const struct unit_field *field = &unit->desc->state[i];
        const struct unit_field *guard = unit->state_guard[i];
        if (!unit->any_state || field_changed(unit, field, a, b) ||
            (guard != NULL && field_changed(unit, guard, a, b))) {
            for (unsigned e = 0; e < field->depth; e++) {
                emit_trio(unit, &next[e], value_of_field(field, a, e), value_of_field(field, b, e),
                          lockstep_compared(unit->desc, field, e, a));
            }
        }
        next += field->depth;
    }
}

static bool states_differ(const struct wave_unit *unit, const void *a, const void *b)
{
    bool differ = false;
    if (memcmp(a, b, unit->desc->state_bytes) == 0) {
        return false;
    }
    for (unsigned i = 0; i < unit->desc->n_state; i++) {
        const struct unit_field *field = &unit->desc->state[i];
        for (unsigned e = 0; e < field->depth && !differ; e++) {
            differ = value_of_field(field, a, e) != value_of_field(field, b, e) &&
                     lockstep_compared(unit->desc, field, e, a);
        }
    }
    return differ;
}

void wave_unit_state(struct wave_unit *unit, void *self)
{
    struct lockstep_sides sides = {NULL, NULL, NULL};
    if (unit->pair) {
        lockstep_get_sides(self, &sides);
    } else if (unit->backend->state != NULL) {
        sides.state_a = unit->backend->state(self);
    }
    if (sides.state_a == NULL || unit->desc->n_state == 0) {
        return;
    }
    const unsigned char *a = sides.state_a;
    const unsigned char *b = unit->state_pair ? sides.state_b : sides.state_a;
    emit_state(unit, a, b);
    unit->state_differs = unit->state_pair && states_differ(unit, a, b);
    wave_emit(unit->wave, unit->mismatch, unit->outputs_differ || unit->state_differs);
    memcpy(unit->last_a, a, unit->desc->state_bytes);
    memcpy(unit->last_b, b, unit->desc->state_bytes);
    unit->any_state = true;
}

void wave_unit_seq(struct wave_unit *unit, void *self, uint64_t step, bool rst, const uint64_t *in)
{
    emit_inputs(unit, step, rst, in);
    wave_inside_emit(unit->inside, self);
    wave_unit_state(unit, self);
}

/* ---- a file with one unit ---- */

bool wave_steps_open(struct wave_steps *steps, const char *path, struct wave_window window,
                     const struct unit_backend *backend)
{
    *steps = (struct wave_steps){NULL, NULL};
    if (path == NULL) {
        return true;
    }
    steps->file = wave_open(path, "1ns", window);
    if (steps->file == NULL) {
        return false;
    }
    wave_enter(steps->file, backend->desc->name);
    steps->unit = wave_unit_new(steps->file, backend);
    wave_leave(steps->file);
    return steps->unit != NULL;
}

void wave_steps_start(struct wave_steps *steps, void *self)
{
    if (steps->file != NULL && wave_shows(steps->file, 0)) {
        wave_time(steps->file, 0);
        wave_unit_state(steps->unit, self);
    }
}

void wave_steps_comb(struct wave_steps *steps, void *self, uint64_t step, bool rst,
                     const uint64_t *in, const uint64_t *out)
{
    if (steps->file != NULL && wave_shows(steps->file, step)) {
        wave_time(steps->file, step * WAVE_STEP_TIME);
        wave_unit_comb(steps->unit, self, step, rst, in, out);
    }
}

void wave_steps_seq(struct wave_steps *steps, void *self, uint64_t step, bool rst,
                    const uint64_t *in)
{
    if (steps->file != NULL && steps->unit->desc->n_state > 0 && wave_shows(steps->file, step)) {
        wave_time(steps->file, step * WAVE_STEP_TIME + WAVE_STEP_TIME / 2);
        wave_unit_seq(steps->unit, self, step, rst, in);
    }
}

void wave_steps_close(struct wave_steps *steps)
{
    if (steps->file != NULL) {
        const uint64_t last = wave_time(steps->file, 0) / WAVE_STEP_TIME;
        wave_close(steps->file, (last + 1 + WAVE_ROOM_STEPS) * WAVE_STEP_TIME);
    }
    wave_unit_free(steps->unit);
    *steps = (struct wave_steps){NULL, NULL};
}
