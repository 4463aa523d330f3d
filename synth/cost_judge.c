/* cost_judge.c - evaluates a claim's expressions and compares. */
#include "synth/cost_judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "synth/cost_figures.h"

enum { DEFAULT_NODE_NM = 45 };

const char *const cost_class_words[COST_CLASSES] = {"measured", "recomputed",
                                                    "no hardware here yet", "cannot be checked"};
const char *const cost_verdict_words[COST_VERDICTS] = {"agrees", "DIFFERS", "CANNOT HOLD", ""};

void cost_outcome_words(const struct cost_outcome *o, char *out, size_t n_out)
{
    const char *verdict = cost_verdict_words[o->verdict];
    char tolerance[64] = "";
    const bool statement = strcmp(o->claim->text[CLAIM_UNIT], "holds") == 0;
    if (o->claim->has_value && !statement && o->verdict <= COST_DIFFERS) {
        const double percent = o->claim->tolerance_percent;
        snprintf(tolerance, sizeof tolerance, percent > 0 ? " (tolerance %g %%)" : " (exact)",
                 percent);
    }
    if (o->class == COST_MEASURED) {
        snprintf(out, n_out, "%s%s", verdict, tolerance);
    } else {
        /* Arithmetic that comes out is no agreement of anything but the document with itself. */
        const bool silent = o->verdict == COST_AGREES || o->verdict == COST_NONE;
        snprintf(out, n_out, "%s%s%s%s", cost_class_words[o->class], silent ? "" : ", ",
                 silent ? "" : verdict, tolerance);
    }
}

static void evaluate(struct cost_scope *scope, const char *expression, struct cost_figure *figure)
{
    const struct cost_names names = {scope, cost_name_figure, cost_unit_figure, cost_sram_functions,
                                     cost_number_figure};
    *figure = (struct cost_figure){.asked = expression[0] != '\0'};
    scope->hardware = false;
    if (figure->asked) {
        figure->known = cost_expr(expression, &names, &figure->value, figure->why,
                                  sizeof figure->why);
        figure->hardware = scope->hardware;
    }
}

static bool fits(const struct cost_claim *claim, double has)
{
    const double room = fabs(claim->value) * (claim->tolerance_percent / 100 + 1e-9);
    switch (claim->text[CLAIM_RELATION][0]) {
    case 'e': return fabs(has - claim->value) <= room;
    case 'l':
        return claim->text[CLAIM_RELATION][1] == 'e' ? has <= claim->value + room
                                                     : has < claim->value;
    default:
        return claim->text[CLAIM_RELATION][1] == 'e' ? has >= claim->value - room
                                                     : has > claim->value;
    }
}

/* Adds one figure's part to the words; false when it contradicts the claim. */
static bool compare(struct cost_outcome *o, const char *name, const struct cost_figure *figure)
{
    const struct cost_claim *claim = o->claim;
    if (!figure->known || fits(claim, figure->value)) {
        return true;
    }
    const size_t used = strlen(o->words);
    if (strcmp(claim->text[CLAIM_UNIT], "holds") == 0) {
        snprintf(o->words + used, sizeof o->words - used, "%s%s, it does not hold",
                 used > 0 ? "; " : "", name);
    } else if (claim->value != 0) {
        snprintf(o->words + used, sizeof o->words - used, "%s%s gives %.6g, %+.3g %% of the claim",
                 used > 0 ? "; " : "", name, figure->value,
                 100 * (figure->value / claim->value - 1));
    } else {
        snprintf(o->words + used, sizeof o->words - used, "%s%s gives %.6g, the claim %.6g",
                 used > 0 ? "; " : "", name, figure->value, claim->value);
    }
    return false;
}

static void decide(struct cost_outcome *o, const struct cost_figure *must)
{
    const struct cost_claim *claim = o->claim;
    o->verdict = COST_NONE;
    if (must->known && must->value == 0) {
        o->verdict = COST_CANNOT_HOLD;
        snprintf(o->words, sizeof o->words, "it needs %s, which is false", claim->text[CLAIM_MUST]);
    } else if (claim->has_value) {
        bool good = compare(o, "recomputed", &o->formula);
        good &= compare(o, "the port table", &o->table);
        good &= compare(o, "measured", &o->measured);
        if (o->formula.known || o->table.known || o->measured.known || must->known) {
            o->verdict = good ? COST_AGREES : COST_DIFFERS;
        }
    } else if (must->known) {
        o->verdict = COST_AGREES;
    }
}

/* What the verdict rests on; when there is none, why. */
static void classify(struct cost_outcome *o, const struct cost_figure *must)
{
    const struct cost_claim *claim = o->claim;
    const char *reason = claim->text[CLAIM_UNCHECKED];
    const struct cost_figure *all[] = {&o->formula, &o->table, &o->measured, must};
    bool hardware = false;
    for (size_t i = 0; i < 4; i++) {
        /* A condition that is false needs no other figure. */
        const bool counts = o->verdict != COST_CANNOT_HOLD || all[i] == must;
        hardware = hardware || (counts && all[i]->known && all[i]->hardware);
    }
    if (o->verdict != COST_NONE) {
        o->class = hardware ? COST_MEASURED : claim->pending ? COST_NO_HARDWARE : COST_RECOMPUTED;
        return;
    }
    o->class = claim->pending && reason[0] == '\0' ? COST_NO_HARDWARE : COST_UNCHECKED;
    for (size_t i = 0; reason[0] == '\0' && i < 4; i++) {
        reason = all[i]->why;
    }
    snprintf(o->words, sizeof o->words, "%s", reason);
}

/* What the other libraries measure, where it is not the same: a claim that states no node is about
 * no one library. */
static void look_elsewhere(const struct cost_scope *scope, struct cost_outcome *o)
{
    const struct cost_judge *judge = scope->judge;
    for (size_t i = 0; i < judge->n_others && o->measured.known && o->claim->node_nm == 0; i++) {
        struct cost_judge other = *judge;
        struct cost_scope there = *scope;
        struct cost_figure figure;
        other.library = judge->others[i];
        there.judge = &other;
        there.parts = NULL;
        evaluate(&there, o->claim->text[CLAIM_MEASURED], &figure);
        if (figure.known && (figure.value != o->measured.value || o->n_elsewhere > 0 ||
                             strcmp(o->claim->text[CLAIM_UNIT], "holds") == 0)) {
            const bool good = o->claim->has_value && fits(o->claim, figure.value);
            o->elsewhere[o->n_elsewhere++] = (struct cost_elsewhere){other.library->name,
                                                                     figure.value, good};
        }
    }
}

/* Says that the verdict is not that of every library. */
static void doubt(struct cost_outcome *o)
{
    for (size_t i = 0; i < o->n_elsewhere && o->verdict <= COST_DIFFERS; i++) {
        if (o->elsewhere[i].fits != (o->verdict == COST_AGREES)) {
            const size_t used = strlen(o->words);
            snprintf(o->words + used, sizeof o->words - used, "%snot so in %s",
                     used > 0 ? "; " : "", o->elsewhere[i].library);
        }
    }
}

static struct cost_scope scope_of(const struct cost_judge *judge, const struct cost_claim *claim)
{
    const double node_nm = judge->node_nm > 0   ? judge->node_nm
                           : claim->node_nm > 0 ? claim->node_nm
                                                : DEFAULT_NODE_NM;
    return (struct cost_scope){.judge = judge, .claim = claim, .node_nm = node_nm};
}

void cost_judge(const struct cost_judge *judge, const struct cost_claim *claim,
                struct cost_outcome *outcome)
{
    struct cost_scope scope = scope_of(judge, claim);
    struct cost_figure must;
    *outcome = (struct cost_outcome){.claim = claim};
    evaluate(&scope, claim->text[CLAIM_FORMULA], &outcome->formula);
    evaluate(&scope, claim->text[CLAIM_TABLE], &outcome->table);
    scope.parts = outcome;
    evaluate(&scope, claim->text[CLAIM_MEASURED], &outcome->measured);
    scope.parts = NULL;
    look_elsewhere(&scope, outcome);
    evaluate(&scope, claim->text[CLAIM_MUST], &must);
    for (size_t i = 0; i < claim->n_left_out; i++) {
        struct cost_figure bits;
        evaluate(&scope, claim->left_out[i].bits, &bits);
        outcome->left_out[i] = bits.known ? bits.value : -1;
    }
    decide(outcome, &must);
    classify(outcome, &must);
    doubt(outcome);
}

void cost_judge_one_cycle(const struct cost_judge *judge, struct cost_outcome *outcome)
{
    struct cost_judge other = *judge;
    other.one_cycle = true;
    struct cost_scope scope = scope_of(&other, outcome->claim);
    struct cost_outcome again = {.claim = outcome->claim, .formula = outcome->formula};
    struct cost_figure must;
    evaluate(&scope, outcome->claim->text[CLAIM_TABLE], &again.table);
    evaluate(&scope, outcome->claim->text[CLAIM_MEASURED], &again.measured);
    evaluate(&scope, outcome->claim->text[CLAIM_MUST], &must);
    decide(&again, &must);
    outcome->one_cycle = (struct cost_one_cycle){.judged = scope.one_cycle,
                                                 .known = again.measured.known,
                                                 .value = again.measured.value,
                                                 .verdict = again.verdict};
}
