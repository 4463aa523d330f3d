/* cost_judge.c - evaluates a claim's expressions and compares. */
#include "synth/cost_judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "synth/cost_figures.h"

enum { DEFAULT_NODE_NM = 45 };

const char *const cost_verdict_words[COST_VERDICTS] = {"agrees", "DIFFERS", "CANNOT HOLD",
                                                       "cannot be checked"};

static void evaluate(struct cost_scope *scope, const char *expression, struct cost_figure *figure)
{
    const struct cost_names names = {scope, cost_name_figure, cost_unit_figure, cost_sram_functions,
                                     cost_number_figure};
    *figure = (struct cost_figure){.asked = expression[0] != '\0'};
    if (figure->asked) {
        figure->known = cost_expr(expression, &names, &figure->value, figure->why,
                                  sizeof figure->why);
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
static bool compare(struct cost_outcome *o, const char *name, const struct cost_figure *figure,
                    size_t *n_known)
{
    if (!figure->known) {
        return true;
    }
    (*n_known)++;
    const struct cost_claim *claim = o->claim;
    const size_t used = strlen(o->words);
    if (fits(claim, figure->value)) {
        return true;
    }
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

static void unchecked(struct cost_outcome *o, const char *why)
{
    o->verdict = COST_UNCHECKED;
    snprintf(o->words, sizeof o->words, "%s", why);
}

static void decide(struct cost_outcome *o, const struct cost_figure *must)
{
    const struct cost_claim *claim = o->claim;
    const struct cost_figure *all[] = {&o->formula, &o->table, &o->measured, must};
    if (must->known && must->value == 0) {
        o->verdict = COST_CANNOT_HOLD;
        snprintf(o->words, sizeof o->words, "it needs %s, which is false", claim->text[CLAIM_MUST]);
        return;
    }
    size_t n_known = must->known;
    bool good = true;
    if (claim->has_value) {
        good = compare(o, "recomputed", &o->formula, &n_known);
        good &= compare(o, "the port table", &o->table, &n_known);
        good &= compare(o, "measured", &o->measured, &n_known);
    }
    if (n_known > 0) {
        o->verdict = good ? COST_AGREES : COST_DIFFERS;
        if (good && claim->tolerance_percent > 0) {
            snprintf(o->words, sizeof o->words, "within %g %%", claim->tolerance_percent);
        }
        return;
    }
    unchecked(o, claim->text[CLAIM_UNCHECKED]);
    for (size_t i = 0; o->words[0] == '\0' && i < 4; i++) {
        unchecked(o, all[i]->why);
    }
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

void cost_judge(const struct cost_judge *judge, const struct cost_claim *claim,
                struct cost_outcome *outcome)
{
    struct cost_scope scope = {judge, claim, DEFAULT_NODE_NM, NULL};
    struct cost_figure must;
    if (judge->node_nm > 0) {
        scope.node_nm = judge->node_nm;
    } else if (claim->node_nm > 0) {
        scope.node_nm = claim->node_nm;
    }
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
    doubt(outcome);
}
