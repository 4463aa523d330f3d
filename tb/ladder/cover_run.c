/* cover_run.c - runs a unit at one parameter set and keeps what it covered. */
#include "tb/ladder/cover_run.h"

#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb/coverage.h"
#include "tb/lockstep.h"
#include "tb/value.h"

/* Functional points while they are counted. */
struct functional {
    const struct unit_desc *desc;
    struct coverage *coverage;
    uint64_t *open; /* per output: steps in which its guard let it be compared */
};

static void observe(void *context, const uint64_t *in, const uint64_t *out, const void *state)
{
    struct functional *f = context;
    coverage_sample(f->coverage, in, out, state);
    for (unsigned i = 0; i < f->desc->n_out; i++) {
        const struct unit_port *guard = value_port(f->desc->out, f->desc->n_out,
                                                   f->desc->out[i].guard);
        f->open[i] += guard != NULL && out[guard->slot] != 0;
    }
}

static bool is_hole(json_t *holes, const char *words)
{
    size_t i;
    json_t *hole;
    json_array_foreach(holes, i, hole)
    {
        if (strcmp(json_string_value(hole), words) == 0) {
            return true;
        }
    }
    return false;
}

/* Cross bins, named values and guards as {"name": count}. */
static json_t *functional_json(const struct functional *f)
{
    char words[256];
    json_t *all = coverage_json(f->coverage), *points = json_object();
    json_object_update(points, json_object_get(all, "hits"));
    for (unsigned i = 0; i < f->desc->n_enums; i++) {
        const struct unit_enum *row = &f->desc->enums[i];
        snprintf(words, sizeof words, "name: %s never %s", row->of, row->name);
        const bool seen = !is_hole(json_object_get(all, "holes"), words);
        snprintf(words, sizeof words, "%s is %s", row->of, row->name);
        json_object_set_new(points, words, json_integer(seen));
    }
    for (unsigned i = 0; i < f->desc->n_out; i++) {
        if (strcmp(f->desc->out[i].guard, "ALWAYS") != 0) {
            snprintf(words, sizeof words, "%s was compared", f->desc->out[i].name);
            json_object_set_new(points, words, json_integer((json_int_t)f->open[i]));
        }
    }
    json_decref(all);
    return points;
}

static bool differs(const struct unit_at *unit, struct failure *failure)
{
    char label[400];
    unit_at_label(unit, label, sizeof label);
    failure->verdict = VERDICT_MISMATCH;
    snprintf(failure->words, sizeof failure->words,
             "%s: C model and RTL differ; run `build/warplock check %s%s%s`", label,
             unit->c->desc->name, unit->point[0] != '\0' ? " --param " : "", unit->point);
    return false;
}

static bool run_pair(struct unit_at *unit, const struct cover_effort *effort, char *folder,
                     struct functional *f, struct failure *failure)
{
    struct unit_backend counted = *unit->form;
    counted.context = folder;
    struct unit_backend *pair = lockstep_backend_new(unit->c, &counted);
    bool good = pair != NULL;
    for (size_t i = 0; good && i < unit->n_vectors; i++) {
        good = unit_at_play(unit, pair, i) || differs(unit, failure);
    }
    for (unsigned seed = 1; good && seed <= effort->seeds; seed++) {
        bool mismatch;
        unit_at_random(unit, pair, seed, effort->steps, observe, f, &mismatch, failure);
        good = failure->verdict == VERDICT_PASS && (!mismatch || differs(unit, failure));
    }
    lockstep_backend_free(pair);
    return good;
}

static bool count_anew(struct unit_at *unit, const struct cover_effort *effort, char *folder,
                       struct failure *failure)
{
    char command[2 * PATH_MAX], path[PATH_MAX + 64];
    struct functional f = {unit->c->desc, coverage_new(unit->c->desc, unit->stimulus),
                           calloc(unit->c->desc->n_out + 1, sizeof(uint64_t))};
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", folder, folder);
    bool good = f.coverage != NULL && f.open != NULL && system(command) == 0 &&
                run_pair(unit, effort, folder, &f, failure);
    if (good) {
        json_t *points = functional_json(&f);
        snprintf(path, sizeof path, "%s/bins.json", folder);
        good = json_dump_file(points, path, 0) == 0;
        json_decref(points);
    }
    if (f.coverage != NULL) {
        coverage_free(f.coverage);
    }
    free(f.open);
    return good;
}

/* All that a folder holds, into `points`. */
static bool take(struct cover_points *points, const char *folder, const char *root)
{
    char path[PATH_MAX + 300];
    const char *name;
    json_t *count;
    bool good = true;
    DIR *all = opendir(folder);
    for (struct dirent *at; good && all != NULL && (at = readdir(all)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        const bool settled = strstr(at->d_name, ".settled") != NULL;
        if (settled || strstr(at->d_name, ".dat") != NULL) {
            good = cover_points_read(points, path, root, settled);
        }
    }
    if (all != NULL) {
        closedir(all);
    }
    snprintf(path, sizeof path, "%s/bins.json", folder);
    json_t *bins = json_load_file(path, 0, NULL);
    json_object_foreach(bins, name, count)
    {
        good &= cover_points_bin(points, name, (uint64_t)json_integer_value(count));
    }
    good &= all != NULL && bins != NULL;
    json_decref(bins);
    return good;
}

bool cover_run(struct unit_at *unit, const struct cover_effort *effort, struct cover_points *points,
               struct failure *failure)
{
    char label[400], folder[PATH_MAX], path[PATH_MAX + 16], key[256], before[256] = "";
    const char *root = library_root(unit->library);
    if (!unit_at_make(unit, "covered", "", "covered", failure) ||
        !unit_at_load(unit, "covered", failure)) {
        return false;
    }
    unit_at_label(unit, label, sizeof label);
    snprintf(folder, sizeof folder, "%s/build/coverage/%s", root, label);
    snprintf(path, sizeof path, "%s/key", folder);
    const size_t used = unit_at_key(unit, "covered", key, sizeof key);
    snprintf(key + used, sizeof key - used, " %" PRIu64 " %u\n", effort->steps, effort->seeds);
    FILE *file = fopen(path, "r");
    const bool same = file != NULL && fgets(before, sizeof before, file) != NULL &&
                      strcmp(before, key) == 0;
    if (file != NULL) {
        fclose(file);
    }
    if (!same) {
        if (!count_anew(unit, effort, folder, failure)) {
            return false;
        }
        file = fopen(path, "w");
        if (file != NULL) {
            fputs(key, file);
            fclose(file);
        }
    }
    if (!take(points, folder, root)) {
        failure->verdict = VERDICT_LIMIT;
        snprintf(failure->words, sizeof failure->words, "%s: not all of it can be read", folder);
        return false;
    }
    return true;
}
