/* unit_at.c - one unit at one parameter set, opened for a level of verification. */
#include "tb/ladder/unit_at.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tb/drive.h"
#include "tb/lockstep.h"
#include "tb/player.h"

static bool refuse(struct failure *failure, enum verdict verdict, const char *words)
{
    failure->verdict = verdict;
    snprintf(failure->words, sizeof failure->words, "%s", words);
    return false;
}

/* Of a vector file, the tests for these parameters: a parameter set has one C model. */
static bool read_vectors(struct unit_at *unit, struct failure *failure)
{
    struct sequence_file file;
    char path[PATH_MAX + 128];
    library_file(unit->library, unit->c->desc->name, ".vec", path, sizeof path);
    if (!sequence_file_open(&file, path, failure->words, sizeof failure->words)) {
        failure->verdict = VERDICT_USAGE;
        return false;
    }
    unit->vectors = calloc(file.n_tests + 1, sizeof *unit->vectors);
    bool good = unit->vectors != NULL;
    for (size_t i = 0; good && i < file.n_tests; i++) {
        const struct unit_backend *model = library_open(unit->library, file.unit,
                                                        file.tests[i].overrides, "c", failure);
        good = model != NULL;
        if (model == unit->c) {
            good = sequence_parse(&unit->vectors[unit->n_vectors], &file, i, model->desc,
                                  failure->words, sizeof failure->words);
            unit->n_vectors += good;
        }
    }
    sequence_file_close(&file);
    if (!good && failure->verdict == VERDICT_PASS) {
        failure->verdict = VERDICT_USAGE;
    }
    return good;
}

bool unit_at_open(struct unit_at *unit, struct library *library, const char *name,
                  const char *point, struct failure *failure)
{
    memset(unit, 0, sizeof *unit);
    unit->library = library;
    snprintf(unit->point, sizeof unit->point, "%s", point);
    unit->c = library_open(library, name, point, "c", failure);
    unit->stimulus = unit->c != NULL ? library_stimulus(library, name, point, failure) : NULL;
    if (unit->stimulus == NULL) {
        return false;
    }
    for (size_t i = 0; i < library_n_units(library); i++) {
        const char *full = library_unit(library, i);
        if (strcmp(strchr(full, '/') + 1, unit->c->desc->name) == 0) {
            snprintf(unit->family_unit, sizeof unit->family_unit, "%s", full);
        }
    }
    return read_vectors(unit, failure);
}

bool unit_at_make(struct unit_at *unit, const char *makefile, const char *variables,
                  const char *target, struct failure *failure)
{
    char command[PATH_MAX + 20000], set[256], line[512], text[1400] = "";
    snprintf(set, sizeof set, "%s", unit->point);
    for (char *comma = set; (comma = strchr(comma, ',')) != NULL;) {
        *comma = ' ';
    }
    snprintf(command, sizeof command,
             "MAKEFLAGS= MAKELEVEL= flock '%s/build/units/%s.lock' make -s -C '%s' "
             "-f tb/ladder/%s.mk UNIT=%s SET='%s' %s %s %s-where 2>&1",
             library_root(unit->library), unit->c->desc->name, library_root(unit->library),
             makefile, unit->family_unit, set, variables, target, makefile);
    FILE *make = popen(command, "r");
    unit->folder[0] = '\0';
    while (make != NULL && fgets(line, sizeof line, make)) {
        strncat(text, line, sizeof text - strlen(text) - 1);
        line[strcspn(line, "\n")] = '\0';
        snprintf(unit->folder, sizeof unit->folder, "%s/%s", library_root(unit->library), line);
    }
    if (make == NULL || pclose(make) != 0) {
        failure->verdict = VERDICT_BUILD;
        snprintf(failure->words, sizeof failure->words, "%s %s does not build (%s):\n%s",
                 unit->family_unit, set, target, text);
        return false;
    }
    return true;
}

bool unit_at_load(struct unit_at *unit, const char *object, struct failure *failure)
{
    char path[PATH_MAX + 64];
    const struct unit_backend *(*get)(void) = NULL;
    snprintf(path, sizeof path, "%s/%s.so", unit->folder, object);
    unit->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (unit->handle != NULL) {
        *(void **)&get = dlsym(unit->handle, "unit_backend");
    }
    if (get == NULL) {
        return refuse(failure, VERDICT_BUILD, dlerror());
    }
    unit->form = get();
    return true;
}

void unit_at_close(struct unit_at *unit)
{
    for (size_t i = 0; i < unit->n_vectors; i++) {
        sequence_free(&unit->vectors[i]);
    }
    free(unit->vectors);
    if (unit->handle != NULL) {
        dlclose(unit->handle);
    }
}

size_t unit_at_key(const struct unit_at *unit, const char *object, char *key, size_t n)
{
    char paths[4][PATH_MAX + 128];
    struct stat at;
    size_t used = (size_t)snprintf(key, n, "key");
    snprintf(paths[0], sizeof *paths, "%s/%s.so", unit->folder, object);
    snprintf(paths[1], sizeof *paths, "%s/../c.so", unit->folder);
    snprintf(paths[2], sizeof *paths, "%s/../stimulus.so", unit->folder);
    library_file(unit->library, unit->c->desc->name, ".vec", paths[3], sizeof *paths);
    for (int i = 0; i < 4; i++) {
        const bool there = stat(paths[i], &at) == 0;
        used += (size_t)snprintf(key + used, n - used, " %lld.%ld",
                                 there ? (long long)at.st_mtim.tv_sec : 0,
                                 there ? at.st_mtim.tv_nsec : 0);
    }
    return used;
}

void unit_at_label(const struct unit_at *unit, char *label, size_t n)
{
    snprintf(label, n, "%s%s%s", unit->c->desc->name, unit->point[0] != '\0' ? "@" : "",
             unit->point);
}

bool unit_at_play(const struct unit_at *unit, const struct unit_backend *backend, size_t i)
{
    struct play_result result;
    play(backend, &unit->vectors[i], NULL, &result);
    const bool good = !result.mismatch && !result.unexpected;
    play_end(backend, &result);
    return good;
}

uint64_t unit_at_random(const struct unit_at *unit, const struct unit_backend *pair, uint64_t seed,
                        uint64_t steps, unit_at_observer *after, void *context, bool *mismatch,
                        struct failure *failure)
{
    const struct unit_desc *desc = unit->c->desc;
    struct driver *driver = driver_new(desc, unit->stimulus, seed);
    uint64_t *out = calloc(desc->out_slots + 1, sizeof *out), done = 0;
    void *self = pair->create(pair->context, seed);
    bool defined = desc->kind == UNIT_COMBINATIONAL, rst;
    *mismatch = false;
    if (driver == NULL || out == NULL || self == NULL) {
        refuse(failure, VERDICT_LIMIT, "out of memory");
        steps = 0;
    }
    for (; done < steps && !*mismatch; done++) {
        const uint64_t *in = driver_next(driver, &rst);
        if (defined) {
            const void *state = after != NULL && desc->n_state > 0 ? pair->state(self) : NULL;
            pair->comb(self, in, out);
            if (after != NULL) {
                after(context, in, out, state);
            }
        }
        pair->seq(self, in, rst);
        driver_answer(driver, out, rst);
        defined = true;
        *mismatch = lockstep_mismatch(self);
    }
    if (self != NULL) {
        pair->destroy(self);
    }
    if (driver != NULL) {
        driver_free(driver);
    }
    free(out);
    return done;
}
