/* scoreboard.c - see scoreboard.h.  Shows nothing: that is scoreboard_print.c.
 *
 * Everything is kept as the JSON that `--json` prints. */
#include "experiments/scoreboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/json_values.h"
#include "experiments/judged.h"

bool scoreboard_begin(struct scoreboard *board, const struct earlier *earlier)
{
    *board = (struct scoreboard){.experiments = json_array(), .earlier = earlier};
    return board->experiments != NULL;
}

void scoreboard_end(struct scoreboard *board)
{
    json_decref(board->experiments);
}

/* ---- taking an experiment ---- */

/* What is known of an experiment: its runs, NULL if there are none, and what an earlier page says of
 * it, NULL likewise. */
struct known {
    const struct experiment *experiment;
    const struct results *settings;
    size_t n_settings;
    const json_t *earlier;
};

/* Each claim's figure, of the runs if they are there. */
static void figures(const struct known *known, double *ours, bool *is_earlier)
{
    const struct experiment *e = known->experiment;
    *is_earlier = false;
    for (size_t c = 0; c < e->n_claims; c++) {
        const struct claim *claim = &e->claims[c];
        ours[c] = known->settings != NULL && claim->setting < known->n_settings
                      ? results_claimed(&known->settings[claim->setting], claim)
                      : NAN;
        if (isnan(ours[c]) && known->earlier != NULL) {
            ours[c] = earlier_value(known->earlier, e, claim);
            *is_earlier |= !isnan(ours[c]);
        }
    }
}

/* What of a cause the runs contradict, in words. */
static json_t *not_so_of(const struct known *known, const struct cause *cause)
{
    char words[512];
    if (known->settings == NULL) {
        return known->earlier != NULL ? earlier_not_so(known->earlier, cause) : json_array();
    }
    json_t *not_so = json_array();
    for (size_t f = 0; f < cause->n_figures; f++) {
        if (results_contradict(known->settings, known->n_settings, &cause->figures[f], words,
                               sizeof words)) {
            json_array_append_new(not_so, json_string(words));
        }
    }
    return not_so;
}

static json_t *causes_json(const struct known *known)
{
    json_t *causes = json_array();
    for (size_t c = 0; c < known->experiment->n_causes; c++) {
        const struct cause *cause = &known->experiment->causes[c];
        json_array_append_new(causes, json_pack("{s:s, s:s, s:o}", "text", cause->text, "run",
                                                cause->run, "not_so", not_so_of(known, cause)));
    }
    return causes;
}

/* Has the claim a cause that no run contradicts?  `causes`: causes_json. */
static bool has_cause(const struct experiment *e, const struct claim *claim, const json_t *causes)
{
    for (size_t c = 0; c < e->n_causes; c++) {
        const struct cause *cause = &e->causes[c];
        bool holds = cause->n_of == 0;
        for (size_t m = 0; m < cause->n_of; m++) {
            holds |= cause->of[m] == claim->metric;
        }
        if (holds && json_array_size(json_object_get(json_array_get(causes, c), "not_so")) == 0) {
            return true;
        }
    }
    return false;
}

static json_t *claim_json(const struct experiment *e, const struct claim *claim,
                          const struct judged *judged, bool caused)
{
    char setting[512];
    claim_setting(e, claim, setting, sizeof setting);
    static const char *const bounds[] = {"value", "below", "above"};
    return json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s, s:s, s:f, s:o, s:s, s:b, s:i, s:i, s:s, s:i, s:b, s:s, s:b}",
        "metric", e->metrics[claim->metric].name, "scheme", e->schemes[claim->scheme].name, "over",
        claim_is_ratio(e, claim) ? e->schemes[claim_base(e, claim)].name : NULL, "workload",
        claim->workload < e->n_workloads ? e->workloads[claim->workload] : NULL, "setting", setting,
        "bound", bounds[claim->bound], "document", claim->value, "here",
        judged->kind == JUDGED_OPEN ? json_null() : json_real(judged->ours), "kind",
        judged_names[judged->kind], "directed", judged->directed, "pairs", judged->n_pairs,
        "in_order", judged->n_in_order, "section", claim->section, "digits", claim_digits(e, claim),
        "caused", caused, "again", claim->again, "words", claim->words);
}

static json_t *claims_json(const struct known *known, const json_t *causes, bool *is_earlier)
{
    const struct experiment *e = known->experiment;
    json_t *claims = json_array();
    double *ours = calloc(e->n_claims + 1, sizeof *ours);
    struct judged *judged = calloc(e->n_claims + 1, sizeof *judged);
    if (ours != NULL && judged != NULL) {
        figures(known, ours, is_earlier);
        judge_claims(e, ours, SCOREBOARD_PERCENT, judged);
        for (size_t c = 0; c < e->n_claims; c++) {
            const bool differs = judged[c].kind != JUDGED_VALUE && judged[c].kind != JUDGED_OPEN;
            const bool caused = differs && has_cause(e, &e->claims[c], causes);
            json_array_append_new(claims, claim_json(e, &e->claims[c], &judged[c], caused));
        }
    }
    free(ours);
    free(judged);
    return claims;
}

/* When it was swept, and before that; what a page says that was kept of the same sweep is said once.  How
 * long is told of runs that are all there, or as that page tells it. */
static void tell_swept(json_t *one, const struct swept *swept, const json_t *before)
{
    char when[600];
    const char *earlier = text_of(before, "swept");
    const bool same = strncmp(earlier, swept->when, strlen(swept->when)) == 0;
    snprintf(when, sizeof when, "%s%s%s", same ? "" : swept->when,
             !same && *earlier != '\0' ? "; the rest " : "", earlier);
    json_object_set_new(one, "swept", json_string(when));
    if (swept->all) {
        json_object_set_new(one, "points", json_real(swept->points));
        json_object_set_new(one, "seconds", json_real(swept->seconds));
    } else if (json_object_get(before, "points") != NULL) {
        json_object_set(one, "points", json_object_get(before, "points"));
        json_object_set(one, "seconds", json_object_get(before, "seconds"));
    }
}

void scoreboard_add(struct scoreboard *board, const struct experiment *e,
                    const struct results *settings, size_t n_settings, const struct swept *swept)
{
    const struct known known = {e, settings, n_settings,
                                board->earlier != NULL ? earlier_of(board->earlier, e) : NULL};
    bool is_earlier = false;
    json_t *causes = causes_json(&known), *claims = claims_json(&known, causes, &is_earlier);
    const char *size = settings != NULL && settings->size != NULL ? settings->size : "";
    if (settings == NULL && is_earlier) {
        size = text_of(known.earlier, "size");
    }
    json_t *one = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "name", e->name,
                            "title", e->title, "document", e->document, "source", e->source, "note",
                            e->note, "machine", e->machine, "digest", e->digest, "size", size,
                            "claims", claims, "causes", causes);
    tell_swept(one, swept, is_earlier || settings == NULL ? known.earlier : NULL);
    json_array_append_new(board->experiments, one);
}

/* ---- counts ---- */

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
    count(counts, COUNT_CAUSED, json_is_true(json_object_get(claim, "caused")));
    if (json_is_true(json_object_get(claim, "directed"))) {
        count(counts, COUNT_DIRECTED, 1);
        count(counts, COUNT_ALONG,
              strcmp(kind, judged_names[JUDGED_VALUE]) == 0 ||
                  strcmp(kind, judged_names[JUDGED_DIRECTION]) == 0);
    }
    if (pairs > 0) {
        count(counts, COUNT_ORDERED, 1);
        count(counts, COUNT_IN_ORDER, number_of(claim, "in_order") / pairs);
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

/* {document: counts}, in the order in which documents were met; without what they say in words only. */
static json_t *counted(const struct scoreboard *board, bool numbers_only)
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
            if (!numbers_only || !json_is_true(json_object_get(claim, "words"))) {
                count_claim(json_object_get(documents, document), claim);
            }
        }
    }
    return documents;
}

json_t *scoreboard_json(const struct scoreboard *board)
{
    return json_pack("{s:i, s:o, s:o, s:O}", "percent", SCOREBOARD_PERCENT, "documents",
                     counted(board, false), "numbers", counted(board, true), "experiments",
                     board->experiments);
}
