/* wave_inside.c - the inside of a unit's RTL in a waveform. */
#include "tb/wave_inside.h"

#include <stdlib.h>

#include "tb/lockstep.h"

struct wave_inside {
    struct wave *wave;
    const struct unit_backend *backend;
    const struct inside *view;
    size_t n;
    uint32_t *signal;
    uint64_t *value;
};

const struct unit_backend *wave_inside_side(const struct unit_backend *backend, void *self,
                                            void **instance)
{
    if (!lockstep_is(backend)) {
        *instance = self;
        return inside_of(backend) != NULL ? backend : NULL;
    }
    for (int side = 0; side < 2; side++) {
        const struct lockstep_side one = lockstep_side(backend, self, side);
        if (inside_of(one.backend) != NULL) {
            *instance = one.instance;
            return one.backend;
        }
    }
    return NULL;
}

/* Calls `each` for every signal, in order; false when no side is open or memory is out. */
static bool enumerate(const struct unit_backend *backend,
                      void (*each)(void *to, const struct inside_signal *signal), void *to,
                      size_t *n)
{
    void *unused;
    const struct unit_backend *side = wave_inside_side(backend, NULL, &unused);
    void *sample = side != NULL ? side->create(side->context, 1) : NULL;
    if (sample == NULL) {
        return false;
    }
    const struct inside *view = inside_of(side);
    *n = view->count(sample);
    for (size_t i = 0; i < *n; i++) {
        struct inside_signal signal;
        view->describe(sample, i, &signal);
        each(to, &signal);
    }
    side->destroy(sample);
    return true;
}

/* ---- the wave ---- */

struct declaring {
    struct wave_inside *inside;
    char scope[128];
    size_t n, max;
    bool failed;
};

static void declare(void *to, const struct inside_signal *signal)
{
    struct declaring *d = to;
    struct wave_inside *inside = d->inside;
    if (d->n == d->max) {
        d->max = 2 * d->max + 64;
        uint32_t *more = realloc(inside->signal, d->max * sizeof *more);
        if (more == NULL) {
            d->failed = true;
            d->max = d->n;
            return;
        }
        inside->signal = more;
    }
    wave_go_to(inside->wave, d->scope, signal->scope);
    memcpy(d->scope, signal->scope, sizeof d->scope);
    inside->signal[d->n++] = wave_declare(inside->wave, signal->name, signal->width, 0);
}

struct wave_inside *wave_inside_new(struct wave *wave, const struct unit_backend *backend)
{
    void *unused;
    struct wave_inside *inside = calloc(1, sizeof *inside);
    if (inside == NULL || (inside->backend = wave_inside_side(backend, NULL, &unused)) == NULL) {
        free(inside);
        return NULL;
    }
    inside->wave = wave;
    inside->view = inside_of(inside->backend);
    inside->backend = backend;
    struct declaring d = {.inside = inside};
    wave_enter(wave, "rtl");
    const bool good = enumerate(backend, declare, &d, &inside->n);
    wave_go_to(wave, d.scope, "");
    wave_leave(wave);
    inside->value = calloc(inside->n + 1, sizeof *inside->value);
    if (!good || d.failed || inside->value == NULL) {
        wave_inside_free(inside);
        return NULL;
    }
    return inside;
}

void wave_inside_free(struct wave_inside *inside)
{
    if (inside != NULL) {
        free(inside->signal);
        free(inside->value);
        free(inside);
    }
}

void wave_inside_emit(struct wave_inside *inside, void *self)
{
    void *instance;
    if (inside == NULL || wave_inside_side(inside->backend, self, &instance) == NULL) {
        return;
    }
    inside->view->values(instance, inside->value);
    for (size_t i = 0; i < inside->n; i++) {
        wave_emit(inside->wave, inside->signal[i], inside->value[i]);
    }
}

/* ---- the layout ---- */

struct drafting {
    struct layout *layout;
    const char *scope;
};

static void draft(void *to, const struct inside_signal *signal)
{
    const struct drafting *d = to;
    char path[512];
    snprintf(path, sizeof path, "%s.rtl.%s%s%s", d->scope, signal->scope,
             signal->scope[0] != '\0' ? "." : "", signal->name);
    layout_signal(d->layout, path, signal->width,
                  layout_format_of(signal->name, signal->width, false), LAYOUT_INDIGO);
}

void wave_inside_layout(struct layout *layout, const char *scope,
                        const struct unit_backend *backend)
{
    void *unused;
    size_t n;
    struct drafting d = {layout, scope};
    if (wave_inside_side(backend, NULL, &unused) != NULL) {
        layout_begin(layout, "inside the RTL", true);
        enumerate(backend, draft, &d, &n);
        layout_end(layout, "inside the RTL", true);
    }
}
