/* cost_expr.c - evaluates the formulae of a claim: muParser does, after this file has put a
 * constant in the place of every figure of a unit, whose way of writing is the claims' own. */
#include "synth/cost_expr.h"

#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FUNCTIONS = 8, MULTIPLICATION = 6 /* muParser's number of its binding */ };

/* A function of the caller's, as muParser is given it. */
struct called {
    struct reader *reader;
    const char *name;
};

struct reader {
    const char *text, *at;
    char *plain; /* the text without units, each figure's constant in its columns */
    unsigned n_figures;
    muParserHandle_t parser;
    const struct cost_names *names;
    struct called called[MAX_FUNCTIONS];
    size_t n_called;
    char *why;
    size_t n_why;
    bool failed;
};

static bool fail_at(struct reader *r, size_t column, const char *what)
{
    if (!r->failed) {
        snprintf(r->why, r->n_why, "column %zu of '%s': %.400s", column + 1, r->text, what);
    }
    r->failed = true;
    return false;
}

static bool fail(struct reader *r, const char *what)
{
    return fail_at(r, (size_t)(r->at - r->text), what);
}

/* ---- functions ---- */

/* Of what rounding has moved a hair beyond a whole number. */
static double round_up(double x)
{
    return ceil(x - 1e-9);
}

static double round_down(double x)
{
    return floor(x + 1e-9);
}

static double call(void *self, const double *arg, int n_arg)
{
    const struct called *called = self;
    struct reader *r = called->reader;
    char why[400] = "";
    double value = 0;

    if (!r->failed && !r->names->call(r->names->user, called->name, arg, (size_t)n_arg, &value, why,
                                      sizeof why)) {
        fail(r, why);
    }
    return value;
}

static void define_functions(struct reader *r)
{
    mupDefineFun1(r->parser, "ceil", round_up, 0);
    mupDefineFun1(r->parser, "floor", round_down, 0);
    mupDefineOprt(r->parser, "%", fmod, MULTIPLICATION, muOPRT_ASCT_LEFT, 0);
    for (size_t i = 0; r->names->functions && r->names->functions[i] && i < MAX_FUNCTIONS; i++) {
        r->called[i] = (struct called){r, r->names->functions[i]};
        mupDefineMultFunUserData(r->parser, r->called[i].name, call, &r->called[i], 0);
        r->n_called++;
    }
}

static bool is_function(const struct reader *r, const char *name)
{
    static const char *const own[] = {"log2", "ceil", "floor", "min", "max", "abs", "sqrt"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strcmp(name, own[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < r->n_called; i++) {
        if (strcmp(name, r->called[i].name) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- names and figures become constants ---- */

static void skip_space(struct reader *r)
{
    r->at += strspn(r->at, " \t");
}

static bool take(struct reader *r, char symbol)
{
    skip_space(r);
    const bool found = *r->at == symbol;
    r->at += found;
    return found;
}

/* Copies letters, digits and _, or anything up to `until`. */
static bool take_word(struct reader *r, char until, char *word, size_t n_word)
{
    size_t n = 0;
    for (; until != '\0' ? *r->at != '\0' && *r->at != until
                         : isalnum((unsigned char)*r->at) || *r->at == '_';
         r->at++) {
        if (n + 1 >= n_word) {
            return fail(r, "a name that is too long; shorten it");
        }
        word[n++] = *r->at;
    }
    word[n] = '\0';
    return true;
}

/* After "fn(": is a unit named here, not an expression?  A unit name is lower case. */
static bool unit_follows(const struct reader *r)
{
    const char *at = r->at + strspn(r->at, " \t");
    if (!islower((unsigned char)*at)) {
        return false;
    }
    at += strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return *at == ')' || *at == '[' || *at == '.';
}

static bool take_reference(struct reader *r, struct cost_reference *reference)
{
    skip_space(r);
    if (!take_word(r, '\0', reference->unit, sizeof reference->unit)) {
        return false;
    }
    if (take(r, '[')) {
        if (!take_word(r, ']', reference->set, sizeof reference->set)) {
            return false;
        }
        if (!take(r, ']')) {
            return fail(r, "']' is missing");
        }
    }
    if (take(r, '.') && !take_word(r, ')', reference->member, sizeof reference->member)) {
        return false;
    }
    return take(r, ')') || fail(r, "')' is missing after a unit");
}

/* fn(unit...), from `start` on: asks for it and puts a constant there. */
static bool take_figure(struct reader *r, const char *start, const char *function)
{
    struct cost_reference reference = {0};
    char why[400] = "", name[16];
    double value = 0;
    snprintf(reference.function, sizeof reference.function, "%s", function);
    if (!take_reference(r, &reference)) {
        return false;
    }
    if (r->names->unit == NULL ||
        !r->names->unit(r->names->user, &reference, &value, why, sizeof why)) {
        return fail(r, why);
    }
    /* "a(b)" is the shortest. */
    const int n = snprintf(name, sizeof name, "f%02u", r->n_figures++ % 1000);
    char *place = r->plain + (start - r->text);
    memset(place, ' ', (size_t)(r->at - start));
    memcpy(place, name, (size_t)n);
    mupDefineConst(r->parser, name, value);
    return true;
}

static bool take_name(struct reader *r)
{
    const char *start = r->at;
    char name[32], why[400] = "no such name";
    double value = 0;
    if (!take_word(r, '\0', name, sizeof name)) {
        return false;
    }
    const char *after = r->at;
    if (take(r, '(')) {
        if (unit_follows(r)) {
            return take_figure(r, start, name);
        }
        return is_function(r, name) || fail_at(r, (size_t)(start - r->text), "no such function");
    }
    r->at = after;
    if (r->names->name == NULL || !r->names->name(r->names->user, name, &value, why, sizeof why)) {
        r->at = start;
        return fail(r, why);
    }
    mupDefineConst(r->parser, name, value);
    return true;
}

static bool take_names(struct reader *r)
{
    while (*r->at != '\0') {
        char *end = NULL;
        if (isdigit((unsigned char)*r->at) && (strtod(r->at, &end), end > r->at)) {
            r->at = end;
        } else if (isalpha((unsigned char)*r->at)) {
            if (!take_name(r)) {
                return false;
            }
        } else {
            r->at++;
        }
    }
    return true;
}

/* ---- the value ---- */

static bool evaluate(struct reader *r, double *value)
{
    int n_values = 0;
    feclearexcept(FE_ALL_EXCEPT);
    mupSetExpr(r->parser, r->plain);
    const double *values = mupEvalMulti(r->parser, &n_values);
    if (mupError(r->parser)) {
        const size_t at = (size_t)mupGetErrorPos(r->parser), n = strlen(r->text);
        return fail_at(r, at < n ? at : n, mupGetErrorMsg(r->parser));
    }
    if (n_values != 1) {
        return fail(r, "more than one value; write one expression");
    }
    *value = values[0];
    if (fetestexcept(FE_DIVBYZERO) || !isfinite(*value)) {
        return fail(r, "a division by zero, or another result that is no finite number");
    }
    return !r->failed;
}

bool cost_expr(const char *text, const struct cost_names *names, double *value, char *why,
               size_t n_why)
{
    struct reader r = {.text = text,
                       .at = text,
                       .plain = strdup(text),
                       .parser = mupCreate(muBASETYPE_FLOAT),
                       .names = names,
                       .why = why,
                       .n_why = n_why};
    *value = 0;
    bool good = r.plain != NULL && r.parser != NULL;
    if (!good) {
        fail(&r, "memory is out");
    } else {
        define_functions(&r);
        good = take_names(&r) && evaluate(&r, value);
    }
    if (r.parser != NULL) {
        mupRelease(r.parser);
    }
    free(r.plain);
    return good;
}
