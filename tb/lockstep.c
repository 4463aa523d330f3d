/* lockstep.c - a backend made of two others, compared on every step. */
#include "tb/lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/value.h"

/* Context of a pair: which two, and how many steps each instance keeps. */
struct pair {
    const struct unit_backend *a, *b;
    uint64_t past_steps;
    char name[48];
};

struct lockstep {
    const struct pair *pair;
    const struct unit_desc *desc;
    void *a, *b;
    uint64_t *out_b;
    int *guard_slot;      /* per output: slot of its guard, -1 for always */
    uint64_t *guard_open; /* per output */
    bool any_guard;
    const struct unit_field **state_guard; /* per state field, NULL for always */
    uint64_t steps, evaluations;
    bool mismatch, mismatch_in_reset;
    uint64_t mismatch_step;
    struct lockstep_difference differences[64];
    unsigned n_differences;
    uint64_t *history; /* ring of LOCKSTEP_HISTORY x (inputs, outputs) */
    uint64_t history_step[LOCKSTEP_HISTORY];
    uint64_t history_count;
    size_t history_stride;
    uint64_t seed;
    struct past *past; /* NULL: none kept */
};

/* The guard of what no reset defines: it shows at outputs, and is never compared itself. */
static const struct unit_field never;

/* The state field that guards `field`, NULL when it is always compared. */
static const struct unit_field *guard_of(const struct unit_desc *desc,
                                         const struct unit_field *field)
{
    if (strcmp(field->guard, "UNRESET") == 0) {
        return &never;
    }
    return strcmp(field->guard, "ALWAYS") == 0 ? NULL : value_field_named(desc, field->guard);
}

/* A guard is an array, each of whose elements stands for as many of the field; a number, with a bit
 * per element; or one flag for all. */
static bool guard_is_open(const struct unit_field *guard, const struct unit_field *field,
                          unsigned i, const void *state)
{
    if (guard == &never) {
        return false;
    }
    if (guard->depth > 1) {
        const unsigned of_guard = i / (field->depth / guard->depth);
        return of_guard < guard->depth && value_of_field(guard, state, of_guard) != 0;
    }
    const uint64_t bits = value_of_field(guard, state, 0);
    return field->depth > 1 && guard->width > 1 ? (bits >> i & 1) != 0 : bits != 0;
}

bool lockstep_compared(const struct unit_desc *desc, const struct unit_field *field, unsigned i,
                       const void *state)
{
    const struct unit_field *guard = guard_of(desc, field);
    return guard == NULL || guard_is_open(guard, field, i, state);
}

static void note(struct lockstep *self, bool of_state, unsigned index, unsigned element, uint64_t a,
                 uint64_t b)
{
    if (self->n_differences < 64) {
        self->differences[self->n_differences] = (struct lockstep_difference){of_state, index,
                                                                              element, a, b};
    }
    self->n_differences++;
}

static void found(struct lockstep *self, bool in_reset)
{
    if (!self->mismatch && self->n_differences > 0) {
        self->mismatch = true;
        self->mismatch_step = self->steps;
        self->mismatch_in_reset = in_reset;
    }
}

static int slot_of_output(const struct unit_desc *desc, const char *name)
{
    for (unsigned i = 0; i < desc->n_out; i++) {
        if (strcmp(desc->out[i].name, name) == 0) {
            return (int)desc->out[i].slot;
        }
    }
    return -1;
}

static bool allocate(struct lockstep *self)
{
    const struct unit_desc *desc = self->desc;
    self->out_b = calloc(desc->out_slots + 1, sizeof *self->out_b);
    self->guard_slot = calloc(desc->n_out + 1, sizeof *self->guard_slot);
    self->guard_open = calloc(desc->n_out + 1, sizeof *self->guard_open);
    self->state_guard = calloc(desc->n_state + 1, sizeof *self->state_guard);
    self->history_stride = desc->in_slots + desc->out_slots;
    self->history = calloc(LOCKSTEP_HISTORY * self->history_stride, sizeof *self->history);
    if (self->pair->past_steps > 0) {
        const bool loads = self->pair->a->load != NULL && self->pair->b->load != NULL;
        self->past = past_new(desc, self->pair->past_steps, loads);
    }
    return self->out_b && self->guard_slot && self->guard_open && self->state_guard &&
           self->history && (self->past || self->pair->past_steps == 0);
}

static void destroy(void *self_)
{
    struct lockstep *self = self_;
    if (self->a != NULL) {
        self->pair->a->destroy(self->a);
    }
    if (self->b != NULL) {
        self->pair->b->destroy(self->b);
    }
    free(self->out_b);
    free(self->guard_slot);
    free(self->guard_open);
    free(self->state_guard);
    free(self->history);
    past_free(self->past);
    free(self);
}

static void *create(void *context, uint64_t seed)
{
    const struct pair *pair = context;
    struct lockstep *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->pair = pair;
    self->desc = pair->a->desc;
    self->seed = seed;
    /* Different contents before reset on both sides: a missing reset shows. */
    self->a = pair->a->create(pair->a->context, seed);
    self->b = pair->b->create(pair->b->context, ~seed);
    if (!allocate(self) || self->a == NULL || self->b == NULL) {
        destroy(self);
        return NULL;
    }
    for (unsigned i = 0; i < self->desc->n_out; i++) {
        const struct unit_port *port = &self->desc->out[i];
        self->guard_slot[i] = slot_of_output(self->desc, port->guard);
        self->any_guard |= self->guard_slot[i] >= 0;
    }
    for (unsigned f = 0; f < self->desc->n_state; f++) {
        self->state_guard[f] = guard_of(self->desc, &self->desc->state[f]);
    }
    return self;
}

static void compare_outputs(struct lockstep *self, const uint64_t *out_a)
{
    for (unsigned i = 0; i < self->desc->n_out; i++) {
        const struct unit_port *port = &self->desc->out[i];
        if (self->guard_slot[i] >= 0 && out_a[self->guard_slot[i]] == 0) {
            continue;
        }
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            const unsigned slot = port->slot + lane;
            if (out_a[slot] != self->out_b[slot]) {
                note(self, false, i, lane, out_a[slot], self->out_b[slot]);
            }
        }
    }
}

static void compare_state(struct lockstep *self, bool in_reset)
{
    const struct unit_desc *desc = self->desc;
    if (self->pair->a->state == NULL || self->pair->b->state == NULL || desc->n_state == 0) {
        return;
    }
    const void *a = self->pair->a->state(self->a), *b = self->pair->b->state(self->b);
    if (memcmp(a, b, desc->state_bytes) == 0 || self->mismatch) {
        return;
    }
    for (unsigned f = 0; f < desc->n_state; f++) {
        const struct unit_field *field = &desc->state[f];
        const size_t at = field->offset_bytes, size = field->depth * field->element_bytes;
        if (memcmp((const char *)a + at, (const char *)b + at, size) == 0) {
            continue;
        }
        for (unsigned i = 0; i < field->depth; i++) {
            const uint64_t va = value_of_field(field, a, i);
            const uint64_t vb = value_of_field(field, b, i);
            const struct unit_field *guard = self->state_guard[f];
            if (va != vb && (guard == NULL || guard_is_open(guard, field, i, a))) {
                note(self, true, f, i, va, vb);
            }
        }
    }
    found(self, in_reset);
}

static void remember(struct lockstep *self, const uint64_t *in, const uint64_t *out)
{
    const size_t place = self->history_count % LOCKSTEP_HISTORY;
    uint64_t *entry = self->history + place * self->history_stride;
    self->history_step[place] = self->steps;
    memcpy(entry, in, self->desc->in_slots * sizeof *in);
    memcpy(entry + self->desc->in_slots, out, self->desc->out_slots * sizeof *out);
}

static void comb(void *self_, const uint64_t *in, uint64_t *out)
{
    struct lockstep *self = self_;
    const struct unit_desc *desc = self->desc;
    const bool combinational = desc->kind == UNIT_COMBINATIONAL;
    const bool keeps = self->past != NULL && !self->mismatch;
    self->pair->a->comb(self->a, in, out);
    self->pair->b->comb(self->b, in, self->out_b);
    self->evaluations++;
    if (!self->mismatch) {
        remember(self, in, out);
        if (memcmp(out, self->out_b, desc->out_slots * sizeof *out) != 0) {
            compare_outputs(self, out);
            found(self, false);
        }
    }
    if (self->any_guard) {
        for (unsigned i = 0; i < desc->n_out; i++) {
            self->guard_open[i] += self->guard_slot[i] < 0 || out[self->guard_slot[i]] != 0;
        }
    }
    /* Of a sequential unit only the steps count, and the evaluation that differs. */
    if (keeps && (combinational || self->mismatch)) {
        past_step(self->past, in, false);
    }
    if (combinational) {
        self->steps++;
        self->history_count += !self->mismatch;
    }
}

static void seq(void *self_, const uint64_t *in, bool rst)
{
    struct lockstep *self = self_;
    if (self->desc->kind == UNIT_COMBINATIONAL) {
        return;
    }
    const bool keeps = self->past != NULL && !self->mismatch;
    if (keeps) {
        past_step(self->past, in, rst);
    }
    self->pair->a->seq(self->a, in, rst);
    self->pair->b->seq(self->b, in, rst);
    compare_state(self, rst);
    if (keeps && !self->mismatch && past_wants_state(self->past)) {
        past_state(self->past, self->pair->a->state(self->a));
    }
    self->steps++;
    if (!rst && !self->mismatch) {
        self->history_count++;
    }
}

static const void *state(void *self_)
{
    struct lockstep *self = self_;
    return self->pair->a->state(self->a);
}

static void load(void *self_, const void *from)
{
    struct lockstep *self = self_;
    self->pair->a->load(self->a, from);
    self->pair->b->load(self->b, from);
}

struct unit_backend *lockstep_backend_new(const struct unit_backend *a,
                                          const struct unit_backend *b)
{
    struct unit_backend *backend = calloc(1, sizeof *backend);
    struct pair *pair = calloc(1, sizeof *pair);
    if (backend == NULL || pair == NULL) {
        free(backend);
        free(pair);
        return NULL;
    }
    pair->a = a;
    pair->b = b;
    snprintf(pair->name, sizeof pair->name, "%s+%s", a->name, b->name);
    *backend = (struct unit_backend){a->desc,
                                     pair->name,
                                     pair,
                                     create,
                                     destroy,
                                     comb,
                                     seq,
                                     a->state != NULL ? state : NULL,
                                     a->load != NULL && b->load != NULL ? load : NULL};
    return backend;
}

void lockstep_backend_free(struct unit_backend *backend)
{
    if (backend != NULL) {
        free(backend->context);
        free(backend);
    }
}

bool lockstep_is(const struct unit_backend *backend)
{
    return backend->create == create;
}

bool lockstep_compares_state(const struct unit_backend *backend)
{
    const struct pair *pair = backend->context;
    return pair->a->state != NULL && pair->b->state != NULL;
}

void lockstep_keep_past(struct unit_backend *backend, uint64_t steps)
{
    ((struct pair *)backend->context)->past_steps = steps;
}

enum past_found lockstep_past(const void *self_, struct sequence *sequence, uint64_t *first)
{
    const struct lockstep *self = self_;
    memset(sequence, 0, sizeof *sequence);
    snprintf(sequence->backend, sizeof sequence->backend, "%s", self->pair->name);
    sequence->seed = self->seed;
    const enum past_found found = self->past != NULL ? past_sequence(self->past, sequence, first)
                                                     : PAST_LOST;
    if (found != PAST_FOUND) {
        sequence_free(sequence);
    }
    return found;
}

bool lockstep_mismatch(const void *self_)
{
    const struct lockstep *self = self_;
    return self->mismatch;
}

static uint64_t values_compared(const struct lockstep *self)
{
    const struct unit_desc *desc = self->desc;
    uint64_t values = 0;
    for (unsigned i = 0; i < desc->n_out; i++) {
        values += desc->out[i].lanes * (self->any_guard ? self->guard_open[i] : self->evaluations);
    }
    if (self->pair->a->state != NULL && self->pair->b->state != NULL) {
        for (unsigned i = 0; i < desc->n_state; i++) {
            values += self->state_guard[i] != &never ? self->steps * desc->state[i].depth : 0;
        }
    }
    return values;
}

void lockstep_get(const void *self_, struct lockstep_report *report)
{
    const struct lockstep *self = self_;
    *report = (struct lockstep_report){
        .name_a = self->pair->a->name,
        .name_b = self->pair->b->name,
        .steps = self->steps,
        .values = values_compared(self),
        .mismatch = self->mismatch,
        .mismatch_step = self->mismatch_step,
        .mismatch_in_reset = self->mismatch_in_reset,
        .n_differences = self->n_differences,
        .guard_open = self->any_guard ? self->guard_open : NULL,
    };
    memcpy(report->differences, self->differences, sizeof report->differences);
    const uint64_t last = self->history_count + (self->mismatch && !self->mismatch_in_reset);
    const uint64_t first = last > LOCKSTEP_HISTORY ? last - LOCKSTEP_HISTORY : 0;
    for (uint64_t i = first; i < last; i++) {
        const uint64_t *entry = self->history + (i % LOCKSTEP_HISTORY) * self->history_stride;
        report->history_in[report->n_history] = entry;
        report->history_out[report->n_history] = entry + self->desc->in_slots;
        report->history_step[report->n_history] = self->history_step[i % LOCKSTEP_HISTORY];
        report->n_history++;
    }
}

struct lockstep_side lockstep_side(const struct unit_backend *backend, void *self_, int side)
{
    const struct pair *pair = backend->context;
    struct lockstep *self = self_;
    return side == 0 ? (struct lockstep_side){pair->a, self != NULL ? self->a : NULL}
                     : (struct lockstep_side){pair->b, self != NULL ? self->b : NULL};
}

void lockstep_get_sides(void *self_, struct lockstep_sides *sides)
{
    struct lockstep *self = self_;
    const struct pair *pair = self->pair;
    *sides = (struct lockstep_sides){
        self->out_b,
        pair->a->state != NULL ? pair->a->state(self->a) : NULL,
        pair->b->state != NULL ? pair->b->state(self->b) : NULL,
    };
}
