/* experiment_claims.c - what a document says of an experiment, why ours differs, and which figures
 * show it: the members "claims", "joint", "causes" and "plots" of its file. */
#include <string.h>

#include "experiments/experiment_read.h"

/* ---- what the document says ---- */

static enum claim_bound bound_of(struct reader *r, const char *pointer, const json_t *one)
{
    const char *bound = reader_text(r, pointer, one, "bound", "");
    if (*bound == '\0') {
        return BOUND_NONE;
    }
    if (strcmp(bound, "below") != 0 && strcmp(bound, "above") != 0) {
        reader_wrong(r, place_below(pointer, "bound").text,
                     "'bound' is below or above; leave it out for a value");
    }
    return *bound == 'b' ? BOUND_BELOW : BOUND_ABOVE;
}

/* The one setting at which all values that "at" names hold. */
static size_t setting_at(struct reader *r, const struct experiment *e, const char *pointer,
                         const json_t *one)
{
    const struct place place = place_below(pointer, "at");
    const json_t *at = json_object_get(one, "at"), *value;
    const char *name;
    size_t found = 0, n = 0;
    if (e->parameters.n_settings == 1 && at == NULL) {
        return 0;
    }
    if (at != NULL && !json_is_object(at)) {
        reader_wrong(r, place.text, "'at' must be an object: a value for each parameter");
    }
    json_object_foreach((json_t *)at, name, value)
    {
        if (parameters_find(&e->parameters, name, strlen(name)) == e->parameters.n) {
            reader_wrong(r, place.text, "there is no parameter '%.60s'; name one of 'parameters'",
                         name);
        }
    }
    for (size_t s = 0; s < e->parameters.n_settings && !r->failed && n < 2; s++) {
        json_t *values = parameters_json(&e->parameters, s);
        bool same = true;
        json_object_foreach((json_t *)at, name, value)
        {
            const json_t *is = json_object_get(values, name);
            same &= json_is_number(value) ? json_number_value(value) == json_number_value(is)
                                          : json_equal((json_t *)value, (json_t *)is) == 1;
        }
        json_decref(values);
        found = same ? s : found;
        n += same;
    }
    if (!r->failed && n != 1) {
        reader_wrong(r, place.text, "'at' must name one setting of the sweep, and %s",
                     n == 0 ? "no setting has these values" : "several have these values");
    }
    return found;
}

/* The row of "workload", without or with its size; n_workloads where it is not named. */
static size_t row_of(struct reader *r, const struct experiment *e, const char *pointer,
                     const json_t *one)
{
    const char *name = reader_text(r, pointer, one, "workload", "");
    return *name == '\0' ? e->n_workloads
                         : row_named(r, e, place_below(pointer, "workload").text, name);
}

/* One claim; of `joint` ones there is no "at". */
static void read_claim(struct reader *r, struct experiment *e, const char *pointer,
                       const json_t *one, bool joint, struct claim *claim)
{
    reader_keys(
        r, pointer, one,
        joint
            ? "metric scheme over workload value bound tolerance tolerance_reason section"
            : "metric scheme over workload at value bound tolerance tolerance_reason section again "
              "words");
    if (r->failed) {
        return;
    }
    const char *over = reader_text(r, pointer, one, "over", "");
    claim->metric = metric_named(r, e, place_below(pointer, "metric").text,
                                 reader_text(r, pointer, one, "metric", NULL));
    claim->scheme = scheme_named(r, e, place_below(pointer, "scheme").text,
                                 reader_text(r, pointer, one, "scheme", NULL));
    claim->over = *over != '\0' ? scheme_named(r, e, place_below(pointer, "over").text, over)
                                : e->n_schemes;
    claim->workload = row_of(r, e, pointer, one);
    claim->value = reader_number(r, pointer, one, "value", 0);
    claim->bound = bound_of(r, pointer, one);
    claim->setting = joint ? 0 : setting_at(r, e, pointer, one);
    claim->tolerance = reader_number(r, pointer, one, "tolerance", .1);
    claim->tolerance_reason = reader_text(r, pointer, one, "tolerance_reason", "");
    claim->section = reader_text(r, pointer, one, "section", "");
    claim->again = reader_text(r, pointer, one, "again", "");
    claim->words = reader_flag(r, pointer, one, "words");
    if (!(claim->value > 0) || !(claim->tolerance > 0)) {
        reader_wrong(r, pointer, "'value' and 'tolerance' must be above 0");
    } else if (claim->tolerance > .1 && *claim->tolerance_reason == '\0') {
        reader_wrong(r, place_below(pointer, "tolerance").text,
                     "a tolerance above 0.1 needs a 'tolerance_reason'");
    }
}

/* The claims in the array `key` of `object` at `pointer`, *n of them. */
static struct claim *claims_in(struct reader *r, struct experiment *e, const char *pointer,
                               const json_t *object, const char *key, bool joint, size_t *n)
{
    const json_t *list = reader_array(r, pointer, object, key, 0), *one;
    struct claim *claims = reader_keep(r, (json_array_size(list) + 1) * sizeof *claims);
    size_t i;
    *n = 0;
    json_array_foreach(list, i, one)
    {
        read_claim(r, e, place_at(place_below(pointer, key).text, i).text, one, joint, &claims[i]);
        if (r->failed) {
            break;
        }
        ++*n;
    }
    return claims;
}

void read_claims(struct reader *r, struct experiment *e, const json_t *root)
{
    e->claims = claims_in(r, e, "", root, "claims", false, &e->n_claims);
    e->joint = claims_in(r, e, "", root, "joint", true, &e->n_joint);
}

/* The metrics that a cause at `pointer` is of. */
static void read_of(struct reader *r, const struct experiment *e, const char *pointer,
                    const json_t *one, struct cause *cause)
{
    const char **names = reader_texts(r, pointer, one, "of", 0, &cause->n_of);
    cause->of = reader_keep(r, (cause->n_of + 1) * sizeof *cause->of);
    for (size_t m = 0; m < cause->n_of && !r->failed; m++) {
        cause->of[m] = metric_named(r, e, place_at(place_below(pointer, "of").text, m).text,
                                    names[m]);
    }
}

static void add_cause(struct reader *r, void *self, const char *pointer, const json_t *one)
{
    struct experiment *e = self;
    reader_keys(r, pointer, one, "text run of figures");
    if (r->failed) {
        return;
    }
    e->causes = reader_one_more(r, e->causes, e->n_causes, sizeof *e->causes);
    struct cause *cause = &e->causes[e->n_causes++];
    cause->text = reader_text(r, pointer, one, "text", NULL);
    cause->run = reader_text(r, pointer, one, "run", NULL);
    read_of(r, e, pointer, one, cause);
    cause->figures = claims_in(r, e, pointer, one, "figures", false, &cause->n_figures);
}

/* What causes say changes nothing of a run: no digest. */
void read_causes(struct reader *r, struct experiment *e, const json_t *root)
{
    reader_items(r, "/causes", reader_array(r, "", root, "causes", 0), "causes", false, add_cause,
                 e);
}

/* ---- figures ---- */

static size_t swept(struct reader *r, const struct experiment *e, const char *pointer,
                    const json_t *one, const char *key)
{
    const char *name = reader_text(r, pointer, one, key, NULL);
    const size_t p = parameters_find(&e->parameters, name, strlen(name));
    if (!r->failed && p == e->parameters.n) {
        reader_wrong(r, place_below(pointer, key).text,
                     "there is no parameter '%.60s'; name one of 'parameters'", name);
    }
    return p;
}

static void read_plot(struct reader *r, struct experiment *e, const char *pointer,
                      const json_t *one, struct plot *plot)
{
    static const char *const kinds[] = {"bars", "lines", "slots", "misses", "heat"};
    reader_keys(r, pointer, one, "kind title metric x y scheme");
    const char *kind = r->failed ? "" : reader_text(r, pointer, one, "kind", NULL);
    while (plot->kind < sizeof kinds / sizeof *kinds && strcmp(kinds[plot->kind], kind) != 0) {
        plot->kind++;
    }
    if (plot->kind == sizeof kinds / sizeof *kinds) {
        reader_wrong(r, place_below(pointer, "kind").text,
                     "no plot is called '%.60s'; there is bars, lines, slots, misses, heat", kind);
        return;
    }
    plot->title = reader_text(r, pointer, one, "title", "");
    plot->scheme = e->baseline;
    if (plot->kind == PLOT_SLOTS || plot->kind == PLOT_MISSES) {
        return;
    }
    plot->metric = metric_named(r, e, place_below(pointer, "metric").text,
                                reader_text(r, pointer, one, "metric", NULL));
    if (plot->kind != PLOT_BARS) {
        plot->x = swept(r, e, pointer, one, "x");
    }
    if (plot->kind == PLOT_HEAT) {
        plot->y = swept(r, e, pointer, one, "y");
        plot->scheme = scheme_named(r, e, place_below(pointer, "scheme").text,
                                    reader_text(r, pointer, one, "scheme", NULL));
    }
}

void read_plots(struct reader *r, struct experiment *e, const json_t *root)
{
    const json_t *list = reader_array(r, "", root, "plots", 0), *one;
    size_t i;
    e->plots = reader_keep(r, (json_array_size(list) + 1) * sizeof *e->plots);
    json_array_foreach(list, i, one)
    {
        read_plot(r, e, place_at("/plots", i).text, one, &e->plots[i]);
        if (r->failed) {
            return;
        }
        e->n_plots++;
    }
}
