/* test_cost_claims.c - bad claims are refused with their line; verdicts follow their rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/cost_judge.h"

static bool only_conv(void *user, const char *unit)
{
    (void)user;
    return strcmp(unit, "conv") == 0;
}
static const struct cost_known_units known = {NULL, only_conv};

/* A file of the header, a comment and `rows`; rows so start at line 3. */
static void write_file(char *path, const char *rows)
{
    strcpy(path, "/tmp/test_cost_XXXXXX");
    FILE *file = fdopen(mkstemp(path), "w");
    for (int i = 0; i < CLAIM_COLUMNS; i++) {
        fprintf(file, "%s%s", i > 0 ? "," : "", cost_claim_columns[i]);
    }
    fprintf(file, "\n# a comment\n%s\n", rows);
    fclose(file);
}

static bool load(struct cost_claims *claims, const char *rows, char *error, size_t n_error)
{
    char path[64];
    *claims = (struct cost_claims){0};
    write_file(path, rows);
    const bool good = cost_claims_load(claims, path, &known, error, n_error);
    unlink(path);
    return good;
}

/* id,document,section,quote,value,relation,unit,node,tool,machine,formula,about,table,measured,
 * tolerance,tolerance_reason,must,left_out,unchecked,remark */
static void refused(const char *rows, const char *line, const char *words)
{
    struct cost_claims claims;
    char error[1024] = "";
    assert_false(load(&claims, rows, error, sizeof error));
    if (strstr(error, line) == NULL || strstr(error, words) == NULL) {
        fail_msg("'%s' lacks '%s' or '%s'", error, line, words);
    }
    cost_claims_free(&claims);
}

static void bad_rows(void **state)
{
    (void)state;
    refused("a,d,1,,5,eq,b,,,,5,conv,,,,,,,", ":3:", "19 cells");
    refused("a,d,1,,x,eq,b,,,,5,conv,,,,,,,,", ":3:", "value 'x' is no number");
    refused("a,d,1,,5,near,b,,,,5,conv,,,,,,,,", ":3:", "relation 'near'");
    refused("a,d,1,,5,eq,,,,,5,conv,,,,,,,,", ":3:", "has no unit");
    refused("a,d,1,,5,eq,b,,,,5,vonc,,,,,,,,", ":3:", "'vonc' is no unit");
    refused("a,d,1,,5,eq,b,,,,5,pending:conv,,,,,,,,", ":3:", "has RTL now");
    refused("a,d,1,,5,eq,b,,,,N+1,conv,,,,,,,,", ":3:", "'N' is not in the row's machine");
    refused("a,d,1,,5,eq,b,,,N,N+1,conv,,,,,,,,", ":3:", "machine 'N'");
    refused("a,d,1,,5,eq,b,,,n=1,5,conv,,,,,,,,", ":3:", "capital");
    refused("a,d,1,,5,eq,b,,,,,conv,bits(fup),,,,,,,", ":3:", "no unit 'fup'");
    refused("a,d,1,,5,eq,b,,,,,conv,,,,,,,,", ":3:", "nothing to check it with");
    refused("a,d,1,,5,eq,b,,,,5,conv,,,,,,lru,,", ":3:", "left_out item 'lru'");
    refused("a,d,1,,5,eq,b,,,,5,conv,,,,,,,,\na,d,1,,5,eq,b,,,,5,conv,,,,,,,,", ":4:", "is taken");
    refused("a,d,1,,5,eq,b,,,,5,conv,,,50,,,,,",
            ":3:", "50 is above 10 without a tolerance_reason");
    refused("a,d,1,,5,eq,b,,,,5,conv,,,10.1,,,,,", ":3:", "tolerance_reason");
    refused("a,d,1,,5,eq,b,,,,5,conv,,,-1,,,,,", ":3:", "below 0");
    refused(",d,1,,5,eq,b,,,,5,conv,,,,,,,,", ":3:", "id is empty");
    refused("a,\"d,1,,5,eq,b,,,,5,conv,,,,,,,,", ":3:", "quot");
}

static struct cost_outcome judged(const char *row, struct cost_claims *claims)
{
    char error[1024] = "";
    struct cost_outcome outcome;
    const struct cost_judge judge = {0};
    if (!load(claims, row, error, sizeof error)) {
        fail_msg("%s", error);
    }
    cost_judge(&judge, &claims->claims[0], &outcome);
    return outcome;
}

/* Nothing here is measured: no row asks for a unit's figure. */
static void verdict(const char *row, enum cost_verdict expected, const char *words)
{
    struct cost_claims claims;
    const struct cost_outcome outcome = judged(row, &claims);
    assert_int_equal(outcome.verdict, expected);
    assert_int_equal(outcome.class, expected == COST_NONE ? COST_UNCHECKED : COST_RECOMPUTED);
    assert_non_null(strstr(outcome.words, words));
    cost_claims_free(&claims);
}

static void verdicts(void **state)
{
    (void)state;
    verdict("a,d,1,,504,eq,bits,,,,21*24,conv,,,,,,,,", COST_AGREES, "");
    verdict("a,d,1,,529,eq,bits,,,,21*24,conv,,,,,,,,", COST_DIFFERS, "504, -4.73 %");
    verdict("a,d,1,,529,eq,bits,,,,21*24,conv,,,5,,,,,", COST_AGREES, "");
    verdict("a,d,1,,529,eq,bits,,,,21*24,conv,,,4.7,,,,,", COST_DIFFERS, "");
    verdict("a,d,1,,714,lt,ps,,,,714,conv,,,,,,,,", COST_DIFFERS, "");
    verdict("a,d,1,,714,le,ps,,,,714,conv,,,,,,,,", COST_AGREES, "");
    verdict("a,d,1,,10,ge,XOR2,,,,9,conv,,,,,,,,", COST_DIFFERS, "");
    verdict("a,d,1,,5,eq,bits,,,M=32,,conv,,,,,2^5-1 >= M,,,", COST_CANNOT_HOLD, "2^5-1 >= M");
    verdict("a,d,1,,5,eq,bits,,,M=31,,conv,,,,,2^5-1 >= M,,,", COST_AGREES, "");
    verdict("a,d,1,,,eq,,,,,,conv,,,,,,,no figure,", COST_NONE, "no figure");
}

static void expect_words(const char *row, enum cost_class class, const char *expected)
{
    struct cost_claims claims;
    const struct cost_outcome outcome = judged(row, &claims);
    char words[128];
    cost_outcome_words(&outcome, words, sizeof words);
    assert_int_equal(outcome.class, class);
    assert_string_equal(words, expected);
    cost_claims_free(&claims);
}

/* Arithmetic alone, were it the claim's own value, never agrees: it is recomputed. */
static void classes(void **state)
{
    (void)state;
    expect_words("a,d,1,,504,eq,bits,,,,504,conv,,,,,,,,", COST_RECOMPUTED, "recomputed (exact)");
    expect_words("a,d,1,,504,eq,bits,,,,520,conv,,,5,,,,,", COST_RECOMPUTED,
                 "recomputed (tolerance 5 %)");
    expect_words("a,d,1,,504,eq,bits,,,,900,conv,,,50,widths are not given,,,,", COST_RECOMPUTED,
                 "recomputed, DIFFERS (tolerance 50 %)");
    expect_words("a,d,1,,5,eq,bits,,,M=32,5,conv,,,,,2^5-1 >= M,,,", COST_RECOMPUTED,
                 "recomputed, CANNOT HOLD");
    expect_words("a,d,1,,504,eq,bits,,,,504,pending:x,,,,,,,,", COST_NO_HARDWARE,
                 "no hardware here yet (exact)");
    expect_words("a,d,1,,504,eq,bits,,,,505,pending:x,,,,,,,,", COST_NO_HARDWARE,
                 "no hardware here yet, DIFFERS (exact)");
    expect_words("a,d,1,,504,eq,bits,,,,,pending:x,,,,,,,no size,", COST_UNCHECKED,
                 "cannot be checked");
}

/* A figure of an SRAM is measured. */
static void measured(void **state)
{
    (void)state;
    struct cost_sram_point point = {
        .rows = 32, .word_bytes = 8, .node_nm = 45, .figure = {1, 1, 1, 1, 1, 1}};
    struct cost_sram_point more = point;
    more.rows = 64;
    struct cost_sram_point points[] = {point, more};
    const struct cost_sram sram = {points, 2};
    const struct cost_judge judge = {.sram = &sram};
    struct cost_claims claims;
    struct cost_outcome outcome;
    char error[1024];
    assert_true(load(&claims,
                     "a,d,1,,1000,eq,ps,,,,900,conv,,\"sram_access_ps(32,64,1)\",20,a word,,,,",
                     error, sizeof error));
    cost_judge(&judge, &claims.claims[0], &outcome);
    assert_int_equal(outcome.class, COST_MEASURED);
    assert_int_equal(outcome.verdict, COST_AGREES);
    assert_true(outcome.measured.value == 1000);
    cost_claims_free(&claims);
}

static void left_out(void **state)
{
    (void)state;
    struct cost_claims claims;
    const struct cost_outcome o = judged(
        "a,d,1,,5,eq,bits,,,E=4,5,conv,,,,,,valid: E*3; a: lead: 48; modulo [gates]: 69,,",
        &claims);
    assert_int_equal(o.claim->n_left_out, 3);
    assert_true(o.left_out[0] == 12 && o.left_out[1] == 48);
    assert_string_equal(o.claim->left_out[1].what, "a: lead");
    assert_string_equal(o.claim->left_out[1].unit, "bits");
    assert_string_equal(o.claim->left_out[2].what, "modulo");
    assert_string_equal(o.claim->left_out[2].unit, "gates");
    cost_claims_free(&claims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_rows), cmocka_unit_test(verdicts), cmocka_unit_test(classes),
        cmocka_unit_test(measured), cmocka_unit_test(left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
