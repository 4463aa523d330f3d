/* mechanism.c - finds mechanisms by name, attaches them, owns what they keep.
 * Options are read in options.c, units opened in mechanism_units.c.  Knows no mechanism but by its
 * descriptor. */
#include "mechanisms/mechanism.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/mechanism_set.h"
#include "mechanisms/options.h"

#define MECHANISM(name) extern const struct mechanism mechanism_##name;
#include "mechanisms/mechanism_list.h"
#undef MECHANISM

static const struct mechanism *const mechanisms[] = {
#define MECHANISM(name) &mechanism_##name,
#include "mechanisms/mechanism_list.h"
#undef MECHANISM
};
enum { N_MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

/* A user's project that was loaded has a list of its own. */
static const struct mechanism *const *project_list(void)
{
    static const struct mechanism *const none[] = {NULL};
    const void *list = dlsym(RTLD_DEFAULT, "project_mechanisms");
    return list != NULL ? list : none;
}

const struct mechanism *mechanism_at(size_t i)
{
    if (i < N_MECHANISMS) {
        return mechanisms[i];
    }
    const struct mechanism *const *more = project_list();
    for (i -= N_MECHANISMS; i > 0 && *more != NULL; i--) {
        more++;
    }
    return *more;
}

static bool is_named(const struct mechanism *mechanism, const char *name, size_t length)
{
    return strlen(mechanism->name) == length && strncmp(mechanism->name, name, length) == 0;
}

static const struct mechanism *find(const char *name, size_t length)
{
    for (size_t i = 0; i < N_MECHANISMS; i++) {
        if (is_named(mechanisms[i], name, length)) {
            return mechanisms[i];
        }
    }
    const struct mechanism *const *more = project_list();
    while (*more != NULL && !is_named(*more, name, length)) {
        more++;
    }
    return *more;
}

const struct mechanism *mechanism_find(const char *text)
{
    return find(text, strcspn(text, ":,"));
}

const struct mechanism_need *mechanism_unmet(const struct mechanism *mechanism,
                                             const struct gpu_config *config)
{
    for (size_t i = 0; i < mechanism->n_needs; i++) {
        if (!mechanism->needs[i].met(config)) {
            return &mechanism->needs[i];
        }
    }
    return NULL;
}

const char *mechanism_memory_model(const char *names)
{
    const char *model = NULL;
    for (const char *at = names; model == NULL && *at != '\0';) {
        const struct mechanism *mechanism = mechanism_find(at);
        model = mechanism != NULL ? mechanism->memory_model : NULL;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return model;
}

/* ---- for mechanisms ---- */

int mechanism_fail(struct mechanism_context *context, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    vsnprintf(context->plug.error, context->plug.n_error, format, more);
    va_end(more);
    return -1;
}

int64_t mechanism_value(const struct mechanism_context *context, const char *option)
{
    const struct mechanism *mechanism = context->mechanism;
    for (size_t i = 0; i < mechanism->n_options; i++) {
        if (strcmp(mechanism->options[i].name, option) == 0) {
            return context->values[i];
        }
    }
    fprintf(stderr, "%s has no option '%s'\n", mechanism->name, option);
    abort(); /* a slip in the mechanism's source */
}

void *mechanism_keep(struct mechanism_context *context, size_t bytes)
{
    struct kept *kept = calloc(1, sizeof *kept + bytes);
    if (kept == NULL) {
        mechanism_fail(context, "out of memory");
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
        return mechanism_fail(context, "more than %d mechanisms with statistics", MAX_REPORTS);
    }
    set->reports[set->n_reports++] = *report;
    return 0;
}

int mechanism_offer(struct mechanism_context *context, const char *what, void *self)
{
    struct mechanism_set *set = context->set;
    if (set->n_offers == MAX_OFFERS) {
        return mechanism_fail(context, "more than %d mechanisms that others build on", MAX_OFFERS);
    }
    set->offers[set->n_offers].what = what;
    set->offers[set->n_offers++].self = self;
    return 0;
}

void *mechanism_offered(const struct mechanism_context *context, const char *what)
{
    for (size_t i = 0; i < context->set->n_offers; i++) {
        if (strcmp(context->set->offers[i].what, what) == 0) {
            return context->set->offers[i].self;
        }
    }
    return NULL;
}

/* ---- attaching ---- */

static int check_needs(struct mechanism_context *context)
{
    const struct mechanism *mechanism = context->mechanism;
    const struct mechanism_need *need = mechanism_unmet(mechanism,
                                                        machine_config(context->machine));
    return need != NULL ? mechanism_fail(context, "%s: %s", mechanism->name, need->remedy) : 0;
}

/* Was each part that the user has given parameters opened, among the units from `first` on? */
static int check_parts(struct mechanism_context *context, size_t first)
{
    const struct mechanism *mechanism = context->mechanism;
    for (size_t i = 0; i < mechanism->n_parts; i++) {
        bool opened = context->overrides[i] == NULL;
        for (size_t u = first; u < context->set->n_units && !opened; u++) {
            opened = strcmp(context->set->units[u]->backend->desc->name,
                            mechanism->parts[i].unit) == 0;
        }
        if (!opened) {
            return mechanism_fail(context,
                                  "%s: %s.%s: with these options there is no %s; leave it out",
                                  mechanism->name, mechanism->parts[i].role, context->overrides[i],
                                  mechanism->parts[i].unit);
        }
    }
    return 0;
}

/* Attach one mechanism with the options that follow its name. */
static int attach_with(struct mechanism_context *context, const char *options, size_t length)
{
    const struct mechanism *mechanism = context->mechanism;
    int status = -1;
    context->plug.name = mechanism->name;
    context->plug.promises = mechanism->promises;
    context->values = calloc(mechanism->n_options + 1, sizeof *context->values);
    context->overrides = calloc(mechanism->n_parts + 1, sizeof *context->overrides);
    if (context->values == NULL || context->overrides == NULL) {
        mechanism_fail(context, "out of memory");
    } else if (options_read(mechanism, options, length, context->values, context->overrides,
                            context->plug.error, context->plug.n_error) == 0 &&
               check_needs(context) == 0) {
        const size_t first = context->set->n_units;
        status = mechanism->attach(context) != 0 ? -1 : check_parts(context, first);
    }
    for (size_t i = 0; context->overrides != NULL && i < mechanism->n_parts; i++) {
        free(context->overrides[i]);
    }
    free(context->overrides);
    free(context->values);
    context->values = NULL;
    context->overrides = NULL;
    return status;
}

static int attach_one(struct mechanism_context *context, const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    const size_t name = colon != NULL ? (size_t)(colon - text) : length;
    const size_t skip = name + (colon != NULL);
    context->mechanism = find(text, name);
    if (context->mechanism == NULL) {
        return mechanism_fail(context,
                              "no mechanism named '%.*s'; `warplock list mechanisms` shows all",
                              (int)name, text);
    }
    return attach_with(context, text + skip, length - skip);
}

struct mechanism_set *mechanism_attach(struct gpu *gpu, const struct unit_source *source,
                                       const char *names, const char *backends, char *error,
                                       size_t n_error)
{
    struct mechanism_set *set = calloc(1, sizeof *set);
    struct mechanism_context context = {.machine = machine_of(gpu),
                                        .plug = {.error = error, .n_error = n_error},
                                        .set = set,
                                        .source = source,
                                        .backends = backends};
    if (set == NULL) {
        mechanism_fail(&context, "out of memory");
        return NULL;
    }
    int status = 0;
    for (const char *at = names; status == 0 && at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ",");
        status = attach_one(&context, at, length);
        at += length + (at[length] == ',');
    }
    if (status != 0 || mechanism_check_backends(&context) != 0) {
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

/* ---- what is attached ---- */

size_t mechanism_n_units(const struct mechanism_set *set)
{
    return set->n_units;
}

const struct mechanism_unit *mechanism_unit(const struct mechanism_set *set, size_t i)
{
    return set->units[i];
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
