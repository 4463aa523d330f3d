/* scoreboard.c - see scoreboard.h.
 *
 * Everything is kept as the JSON that `--json` prints; the page is made from that. */
#include "experiments/scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/judged.h"
#include "experiments/parameters.h"

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

/* Has the claim a cause that no run contradicts? */
static bool has_cause(const struct experiment *e, const struct claim *claim,
                      const struct results *settings, size_t n_settings)
{
    char words[512];
    for (size_t c = 0; c < e->n_causes; c++) {
        const struct cause *cause = &e->causes[c];
        bool holds = cause->n_of == 0;
        for (size_t m = 0; m < cause->n_of; m++) {
            holds |= cause->of[m] == claim->metric;
        }
        for (size_t f = 0; f < cause->n_figures && holds; f++) {
            holds = !results_contradict(settings, n_settings, &cause->figures[f], words,
                                        sizeof words);
        }
        if (holds) {
            return true;
        }
    }
    return false;
}

static json_t *claim_json(const struct experiment *e, const struct claim *claim,
                          const struct judged *judged, bool caused)
{
    const struct metric *metric = &e->metrics[claim->metric];
    char setting[512] = "";
    if (e->parameters.n_settings > 1) {
        parameters_describe(&e->parameters, claim->setting, setting, sizeof setting);
    }
    static const char *const bounds[] = {"value", "below", "above"};
    return json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s, s:s, s:f, s:o, s:s, s:b, s:i, s:i, s:s, s:i, s:b, s:s}",
        "metric", metric->name, "scheme", e->schemes[claim->scheme].name, "over",
        claim_is_ratio(e, claim) ? e->schemes[claim_base(e, claim)].name : NULL, "workload",
        claim->workload < e->n_workloads ? e->workloads[claim->workload] : NULL, "setting", setting,
        "bound", bounds[claim->bound], "document", claim->value, "here",
        judged->kind == JUDGED_OPEN ? json_null() : json_real(judged->ours), "kind",
        judged_names[judged->kind], "directed", judged->directed, "pairs", judged->n_pairs,
        "in_order", judged->n_in_order, "section", claim->section, "digits", claim_digits(e, claim),
        "caused", caused, "again", claim->again);
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
    struct judged *judged = calloc(e->n_claims + 1, sizeof *judged);
    if (judged != NULL) {
        judge_claims(e, settings, n_settings, SCOREBOARD_PERCENT, judged);
    }
    for (size_t c = 0; c < e->n_claims && judged != NULL; c++) {
        const bool differs = judged[c].kind != JUDGED_VALUE && judged[c].kind != JUDGED_OPEN;
        const bool caused = differs && has_cause(e, &e->claims[c], settings, n_settings);
        json_array_append_new(claims, claim_json(e, &e->claims[c], &judged[c], caused));
    }
    free(judged);
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

/* What is counted beside the kinds: claims that can be in direction, and of which ours is; those that
 * stand in an order, and the sum of the shares of each; those not in value that have a cause. */
static const char DIRECTED[] = "directed", ALONG[] = "along", ORDERED[] = "ordered",
                  IN_ORDER[] = "in_order", CAUSED[] = "caused";

static double number_of(const json_t *counts, const char *name)
{
    return json_number_value(json_object_get(counts, name));
}

static void count(json_t *counts, const char *name, double number)
{
    json_object_set_new(counts, name, json_real(number_of(counts, name) + number));
}

/* A value that the document prints once counts once, however many experiments look at it. */
static void count_claim(json_t *counts, const json_t *claim)
{
    const char *kind = text_of(claim, "kind");
    const double pairs = number_of(claim, "pairs");
    if (*text_of(claim, "again") != '\0') {
        return;
    }
    count(counts, kind, 1);
    if (strcmp(kind, judged_names[JUDGED_OPEN]) == 0) {
        return;
    }
    count(counts, CAUSED, json_is_true(json_object_get(claim, "caused")));
    if (json_is_true(json_object_get(claim, "directed"))) {
        count(counts, DIRECTED, 1);
        count(counts, ALONG,
              strcmp(kind, judged_names[JUDGED_VALUE]) == 0 ||
                  strcmp(kind, judged_names[JUDGED_DIRECTION]) == 0);
    }
    if (pairs > 0) {
        count(counts, ORDERED, 1);
        count(counts, IN_ORDER, number_of(claim, "in_order") / pairs);
    }
}

static json_t *no_counts(void)
{
    json_t *counts = json_object();
    for (size_t k = 0; k < N_JUDGED_KINDS; k++) {
        json_object_set_new(counts, judged_names[k], json_real(0));
    }
    return counts;
}

/* {document: counts}, in the order in which documents were met. */
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
            count_claim(json_object_get(documents, document), claim);
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

static void print_percent(double part, double of, FILE *out)
{
    if (of > 0) {
        fprintf(out, " %.0f %% |", 100 * part / of);
    } else {
        fputs(" - |", out);
    }
}

static void print_share(const json_t *counts, const char *name, FILE *out)
{
    double judged = 0;
    fprintf(out, "| %s |", name);
    for (size_t k = 0; k < N_JUDGED_KINDS; k++) {
        fprintf(out, " %.0f |", number_of(counts, judged_names[k]));
        judged += k != JUDGED_OPEN ? number_of(counts, judged_names[k]) : 0;
    }
    print_percent(number_of(counts, judged_names[JUDGED_VALUE]) +
                      number_of(counts, judged_names[JUDGED_NEAR]),
                  judged, out);
    print_percent(number_of(counts, ALONG), number_of(counts, DIRECTED), out);
    print_percent(number_of(counts, IN_ORDER), number_of(counts, ORDERED), out);
    const double differ = judged - number_of(counts, judged_names[JUDGED_VALUE]);
    fprintf(out, " %.0f | %.0f |\n", number_of(counts, CAUSED), differ - number_of(counts, CAUSED));
}

static void print_counts(const struct scoreboard *board, FILE *out)
{
    json_t *documents = counted(board), *all = no_counts(), *counts, *number;
    const char *name, *key;
    fprintf(out,
            "| document | in value | near | in direction | neither | not run | within %d %% | "
            "direction | order | cause shown | missing "
            "|\n|---|---|---|---|---|---|---|---|---|---|---|\n",
            SCOREBOARD_PERCENT);
    json_object_foreach(documents, name, counts)
    {
        json_object_foreach(counts, key, number)
        {
            count(all, key, json_number_value(number));
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
    const double pairs = number_of(claim, "pairs");
    if (pairs > 0) {
        fprintf(out, "| %.0f of %.0f ", number_of(claim, "in_order"), pairs);
    } else {
        fputs("| - ", out);
    }
    const char *kind = text_of(claim, "kind"), *again = text_of(claim, "again");
    fprintf(out, "| %s%s%s%s |\n", strcmp(kind, "open") == 0 ? "not run" : kind,
            *again != '\0' ? " (counts in `" : "", again, *again != '\0' ? "`)" : "");
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
    fputs("\n| section | what | document | ours | off by | order | reproduced "
          "|\n|---|---|---|---|---|---|---|\n",
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
    fprintf(
        out,
        "# What the documents print, and what comes out here\n\n"
        "In value: within %d %%, a ratio besides on the same side of 1.00 as printed or within 3 %%, "
        "or on its side of a bound.\nNear: within %d %%, a ratio on another side. In direction: "
        "only on the same side. Within %d %% are the first two of\nthose that ran; direction is "
        "of ratios and bounds; order is the share of pairs of a figure's values, more than %d "
        "%%\napart in the document, that stand as there, a mean over values. Of those not in value "
        "the last columns count which\nhave a cause that a command shows and no run contradicts. "
        "A value that is printed once and looked at again under\nother conditions counts where the "
        "conditions are the document's. "
        "Made by `warplock scoreboard` from the runs in\na database; `warplock sweep NAME` runs an "
        "experiment's points.\n\n",
        SCOREBOARD_PERCENT, SCOREBOARD_PERCENT, SCOREBOARD_PERCENT, JUDGED_APART_PERCENT);
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
