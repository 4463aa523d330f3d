/* cost_expr.c - evaluates the formulae of a claim: recursive descent, one function per level. */
#include "synth/cost_expr.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 6, MAX_NESTING = 60 };

struct reader {
    const char *text, *at;
    const struct cost_names *names;
    int nesting;
    char *why;
    size_t n_why;
    bool failed;
};

static double any(struct reader *r);

static double fail(struct reader *r, const char *what)
{
    if (!r->failed) {
        char words[512];
        snprintf(words, sizeof words, "%s", what);
        snprintf(r->why, r->n_why, "column %zu of '%s': %s", (size_t)(r->at - r->text) + 1, r->text,
                 words);
    }
    r->failed = true;
    return 0;
}

/* Takes `symbol` if it is next. */
static bool take(struct reader *r, const char *symbol)
{
    while (isspace((unsigned char)*r->at)) {
        r->at++;
    }
    const size_t n = strlen(symbol);
    if (r->failed || strncmp(r->at, symbol, n) != 0) {
        return false;
    }
    r->at += n;
    return true;
}

/* Copies a name, or anything up to one of `until`. */
static bool take_word(struct reader *r, const char *until, char *word, size_t n_word)
{
    size_t n = 0;
    while (until != NULL ? *r->at != '\0' && strchr(until, *r->at) == NULL
                         : isalnum((unsigned char)*r->at) || *r->at == '_') {
        if (n + 1 >= n_word) {
            fail(r, "a name that is too long; shorten it");
            return false;
        }
        word[n++] = *r->at++;
    }
    word[n] = '\0';
    return n > 0;
}

static double own_function(const char *f, const double *a, size_t n, bool *known)
{
    *known = true;
    if (n == 1) {
        if (strcmp(f, "log2") == 0) {
            return log2(a[0]);
        } else if (strcmp(f, "ceil") == 0) {
            return ceil(a[0] - 1e-9);
        } else if (strcmp(f, "floor") == 0) {
            return floor(a[0] + 1e-9);
        } else if (strcmp(f, "abs") == 0) {
            return fabs(a[0]);
        } else if (strcmp(f, "sqrt") == 0) {
            return sqrt(a[0]);
        }
    } else if (n == 2) {
        if (strcmp(f, "min") == 0) {
            return fmin(a[0], a[1]);
        } else if (strcmp(f, "max") == 0) {
            return fmax(a[0], a[1]);
        }
    }
    *known = false;
    return 0;
}

/* After "fn(": is a unit named here, not an expression?  A unit name is lower case. */
static bool unit_follows(const struct reader *r)
{
    const char *at = r->at;
    while (isspace((unsigned char)*at)) {
        at++;
    }
    if (!islower((unsigned char)*at)) {
        return false;
    }
    while (islower((unsigned char)*at) || isdigit((unsigned char)*at) || *at == '_') {
        at++;
    }
    return *at == ')' || *at == '[' || *at == '.';
}

static double unit_figure(struct reader *r, const char *function)
{
    struct cost_reference reference = {0};
    char why[400] = "";
    double value = 0;
    snprintf(reference.function, sizeof reference.function, "%s", function);
    take(r, "");
    take_word(r, NULL, reference.unit, sizeof reference.unit);
    if (take(r, "[")) {
        take_word(r, "]", reference.set, sizeof reference.set);
        if (!take(r, "]")) {
            return fail(r, "']' is missing");
        }
    }
    if (take(r, ".")) {
        take_word(r, ")", reference.member, sizeof reference.member);
    }
    if (!take(r, ")")) {
        return fail(r, "')' is missing after a unit");
    }
    if (!r->failed && (r->names->unit == NULL ||
                       !r->names->unit(r->names->user, &reference, &value, why, sizeof why))) {
        return fail(r, why);
    }
    return value;
}

static double call(struct reader *r, const char *function)
{
    if (unit_follows(r)) {
        return unit_figure(r, function);
    }
    double arg[MAX_ARGS];
    size_t n = 0;
    do {
        if (n == MAX_ARGS) {
            return fail(r, "more than six arguments");
        }
        arg[n++] = any(r);
    } while (take(r, ","));
    if (!take(r, ")")) {
        return fail(r, "')' is missing");
    }
    bool known;
    double value = own_function(function, arg, n, &known);
    char why[400] = "no such function, or another number of arguments";
    if (!known && !r->failed &&
        (r->names->call == NULL ||
         !r->names->call(r->names->user, function, arg, n, &value, why, sizeof why))) {
        return fail(r, why);
    }
    return value;
}

static double primary(struct reader *r)
{
    take(r, "");
    if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        char *end = NULL;
        const double value = strtod(r->at, &end);
        if (end == r->at) {
            return fail(r, "a number is expected");
        }
        r->at = end;
        return value;
    }
    if (take(r, "(")) {
        const double value = any(r);
        return take(r, ")") ? value : fail(r, "')' is missing");
    }
    char name[32], why[400] = "no such name";
    double value = 0;
    if (!take_word(r, NULL, name, sizeof name)) {
        return fail(r, "a number, a name or '(' is expected");
    }
    if (take(r, "(")) {
        return call(r, name);
    }
    if (!r->failed && (r->names->name == NULL ||
                       !r->names->name(r->names->user, name, &value, why, sizeof why))) {
        return fail(r, why);
    }
    return value;
}

static double power(struct reader *r)
{
    const double base = primary(r);
    return take(r, "^") ? pow(base, power(r)) : base;
}

static double sign(struct reader *r)
{
    return take(r, "-") ? -power(r) : power(r);
}

static double product(struct reader *r)
{
    double value = sign(r);
    for (;;) {
        const bool times = take(r, "*"), over = !times && take(r, "/");
        if (!times && !over && !take(r, "%")) {
            return value;
        }
        const double by = sign(r);
        if (!times && by == 0) {
            return fail(r, "division by zero");
        }
        value = times ? value * by : over ? value / by : fmod(value, by);
    }
}

static double sum(struct reader *r)
{
    double value = product(r);
    for (;;) {
        if (take(r, "+")) {
            value += product(r);
        } else if (take(r, "-")) {
            value -= product(r);
        } else {
            return value;
        }
    }
}

static double comparison(struct reader *r)
{
    const double a = sum(r);
    if (take(r, "<=")) {
        return a <= sum(r);
    } else if (take(r, ">=")) {
        return a >= sum(r);
    } else if (take(r, "==")) {
        return fabs(a - sum(r)) < 1e-9;
    } else if (take(r, "!=")) {
        return fabs(a - sum(r)) >= 1e-9;
    } else if (take(r, "<")) {
        return a < sum(r);
    } else if (take(r, ">")) {
        return a > sum(r);
    }
    return a;
}

static double conjunction(struct reader *r)
{
    double value = comparison(r);
    while (take(r, "&&")) {
        const double right = comparison(r);
        value = value != 0 && right != 0;
    }
    return value;
}

static double any(struct reader *r)
{
    if (++r->nesting > MAX_NESTING) {
        return fail(r, "nested too deeply");
    }
    double value = conjunction(r);
    while (take(r, "||")) {
        const double right = conjunction(r);
        value = value != 0 || right != 0;
    }
    r->nesting--;
    return value;
}

bool cost_expr(const char *text, const struct cost_names *names, double *value, char *why,
               size_t n_why)
{
    struct reader reader = {text, text, names, 0, why, n_why, false};
    *value = any(&reader);
    take(&reader, "");
    if (!reader.failed && *reader.at != '\0') {
        fail(&reader, "an operator or the end is expected");
    }
    if (!reader.failed && !isfinite(*value)) {
        fail(&reader, "the result is no finite number");
    }
    return !reader.failed;
}
