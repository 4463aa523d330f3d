/* cover_run.c - runs a unit at one parameter set and keeps what it covered. */
#include "tb/ladder/cover_run.h"

#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/project.h"
#include "tb/coverage.h"
#include "tb/lockstep.h"

static void observe(void *coverage, const uint64_t *in, const uint64_t *out, const void *state)
{
    coverage_sample(coverage, in, out, state);
}

static void add_functional(void *lists, const struct coverage_point *point)
{
    if (point->kind != COVERAGE_TOGGLE) {
        json_object_set_new(json_object_get(lists, coverage_words[point->kind]), point->name,
                            point->applies ? json_integer((json_int_t)point->hits) : json_null());
    }
}

/* Named values, guards and cross bins as {"kind": {"name": hits}}, null for a bin that is not
 * applicable at these parameters. */
static json_t *functional_json(const struct coverage *coverage)
{
    json_t *lists = json_object();
    for (int kind = COVERAGE_TOGGLE + 1; kind < COVERAGE_KINDS; kind++) {
        json_object_set_new(lists, coverage_words[kind], json_object());
    }
    coverage_visit(coverage, add_functional, lists);
    return lists;
}

static bool differs(const struct unit_at *unit, struct failure *failure)
{
    char label[400], command[PATH_MAX];
    unit_at_label(unit, label, sizeof label);
    project_command(command, sizeof command);
    failure->verdict = VERDICT_MISMATCH;
    snprintf(failure->words, sizeof failure->words,
             "%s: C model and RTL differ; run `%s check %s%s%s`", label, command,
             unit->c->desc->name, unit->point[0] != '\0' ? " --param " : "", unit->point);
    return false;
}

static bool run_pair(struct unit_at *unit, const struct cover_effort *effort, char *folder,
                     struct coverage *coverage, struct failure *failure)
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
        unit_at_random(unit, pair, seed, effort->steps, observe, coverage, &mismatch, failure);
        good = failure->verdict == VERDICT_PASS && (!mismatch || differs(unit, failure));
    }
    lockstep_backend_free(pair);
    return good;
}

static bool count_anew(struct unit_at *unit, const struct cover_effort *effort, char *folder,
                       struct failure *failure)
{
    char command[2 * PATH_MAX], path[PATH_MAX + 64];
    struct coverage *coverage = coverage_new(unit->c->desc, unit->stimulus);
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", folder, folder);
    bool good = coverage != NULL && system(command) == 0 &&
                run_pair(unit, effort, folder, coverage, failure);
    if (good) {
        json_t *points = functional_json(coverage);
        snprintf(path, sizeof path, "%s/functional.json", folder);
        good = json_dump_file(points, path, 0) == 0;
        json_decref(points);
    }
    if (coverage != NULL) {
        coverage_free(coverage);
    }
    return good;
}

/* All that a folder holds, into `points`. */
static bool take(struct cover_points *points, const char *folder, const char *root)
{
    char path[PATH_MAX + 300];
    const char *name;
    json_t *hits;
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
    snprintf(path, sizeof path, "%s/functional.json", folder);
    json_t *lists = json_load_file(path, 0, NULL);
    for (int kind = COVERAGE_TOGGLE + 1; kind < COVERAGE_KINDS; kind++) {
        json_object_foreach(json_object_get(lists, coverage_words[kind]), name, hits)
        {
            good &= cover_points_functional(points, coverage_words[kind], name, !json_is_null(hits),
                                            (uint64_t)json_integer_value(hits));
        }
    }
    good &= all != NULL && lists != NULL;
    json_decref(lists);
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
