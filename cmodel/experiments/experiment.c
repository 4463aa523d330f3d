/* experiment.c - reads an experiment's file: see experiment.h. */
#include "experiments/experiment.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/json_file.h"

/* What is allocated for an experiment: a list, released with it. */
struct kept {
    struct kept *next;
    struct expression *expression;
    max_align_t bytes[];
};

struct reader {
    struct experiment *experiment;
    struct json_file *file;
    char *error;
    size_t n_error;
    bool failed;
};

static void *keep(struct reader *r, size_t bytes)
{
    struct kept *kept = calloc(1, sizeof *kept + bytes);
    if (kept == NULL) {
        abort(); /* some kilobytes: nothing else would work either */
    }
    kept->next = r->experiment->storage;
    r->experiment->storage = kept;
    return kept->bytes;
}

static const char *keep_text(struct reader *r, const char *text)
{
    char *copy = keep(r, strlen(text) + 1);
    return strcpy(copy, text);
}

/* The first thing wrong, with the line of the value at `pointer`. */
static void wrong(struct reader *r, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void wrong(struct reader *r, const char *pointer, const char *format, ...)
{
    char what[512];
    va_list more;
    if (r->failed) {
        return;
    }
    va_start(more, format);
    vsnprintf(what, sizeof what, format, more);
    va_end(more);
    r->failed = true;
    snprintf(r->error, r->n_error, "%s:%zu: %s", r->file->path, json_file_line(r->file, pointer),
             what);
}

/* ---- values ---- */

/* A pointer to member `key` of what `pointer` names. */
struct place {
    char text[160];
};
static struct place below(const char *pointer, const char *key)
{
    struct place place;
    snprintf(place.text, sizeof place.text, "%.100s/%.50s", pointer, key);
    return place;
}
static struct place at_index(const char *pointer, size_t i)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", i);
    return below(pointer, number);
}

/* Every key of the object is one of "a b c". */
static void check_keys(struct reader *r, const char *pointer, const json_t *object,
                       const char *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        wrong(r, pointer, "this must be an object with: %s", known);
        return;
    }
    json_object_foreach((json_t *)object, key, value)
    {
        char padded[80], all[300];
        snprintf(padded, sizeof padded, " %.70s ", key);
        snprintf(all, sizeof all, " %s ", known);
        if (strchr(key, ' ') != NULL || strstr(all, padded) == NULL) {
            wrong(r, below(pointer, key).text, "'%.60s' is not known here; there is: %s", key,
                  known);
        }
    }
}

static const char *text_of(struct reader *r, const char *pointer, const json_t *object,
                           const char *key, const char *standard)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value)) {
        return keep_text(r, json_string_value(value));
    }
    if (value != NULL || standard == NULL) {
        wrong(r, below(pointer, key).text, "'%s' must be there, a text", key);
        return "";
    }
    return standard;
}

static double number_of(struct reader *r, const char *pointer, const json_t *object,
                        const char *key, double standard)
{
    const json_t *value = json_object_get(object, key);
    if (value != NULL && !json_is_number(value)) {
        wrong(r, below(pointer, key).text, "'%s' must be a number", key);
    }
    return value != NULL ? json_number_value(value) : standard;
}

static const json_t *array_of(struct reader *r, const char *pointer, const json_t *object,
                              const char *key, size_t least)
{
    const json_t *value = json_object_get(object, key);
    if ((value != NULL || least > 0) && (!json_is_array(value) || json_array_size(value) < least)) {
        wrong(r, below(pointer, key).text, "'%s' must be a list of %zu or more", key, least);
        return NULL;
    }
    return value;
}

static const char **texts_of(struct reader *r, const char *pointer, const json_t *object,
                             const char *key, size_t least, size_t *n)
{
    const json_t *list = array_of(r, pointer, object, key, least), *one;
    const char **texts = keep(r, (json_array_size(list) + 1) * sizeof *texts);
    const struct place place = below(pointer, key);
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (!json_is_string(one)) {
            wrong(r, at_index(place.text, i).text, "this must be a text");
        }
        texts[i] = keep_text(r, json_is_string(one) ? json_string_value(one) : "");
    }
    *n = json_array_size(list);
    return texts;
}

static struct expression *expression_of(struct reader *r, const char *pointer, const json_t *object,
                                        const char *key)
{
    char error[400];
    const char *text = json_string_value(json_object_get(object, key));
    struct expression *expression = expression_new(text != NULL ? text : "", error, sizeof error);
    if (expression == NULL) {
        wrong(r, below(pointer, key).text, "'%s': %s", key, error);
        return NULL;
    }
    keep(r, 0);
    ((struct kept *)r->experiment->storage)->expression = expression;
    return expression;
}

/* ---- schemes ---- */

/* The number of the scheme or metric of that name; the count, with an error, when there is none. */
static size_t scheme_named(struct reader *r, const char *pointer, const char *name)
{
    const struct experiment *e = r->experiment;
    size_t s = 0;
    while (s < e->n_schemes && strcmp(e->schemes[s].name, name) != 0) {
        s++;
    }
    if (s == e->n_schemes) {
        wrong(r, pointer, "there is no scheme '%s'; name one of 'schemes'", name);
    }
    return s;
}

static size_t metric_named(struct reader *r, const char *pointer, const char *name)
{
    const struct experiment *e = r->experiment;
    size_t m = 0;
    while (m < e->n_metrics && strcmp(e->metrics[m].name, name) != 0) {
        m++;
    }
    if (m == e->n_metrics) {
        wrong(r, pointer, "there is no metric '%s'; name one of 'metrics'", name);
    }
    return m;
}

static void read_best(struct reader *r, const char *pointer, const json_t *object,
                      struct scheme *scheme)
{
    const struct place place = below(pointer, "best_of");
    size_t n;
    const char **names = texts_of(r, pointer, object, "best_of", 1, &n);
    scheme->best_of = keep(r, n * sizeof *scheme->best_of);
    for (size_t i = 0; i < n && !r->failed; i++) {
        scheme->best_of[i] = scheme_named(r, at_index(place.text, i).text, names[i]);
        if (!r->failed && r->experiment->schemes[scheme->best_of[i]].n_best_of > 0) {
            wrong(r, at_index(place.text, i).text, "'%s' is itself the best of others", names[i]);
        }
    }
    scheme->n_best_of = n;
    const char *by = text_of(r, pointer, object, "by", NULL);
    scheme->by = r->failed ? 0 : metric_named(r, below(pointer, "by").text, by);
}

/* Schemes are counted one by one, so that the best of others names earlier ones only. */
static void read_schemes(struct reader *r, const json_t *root)
{
    struct experiment *e = r->experiment;
    const json_t *list = array_of(r, "", root, "schemes", 1), *one;
    size_t i;
    e->schemes = keep(r, (json_array_size(list) + 1) * sizeof *e->schemes);
    json_array_foreach(list, i, one)
    {
        const struct place place = at_index("/schemes", i);
        struct scheme *scheme = &e->schemes[i];
        check_keys(r, place.text, one, "name mechanisms set best_of by wrong_values");
        if (r->failed) {
            return;
        }
        scheme->name = text_of(r, place.text, one, "name", NULL);
        for (size_t s = 0; s < e->n_schemes; s++) {
            if (strcmp(e->schemes[s].name, scheme->name) == 0) {
                wrong(r, place.text, "two schemes are named '%s'; rename one", scheme->name);
            }
        }
        scheme->mechanisms = text_of(r, place.text, one, "mechanisms", "");
        scheme->set = texts_of(r, place.text, one, "set", 0, &scheme->n_set);
        scheme->wrong_values = json_is_true(json_object_get(one, "wrong_values"));
        if (json_object_get(one, "best_of") != NULL) {
            read_best(r, place.text, one, scheme);
        }
        e->n_schemes++;
    }
}

/* ---- metrics ---- */

static const char *const mean_names[] = {"geometric", "arithmetic", "harmonic", "weighted"};

static void read_metric(struct reader *r, const char *pointer, const json_t *one,
                        struct metric *metric)
{
    check_keys(r, pointer, one, "name title of over_baseline mean weight where scale digits");
    if (r->failed) {
        return;
    }
    const char *mean = text_of(r, pointer, one, "mean", "geometric");
    metric->name = text_of(r, pointer, one, "name", NULL);
    metric->title = text_of(r, pointer, one, "title", metric->name);
    metric->of = expression_of(r, pointer, one, "of");
    metric->over_baseline = json_is_true(json_object_get(one, "over_baseline"));
    metric->scale = number_of(r, pointer, one, "scale", 1);
    metric->digits = (int)number_of(r, pointer, one, "digits", 2);
    metric->mean = MEAN_GEOMETRIC;
    while ((size_t)metric->mean < 4 && strcmp(mean_names[metric->mean], mean) != 0) {
        metric->mean++;
    }
    if ((size_t)metric->mean == 4) {
        wrong(r, below(pointer, "mean").text,
              "no mean is called '%s'; there is geometric, arithmetic, harmonic, weighted", mean);
    }
    if (metric->digits < 0 || metric->digits > 9) {
        wrong(r, below(pointer, "digits").text, "'digits' must be 0 to 9");
    }
    if (metric->mean == MEAN_WEIGHTED) {
        metric->weight = expression_of(r, pointer, one, "weight");
    }
    if (json_object_get(one, "where") != NULL) {
        metric->where = expression_of(r, pointer, one, "where");
    }
}

static void add_metrics(struct reader *r, const char *pointer, const json_t *list,
                        bool may_include);

/* A text among the metrics: a file of more of them, beside this one. */
static void include_metrics(struct reader *r, const char *pointer, const char *name)
{
    struct json_file *outer = r->file, file;
    char path[PATH_MAX], error[512];
    const char *slash = strrchr(outer->path, '/');
    snprintf(path, sizeof path, "%.*s%s", slash != NULL ? (int)(slash - outer->path + 1) : 0,
             outer->path, name);
    if (json_file_open(&file, path, error, sizeof error) != 0) {
        wrong(r, pointer, "%s", error);
        return;
    }
    r->file = &file;
    if (json_is_array(file.root)) {
        add_metrics(r, "", file.root, false);
    } else {
        wrong(r, "", "this must be a list of metrics");
    }
    r->file = outer;
    json_file_close(&file);
}

static void add_metrics(struct reader *r, const char *pointer, const json_t *list, bool may_include)
{
    struct experiment *e = r->experiment;
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        const struct place place = at_index(pointer, i);
        if (json_is_string(one) && may_include) {
            include_metrics(r, place.text, json_string_value(one));
            continue;
        }
        struct metric *more = keep(r, (e->n_metrics + 1) * sizeof *more);
        if (e->n_metrics > 0) {
            memcpy(more, e->metrics, e->n_metrics * sizeof *more);
        }
        e->metrics = more;
        read_metric(r, place.text, one, &more[e->n_metrics]);
        if (r->failed) {
            return;
        }
        e->n_metrics++;
    }
}

/* ---- what the document says ---- */

static enum claim_bound bound_of(struct reader *r, const char *pointer, const json_t *one)
{
    const char *bound = text_of(r, pointer, one, "bound", "");
    if (*bound == '\0') {
        return BOUND_NONE;
    }
    if (strcmp(bound, "below") != 0 && strcmp(bound, "above") != 0) {
        wrong(r, below(pointer, "bound").text,
              "'bound' is below or above; leave it out for a value");
    }
    return *bound == 'b' ? BOUND_BELOW : BOUND_ABOVE;
}

static void read_claims(struct reader *r, const json_t *root)
{
    struct experiment *e = r->experiment;
    const json_t *list = array_of(r, "", root, "claims", 0), *one;
    size_t i;
    e->claims = keep(r, (json_array_size(list) + 1) * sizeof *e->claims);
    json_array_foreach(list, i, one)
    {
        const struct place place = at_index("/claims", i);
        struct claim *claim = &e->claims[i];
        check_keys(r, place.text, one, "metric scheme over value bound tolerance section");
        if (r->failed) {
            return;
        }
        const char *over = text_of(r, place.text, one, "over", "");
        claim->metric = metric_named(r, below(place.text, "metric").text,
                                     text_of(r, place.text, one, "metric", NULL));
        claim->scheme = scheme_named(r, below(place.text, "scheme").text,
                                     text_of(r, place.text, one, "scheme", NULL));
        claim->over = *over != '\0' ? scheme_named(r, below(place.text, "over").text, over)
                                    : e->n_schemes;
        claim->value = number_of(r, place.text, one, "value", 0);
        claim->bound = bound_of(r, place.text, one);
        claim->tolerance = number_of(r, place.text, one, "tolerance", .15);
        claim->section = text_of(r, place.text, one, "section", "");
        if (!(claim->value > 0) || !(claim->tolerance > 0)) {
            wrong(r, place.text, "'value' and 'tolerance' must be above 0");
        }
        e->n_claims++;
    }
}

static void read_causes(struct reader *r, const json_t *root)
{
    struct experiment *e = r->experiment;
    const json_t *list = array_of(r, "", root, "causes", 0), *one;
    size_t i;
    e->causes = keep(r, (json_array_size(list) + 1) * sizeof *e->causes);
    json_array_foreach(list, i, one)
    {
        const struct place place = at_index("/causes", i);
        check_keys(r, place.text, one, "text run");
        if (r->failed) {
            return;
        }
        e->causes[i] = (struct cause){text_of(r, place.text, one, "text", NULL),
                                      text_of(r, place.text, one, "run", NULL)};
        e->n_causes++;
    }
}

/* ---- the whole ---- */

static void read_root(struct reader *r, const json_t *root)
{
    struct experiment *e = r->experiment;
    check_keys(r, "", root,
               "title document source note machine size workloads schemes baseline metrics claims "
               "causes");
    if (r->failed) {
        return;
    }
    e->title = text_of(r, "", root, "title", NULL);
    e->document = text_of(r, "", root, "document", "");
    e->source = text_of(r, "", root, "source", "");
    e->note = text_of(r, "", root, "note", "");
    e->machine = text_of(r, "", root, "machine", NULL);
    e->size = text_of(r, "", root, "size", "small");
    e->workloads = texts_of(r, "", root, "workloads", 1, &e->n_workloads);
    add_metrics(r, "/metrics", array_of(r, "", root, "metrics", 1), true);
    if (!r->failed) {
        read_schemes(r, root);
    }
    if (!r->failed) {
        const char *baseline = text_of(r, "", root, "baseline", e->schemes[0].name);
        e->baseline = scheme_named(r, "/baseline", baseline);
        read_claims(r, root);
        read_causes(r, root);
    }
}

static const char *base_name(struct reader *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = keep(r, strlen(path) + 1);
    strcpy(name, slash != NULL ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
    return name;
}

struct experiment *experiment_read(const char *path, char *error, size_t n_error)
{
    struct json_file file;
    if (json_file_open(&file, path, error, n_error) != 0) {
        return NULL;
    }
    struct experiment *experiment = calloc(1, sizeof *experiment);
    if (experiment == NULL) {
        abort(); /* as in keep() */
    }
    struct reader r = {experiment, &file, error, n_error, false};
    experiment->name = base_name(&r, path);
    read_root(&r, file.root);
    json_file_close(&file);
    if (r.failed) {
        experiment_free(experiment);
        return NULL;
    }
    return experiment;
}

void experiment_free(struct experiment *experiment)
{
    while (experiment != NULL && experiment->storage != NULL) {
        struct kept *kept = experiment->storage;
        experiment->storage = kept->next;
        expression_free(kept->expression);
        free(kept);
    }
    free(experiment);
}

struct experiment_row experiment_row(const struct experiment *experiment, size_t workload)
{
    const char *row = experiment->workloads[workload], *colon = strchr(row, ':');
    struct experiment_row of = {.size = colon != NULL ? colon + 1 : experiment->size};
    snprintf(of.workload, sizeof of.workload, "%.*s", (int)strcspn(row, ":"), row);
    return of;
}
