/* matrix.c - which unit has passed which level: reads the levels' results.
 *
 *   build/check/<unit>.json      L1, L2   warplock check --json
 *   build/soak/<unit>.*          L2       more random steps (tests/soak.sh)
 *   build/coverage/<unit>.json   L2       ladder coverage
 *   build/system/<unit>.json     L3       tb/ladder/system.sh
 *   build/fuzz/unit/<unit>.json  L4       tb/ladder/fuzz.sh
 *   build/gates/<unit>@*.json    L5       tb/ladder/gates.mk
 *   build/mutate/<unit>*.json    L6       ladder mutate
 *   build/prove/<unit>@*.json    L7       tb/prove
 */
#include "tb/ladder/matrix.h"

#include <glob.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ladder/inputs.h"

/* All results of one level for one unit, which may have several parameter sets: an array. */
static json_t *results_of(const char *root, const char *folder, const char *unit)
{
    static const char *const endings[] = {".json", "@*.json"};
    json_t *results = json_array();
    for (int i = 0; i < 2; i++) {
        char pattern[PATH_MAX];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/build/%s/%s%s", root, folder, unit, endings[i]);
        if (glob(pattern, 0, NULL, &found) != 0) {
            continue;
        }
        for (size_t k = 0; k < found.gl_pathc; k++) {
            json_t *one = json_load_file(found.gl_pathv[k], 0, NULL);
            if (one != NULL) {
                json_array_append_new(results, one);
            }
        }
        globfree(&found);
    }
    return results;
}

static long long number(json_t *object, const char *key)
{
    return (long long)json_number_value(json_object_get(object, key));
}

/* 1234567 -> "1.2 M". */
static void short_count(char *text, size_t n, double value)
{
    const char *unit = value >= 1e9 ? " G" : value >= 1e6 ? " M" : value >= 1e3 ? " k" : "";
    const double scale = value >= 1e9 ? 1e9 : value >= 1e6 ? 1e6 : value >= 1e3 ? 1e3 : 1;
    snprintf(text, n, scale > 1 ? "%.1f%s" : "%.0f%s", value / scale, unit);
}

static void read_vectors(struct matrix_cell *cell, json_t *all)
{
    json_t *vectors = json_object_get(json_array_get(all, 0), "vectors");
    const long long passed = number(vectors, "passed"), failed = number(vectors, "failed");
    snprintf(cell->text, sizeof cell->text, "%lld/%lld", passed, passed + failed);
    cell->state = failed > 0 ? MATRIX_BAD : passed > 0 ? MATRIX_GOOD : MATRIX_OPEN;
}

static double soak_steps(const char *root, const char *unit)
{
    char pattern[PATH_MAX];
    double steps = 0;
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/build/soak/%s.*", root, unit);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            steps += strtod(strrchr(found.gl_pathv[i], '.') + 1, NULL);
        }
        globfree(&found);
    }
    return steps;
}

static void read_random(struct matrix_cell *cell, json_t *all, const char *root, const char *unit)
{
    json_t *check = json_array_get(all, 0), *random = json_object_get(check, "random");
    const char *verdict = json_string_value(json_object_get(check, "verdict"));
    short_count(cell->text, sizeof cell->text,
                (double)number(random, "steps") + soak_steps(root, unit));
    cell->state = verdict == NULL                ? MATRIX_BAD
                  : strcmp(verdict, "PASS") == 0 ? MATRIX_GOOD
                  : strcmp(verdict, "OPEN") == 0 ? MATRIX_OPEN
                                                 : MATRIX_BAD;
}

static void read_coverage(struct matrix_cell *cell, json_t *all)
{
    static const char *const kinds[] = {"line", "toggle", "name", "guard", "bin"};
    long long points = 0, closed = 0, open = 0;
    for (int i = 0; i < 5; i++) {
        json_t *kind = json_object_get(json_array_get(all, 0), kinds[i]);
        points += number(kind, "points");
        closed += number(kind, "reached") + number(kind, "reasoned");
        open += number(kind, "open");
    }
    const double share = points > 0 ? 100.0 * (double)closed / (double)points : 0;
    snprintf(cell->text, sizeof cell->text, "%.1f%%", open > 0 && share > 99.9 ? 99.9 : share);
    cell->state = open > 0 ? MATRIX_OPEN : MATRIX_GOOD;
}

static void read_system(struct matrix_cell *cell, json_t *all)
{
    json_t *result = json_array_get(all, 0);
    const long long runs = number(result, "runs"), passed = number(result, "passed");
    snprintf(cell->text, sizeof cell->text, "%lld/%lld", passed, runs);
    cell->state = passed < runs ? MATRIX_BAD : MATRIX_GOOD;
}

static void read_fuzz(struct matrix_cell *cell, json_t *all)
{
    json_t *result = json_array_get(all, 0);
    short_count(cell->text, sizeof cell->text, (double)number(result, "executions"));
    cell->state = number(result, "finds") > 0 ? MATRIX_BAD : MATRIX_GOOD;
}

/* Proofs: "2/3 140s". */
static void read_proofs(struct matrix_cell *cell, json_t *all)
{
    size_t i, proven = 0, wrong = 0;
    long long seconds = 0;
    json_t *one;
    json_array_foreach(all, i, one)
    {
        const char *word = json_string_value(json_object_get(one, "result"));
        proven += word != NULL && strcmp(word, "proven") == 0;
        wrong += word != NULL && strcmp(word, "refuted") == 0;
        seconds += number(one, "seconds");
    }
    snprintf(cell->text, sizeof cell->text, "%zu/%zu %llds", proven, json_array_size(all), seconds);
    cell->state = wrong > 0                       ? MATRIX_BAD
                  : proven < json_array_size(all) ? MATRIX_OPEN
                                                  : MATRIX_GOOD;
}

/* "97.5% (5)": of the worst parameter set, and the survivors of all. */
static void read_mutants(struct matrix_cell *cell, json_t *all)
{
    size_t i;
    json_t *one;
    double worst = 100;
    long long live = 0, mutants = 0;
    json_array_foreach(all, i, one)
    {
        const double score = json_number_value(json_object_get(one, "score"));
        worst = score < worst ? score : worst;
        live += number(one, "survivors");
        mutants += number(one, "mutants");
    }
    snprintf(cell->text, sizeof cell->text, "%.1f%% (%lld)", worst, live);
    cell->state = worst < 95 ? MATRIX_OPEN : MATRIX_GOOD;
    if (mutants == 0) {
        snprintf(cell->text, sizeof cell->text, "wires");
    }
}

/* Where a column's results are, and which level makes them. */
static const struct {
    const char *folder, *level;
} places[MATRIX_COLUMNS] = {{"check", "check"},   {"check", "check"},    {"coverage", "coverage"},
                            {"system", "system"}, {"fuzz/unit", "fuzz"}, {"gates", "gates"},
                            {"mutate", "mutate"}, {"prove", "prove"}};

/* Was one of the results made of other files or rows than there are now? */
static bool is_stale(json_t *all, const char *now)
{
    size_t i;
    json_t *one;
    bool stale = now[0] == '\0';
    json_array_foreach(all, i, one)
    {
        const char *then = json_string_value(json_object_get(one, "inputs"));
        stale |= then == NULL || strcmp(then, now) != 0;
    }
    return stale;
}

static void read_cell(struct matrix_cell *cell, enum matrix_column column, json_t *all,
                      const char *root, const char *unit)
{
    switch (column) {
    case MATRIX_VECTORS: read_vectors(cell, all); break;
    case MATRIX_RANDOM: read_random(cell, all, root, unit); break;
    case MATRIX_COVERAGE: read_coverage(cell, all); break;
    case MATRIX_SYSTEM: read_system(cell, all); break;
    case MATRIX_FUZZ: read_fuzz(cell, all); break;
    case MATRIX_GATES:
    case MATRIX_PROOF: read_proofs(cell, all); break;
    case MATRIX_MUTANTS: read_mutants(cell, all); break;
    case MATRIX_COLUMNS: break;
    }
}

/* Results that name their parameter set, none of them the standard one, which is "-" or, where
 * it is part of a file's name, "standard". */
static bool all_reduced(json_t *all)
{
    size_t i;
    json_t *one;
    bool reduced = true;
    json_array_foreach(all, i, one)
    {
        const char *point = json_string_value(json_object_get(one, "point"));
        reduced &= point != NULL && strcmp(point, "-") != 0 && strcmp(point, "standard") != 0;
    }
    return reduced;
}

static bool wanted(char *const *units, const char *unit)
{
    bool found = *units == NULL;
    for (; !found && *units != NULL; units++) {
        found = strcmp(*units, unit) == 0;
    }
    return found;
}

bool matrix_read(struct matrix *matrix, struct library *library, char *const *units)
{
    const char *root = library_root(library);
    const size_t n = library_n_units(library);
    matrix->n = 0;
    matrix->rows = calloc(n + 1, sizeof *matrix->rows);
    if (matrix->rows == NULL) {
        return false;
    }
    json_t *inputs = inputs_now(root, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        const char *unit = strchr(library_unit(library, i), '/') + 1;
        if (!wanted(units, unit)) {
            continue;
        }
        struct matrix_row *row = &matrix->rows[matrix->n++];
        snprintf(row->unit, sizeof row->unit, "%s", unit);
        for (int column = 0; column < MATRIX_COLUMNS; column++) {
            json_t *all = results_of(root, places[column].folder, unit);
            if (json_array_size(all) > 0) {
                struct matrix_cell *cell = &row->cells[column];
                read_cell(cell, (enum matrix_column)column, all, root, unit);
                cell->stale = is_stale(all, inputs_hash(inputs, places[column].level, unit));
                cell->reduced = all_reduced(all);
            }
            json_decref(all);
        }
    }
    json_decref(inputs);
    return true;
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->rows);
}
