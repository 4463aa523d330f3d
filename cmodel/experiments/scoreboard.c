/* scoreboard.c - see scoreboard.h.
 *
 * Everything is kept as the JSON that `--json` prints; the page is made from that. */
#include "experiments/scoreboard.h"

#include <math.h>
#include <string.h>

#include "experiments/parameters.h"

static const char *const KINDS[] = {"value", "direction", "neither", "open"};
enum { KIND_VALUE, KIND_DIRECTION, KIND_NEITHER, KIND_OPEN, N_KINDS };

bool scoreboard_begin(struct scoreboard *board)
{
    board->experiments = json_array();
    return board->experiments != NULL;
}

void scoreboard_end(struct scoreboard *board)
{
    json_decref(board->experiments);
}

/* ---- taking an experiment ---- */

static size_t kind_of(const struct results *results, const struct claim *claim, double *ours)
{
    /* the claim's own tolerance is another question than this page's */
    struct claim wide = *claim;
    wide.tolerance = SCOREBOARD_PERCENT / 100.;
    switch (results_claim(results, &wide, ours)) {
    case CLAIM_AGREES: return KIND_VALUE;
    case CLAIM_DIRECTION: return KIND_DIRECTION;
    case CLAIM_DIFFERS: return KIND_NEITHER;
    default: return KIND_OPEN;
    }
}

static json_t *claim_json(const struct experiment *e, const struct claim *claim,
                          const struct results *settings, size_t n_settings)
{
    const struct metric *metric = &e->metrics[claim->metric];
    const bool ratio = claim_is_ratio(e, claim);
    const size_t base = claim_base(e, claim);
    double ours = NAN;
    size_t kind = KIND_OPEN;
    char setting[512] = "";
    if (claim->setting < n_settings) {
        kind = kind_of(&settings[claim->setting], claim, &ours);
    }
    if (e->parameters.n_settings > 1) {
        parameters_describe(&e->parameters, claim->setting, setting, sizeof setting);
    }
    static const char *const bounds[] = {"value", "below", "above"};
    return json_pack("{s:s, s:s, s:s?, s:s?, s:s, s:s, s:f, s:o, s:s, s:s, s:i}", "metric",
                     metric->name, "scheme", e->schemes[claim->scheme].name, "over",
                     ratio ? e->schemes[base].name : NULL, "workload",
                     claim->workload < e->n_workloads ? e->workloads[claim->workload] : NULL,
                     "setting", setting, "bound", bounds[claim->bound], "document", claim->value,
                     "here", kind == KIND_OPEN ? json_null() : json_real(ours), "kind", KINDS[kind],
                     "section", claim->section, "digits", metric->digits);
}

/* With what the runs say otherwise. */
static json_t *cause_json(const struct cause *cause, const struct results *settings,
                          size_t n_settings)
{
    json_t *not_so = json_array();
    char words[512];
    for (size_t f = 0; f < cause->n_figures && settings != NULL; f++) {
        if (results_contradict(settings, n_settings, &cause->figures[f], words, sizeof words)) {
            json_array_append_new(not_so, json_string(words));
        }
    }
    return json_pack("{s:s, s:s, s:o}", "text", cause->text, "run", cause->run, "not_so", not_so);
}

void scoreboard_add(struct scoreboard *board, const struct experiment *e,
                    const struct results *settings, size_t n_settings, const char *swept)
{
    json_t *claims = json_array(), *causes = json_array();
    for (size_t c = 0; c < e->n_claims; c++) {
        json_array_append_new(
            claims, claim_json(e, &e->claims[c], settings, settings != NULL ? n_settings : 0));
    }
    for (size_t c = 0; c < e->n_causes; c++) {
        json_array_append_new(causes, cause_json(&e->causes[c], settings, n_settings));
    }
    const char *size = settings != NULL && settings->size != NULL ? settings->size : "";
    json_array_append_new(board->experiments,
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "name",
                                    e->name, "title", e->title, "document", e->document, "source",
                                    e->source, "note", e->note, "machine", e->machine, "size", size,
                                    "swept", swept, "claims", claims, "causes", causes));
}

/* ---- counts ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static void count(json_t *counts, const char *kind)
{
    json_object_set_new(counts, kind,
                        json_integer(json_integer_value(json_object_get(counts, kind)) + 1));
}

static json_t *no_counts(void)
{
    json_t *counts = json_object();
    for (size_t k = 0; k < N_KINDS; k++) {
        json_object_set_new(counts, KINDS[k], json_integer(0));
    }
    return counts;
}

/* {document: {kind: claims}}, in the order in which documents were met. */
static json_t *counted(const struct scoreboard *board)
{
    json_t *documents = json_object(), *one, *claim;
    size_t i, c;
    json_array_foreach(board->experiments, i, one)
    {
        const char *document = text_of(one, "document");
        if (json_object_get(documents, document) == NULL) {
            json_object_set_new(documents, document, no_counts());
        }
        json_array_foreach(json_object_get(one, "claims"), c, claim)
        {
            count(json_object_get(documents, document), text_of(claim, "kind"));
        }
    }
    return documents;
}

json_t *scoreboard_json(const struct scoreboard *board)
{
    return json_pack("{s:i, s:o, s:O}", "percent", SCOREBOARD_PERCENT, "documents", counted(board),
                     "experiments", board->experiments);
}

/* ---- the page ---- */

static long long number_of(const json_t *counts, size_t kind)
{
    return json_integer_value(json_object_get(counts, KINDS[kind]));
}

static void print_share(const json_t *counts, const char *name, FILE *out)
{
    const long long value = number_of(counts, KIND_VALUE);
    const long long direction = number_of(counts, KIND_DIRECTION);
    const long long neither = number_of(counts, KIND_NEITHER);
    const long long judged = value + direction + neither;
    fprintf(out, "| %s | %lld | %lld | %lld | %lld | ", name, value, direction, neither,
            number_of(counts, KIND_OPEN));
    if (judged > 0) {
        fprintf(out, "%.0f %% | %.0f %% |\n", 100. * (double)value / (double)judged,
                100. * (double)(value + direction) / (double)judged);
    } else {
        fputs("- | - |\n", out);
    }
}

static void print_counts(const struct scoreboard *board, FILE *out)
{
    json_t *documents = counted(board), *all = no_counts(), *counts;
    const char *name;
    fputs("| document | in value | in direction | neither | not run | value | value or direction "
          "|\n|---|---|---|---|---|---|---|\n",
          out);
    json_object_foreach(documents, name, counts)
    {
        for (size_t k = 0; k < N_KINDS; k++) {
            json_object_set_new(all, KINDS[k],
                                json_integer(number_of(all, k) + number_of(counts, k)));
        }
        print_share(counts, name, out);
    }
    print_share(all, "**all**", out);
    json_decref(documents);
    json_decref(all);
}

static void print_claim(const json_t *claim, FILE *out)
{
    const int digits = (int)json_integer_value(json_object_get(claim, "digits"));
    const double document = json_number_value(json_object_get(claim, "document"));
    const json_t *here = json_object_get(claim, "here");
    const char *over = text_of(claim, "over"), *bound = text_of(claim, "bound");
    const char *setting = text_of(claim, "setting"), *workload = text_of(claim, "workload");
    const bool bounded = strcmp(bound, "value") != 0;
    fprintf(out, "| %s | %s of %s%s%s%s%s%s%s | %s%s%.*f ", text_of(claim, "section"),
            text_of(claim, "metric"), text_of(claim, "scheme"), *over != '\0' ? " over " : "", over,
            *workload != '\0' ? ", " : "", workload, *setting != '\0' ? ", " : "", setting,
            bounded ? bound : "", bounded ? " " : "", digits, document);
    if (json_is_null(here)) {
        fputs("| - | - ", out);
    } else {
        const double ours = json_number_value(here);
        fprintf(out, "| %.*f ", digits, ours);
        if (bounded) {
            fputs("| - ", out);
        } else {
            fprintf(out, "| %+.0f %% ", 100 * (ours / document - 1));
        }
    }
    fprintf(out, "| %s |\n",
            strcmp(text_of(claim, "kind"), "open") == 0 ? "not run" : text_of(claim, "kind"));
}

static bool all_in_value(const json_t *claims)
{
    const json_t *claim;
    size_t c;
    json_array_foreach(claims, c, claim)
    {
        if (strcmp(text_of(claim, "kind"), "value") != 0) {
            return false;
        }
    }
    return true;
}

static void print_experiment(const json_t *one, FILE *out)
{
    const json_t *claims = json_object_get(one, "claims"), *row, *words;
    size_t i, f;
    fprintf(out, "\n### %s\n\n`%s`, machine `%s`%s%s. %s\n", text_of(one, "title"),
            text_of(one, "name"), text_of(one, "machine"),
            *text_of(one, "size") != '\0' ? ", all at size " : "", text_of(one, "size"),
            text_of(one, "source"));
    if (*text_of(one, "swept") != '\0') {
        fprintf(out, "Run %s.\n", text_of(one, "swept"));
    }
    if (*text_of(one, "note") != '\0') {
        fprintf(out, "%s\n", text_of(one, "note"));
    }
    fputs("\n| section | what | document | ours | off by | reproduced |\n|---|---|---|---|---|---|"
          "\n",
          out);
    json_array_foreach(claims, i, row)
    {
        print_claim(row, out);
    }
    if (all_in_value(claims)) {
        return;
    }
    json_array_foreach(json_object_get(one, "causes"), i, row)
    {
        fprintf(out, "\n%s `%s`\n", text_of(row, "text"), text_of(row, "run"));
        json_array_foreach(json_object_get(row, "not_so"), f, words)
        {
            fprintf(out, "Not so: %s\n", json_string_value(words));
        }
    }
}

void scoreboard_print(const struct scoreboard *board, FILE *out)
{
    const char *document = "";
    const json_t *one;
    size_t i;
    fprintf(out,
            "# What the documents print, and what comes out here\n\n"
            "In value: within %d %%, or on its side of a bound. In direction: a ratio on the same "
            "side of 1. Made by\n`warplock scoreboard` from the runs in a database; `warplock "
            "sweep NAME` runs an experiment's points.\n\n",
            SCOREBOARD_PERCENT);
    print_counts(board, out);
    json_array_foreach(board->experiments, i, one)
    {
        if (json_array_size(json_object_get(one, "claims")) == 0) {
            continue;
        }
        if (strcmp(document, text_of(one, "document")) != 0) {
            document = text_of(one, "document");
            fprintf(out, "\n## %s\n", document);
        }
        print_experiment(one, out);
    }
}
