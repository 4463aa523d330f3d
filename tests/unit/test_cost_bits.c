/* test_cost_bits.c - storage that the specifications work out, from the units' port tables; and every
 * claim of the project loads.  Values: section 4 of each specification (docs/sections.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "synth/cost_figures.h"

static struct library *units;
static struct cost_bench *bench;
static struct cost_claims claims;

static bool is_unit(void *user, const char *unit)
{
    return cost_bench_unit(user, unit) != NULL;
}

static int setup(void **state)
{
    (void)state;
    struct failure failure;
    char path[5000], error[1024];
    units = library_new(NULL);
    bench = cost_bench_new(units, &failure);
    const struct cost_known_units known = {bench, is_unit};
    snprintf(path, sizeof path, "%s/synth/claims", library_root(units));
    if (bench == NULL || !cost_claims_load_folder(&claims, path, &known, error, sizeof error)) {
        print_error("%s\n", bench == NULL ? failure.words : error);
        return 1;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cost_claims_free(&claims);
    cost_bench_free(bench);
    library_free(units);
    return 0;
}

static double value_of(const char *expression)
{
    const struct cost_judge judge = {.bench = bench};
    struct cost_scope scope = {.judge = &judge, .claim = &claims.claims[0], .node_nm = 45};
    const struct cost_names names = {&scope, cost_name_figure, cost_unit_figure,
                                     cost_sram_functions, cost_number_figure};
    char why[1024];
    double value = 0;
    if (!cost_expr(expression, &names, &value, why, sizeof why)) {
        fail_msg("%s", why);
    }
    return value;
}

static void bits(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        int value;
    } expected[] = {
        {"(claimed(caps_percta)+claimed(caps_dist))/8", 708},
        {"claimed(caps_percta)/8", 672},
        {"claimed(caps_dist)/8", 36},
        {"extra(caps_dist[ONE_CYCLE=1])", 4 * (1 + 3)},
        {"extra(caps_dist)-extra(caps_dist[ONE_CYCLE=1])",
         3 + 1 + 2 + 1 + 6 + 32 + 32 + 4 + 16 + 1},
        {"claimed(pas_sched.marked)", 48},
        {"claimed(dac_vc)/8", 172},
        {"claimed(dac_clp)/8", 184},
        {"claimed(oaws_dlc)", 2240},
        {"claimed(oaws_store[PRED_W=5])", 480},
        {"claimed(oaws_store)", 576},
        {"claimed(adi_engine)", 150 + 336 + 210 + 25},
        {"claimed(adi_engine.tag)+claimed(adi_engine.tog)", 546},
        {"claimed(adi_engine[M=8,NV=250,NS=250,NI=6250,IDLE_IN_CYCLES=1])", 649},
        {"param(caps_percta.CTAS)", 8},
        {"bits(fup20)", 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const double has = value_of(expected[i].expression);
        if (has != expected[i].value) {
            fail_msg("%s is %g, expected %d", expected[i].expression, has, expected[i].value);
        }
    }
}

static const struct cost_claim *claim(const char *id)
{
    for (size_t i = 0; i < claims.n_claims; i++) {
        if (strcmp(claims.claims[i].text[CLAIM_ID], id) == 0) {
            return &claims.claims[i];
        }
    }
    fail_msg("no claim %s", id);
    return NULL;
}

/* Claims whose verdict the specs work out, without a measurement. */
static void verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        enum cost_class class;
        enum cost_verdict verdict;
        double recomputed;
    } expected[] = {
        {"aci.C-10", COST_MEASURED, COST_AGREES, 546},
        {"aci.C-15", COST_MEASURED, COST_DIFFERS, 504},
        {"aci.C-21", COST_MEASURED, COST_AGREES, 10384},
        {"aci.C-25", COST_MEASURED, COST_AGREES, 18320},
        {"aci.C-17", COST_RECOMPUTED, COST_CANNOT_HOLD, 6},
        {"wang2015.C14", COST_RECOMPUTED, COST_CANNOT_HOLD, 6},
        {"wang2015.C16", COST_RECOMPUTED, COST_CANNOT_HOLD, 480},
        {"wang2015.C19", COST_MEASURED, COST_AGREES, 348},
        {"wang2015.C20", COST_RECOMPUTED, COST_AGREES, 1},
        {"tabbakh2018.K6", COST_MEASURED, COST_AGREES, 41.5},
        {"tabbakh2018.K16", COST_MEASURED, COST_DIFFERS, 0},
        {"tabbakh2018.K17", COST_MEASURED, COST_AGREES, 3024},
        {"lakshminarayana2014.C9", COST_MEASURED, COST_AGREES, 1365},
        {"lakshminarayana2014.C18", COST_RECOMPUTED, COST_DIFFERS, 240},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct cost_judge judge = {.bench = bench};
        struct cost_outcome outcome;
        cost_judge(&judge, claim(expected[i].id), &outcome);
        if (outcome.class != expected[i].class || outcome.verdict != expected[i].verdict ||
            outcome.formula.value != expected[i].recomputed) {
            fail_msg("%s: %s, %s, recomputed %g", expected[i].id, cost_class_words[outcome.class],
                     cost_verdict_words[outcome.verdict], outcome.formula.value);
        }
    }
}

/* Every row of the specs' cost tables is there: 29 + 38 + 16 + 32 + 36. */
static void complete(void **state)
{
    (void)state;
    static const struct {
        const char *stem;
        int n;
    } tables[] = {{"wang2015.C", 29},
                  {"aci.C-", 38},
                  {"caps.C", 16},
                  {"lakshminarayana2014.C", 32},
                  {"tabbakh2018.K", 36}};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (int i = 1; i <= tables[t].n; i++) {
            char id[64];
            snprintf(id, sizeof id, "%s%d", tables[t].stem, i);
            assert_non_null(claim(id));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(complete),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
