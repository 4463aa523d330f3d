/* experiment.c - reads an experiment's file: see experiment.h.  Claims, causes and plots are
 * experiment_claims.c, what is swept is parameters_read.c. */
#include "experiments/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "experiments/by_launch.h"
#include "experiments/experiment_read.h"

/* ---- schemes ---- */

size_t scheme_named(struct reader *r, const struct experiment *e, const char *pointer,
                    const char *name)
{
    size_t s = 0;
    while (s < e->n_schemes && strcmp(e->schemes[s].name, name) != 0) {
        s++;
    }
    if (s == e->n_schemes) {
        reader_wrong(r, pointer, "there is no scheme '%s'; name one of 'schemes'", name);
    }
    return s;
}

size_t metric_named(struct reader *r, const struct experiment *e, const char *pointer,
                    const char *name)
{
    size_t m = 0;
    while (m < e->n_metrics && strcmp(e->metrics[m].name, name) != 0) {
        m++;
    }
    if (m == e->n_metrics) {
        reader_wrong(r, pointer, "there is no metric '%s'; name one of 'metrics'", name);
    }
    return m;
}

size_t row_named(struct reader *r, const struct experiment *e, const char *pointer,
                 const char *name)
{
    const size_t length = strlen(name);
    size_t row = 0;
    while (row < e->n_workloads && strcmp(e->workloads[row], name) != 0 &&
           !(strncmp(e->workloads[row], name, length) == 0 && e->workloads[row][length] == ':')) {
        row++;
    }
    if (row == e->n_workloads) {
        reader_wrong(r, pointer, "there is no workload '%.60s'; name one of 'workloads'", name);
    }
    return row;
}

/* A column that is taken from others: not one of those that are so themselves. */
static size_t column_named(struct reader *r, const struct experiment *e, const char *pointer,
                           const char *name)
{
    const size_t column = scheme_named(r, e, pointer, name);
    if (!r->failed && !scheme_is_run(&e->schemes[column])) {
        reader_wrong(r, pointer, "'%s' is itself taken from others", name);
    }
    return column;
}

static void read_best(struct reader *r, struct experiment *e, const char *pointer,
                      const json_t *object, struct scheme *scheme)
{
    const struct place place = place_below(pointer, "best_of");
    size_t n;
    const char **names = reader_texts(r, pointer, object, "best_of", 1, &n);
    scheme->best_of = reader_keep(r, n * sizeof *scheme->best_of);
    for (size_t i = 0; i < n && !r->failed; i++) {
        scheme->best_of[i] = column_named(r, e, place_at(place.text, i).text, names[i]);
    }
    scheme->n_best_of = n;
    const char *by = reader_text(r, pointer, object, "by", NULL);
    scheme->by = r->failed ? 0 : metric_named(r, e, place_below(pointer, "by").text, by);
}

/* "chosen" names a scheme by workload, "else" that of the workloads that it does not name. */
static void read_chosen(struct reader *r, struct experiment *e, const char *pointer,
                        const json_t *object, struct scheme *scheme)
{
    const struct place place = place_below(pointer, "chosen");
    const json_t *chosen = json_object_get(object, "chosen"), *column;
    const char *rest = reader_text(r, pointer, object, "else", ""), *row;
    if (r->failed || !json_is_object(chosen)) {
        reader_wrong(r, place.text, "'chosen' must be an object: a scheme for each workload");
        return;
    }
    const size_t none = *rest == '\0' ? e->n_schemes
                                      : column_named(r, e, place_below(pointer, "else").text, rest);
    scheme->chosen = reader_keep(r, e->n_workloads * sizeof *scheme->chosen);
    for (size_t w = 0; w < e->n_workloads; w++) {
        scheme->chosen[w] = none;
    }
    json_object_foreach((json_t *)chosen, row, column)
    {
        const char *name = reader_text(r, place.text, chosen, row, NULL);
        const size_t w = r->failed ? 0 : row_named(r, e, place_below(place.text, row).text, row);
        if (!r->failed) {
            scheme->chosen[w] = column_named(r, e, place_below(place.text, row).text, name);
        }
    }
    for (size_t w = 0; w < e->n_workloads && !r->failed; w++) {
        if (scheme->chosen[w] == e->n_schemes) {
            reader_wrong(r, place.text, "no scheme is chosen for '%.60s'; name it, or give 'else'",
                         e->workloads[w]);
        }
    }
}

/* Schemes are counted one by one, so that a column is taken from earlier ones only. */
static void read_schemes(struct reader *r, struct experiment *e, const json_t *root)
{
    const json_t *list = reader_array(r, "", root, "schemes", 1), *one;
    size_t i;
    e->schemes = reader_keep(r, (json_array_size(list) + 1) * sizeof *e->schemes);
    json_array_foreach(list, i, one)
    {
        const struct place place = place_at("/schemes", i);
        struct scheme *scheme = &e->schemes[i];
        reader_keys(r, place.text, one, "name mechanisms set best_of by chosen else wrong_values");
        if (r->failed) {
            return;
        }
        scheme->place = reader_place(r, place.text);
        scheme->name = reader_text(r, place.text, one, "name", NULL);
        for (size_t s = 0; s < e->n_schemes; s++) {
            if (strcmp(e->schemes[s].name, scheme->name) == 0) {
                reader_wrong(r, place.text, "two schemes are named '%s'; rename one", scheme->name);
            }
        }
        scheme->mechanisms = reader_text(r, place.text, one, "mechanisms", "");
        scheme->set = reader_texts(r, place.text, one, "set", 0, &scheme->n_set);
        scheme->wrong_values = reader_flag(r, place.text, one, "wrong_values");
        const bool is_best = json_object_get(one, "best_of") != NULL;
        const bool is_chosen = json_object_get(one, "chosen") != NULL;
        if (is_best && is_chosen) {
            reader_wrong(r, place.text, "'best_of' and 'chosen' exclude each other; leave one out");
        } else if (is_best) {
            read_best(r, e, place.text, one, scheme);
        } else if (is_chosen) {
            read_chosen(r, e, place.text, one, scheme);
        }
        if (json_object_get(one, "else") != NULL && !is_chosen) {
            reader_wrong(r, place.text, "'else' has no meaning without 'chosen'; leave it out");
        }
        e->n_schemes++;
    }
}

/* ---- metrics ---- */

static const char *const mean_names[] = {"geometric", "arithmetic", "harmonic", "weighted"};

/* A metric by launches names what a launch has, and nothing else. */
static void check_counters(struct reader *r, const char *pointer, const char *key,
                           const struct expression *expression)
{
    const char *const *names;
    const size_t n = expression != NULL ? expression_names(expression, &names) : 0;
    for (size_t i = 0; i < n; i++) {
        if (!by_launch_has(names[i])) {
            reader_wrong(r, place_below(pointer, key).text,
                         "a launch has no '%.60s'; name launch.cycles or launch.warp_instructions",
                         names[i]);
        }
    }
}

static void read_launches(struct reader *r, const struct experiment *e, const char *pointer,
                          const json_t *one, struct metric *metric)
{
    const struct place place = place_below(pointer, "launches");
    metric->launches = reader_texts(r, pointer, one, "launches", 1, &metric->n_launches);
    for (size_t i = 0; i < metric->n_launches && !r->failed; i++) {
        if (metric->launches[i][0] == '\0' || strchr(metric->launches[i], ',') != NULL) {
            reader_wrong(r, place_at(place.text, i).text,
                         "a text of 'launches' is one kernel's name");
        }
    }
    if (metric->mean == MEAN_WEIGHTED) {
        reader_wrong(r, place.text,
                     "the mean over launches is not weighted; choose another 'mean'");
    }
    if (e->n_seeds > 1) {
        reader_wrong(r, place.text,
                     "launches are compared one by one, of one seed; name one in 'seeds'");
    }
    check_counters(r, pointer, "of", metric->of);
    check_counters(r, pointer, "where", metric->where);
}

static void read_metric(struct reader *r, const struct experiment *e, const char *pointer,
                        const json_t *one, struct metric *metric)
{
    reader_keys(r, pointer, one,
                "name title of launches over_baseline mean weight where scale digits");
    if (r->failed) {
        return;
    }
    const char *mean = reader_text(r, pointer, one, "mean", "geometric");
    metric->place = reader_place(r, pointer);
    metric->name = reader_text(r, pointer, one, "name", NULL);
    metric->title = reader_text(r, pointer, one, "title", metric->name);
    metric->of = reader_expression(r, pointer, one, "of");
    metric->over_baseline = reader_flag(r, pointer, one, "over_baseline");
    metric->scale = reader_number(r, pointer, one, "scale", 1);
    metric->digits = (int)reader_number(r, pointer, one, "digits", 2);
    metric->mean = MEAN_GEOMETRIC;
    while ((size_t)metric->mean < 4 && strcmp(mean_names[metric->mean], mean) != 0) {
        metric->mean++;
    }
    if ((size_t)metric->mean == 4) {
        reader_wrong(r, place_below(pointer, "mean").text,
                     "no mean is called '%s'; there is geometric, arithmetic, harmonic, weighted",
                     mean);
    }
    if (metric->digits < 0 || metric->digits > 9) {
        reader_wrong(r, place_below(pointer, "digits").text, "'digits' must be 0 to 9");
    }
    if (metric->mean == MEAN_WEIGHTED) {
        metric->weight = reader_expression(r, pointer, one, "weight");
    }
    if (json_object_get(one, "where") != NULL) {
        metric->where = reader_expression(r, pointer, one, "where");
    }
    if (json_object_get(one, "launches") != NULL && !r->failed) {
        read_launches(r, e, pointer, one, metric);
    }
}

static void add_metric(struct reader *r, void *self, const char *pointer, const json_t *one)
{
    struct experiment *e = self;
    struct metric *metrics = reader_one_more(r, e->metrics, e->n_metrics, sizeof *metrics);
    e->metrics = metrics;
    read_metric(r, e, pointer, one, &metrics[e->n_metrics]);
    e->n_metrics += !r->failed;
}

/* ---- the whole ---- */

/* What the runs and their values depend on: all but words, what documents say, and figures.
 * Workloads count as they are read, in whichever file they stand. */
static void digest_root(struct digest *digest, const struct experiment *e, const json_t *root)
{
    static const char *const words[] = {"title",  "document", "source", "note",
                                        "claims", "joint",    "causes", "plots"};
    json_t *rest = json_copy((json_t *)root), *workloads = json_array();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        json_object_del(rest, words[i]);
    }
    for (size_t w = 0; w < e->n_workloads; w++) {
        json_array_append_new(workloads, json_string(e->workloads[w]));
    }
    json_object_set_new(rest, "workloads", workloads);
    char *text = json_dumps(rest, JSON_COMPACT);
    digest_text(digest, text != NULL ? text : "");
    free(text);
    json_decref(rest);
}

static void read_root(struct reader *r, struct experiment *e, const json_t *root)
{
    reader_keys(
        r, "", root,
        "title document source note machine machines size set parameters seeds limits timed "
        "workloads schemes baseline metrics claims joint causes plots");
    if (r->failed) {
        return;
    }
    e->title = reader_text(r, "", root, "title", NULL);
    e->document = reader_text(r, "", root, "document", "");
    e->source = reader_text(r, "", root, "source", "");
    e->note = reader_text(r, "", root, "note", "");
    e->size = reader_text(r, "", root, "size", "small");
    read_workloads(r, e, root);
    digest_root(&r->digest, e, root);
    read_swept(r, e, root);
    if (!r->failed) {
        reader_items(r, "/metrics", reader_array(r, "", root, "metrics", 1), "metrics", true,
                     add_metric, e);
    }
    if (!r->failed) {
        read_timed(r, e, root);
    }
    if (!r->failed) {
        read_schemes(r, e, root);
    }
    if (!r->failed) {
        check_parameters(r, e);
    }
    if (!r->failed) {
        const char *baseline = reader_text(r, "", root, "baseline", e->schemes[0].name);
        e->baseline = scheme_named(r, e, "/baseline", baseline);
        check_size(r, e);
    }
    if (!r->failed) {
        read_claims(r, e, root);
        read_causes(r, e, root);
        read_plots(r, e, root);
    }
}

static const char *base_name(struct reader *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = reader_keep(r, strlen(path) + 1);
    strcpy(name, slash != NULL ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
    return name;
}

static struct experiment *read_file(struct json_file *file, char *error, size_t n_error)
{
    struct experiment *experiment = calloc(1, sizeof *experiment);
    if (experiment == NULL) {
        abort(); /* as in reader_keep */
    }
    struct reader r = {.file = file, .error = error, .n_error = n_error};
    digest_begin(&r.digest);
    experiment->name = base_name(&r, file->path);
    read_root(&r, experiment, file->root);
    digest_end(&r.digest, experiment->digest);
    experiment->storage = r.storage;
    json_file_close(file);
    if (r.failed) {
        experiment_free(experiment);
        return NULL;
    }
    return experiment;
}

struct experiment *experiment_read(const char *path, char *error, size_t n_error)
{
    struct json_file file;
    return json_file_open(&file, path, error, n_error) == 0 ? read_file(&file, error, n_error)
                                                            : NULL;
}

struct experiment *experiment_read_text(const char *path, const char *text, char *error,
                                        size_t n_error)
{
    struct json_file file;
    return json_file_parse(&file, path, strdup(text), error, n_error) == 0
               ? read_file(&file, error, n_error)
               : NULL;
}

void experiment_free(struct experiment *experiment)
{
    if (experiment != NULL) {
        reader_free(experiment->storage);
    }
    free(experiment);
}

bool scheme_is_run(const struct scheme *scheme)
{
    return scheme->n_best_of == 0 && scheme->chosen == NULL;
}
