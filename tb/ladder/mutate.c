/* mutate.c - level L6: are the unit's tests good enough to notice a changed RTL?
 *
 * Mutants come from Yosys (tb/ladder/mutants.mk), are run one by one (mutant_run.h), and
 * those that live are handed to a proof that they are no change.  What is left is listed
 * with its source line, or has a reason (tb/reasons.h). */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/seconds.h"
#include "tb/ladder/inputs.h"
#include "tb/ladder/ladder.h"
#include "tb/ladder/mutant_list.h"
#include "tb/ladder/mutant_run.h"
#include "tb/reasons.h"

struct mutation {
    const struct mutate_options *options;
    struct unit_at unit;
    struct mutant_list list;
    struct mutant_outcome *outcomes;
    struct reasons reasons;
    json_t *inputs; /* before the first mutant */
    FILE *journal;
    char label[400], path[4700];
    size_t n_done;
    double started, shown;
};

struct mutation_count {
    unsigned killed, by_vectors, equivalent, lives, reasoned;
    double score;
};

static bool lives(enum mutant_end end)
{
    return end == MUTANT_LIVES || end == MUTANT_TIMEOUT || end == MUTANT_BROKE;
}

static struct mutation_count count(struct mutation *m)
{
    struct mutation_count c = {0};
    for (size_t i = 0; i < m->list.n; i++) {
        const enum mutant_end end = m->outcomes[i].end;
        c.by_vectors += end == MUTANT_VECTOR;
        c.killed += end == MUTANT_VECTOR || end == MUTANT_RANDOM;
        c.equivalent += end == MUTANT_EQUIVALENT;
        c.lives += lives(end);
    }
    const unsigned judged = c.killed + c.lives;
    c.score = judged > 0 ? 100.0 * c.killed / judged : 100;
    return c;
}

/* The line of the journal under which mutants live so long and no longer. */
static void journal_effort(const struct mutation *m, char *line, size_t n)
{
    const struct mutant_effort *effort = &m->options->effort;
    snprintf(line, n, "effort %" PRIu64 " %u %u\n", effort->steps, effort->seeds,
             effort->limit_seconds);
}

/* Takes up what an earlier run left: a kill and a proof stand whatever the steps were, a
 * mutant that lives does so for as many steps as it had. */
static void read_journal(struct mutation *m, FILE *before, const char *effort, bool *same_effort)
{
    char line[256];
    size_t i;
    unsigned end;
    uint64_t seed, steps;
    while (fgets(line, sizeof line, before) != NULL) {
        if (strncmp(line, "effort", 6) == 0) {
            *same_effort = strcmp(line, effort) == 0;
        } else if (sscanf(line, "%zu %u %" SCNu64 " %" SCNu64, &i, &end, &seed, &steps) != 4 ||
                   i >= m->list.n || end > MUTANT_EQUIVALENT) {
            return;
        } else if (*same_effort || !lives((enum mutant_end)end)) {
            m->n_done += m->outcomes[i].end == MUTANT_OPEN;
            m->outcomes[i] = (struct mutant_outcome){(enum mutant_end)end, seed, steps};
        }
    }
}

/* Opens the journal to add to it.  When anything changes that outcomes depend on, all mutants
 * are run again. */
static bool resume(struct mutation *m)
{
    char path[4800], key[256], line[256], effort[128];
    unit_at_key(&m->unit, "mutants", key, sizeof key);
    journal_effort(m, effort, sizeof effort);
    snprintf(path, sizeof path, "%s.journal", m->path);
    FILE *before = fopen(path, "r");
    const bool same = before != NULL && fgets(line, sizeof line, before) != NULL &&
                      strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == '\n';
    bool same_effort = false;
    if (same) {
        read_journal(m, before, effort, &same_effort);
    }
    if (before != NULL) {
        fclose(before);
    }
    m->journal = fopen(path, same ? "a" : "w");
    if (m->journal != NULL) {
        fprintf(m->journal, "%s%s%s", same ? "" : key, same ? "" : "\n", same_effort ? "" : effort);
    }
    return m->journal != NULL;
}

static void note(struct mutation *m, size_t i)
{
    const struct mutant_outcome *o = &m->outcomes[i];
    fprintf(m->journal, "%zu %u %" PRIu64 " %" PRIu64 "\n", i, o->end, o->seed, o->steps);
    fflush(m->journal);
}

static void done(void *context, size_t i)
{
    struct mutation *m = context;
    note(m, i);
    m->n_done++;
    const double now = seconds_now();
    if (now - m->shown > 5) {
        m->shown = now;
        const struct mutation_count c = count(m);
        fprintf(stderr, "%s%s: %zu of %zu mutants, %u live%s", isatty(2) ? "\r\033[K" : "",
                m->label, m->n_done, m->list.n, c.lives, isatty(2) ? "" : "\n");
    }
}

/* Asks for a proof of each mutant that lives; the answers are files beside the list. */
static bool prove_survivors(struct mutation *m, struct failure *failure)
{
    char path[8800], word[32];
    size_t used = 0, n = 0;
    char *variables = malloc(128 + 8 * m->list.n);
    if (variables == NULL) {
        return false;
    }
    used = (size_t)sprintf(variables, "COUNT=%u SEED=%u -k -j%u PROOF_SECONDS=%u LIVING='",
                           m->options->count, m->options->list_seed, m->options->effort.jobs,
                           m->options->proof_seconds);
    for (size_t i = 0; i < m->list.n; i++) {
        if (lives(m->outcomes[i].end)) {
            used += (size_t)sprintf(variables + used, "%zu ", i + 1);
            n++;
        }
    }
    sprintf(variables + used, "'");
    bool good = true;
    if (n > 0 && m->options->proof_seconds > 0) {
        fprintf(stderr, "%s%s: %zu mutants live, is any of them no change?\n",
                isatty(2) ? "\r\033[K" : "", m->label, n);
        good = unit_at_make(&m->unit, "mutants", variables, "equivalent", failure);
    }
    free(variables);
    for (size_t i = 0; good && i < m->list.n; i++) {
        snprintf(path, sizeof path, "%s/%zu.answer", m->unit.folder, i + 1);
        FILE *answer = lives(m->outcomes[i].end) ? fopen(path, "r") : NULL;
        if (answer != NULL && fscanf(answer, "%31s", word) == 1 &&
            strcmp(word, "equivalent") == 0) {
            m->outcomes[i].end = MUTANT_EQUIVALENT;
            note(m, i);
        }
        if (answer != NULL) {
            fclose(answer);
        }
    }
    return good;
}

static const char *end_word(enum mutant_end end)
{
    static const char *const words[] = {"open",    "vector", "random",    "lives",
                                        "timeout", "broke",  "equivalent"};
    return words[end];
}

static json_t *mutants_json(struct mutation *m, struct mutation_count *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->list.n; i++) {
        const struct mutant *mutant = &m->list.mutants[i];
        const struct mutant_outcome *o = &m->outcomes[i];
        json_t *row = json_pack("{s:i, s:s, s:s, s:s}", "mutant", (int)i + 1, "name", mutant->name,
                                "source", mutant->source, "end", end_word(o->end));
        if (o->end == MUTANT_RANDOM) {
            json_object_set_new(row, "seed", json_integer((json_int_t)o->seed));
            json_object_set_new(row, "steps", json_integer((json_int_t)o->steps));
        }
        if (lives(o->end)) {
            const char *words = reasons_open(&m->reasons, "mutant", mutant->name);
            c->reasoned += words != NULL;
            if (words != NULL) {
                json_object_set_new(row, "reason", json_string(words));
            }
        } else if (o->end != MUTANT_EQUIVALENT) {
            reasons_reached(&m->reasons, "mutant", mutant->name);
        }
        json_array_append_new(list, row);
    }
    return list;
}

static bool write_json(struct mutation *m, struct mutation_count *c, double seconds)
{
    json_t *list = mutants_json(m, c);
    const struct mutate_options *o = m->options;
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:I, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:o}", "unit",
        m->unit.c->desc->name, "inputs", inputs_hash(m->inputs, "mutate", m->unit.c->desc->name),
        "point", m->unit.point[0] != '\0' ? m->unit.point : "-", "mutants", (int)m->list.n,
        "list_seed", (int)o->list_seed, "steps", (json_int_t)o->effort.steps, "seeds",
        (int)o->effort.seeds, "killed", (int)c->killed, "by_vectors", (int)c->by_vectors,
        "equivalent", (int)c->equivalent, "survivors", (int)c->lives, "reasoned", (int)c->reasoned,
        "score", c->score, "seconds", seconds, "list", list);
    const bool good = root != NULL && json_dump_file(root, m->path, JSON_INDENT(1)) == 0;
    json_decref(root);
    return good;
}

static void print_survivors(struct mutation *m)
{
    for (size_t i = 0; i < m->list.n; i++) {
        const struct mutant *mutant = &m->list.mutants[i];
        const enum mutant_end end = m->outcomes[i].end;
        if (lives(end)) {
            const char *words = reasons_of(&m->reasons, "mutant", mutant->name);
            printf("  %s %zu  %s\n      %s\n", end_word(end), i + 1, mutant->source, mutant->name);
            if (words != NULL) {
                printf("      because %s\n", words);
            }
        }
    }
}

/* One line, the survivors below it; wrong reasons make it fail. */
static bool print_summary(struct mutation *m, const struct mutation_count *c, double seconds)
{
    char error[8800];
    bool good = true;
    printf("%-6s %s  %.1f %%  %zu mutants, %u killed (%u by vectors), %u equivalent, %u live "
           "(%u with reason), %.0f s\n",
           c->score >= m->options->goal ? "PASS" : "WEAK", m->label, c->score, m->list.n, c->killed,
           c->by_vectors, c->equivalent, c->lives, c->reasoned, seconds);
    print_survivors(m);
    for (size_t i = 0; i < m->reasons.n; i++) {
        if (reasons_wrong(&m->reasons, "mutant", i, false, error, sizeof error)) {
            printf("  %s\n", error);
            good = false;
        }
    }
    return good;
}

/* Builds, runs and proves; false with the reason. */
static bool find_outcomes(struct mutation *m, struct failure *failure)
{
    char variables[128], path[4400];
    const char *root = library_root(m->unit.library);
    snprintf(variables, sizeof variables, "COUNT=%u SEED=%u", m->options->count,
             m->options->list_seed);
    fprintf(stderr, "%s: building %u mutants\n", m->label, m->options->count);
    if (!unit_at_make(&m->unit, "mutants", variables, "list", failure)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/list", m->unit.folder);
    if (!mutant_list_read(&m->list, path, root)) {
        failure->verdict = VERDICT_BUILD;
        snprintf(failure->words, sizeof failure->words, "%s: cannot be read", path);
        return false;
    }
    if (m->list.n == 0) {
        return true; /* wires alone: nothing to change */
    }
    if (!unit_at_make(&m->unit, "mutants", variables, "mutants", failure) ||
        !unit_at_load(&m->unit, "mutants", failure)) {
        return false;
    }
    m->outcomes = calloc(m->list.n, sizeof *m->outcomes);
    if (m->outcomes == NULL || !resume(m)) {
        failure->verdict = VERDICT_LIMIT;
        snprintf(failure->words, sizeof failure->words, "%s cannot be written", m->path);
        return false;
    }
    return mutant_run(&m->unit, &m->options->effort, m->list.n, m->outcomes, done, m, failure) &&
           prove_survivors(m, failure);
}

/* The place of the result, and the reasons it will be held against. */
static bool prepare(struct mutation *m, struct failure *failure)
{
    const char *root = library_root(m->unit.library);
    m->inputs = inputs_now(root, "mutate", m->unit.c->desc->name);
    unit_at_label(&m->unit, m->label, sizeof m->label);
    snprintf(m->path, sizeof m->path, "%s/build/mutate", root);
    mkdir(m->path, 0777);
    snprintf(m->path, sizeof m->path, "%s/build/mutate/%s.json", root, m->label);
    char reasons[PATH_MAX];
    library_file(m->unit.library, m->unit.c->desc->name, ".reasons", reasons, sizeof reasons);
    if (!reasons_read(&m->reasons, reasons, failure->words, sizeof failure->words)) {
        failure->verdict = VERDICT_USAGE;
        return false;
    }
    return true;
}

enum verdict ladder_mutate(struct library *library, const struct mutate_options *options,
                           struct failure *failure)
{
    struct mutation m = {.options = options, .started = seconds_now()};
    enum verdict verdict = VERDICT_PASS;
    m.shown = m.started;
    if (unit_at_open(&m.unit, library, options->unit, options->point, failure) &&
        prepare(&m, failure) && find_outcomes(&m, failure)) {
        const double seconds = seconds_now() - m.started;
        struct mutation_count c = count(&m);
        if (!write_json(&m, &c, seconds)) {
            failure->verdict = VERDICT_LIMIT;
            snprintf(failure->words, sizeof failure->words, "%s cannot be written", m.path);
        } else if (!print_summary(&m, &c, seconds)) {
            verdict = VERDICT_USAGE;
        } else if (c.score < options->goal) {
            verdict = VERDICT_MISMATCH;
        }
    }
    if (m.journal != NULL) {
        fclose(m.journal);
    }
    json_decref(m.inputs);
    free(m.outcomes);
    mutant_list_free(&m.list);
    reasons_free(&m.reasons);
    unit_at_close(&m.unit);
    return failure->verdict != VERDICT_PASS ? failure->verdict : verdict;
}
