/* traced.c - a backend that hands everything on to another and writes what passes. */
#include "tb/traced.h"

#include <stdlib.h>

struct traced {
    const struct unit_backend *inner;
    void *instance;
    struct wave_unit *unit; /* NULL: not watched */
    const struct traced_clock *clock;
    bool shown;         /* something of it was written */
    uint64_t step;      /* edges, or evaluations of a combinational unit */
    uint64_t next_time; /* of this unit: evaluations do not hide each other */
};

static void *create(void *context, uint64_t seed)
{
    const struct unit_backend *inner = context;
    struct traced *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->inner = inner;
    self->instance = inner->create(inner->context, seed);
    if (self->instance == NULL) {
        free(self);
        return NULL;
    }
    return self;
}

static void destroy(void *self_)
{
    struct traced *self = self_;
    self->inner->destroy(self->instance);
    free(self);
}

/* Moves the file's time on; false when nothing is to be written. */
static bool moment(struct traced *self)
{
    const struct traced_clock *clock = self->clock;
    if (self->unit == NULL || !wave_shows(clock->wave, *clock->position)) {
        return false;
    }
    const uint64_t cycle_time = *clock->position * TRACED_CYCLE_TIME;
    self->next_time = wave_time(clock->wave,
                                cycle_time > self->next_time ? cycle_time : self->next_time) +
                      1;
    wave_emit(clock->wave, clock->signal, *clock->position);
    return true;
}

static void comb(void *self_, const uint64_t *in, uint64_t *out)
{
    struct traced *self = self_;
    self->inner->comb(self->instance, in, out);
    if (moment(self)) {
        if (!self->shown) {
            wave_unit_state(self->unit, self->instance);
            self->shown = true;
        }
        wave_unit_comb(self->unit, self->instance, self->step, false, in, out);
    }
    self->step += self->inner->desc->kind == UNIT_COMBINATIONAL;
}

static void seq(void *self_, const uint64_t *in, bool rst)
{
    struct traced *self = self_;
    if (self->inner->desc->kind == UNIT_COMBINATIONAL) {
        return;
    }
    self->inner->seq(self->instance, in, rst);
    if (moment(self)) {
        wave_unit_seq(self->unit, self->instance, self->step, rst, in);
    }
    self->step++;
}

static const void *state(void *self_)
{
    struct traced *self = self_;
    return self->inner->state(self->instance);
}

static void load(void *self_, const void *from)
{
    struct traced *self = self_;
    self->inner->load(self->instance, from);
}

struct unit_backend *traced_backend_new(const struct unit_backend *inner)
{
    struct unit_backend *backend = calloc(1, sizeof *backend);
    if (backend != NULL) {
        *backend = (struct unit_backend){inner->desc,
                                         inner->name,
                                         (void *)(uintptr_t)inner,
                                         create,
                                         destroy,
                                         comb,
                                         seq,
                                         inner->state != NULL ? state : NULL,
                                         inner->load != NULL ? load : NULL};
    }
    return backend;
}

void traced_backend_free(struct unit_backend *backend)
{
    free(backend);
}

bool traced_is(const struct unit_backend *backend)
{
    return backend->create == create;
}

const struct unit_backend *traced_backend(const struct unit_backend *backend)
{
    return backend->context;
}

void *traced_instance(void *self)
{
    return ((struct traced *)self)->instance;
}

void traced_watch(void *self_, struct wave_unit *unit, const struct traced_clock *clock)
{
    struct traced *self = self_;
    self->unit = unit;
    self->clock = clock;
}
