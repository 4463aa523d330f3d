/* expression.c - see expression.h.  muParser parses and computes; the counters are looked up here. */
#include "experiments/expression.h"

#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COUNTERS = 64 };

struct expression {
    muParserHandle_t parser;
    bool too_many;
    size_t n;
    double value[MAX_COUNTERS];
    char *name[MAX_COUNTERS];
};

/* Called by muParser for every name that it meets for the first time. */
static muFloat_t *new_counter(const muChar_t *name, void *self)
{
    struct expression *expression = self;
    if (expression->n == MAX_COUNTERS) {
        expression->too_many = true;
        return &expression->value[0];
    }
    expression->name[expression->n] = strdup(name);
    return &expression->value[expression->n++];
}

/* Errors are asked for after each call. */
static void on_error(muParserHandle_t parser)
{
    (void)parser;
}

struct expression *expression_new(const char *text, char *error, size_t n_error)
{
    struct expression *expression = calloc(1, sizeof *expression);
    if (expression == NULL) {
        snprintf(error, n_error, "out of memory");
        return NULL;
    }
    expression->parser = mupCreate(muBASETYPE_FLOAT);
    mupSetErrorHandler(expression->parser, on_error);
    mupDefineNameChars(expression->parser,
                       "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    mupSetVarFactory(expression->parser, new_counter, expression);
    mupSetExpr(expression->parser, text);
    mupEval(expression->parser); /* parses it */
    if (mupError(expression->parser) || expression->too_many) {
        snprintf(error, n_error, "'%s' is no expression over counters: %s", text,
                 expression->too_many ? "more than 64 of them"
                                      : mupGetErrorMsg(expression->parser));
        expression_free(expression);
        return NULL;
    }
    return expression;
}

void expression_free(struct expression *expression)
{
    if (expression == NULL) {
        return;
    }
    mupRelease(expression->parser);
    for (size_t i = 0; i < expression->n; i++) {
        free(expression->name[i]);
    }
    free(expression);
}

size_t expression_names(const struct expression *expression, const char *const **names)
{
    *names = (const char *const *)expression->name;
    return expression->n;
}

/* The sum over all that `path` leads to below `root`; false when it leads nowhere. */
static bool sum_at(const json_t *root, const char *path, double *sum)
{
    if (path == NULL) {
        *sum += json_number_value(root);
        return json_is_number(root);
    }
    const size_t length = strcspn(path, ".");
    const char *rest = path[length] == '.' ? path + length + 1 : NULL;
    bool all = false;
    if (length == 1 && path[0] == '_') {
        const char *key;
        json_t *member;
        size_t i;
        json_object_foreach((json_t *)root, key, member)
        {
            all |= sum_at(member, rest, sum);
        }
        json_array_foreach(root, i, member)
        {
            all |= sum_at(member, rest, sum);
        }
        return all;
    }
    char key[96];
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    const json_t *member = json_object_get(root, key);
    return member != NULL && sum_at(member, rest, sum);
}

/* What a mechanism or a kernel that did not run has counted is 0. */
static bool is_of_kernel(const char *name)
{
    static const char *const of_kernel[] = {".launches", ".cycles", ".warp_instructions"};
    const char *field = strrchr(name, '.');
    bool known = false;
    for (size_t k = 0; k < sizeof of_kernel / sizeof *of_kernel && field != NULL; k++) {
        known |= strcmp(field, of_kernel[k]) == 0;
    }
    return known && strncmp(name, "statistics.kernels.", 19) == 0;
}

static bool may_be_absent(const char *name)
{
    return strncmp(name, "mechanisms.", 11) == 0 || is_of_kernel(name);
}

bool expression_has(const json_t *run, const char *counter)
{
    double sum = 0;
    const char *wild = strstr(counter, "._");
    if (wild != NULL && (wild[2] == '.' || wild[2] == '\0')) {
        const json_t *at = run;
        char path[256], *rest = path;
        snprintf(path, sizeof path, "%.*s", (int)(wild - counter), counter);
        for (char *key; at != NULL && (key = strsep(&rest, ".")) != NULL;) {
            at = json_object_get(at, key);
        }
        if (at != NULL && json_object_size(at) + json_array_size(at) == 0) {
            return true;
        }
    }
    return sum_at(run, counter, &sum) || is_of_kernel(counter);
}

bool expression_value(struct expression *expression, const json_t *run, double *value, char *error,
                      size_t n_error)
{
    for (size_t i = 0; i < expression->n; i++) {
        const char *name = expression->name[i];
        expression->value[i] = 0;
        if (!sum_at(run, name, &expression->value[i]) && !may_be_absent(name)) {
            snprintf(error, n_error,
                     "no counter '%s' in the run; `warplock run --counters` shows all", name);
            return false;
        }
    }
    *value = mupEval(expression->parser);
    return true;
}
