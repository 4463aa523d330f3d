/* cost_bench.c - measures units by running synth/map.mk, and remembers. */
#include "synth/cost_bench.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/cost_csv.h"
#include "synth/cost_read.h"
#include "synth/cost_shell.h"

enum { COMMAND = COST_SHELL_COMMAND };

struct kept {
    char key[512];
    struct cost_counts *storage, *counts;
    struct cost_mapping *mapping;
    struct kept *next;
};

struct cost_bench {
    struct library *units;
    struct cost_library libraries[COST_MAX_LIBRARIES];
    size_t n_libraries;
    struct kept *kept;
    struct cost_shell shell;
};

static bool take_library(struct cost_bench *bench, const struct cost_csv_row *row)
{
    struct cost_library *library = &bench->libraries[bench->n_libraries];
    snprintf(library->name, sizeof library->name, "%s", row->cell[0]);
    snprintf(library->source, sizeof library->source, "%s", row->cell[2]);
    snprintf(library->leave_out, sizeof library->leave_out, "%s", row->cell[3]);
    return bench->n_libraries++ < COST_MAX_LIBRARIES - 1 &&
           cost_csv_number(row->cell[1], &library->node_nm) &&
           cost_csv_number(row->cell[4], &library->load_ff) &&
           strpbrk(library->leave_out, "'$") == NULL && strpbrk(library->name, "'/ ") == NULL;
}

struct cost_bench *cost_bench_new(struct library *units, struct failure *failure)
{
    static const char *const columns[] = {"name", "node_nm", "liberty", "leave_out", "load_ff"};
    struct cost_bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL) {
        return failure_set(failure, VERDICT_LIMIT, "memory is out");
    }
    bench->units = units;
    bench->shell.root = library_root(units);
    char path[1024];
    struct cost_csv csv;
    snprintf(path, sizeof path, "%s/synth/data/libraries.csv", library_root(units));
    failure->verdict = VERDICT_USAGE;
    bool good = cost_csv_load(&csv, path, columns, 5, failure->words, sizeof failure->words);
    const bool loaded = good;
    for (size_t i = 0; good && i < csv.n_rows; i++) {
        good = take_library(bench, &csv.rows[i]);
        if (!good) {
            failure_set(failure, VERDICT_USAGE,
                        "%s:%u: too many libraries, no number where one is due, "
                        "or a quote; correct the row",
                        path, csv.rows[i].line);
        }
    }
    if (loaded) {
        cost_csv_free(&csv);
    }
    if (!good) {
        cost_bench_free(bench);
        return NULL;
    }
    failure->verdict = VERDICT_PASS;
    return bench;
}

void cost_bench_free(struct cost_bench *bench)
{
    while (bench != NULL && bench->kept != NULL) {
        struct kept *next = bench->kept->next;
        free(bench->kept->storage);
        free(bench->kept->counts);
        free(bench->kept->mapping);
        free(bench->kept);
        bench->kept = next;
    }
    free(bench);
}

void cost_bench_tell(struct cost_bench *bench, FILE *to)
{
    bench->shell.tell = to;
}

size_t cost_bench_n_libraries(const struct cost_bench *bench)
{
    return bench->n_libraries;
}

const struct cost_library *cost_bench_nth_library(const struct cost_bench *bench, size_t i)
{
    return &bench->libraries[i];
}

bool cost_bench_has_library(const struct cost_bench *bench, const struct cost_library *library)
{
    char path[1024];
    if (strcmp(library->source, "made") == 0) {
        return true;
    }
    snprintf(path, sizeof path, "%s%s%s",
             library->source[0] == '/' ? "" : library_root(bench->units),
             library->source[0] == '/' ? "" : "/", library->source);
    return access(path, R_OK) == 0;
}

/* A library for the Liberty file that the user names. */
static struct cost_library *own_library(struct cost_bench *bench, const char *path)
{
    FILE *file = fopen(path, "r");
    char real[4096];
    if (file == NULL || realpath(path, real) == NULL || strlen(real) >= 500 ||
        strpbrk(real, "' $:\t") != NULL || bench->n_libraries == COST_MAX_LIBRARIES) {
        if (file != NULL) {
            fclose(file);
        }
        return NULL;
    }
    fclose(file);
    struct cost_library *library = &bench->libraries[bench->n_libraries++];
    *library = (struct cost_library){.load_ff = 5};
    snprintf(library->source, sizeof library->source, "%s", real);
    /* The whole path makes the name, its end when it is long. */
    const size_t n = strlen(real), most = sizeof library->name - 1;
    snprintf(library->name, sizeof library->name, "%s", n > most ? real + n - most : real);
    for (char *c = library->name; *c != '\0'; c++) {
        *c = isalnum((unsigned char)*c) ? *c : '_';
    }
    return library;
}

const struct cost_library *cost_bench_library(struct cost_bench *bench, const char *name,
                                              struct failure *failure)
{
    struct cost_library *library = NULL;
    for (size_t i = 0; i < bench->n_libraries; i++) {
        if (strcmp(bench->libraries[i].name, name) == 0 ||
            strcmp(bench->libraries[i].source, name) == 0) {
            library = &bench->libraries[i];
        }
    }
    library = library != NULL ? library : own_library(bench, name);
    if (library == NULL) {
        return failure_set(failure, VERDICT_USAGE,
                           "library '%s' is neither in synth/data/libraries.csv "
                           "nor a Liberty file that can be read; check the name",
                           name);
    }
    if (library->ready) {
        return library;
    }
    if (!cost_bench_has_library(bench, library)) {
        return failure_set(failure, VERDICT_USAGE,
                           "library %s: there is no %s; install it or name another", library->name,
                           library->source);
    }
    char command[COMMAND], last[512], path[1024];
    snprintf(command, sizeof command,
             "mkdir -p build/cost && flock build/cost/lock.%s env LEAVE_OUT='%s' "
             "make -s -f synth/liberty.mk NAME=%s SOURCE=%s",
             library->name, library->leave_out, library->name, library->source);
    if (!cost_shell_run(&bench->shell, command, NULL, last, sizeof last, failure)) {
        return NULL;
    }
    snprintf(library->file, sizeof library->file, "build/cost/lib/%s.lib", library->name);
    snprintf(path, sizeof path, "%s/build/cost/lib/%s.nand2", library_root(bench->units),
             library->name);
    library->ready = cost_read_area(path, &library->nand2_um2, NULL);
    return library;
}

const char *cost_bench_unit(const struct cost_bench *bench, const char *unit)
{
    for (size_t i = 0; i < library_n_units(bench->units); i++) {
        const char *name = library_unit(bench->units, i);
        const char *slash = strchr(name, '/');
        if (strcmp(name, unit) == 0 || (slash != NULL && strcmp(slash + 1, unit) == 0)) {
            return name;
        }
    }
    return NULL;
}

const struct unit_desc *cost_bench_desc(struct cost_bench *bench, const char *unit, const char *set,
                                        struct failure *failure)
{
    return library_desc(bench->units, unit, set, failure);
}

bool cost_bench_file(struct cost_bench *bench, const char *unit, struct unit_file *file,
                     struct failure *failure)
{
    return library_unit_file(bench->units, unit, file, failure);
}

static struct kept *find_kept(struct cost_bench *bench, const char *key)
{
    struct kept *kept = bench->kept;
    while (kept != NULL && strcmp(kept->key, key) != 0) {
        kept = kept->next;
    }
    if (kept == NULL && (kept = calloc(1, sizeof *kept)) != NULL) {
        snprintf(kept->key, sizeof kept->key, "%s", key);
        kept->next = bench->kept;
        bench->kept = kept;
    }
    return kept;
}

/* Makes `target` of a unit, a word or more for make; the folder of its results goes to `folder`. */
static bool make(struct cost_bench *bench, const char *unit, const char *set, const char *target,
                 const struct cost_library *library, char *folder, size_t n_folder,
                 struct failure *failure)
{
    /* The port table knows which parameters there are and what is legal. */
    const char *full = cost_bench_unit(bench, unit);
    if (cost_bench_desc(bench, unit, set, failure) == NULL) {
        return false;
    }
    char command[COMMAND], words[256], where[512], step[1024];
    snprintf(words, sizeof words, "%s", set);
    for (char *c = words; *c != '\0'; c++) {
        *c = *c == ',' ? ' ' : *c;
    }
    snprintf(command, sizeof command,
             "mkdir -p build/cost && flock build/cost/lock.%s "
             "make -s -f synth/map.mk UNIT=%s SET='%s' LIBRARY=%s LIBERTY=%s LOAD=%g %s cost-where",
             strchr(full, '/') + 1, full, words, library != NULL ? library->name : "none",
             library != NULL ? library->file : "", library != NULL ? library->load_ff : 0.0,
             target);
    snprintf(step, sizeof step, "%s%s%s: %s%s%s", full, set[0] != '\0' ? " " : "", set, target,
             library != NULL ? ", " : "", library != NULL ? library->name : "");
    if (!cost_shell_run(&bench->shell, command, step, where, sizeof where, failure)) {
        return false;
    }
    snprintf(folder, n_folder, "%s/%s", library_root(bench->units), where);
    return true;
}

typedef bool (*read_counts)(const char *folder, struct cost_counts *counts, char *why,
                            size_t n_why);

/* Makes and reads one of the two sets of counts, once. */
static const struct cost_counts *counted(struct cost_bench *bench, const char *unit,
                                         const char *set, bool storage_only,
                                         struct failure *failure)
{
    char key[512], folder[1024], why[600];
    const read_counts read = storage_only ? cost_read_storage : cost_read_counts;
    snprintf(key, sizeof key, "%s[%s]", unit, set);
    struct kept *kept = find_kept(bench, key);
    if (kept == NULL) {
        return failure_set(failure, VERDICT_LIMIT, "memory is out");
    }
    struct cost_counts **place = storage_only ? &kept->storage : &kept->counts;
    if (*place != NULL) {
        return *place;
    }
    struct cost_counts *counts = calloc(1, sizeof *counts);
    if (counts == NULL || !make(bench, unit, set, storage_only ? "storage" : "structure", NULL,
                                folder, sizeof folder, failure)) {
        free(counts);
        return NULL;
    }
    if (!read(folder, counts, why, sizeof why)) {
        free(counts);
        return failure_set(failure, VERDICT_BUILD, "%s", why);
    }
    return *place = counts;
}

const struct cost_counts *cost_bench_storage(struct cost_bench *bench, const char *unit,
                                             const char *set, struct failure *failure)
{
    return counted(bench, unit, set, true, failure);
}

const struct cost_counts *cost_bench_counts(struct cost_bench *bench, const char *unit,
                                            const char *set, struct failure *failure)
{
    return counted(bench, unit, set, false, failure);
}

const struct cost_mapping *cost_bench_mapping(struct cost_bench *bench, const char *unit,
                                              const char *set, const struct cost_library *library,
                                              struct failure *failure)
{
    char key[512], folder[1024], path[1200], why[600];
    snprintf(key, sizeof key, "%s[%s]%s", unit, set, library->name);
    struct kept *kept = find_kept(bench, key);
    if (kept == NULL) {
        return failure_set(failure, VERDICT_LIMIT, "memory is out");
    }
    if (kept->mapping != NULL) {
        return kept->mapping;
    }
    struct cost_mapping *mapping = calloc(1, sizeof *mapping);
    if (mapping == NULL ||
        !make(bench, unit, set, "mapped", library, folder, sizeof folder, failure)) {
        free(mapping);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, library->name);
    if (!cost_read_mapping(path, mapping, why, sizeof why)) {
        free(mapping);
        return failure_set(failure, VERDICT_BUILD, "%s", why);
    }
    mapping->nand2_um2 = library->nand2_um2;
    return kept->mapping = mapping;
}

bool cost_bench_variant(struct cost_bench *bench, const char *unit, const char *set,
                        const struct cost_library *library, const char *script, bool retimed,
                        struct cost_mapping *mapping, struct failure *failure)
{
    char target[256], folder[1024], path[1400], why[600];
    snprintf(target, sizeof target, "-f synth/band.mk SCRIPT=%s RETIMED=%s banded", script,
             retimed ? "1" : "");
    if (!make(bench, unit, set, target, library, folder, sizeof folder, failure)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s/band/%s%s", folder, library->name, script,
             retimed ? "_retimed" : "");
    if (!cost_read_variant(path, mapping, why, sizeof why)) {
        failure_set(failure, VERDICT_BUILD, "%s", why);
        return false;
    }
    mapping->nand2_um2 = library->nand2_um2;
    return true;
}

bool cost_bench_through(struct cost_bench *bench, const char *unit, const char *set,
                        const struct cost_library *library, const char *port, double *delay_ps,
                        struct failure *failure)
{
    char target[128], folder[1024], path[1400];
    /* A claim's word goes into a command. */
    if (port[strspn(port, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] !=
        '\0') {
        failure_set(failure, VERDICT_USAGE, "%s has no port '%s'", unit, port);
        return false;
    }
    snprintf(target, sizeof target, "through PORT=%s", port);
    if (!make(bench, unit, set, target, library, folder, sizeof folder, failure)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s/through.%s.txt", folder, library->name, port);
    if (!cost_read_through(path, delay_ps)) {
        failure_set(failure, VERDICT_USAGE, "%s has no port '%s'", unit, port);
        return false;
    }
    return true;
}
