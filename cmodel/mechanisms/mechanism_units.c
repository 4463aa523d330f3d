/* mechanism_units.c - opens a mechanism's units on the backends and at the parameters that were asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/mechanism_set.h"

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

/* The part that `unit` is; the descriptor must say so. */
static size_t part_of(const struct mechanism_context *context, const char *unit)
{
    const struct mechanism *mechanism = context->mechanism;
    for (size_t i = 0; i < mechanism->n_parts; i++) {
        if (strcmp(mechanism->parts[i].unit, unit) == 0) {
            return i;
        }
    }
    fprintf(stderr, "%s uses %s and does not say so\n", mechanism->name, unit);
    abort(); /* a slip in the mechanism's source */
}

/* Does "K=V,K=V" set the parameter that `setting` ("K=...") sets? */
static bool sets_too(const char *overrides, const char *setting)
{
    const size_t key = strcspn(setting, "=") + 1;
    for (const char *at = overrides; *at != '\0';) {
        if (strncmp(at, setting, key) == 0) {
            return true;
        }
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return false;
}

/* The mechanism's own parameters of a part, then the user's. */
static int join_overrides(struct mechanism_context *context, size_t part, const char *own,
                          char *all, size_t n)
{
    const char *given = context->overrides[part] != NULL ? context->overrides[part] : "";
    for (const char *at = given; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        if (sets_too(own, at)) {
            return mechanism_fail(
                context,
                "%s: %s.%.*s follows from the machine or an option (%s); leave it "
                "out",
                context->mechanism->name, context->mechanism->parts[part].role, (int)length, at,
                own);
        }
        at += length + (at[length] == ',');
    }
    const int used = snprintf(all, n, "%s%s%s", own, *own != '\0' && *given != '\0' ? "," : "",
                              given);
    return used < (int)n ? 0 : mechanism_fail(context, "%s: too many parameters", given);
}

static const struct mechanism_unit *add_unit(struct mechanism_context *context,
                                             const struct unit_backend *backend, const char *where)
{
    struct mechanism_set *set = context->set;
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
        mechanism_fail(context, "out of memory");
        return NULL;
    }
    snprintf(opened->where, sizeof opened->where, "%s", where);
    opened->backend = backend;
    opened->instance = instance;
    set->units[set->n_units++] = opened;
    return opened;
}

const struct mechanism_unit *mechanism_open(struct mechanism_context *context, const char *unit,
                                            const char *overrides, const char *where)
{
    char form[32], all[512];
    if (join_overrides(context, part_of(context, unit), overrides, all, sizeof all) != 0) {
        return NULL;
    }
    backend_of(context->backends, unit, form, sizeof form);
    const struct unit_backend *backend = context->source->open(
        context->source->self, unit, all, form, context->plug.error, context->plug.n_error);
    return backend != NULL ? add_unit(context, backend, where) : NULL;
}

int mechanism_check_backends(struct mechanism_context *context)
{
    for (const char *at = context->backends; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ","), name = strcspn(at, "=");
        bool used = false;
        for (size_t i = 0; i < context->set->n_units && name < length; i++) {
            const char *unit = context->set->units[i]->backend->desc->name;
            used |= strlen(unit) == name && strncmp(unit, at, name) == 0;
        }
        if (!used) {
            return mechanism_fail(context,
                                  "-b %.*s: write UNIT=BACKEND, the unit one that a mechanism of "
                                  "-m uses",
                                  (int)length, at);
        }
        at += length + (at[length] == ',');
    }
    return 0;
}
