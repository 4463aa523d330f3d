/* backend.c - opens a unit by name, parameters and backend. */
#include "tb/backend.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/tree.h"
#include "tb/golden.h"
#include "tb/lockstep.h"
#include "tb/unit_build.h"
#include "tb/unit_list.h"
#include "tb/unit_set.h"

enum { MAX_OPEN = 1024 };

/* One loaded shared object, a pair made of two, or a reference. */
struct opened {
    char key[512]; /* unit, overrides and form as asked */
    void *handle;
    const struct unit_backend *backend;
    const struct unit_stimulus *stimulus;
    struct unit_backend *pair, *golden; /* made here */
};

struct library {
    char root[PATH_MAX];
    struct unit_list units;
    struct opened opened[MAX_OPEN];
    size_t n_opened;
    uint64_t past_steps;
};

struct library *library_new(const char *root)
{
    struct library *library = calloc(1, sizeof *library);
    if (library == NULL) {
        return NULL;
    }
    if (root != NULL) {
        snprintf(library->root, sizeof library->root, "%s", root);
    } else {
        tree_root(library->root, sizeof library->root);
    }
    unit_list_read(&library->units, library->root);
    return library;
}

void library_free(struct library *library)
{
    if (library == NULL) {
        return;
    }
    for (size_t i = library->n_opened; i-- > 0;) {
        lockstep_backend_free(library->opened[i].pair);
        golden_backend_free(library->opened[i].golden);
        if (library->opened[i].handle != NULL) {
            dlclose(library->opened[i].handle);
        }
    }
    free(library);
}

void library_keep_past(struct library *library, uint64_t steps)
{
    library->past_steps = steps;
}

const char *library_root(const struct library *library)
{
    return library->root;
}

size_t library_n_units(const struct library *library)
{
    return library->units.n;
}

const char *library_unit(const struct library *library, size_t i)
{
    return library->units.name[i];
}

bool library_file(const struct library *library, const char *unit, const char *ending, char *path,
                  size_t n)
{
    const char *name = unit_list_full_name(&library->units, unit);
    if (name == NULL) {
        return false;
    }
    return snprintf(path, n, "%s/cmodel/units/%s/%s%s", library->root, name, strrchr(name, '/') + 1,
                    ending) < (int)n;
}

bool library_unit_file(const struct library *library, const char *unit, struct unit_file *file,
                       struct failure *failure)
{
    char path[PATH_MAX];
    if (!library_file(library, unit, ".unit", path, sizeof path)) {
        failure_set(failure, VERDICT_USAGE, "no unit named '%s'; `warplock list` shows all", unit);
        return false;
    }
    if (!unit_file_read(file, path, failure->words, sizeof failure->words)) {
        failure->verdict = VERDICT_USAGE;
        return false;
    }
    return true;
}

static struct opened *remembered(struct library *library, const char *key)
{
    for (size_t i = 0; i < library->n_opened; i++) {
        if (strcmp(library->opened[i].key, key) == 0) {
            return &library->opened[i];
        }
    }
    return NULL;
}

static struct opened *new_opened(struct library *library, const char *key, struct failure *failure)
{
    if (library->n_opened == MAX_OPEN) {
        return failure_set(failure, VERDICT_LIMIT, "more than %d unit objects are open", MAX_OPEN);
    }
    struct opened *opened = &library->opened[library->n_opened++];
    memset(opened, 0, sizeof *opened);
    snprintf(opened->key, sizeof opened->key, "%s", key);
    return opened;
}

/* Build and load <object>.so of a unit at a parameter set. */
static struct opened *load(struct library *library, const char *unit, const char *set,
                           const char *object, struct failure *failure)
{
    char key[512], where[PATH_MAX], path[2 * PATH_MAX];
    snprintf(key, sizeof key, "%s|%s|%s", unit, set, object);
    struct opened *known = remembered(library, key);
    if (known != NULL) {
        return known;
    }
    if (!unit_build(library->root, unit, set, object, where, sizeof where, failure)) {
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s/%s.so", library->root, where, object);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return failure_set(failure, VERDICT_BUILD, "%s", dlerror());
    }
    struct opened *opened = new_opened(library, key, failure);
    if (opened == NULL) {
        dlclose(handle);
        return NULL;
    }
    opened->handle = handle;
    if (strcmp(object, "stimulus") == 0) {
        const struct unit_stimulus *(*get)(void);
        *(void **)&get = dlsym(handle, "unit_stimulus");
        opened->stimulus = get != NULL ? get() : NULL;
    } else {
        const struct unit_backend *(*get)(void);
        *(void **)&get = dlsym(handle, "unit_backend");
        opened->backend = get != NULL ? get() : NULL;
    }
    return opened;
}

/* The unit's full name and checked parameter set; the C model tells what is legal. */
static const char *place(struct library *library, const char *unit, const char *overrides,
                         char *set, size_t n, struct failure *failure)
{
    failure->verdict = VERDICT_PASS;
    const char *name = unit_list_full_name(&library->units, unit);
    if (library->units.wrong[0] != '\0') {
        return failure_set(failure, VERDICT_USAGE, "%s", library->units.wrong);
    }
    if (name == NULL) {
        return failure_set(failure, VERDICT_USAGE, "no unit named '%s'; `warplock list` shows all",
                           unit);
    }
    const struct opened *standard = unit_list_has_rooms(library->root, name, failure)
                                        ? load(library, name, "", "c", failure)
                                        : NULL;
    if (standard == NULL ||
        !unit_set_resolve(standard->backend->desc, overrides, set, n, failure)) {
        return NULL;
    }
    const struct opened *model = load(library, name, set, "c", failure);
    if (model == NULL) {
        return NULL;
    }
    return unit_set_meets(model->backend->desc, set, failure) ? name : NULL;
}

static bool is_leaf(const char *form)
{
    return strcmp(form, "c") == 0 || strcmp(form, "rtl") == 0 || strcmp(form, "netlist") == 0 ||
           strcmp(form, "rtl-open") == 0 || strcmp(form, "cxxrtl") == 0 ||
           strcmp(form, "golden") == 0;
}

/* The executable reference of a unit at a parameter set, with the C model's description. */
static struct opened *open_golden(struct library *library, const char *unit, const char *set,
                                  struct failure *failure)
{
    char key[512], file[PATH_MAX];
    snprintf(key, sizeof key, "%s|%s|golden", unit, set);
    struct opened *known = remembered(library, key);
    const struct opened *model = known == NULL ? load(library, unit, set, "c", failure) : NULL;
    if (model == NULL) {
        return known;
    }
    if (!library_file(library, unit, ".golden.py", file, sizeof file) || access(file, R_OK) != 0) {
        return failure_set(failure, VERDICT_USAGE, "%s has no reference (%s.golden.py)", unit,
                           strrchr(unit, '/') + 1);
    }
    struct opened *opened = new_opened(library, key, failure);
    if (opened != NULL) {
        opened->golden = golden_backend_new(model->backend->desc, library->root, file);
        opened->backend = opened->golden;
    }
    return opened;
}

static struct opened *open_leaf(struct library *library, const char *unit, const char *set,
                                const char *form, struct failure *failure)
{
    return strcmp(form, "golden") == 0 ? open_golden(library, unit, set, failure)
                                       : load(library, unit, set, form, failure);
}

static const struct unit_backend *open_pair(struct library *library, const char *unit,
                                            const char *set, const char *form,
                                            struct failure *failure)
{
    char key[512], first[16] = "";
    snprintf(key, sizeof key, "%s|%s|%s", unit, set, form);
    struct opened *known = remembered(library, key);
    if (known != NULL) {
        return known->pair;
    }
    const char *plus = strchr(form, '+');
    snprintf(first, sizeof first, "%.*s", (int)(plus - form), form);
    const struct opened *a = open_leaf(library, unit, set, first, failure);
    const struct opened *b = a != NULL ? open_leaf(library, unit, set, plus + 1, failure) : NULL;
    if (b == NULL) {
        return NULL;
    }
    struct opened *opened = new_opened(library, key, failure);
    if (opened == NULL) {
        return NULL;
    }
    opened->pair = lockstep_backend_new(a->backend, b->backend);
    if (opened->pair != NULL) {
        lockstep_keep_past(opened->pair, library->past_steps);
    }
    return opened->pair;
}

static bool known_form(const char *form)
{
    const char *plus = strchr(form, '+');
    char first[16] = "";
    if (plus == NULL || (size_t)(plus - form) >= sizeof first) {
        return is_leaf(form);
    }
    memcpy(first, form, (size_t)(plus - form));
    return is_leaf(first) && is_leaf(plus + 1);
}

const struct unit_desc *library_desc(struct library *library, const char *unit,
                                     const char *overrides, struct failure *failure)
{
    char set[256];
    const char *name = place(library, unit, overrides, set, sizeof set, failure);
    const struct opened *model = name != NULL ? load(library, name, set, "c", failure) : NULL;
    return model != NULL ? model->backend->desc : NULL;
}

struct unit_clocking library_clocking(struct library *library, const char *unit)
{
    struct failure failure;
    char set[256];
    const char *name = place(library, unit, "", set, sizeof set, &failure);
    const struct opened *model = name != NULL ? load(library, name, set, "c", &failure) : NULL;
    const struct unit_clocking *own = model != NULL ? dlsym(model->handle, "unit_clocking") : NULL;
    return own != NULL ? *own : (struct unit_clocking){.clock = "clk", .reset = "rst"};
}

/* Whether there is a C model; where there is none, tb/no_model.c is compiled in its place. */
static bool has_model(struct library *library, const char *unit, const char *set,
                      struct failure *failure)
{
    const struct opened *model = load(library, unit, set, "c", failure);
    return model != NULL && model->backend->create != NULL;
}

static bool is_side(const char *form, const char *side)
{
    const char *plus = strchr(form, '+');
    const size_t n = plus != NULL ? (size_t)(plus - form) : strlen(form);
    return (strlen(side) == n && strncmp(form, side, n) == 0) ||
           (plus != NULL && strcmp(plus + 1, side) == 0);
}

const struct unit_backend *library_open(struct library *library, const char *unit,
                                        const char *overrides, const char *form,
                                        struct failure *failure)
{
    char set[256];
    const bool lockstep = strcmp(form, "lockstep") == 0;
    if (!lockstep && !known_form(form)) {
        return failure_set(
            failure, VERDICT_USAGE,
            "no backend '%s'; use c, rtl, netlist, cxxrtl, golden, lockstep, or two with a plus: "
            "c+netlist",
            form);
    }
    const char *name = place(library, unit, overrides, set, sizeof set, failure);
    if (name == NULL) {
        return NULL;
    }
    const bool modelled = has_model(library, name, set, failure);
    form = !lockstep ? form : modelled ? "c+rtl" : "rtl+netlist";
    if (!modelled && is_side(form, "c")) {
        return failure_set(failure, VERDICT_USAGE,
                           "%s has no C model (cmodel/units/%s/%s.c), which this needs; what needs "
                           "none are the backends rtl, netlist and rtl+netlist, cost and waves",
                           strrchr(name, '/') + 1, name, strrchr(name, '/') + 1);
    }
    if (!is_leaf(form)) {
        return open_pair(library, name, set, form, failure);
    }
    const struct opened *opened = open_leaf(library, name, set, form, failure);
    return opened != NULL ? opened->backend : NULL;
}

/* "c+rtl" with every "rtl" made "rtl-open"; false when there is none. */
static bool open_form(const char *form, char *opened, size_t n)
{
    const char *plus = strchr(form, '+');
    const bool first = strncmp(form, "rtl", 3) == 0 && (form[3] == '\0' || form[3] == '+');
    const bool second = plus != NULL && strcmp(plus, "+rtl") == 0;
    const size_t length = plus != NULL ? (size_t)(plus - form) : strlen(form);
    snprintf(opened, n, "%.*s%s%s%s", (int)length, form, first ? "-open" : "",
             plus != NULL ? plus : "", second ? "-open" : "");
    return first || second;
}

const struct unit_backend *library_open_inside(struct library *library,
                                               const struct unit_backend *backend,
                                               struct failure *failure)
{
    const struct unit_desc *desc = backend->desc;
    char form[64], overrides[1024] = "";
    if (!open_form(backend->name, form, sizeof form)) {
        return backend;
    }
    for (unsigned i = 0; i < desc->n_params; i++) {
        const size_t used = strlen(overrides);
        if (desc->params[i].value != desc->params[i].standard) {
            snprintf(overrides + used, sizeof overrides - used, "%s=%lld ", desc->params[i].name,
                     (long long)desc->params[i].value);
        }
    }
    return library_open(library, desc->name, overrides, form, failure);
}

struct promises library_promises(struct library *library, const char *unit, const char *overrides)
{
    char set[256];
    struct failure failure;
    struct promises promises = {NULL, NULL};
    const char *name = place(library, unit, overrides, set, sizeof set, &failure);
    const struct opened *model = name != NULL ? load(library, name, set, "c", &failure) : NULL;
    if (model != NULL) {
        bool (*const *invariant)(const void *) = dlsym(model->handle, "unit_invariant");
        bool (*const *accepts)(const void *, const uint64_t *) = dlsym(model->handle,
                                                                       "unit_accepts");
        promises.invariant = invariant != NULL ? *invariant : NULL;
        promises.accepts = accepts != NULL ? *accepts : NULL;
    }
    return promises;
}

const struct unit_stimulus *library_stimulus(struct library *library, const char *unit,
                                             const char *overrides, struct failure *failure)
{
    char set[256], file[256];
    const char *name = place(library, unit, overrides, set, sizeof set, failure);
    if (name == NULL) {
        return NULL;
    }
    snprintf(file, sizeof file, "cmodel/units/%s/%s.stimulus.c", name, strrchr(name, '/') + 1);
    const struct opened *opened = unit_list_has_file(library->root, file, failure)
                                      ? load(library, name, set, "stimulus", failure)
                                      : NULL;
    return opened != NULL ? opened->stimulus : NULL;
}
