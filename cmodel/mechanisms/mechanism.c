/* mechanism.c - finds mechanisms by name, opens their units, owns what they keep. */
#include "mechanisms/mechanism.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/adi/adi.h"
#include "mechanisms/caps/caps.h"
#include "mechanisms/coherence/coherence.h"
#include "mechanisms/index/index.h"
#include "mechanisms/monitors/monitors.h"
#include "mechanisms/prefetch/prefetch.h"
#include "mechanisms/sched/wang2015.h"

static const struct {
    const char *name;
    int (*attach)(struct mechanism_context *context, const char *argument);
    const char *argument, *about;
} mechanisms[] = {
#define MECHANISM(name, attach, argument, about) {name, attach, argument, about},
#include "mechanisms/mechanism_list.h"
#undef MECHANISM
};
enum { N_MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

/* Storage kept for a mechanism: a list, released with the set. */
struct kept {
    struct kept *next;
    void (*destroy)(void *self); /* of mechanism_at_end, with its `self` */
    void *self;
    max_align_t storage[];
};

enum { MAX_REPORTS = 16 };
struct mechanism_set {
    struct mechanism_unit **units;
    size_t n_units;
    struct mechanism_report reports[MAX_REPORTS];
    size_t n_reports;
    struct kept *kept;
};

const char *mechanism_name(size_t i)
{
    return i < N_MECHANISMS ? mechanisms[i].name : NULL;
}

const char *mechanism_about(size_t i)
{
    return i < N_MECHANISMS ? mechanisms[i].about : NULL;
}

void *mechanism_keep(struct mechanism_context *context, size_t bytes)
{
    struct kept *kept = calloc(1, sizeof *kept + bytes);
    if (kept == NULL) {
        snprintf(context->error, context->n_error, "out of memory");
        return NULL;
    }
    kept->next = context->set->kept;
    context->set->kept = kept;
    return kept->storage;
}

int mechanism_at_end(struct mechanism_context *context, void (*destroy)(void *self), void *self)
{
    if (mechanism_keep(context, 0) == NULL) {
        return -1;
    }
    context->set->kept->destroy = destroy;
    context->set->kept->self = self;
    return 0;
}

int mechanism_reports(struct mechanism_context *context, const struct mechanism_report *report)
{
    struct mechanism_set *set = context->set;
    if (set->n_reports == MAX_REPORTS) {
        snprintf(context->error, context->n_error, "more than %d mechanisms with statistics",
                 MAX_REPORTS);
        return -1;
    }
    set->reports[set->n_reports++] = *report;
    return 0;
}

json_t *mechanism_statistics(const struct mechanism_set *set)
{
    json_t *all = json_object();
    for (size_t i = 0; i < set->n_reports; i++) {
        json_t *one = json_object();
        set->reports[i].statistics(set->reports[i].self, one);
        json_object_set_new(all, set->reports[i].name, one);
    }
    return all;
}

const char *mechanism_difference(const struct mechanism_set *set)
{
    const char *words = NULL;
    for (size_t i = 0; i < set->n_reports && words == NULL; i++) {
        if (set->reports[i].difference != NULL) {
            words = set->reports[i].difference(set->reports[i].self);
        }
    }
    return words;
}

/* The backend that "unit=backend,..." gives `unit`, "c" when it is not named. */
static void backend_of(const char *backends, const char *unit, char *backend, size_t n)
{
    snprintf(backend, n, "c");
    for (const char *at = backends; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ",");
        const size_t name = strcspn(at, "=");
        if (name < length && strlen(unit) == name && strncmp(at, unit, name) == 0) {
            snprintf(backend, n, "%.*s", (int)(length - name - 1), at + name + 1);
        }
        at += length + (at[length] == ',');
    }
}

const struct mechanism_unit *mechanism_open(struct mechanism_context *context, const char *unit,
                                            const char *overrides, const char *where)
{
    struct mechanism_set *set = context->set;
    char form[32];
    backend_of(context->backends, unit, form, sizeof form);
    const struct unit_backend *backend = context->source->open(
        context->source->self, unit, overrides, form, context->error, context->n_error);
    if (backend == NULL) {
        return NULL;
    }
    struct mechanism_unit *opened = calloc(1, sizeof *opened);
    struct mechanism_unit **more = realloc(set->units,
                                           (set->n_units + 1) * sizeof(struct mechanism_unit *));
    if (more != NULL) {
        set->units = more;
    }
    void *instance = opened != NULL && more != NULL
                         ? backend->create(backend->context, set->n_units)
                         : NULL;
    if (instance == NULL) {
        free(opened);
        snprintf(context->error, context->n_error, "out of memory");
        return NULL;
    }
    snprintf(opened->where, sizeof opened->where, "%s", where);
    opened->backend = backend;
    opened->instance = instance;
    set->units[set->n_units++] = opened;
    return opened;
}

/* Attach mechanism `i` with the options that follow its name. */
static int attach_with(struct mechanism_context *context, size_t i, const char *options,
                       size_t length)
{
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, options);
    context->options = text;
    context->options_read = false;
    int status = length < sizeof text ? mechanisms[i].attach(context, mechanisms[i].argument) : -1;
    if (status == 0 && length > 0 && !context->options_read) {
        status = -1;
    }
    if (status != 0 && length > 0 && !context->options_read) {
        snprintf(context->error, context->n_error,
                 "%s: no options ':%.100s' are known; leave them out", mechanisms[i].name, text);
    }
    context->options = "";
    return status;
}

static int attach_one(struct mechanism_context *context, const char *name, size_t length)
{
    const char *colon = memchr(name, ':', length);
    const size_t own = colon != NULL ? (size_t)(colon - name) : length;
    for (size_t i = 0; i < N_MECHANISMS; i++) {
        if (strlen(mechanisms[i].name) == own && strncmp(mechanisms[i].name, name, own) == 0) {
            const size_t skip = own + (colon != NULL);
            return attach_with(context, i, name + skip, length - skip);
        }
    }
    snprintf(context->error, context->n_error,
             "no mechanism named '%.*s'; `warplock list mechanisms` shows all", (int)length, name);
    return -1;
}

/* Every name in `backends` must belong to a unit that was opened. */
static int check_backends(struct mechanism_context *context)
{
    for (const char *at = context->backends; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ","), name = strcspn(at, "=");
        bool used = false;
        for (size_t i = 0; i < context->set->n_units && name < length; i++) {
            const char *unit = context->set->units[i]->backend->desc->name;
            used |= strlen(unit) == name && strncmp(unit, at, name) == 0;
        }
        if (!used) {
            snprintf(context->error, context->n_error,
                     "-b %.*s: write UNIT=BACKEND, the unit one that a mechanism of -m uses",
                     (int)length, at);
            return -1;
        }
        at += length + (at[length] == ',');
    }
    return 0;
}

struct mechanism_set *mechanism_attach(struct gpu *gpu, const struct unit_source *source,
                                       const char *names, const char *backends, char *error,
                                       size_t n_error)
{
    struct mechanism_set *set = calloc(1, sizeof *set);
    struct mechanism_context context = {.gpu = gpu,
                                        .set = set,
                                        .source = source,
                                        .backends = backends,
                                        .options = "",
                                        .error = error,
                                        .n_error = n_error};
    if (set == NULL) {
        snprintf(error, n_error, "out of memory");
        return NULL;
    }
    int status = 0;
    for (const char *at = names; status == 0 && at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ",");
        status = attach_one(&context, at, length);
        at += length + (at[length] == ',');
    }
    if (status != 0 || check_backends(&context) != 0) {
        mechanism_detach(set);
        return NULL;
    }
    return set;
}

void mechanism_detach(struct mechanism_set *set)
{
    for (size_t i = 0; i < set->n_units; i++) {
        set->units[i]->backend->destroy(set->units[i]->instance);
        free(set->units[i]);
    }
    free(set->units);
    for (struct kept *kept = set->kept; kept != NULL; kept = kept->next) {
        if (kept->destroy != NULL) {
            kept->destroy(kept->self);
        }
    }
    while (set->kept != NULL) {
        struct kept *next = set->kept->next;
        free(set->kept);
        set->kept = next;
    }
    free(set);
}

size_t mechanism_n_units(const struct mechanism_set *set)
{
    return set->n_units;
}

const struct mechanism_unit *mechanism_unit(const struct mechanism_set *set, size_t i)
{
    return set->units[i];
}

int mechanism_observe(struct mechanism_context *context, struct sm *sm,
                      const struct observer *observer)
{
    if (sm->sockets.n_observers == MAX_OBSERVERS) {
        snprintf(context->error, context->n_error,
                 "-m names more than %d mechanisms that watch an SM; leave some out",
                 MAX_OBSERVERS);
        return -1;
    }
    sm->sockets.observer[sm->sockets.n_observers++] = *observer;
    return 0;
}
