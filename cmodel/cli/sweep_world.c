/* sweep_world.c - see sweep_world.h.  Texts are kept, since thousands of points share them. */
#include "cli/sweep_world.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uthash.h>

#include "base/digest.h"
#include "base/project.h"
#include "base/tree.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/plugin.h"
#include "cli/run_units.h"
#include "machine/gpu.h"
#include "tb/backend.h"
#include "workloads/workload.h"

/* Put into the program by the linker: the hash of its sources as far as runs depend on them. */
extern const char _binary_build_run_code_txt_start[];

struct kept_text {
    UT_hash_handle hh;
    char *text;
    char key[];
};

struct world_self {
    struct world world;
    struct kept_text *machines, *workloads;
    struct library *library; /* of units, for the points that are only tried */
    unsigned n_tried;
    char program[PATH_MAX], project[PATH_MAX], code[DIGEST_DIGITS + 1];
};

static const char *find(struct kept_text *all, const char *key)
{
    struct kept_text *one;
    HASH_FIND_STR(all, key, one);
    return one != NULL ? one->text : NULL;
}

/* `text` is kept from here on. */
static const char *keep(struct kept_text **all, const char *key, char *text)
{
    struct kept_text *one = malloc(sizeof *one + strlen(key) + 1);
    if (one == NULL || text == NULL) {
        free(one);
        free(text);
        return NULL;
    }
    one->text = text;
    strcpy(one->key, key);
    HASH_ADD_STR(*all, key, one);
    return text;
}

static void drop(struct kept_text *all)
{
    struct kept_text *one, *next;
    HASH_ITER(hh, all, one, next)
    {
        HASH_DEL(all, one);
        free(one->text);
        free(one);
    }
}

/* ---- the machine ---- */

static char *config_text(const struct gpu_config *config)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (out != NULL) {
        config_print(config, out);
        fclose(out);
    }
    return text;
}

static const char *machine_text(void *self, const struct run_point *point, char *error,
                                size_t n_error)
{
    struct world_self *world = self;
    struct gpu_config config;
    char *key = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&key, &n);
    if (out == NULL) {
        snprintf(error, n_error, "out of memory");
        return NULL;
    }
    fputs(point->machine, out);
    for (size_t i = 0; i < point->n_set; i++) {
        fprintf(out, "\n%s", point->set[i]);
    }
    fclose(out);
    const char *text = find(world->machines, key);
    if (text == NULL &&
        cli_read_config(point->machine, point->set, point->n_set, &config, error, n_error) == 0) {
        text = keep(&world->machines, key, config_text(&config));
        if (text == NULL) {
            snprintf(error, n_error, "out of memory");
        }
    }
    free(key);
    return text;
}

/* ---- the workload ---- */

/* Adds every file of that pattern below the tree's root. */
static bool add_files(struct digest *digest, const char *root, const char *pattern)
{
    char path[PATH_MAX + 64];
    glob_t found = {0};
    snprintf(path, sizeof path, "%s/%s", root, pattern);
    bool good = glob(path, 0, NULL, &found) == 0;
    for (size_t i = 0; good && i < found.gl_pathc; i++) {
        digest_text(digest, found.gl_pathv[i] + strlen(root));
        good = digest_file(digest, found.gl_pathv[i]);
    }
    globfree(&found);
    return good;
}

/* All code as it is now, a project's laid over the tree's: where the program's sources, a kernel or a
 * unit's model change every result may be another.  The same sources built elsewhere are the same. */
static bool digest_code(struct world_self *world)
{
    static const char *const patterns[] = {"cmodel/workloads/*/*.ptx", "cmodel/units/*.h",
                                           "cmodel/units/*/*.h", "cmodel/units/*/*/*.[ch]",
                                           "cmodel/units/*/*/*.unit"};
    char root[PATH_MAX], plugin[PATH_MAX];
    struct digest digest;
    tree_root(root, sizeof root);
    plugin_path(plugin, sizeof plugin);
    digest_begin(&digest);
    digest_text(&digest, _binary_build_run_code_txt_start);
    bool good = true;
    for (size_t i = 0; good && i < sizeof patterns / sizeof *patterns; i++) {
        good = add_files(&digest, root, patterns[i]);
    }
    good = good && (*plugin == '\0' || digest_file(&digest, plugin));
    digest_end(&digest, world->code);
    return good;
}

static void put_size(const struct workload *workload, const struct workload_size *size, FILE *out)
{
    for (const struct workload_param *p = workload->params; p->key != NULL; p++) {
        char text[PATH_MAX] = "", digits[DIGEST_DIGITS + 1];
        struct digest digest;
        if (p->kind != WORKLOAD_TEXT) {
            fprintf(out, " %s=%llu", p->key, (unsigned long long)workload_number(size, p->key));
            continue;
        }
        workload_text(size, p->key, text, sizeof text);
        digest_begin(&digest);
        const bool is_file = digest_file(&digest, text);
        digest_end(&digest, digits);
        fprintf(out, " %s=%s%s%s", p->key, text, is_file ? "#" : "", is_file ? digits : "");
    }
}

static const char *workload_text_of(void *self, const struct run_point *point, char *error,
                                    size_t n_error)
{
    struct world_self *world = self;
    char key[2048];
    snprintf(key, sizeof key, "%s %s", point->workload, point->size);
    const char *kept = find(world->workloads, key);
    if (kept != NULL) {
        return kept;
    }
    const struct workload *workload = workload_find(point->workload);
    struct workload_size size;
    if (workload == NULL) {
        snprintf(error, n_error, "no workload '%s'; `warplock list workloads` names them",
                 point->workload);
        return NULL;
    }
    if (workload_size_parse(workload, point->size, &size, error, n_error) != 0) {
        return NULL;
    }
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (out != NULL) {
        fputs(workload->name, out);
        put_size(workload, &size, out);
        fclose(out);
    }
    workload_size_free(&size);
    return keep(&world->workloads, key, text);
}

/* ---- counters ---- */

static json_t *counters_of(struct gpu *gpu, struct library *library, const struct run_point *point,
                           char *error, size_t n_error)
{
    const struct run_units_options options = {.names = point->mechanisms, .library = library};
    struct run_units *units = run_units_open(gpu, &options, error, n_error);
    if (units == NULL) {
        return NULL;
    }
    json_t *run = json_pack("{s:o, s:o}", "statistics", gpu_stats_json(gpu), "mechanisms",
                            run_units_json(units));
    run_units_detach(units);
    return run;
}

/* Units stay open from one point to the next, but not without end: a library has room for about a
 * thousand. */
static struct library *library_of(struct world_self *world)
{
    enum { POINTS = 100 };
    if (world->n_tried++ % POINTS == 0) {
        library_free(world->library);
        world->library = library_new(NULL);
    }
    return world->library;
}

static json_t *counters(void *self, const struct run_point *point, char *error, size_t n_error)
{
    struct world_self *world = self;
    const struct gpu_options options = {.threads = 1};
    struct gpu_config config;
    json_t *run = NULL;
    if (cli_read_config(point->machine, point->set, point->n_set, &config, error, n_error) != 0) {
        return NULL;
    }
    struct memory *memory = memory_create();
    struct gpu *gpu = memory != NULL ? gpu_create(&config, &options, memory, error, n_error) : NULL;
    if (gpu != NULL) {
        run = counters_of(gpu, library_of(world), point, error, n_error);
    }
    gpu_destroy(gpu);
    memory_destroy(memory);
    return run;
}

struct world *sweep_world_new(void)
{
    struct world_self *self = calloc(1, sizeof *self);
    const ssize_t n = self != NULL
                          ? readlink("/proc/self/exe", self->program, sizeof self->program - 1)
                          : -1;
    if (n <= 0 || !digest_code(self)) {
        free(self);
        return NULL;
    }
    project_folder(self->project, sizeof self->project);
    self->world = (struct world){.self = self,
                                 .program = self->program,
                                 .project = self->project,
                                 .code = self->code,
                                 .machine = machine_text,
                                 .workload = workload_text_of,
                                 .counters = counters,
                                 .run = cmd_run};
    return &self->world;
}

void sweep_world_free(struct world *world)
{
    struct world_self *self = world != NULL ? world->self : NULL;
    if (self != NULL) {
        drop(self->machines);
        drop(self->workloads);
        library_free(self->library);
    }
    free(self);
}
