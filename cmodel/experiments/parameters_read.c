/* parameters_read.c - the member "parameters" of an experiment's file: see parameters.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/parameters.h"

static struct parameter *new_parameter(struct reader *r, struct parameters *parameters,
                                       const char *pointer, const char *name)
{
    struct parameter *more = reader_keep(r, (parameters->n + 1) * sizeof *more);
    if (*name == '\0' ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                     "0123456789_") != strlen(name) ||
        (*name >= '0' && *name <= '9')) {
        reader_wrong(r, pointer, "'%.60s' is no name of a parameter; use letters, digits and _",
                     name);
    } else if (parameters_find(parameters, name, strlen(name)) < parameters->n) {
        reader_wrong(r, pointer, "two parameters are named '%.60s'; rename one", name);
    } else if (parameters->n == PARAMETER_MAX) {
        reader_wrong(r, pointer, "more than %d parameters; take fewer", PARAMETER_MAX);
    }
    if (parameters->n > 0) {
        memcpy(more, parameters->at, parameters->n * sizeof *more);
    }
    parameters->at = more;
    more[parameters->n].name = name;
    more[parameters->n].title = name;
    more[parameters->n].where = reader_keep_text(r, pointer);
    return &more[parameters->n++];
}

/* ---- values ---- */

static const char *value_text(struct reader *r, const char *pointer, const json_t *value)
{
    char text[64];
    if (json_is_string(value)) {
        if (json_string_length(value) >= PARAMETER_TEXT) {
            reader_wrong(r, pointer, "a value has at most %d characters", PARAMETER_TEXT - 1);
        }
        return reader_keep_text(r, json_string_value(value));
    }
    if (json_is_integer(value)) {
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        snprintf(text, sizeof text, "%.15g", json_real_value(value));
    } else if (json_is_boolean(value)) {
        snprintf(text, sizeof text, "%d", json_is_true(value));
    } else {
        reader_wrong(r, pointer, "a value must be a number, a text, true or false");
        return "";
    }
    return reader_keep_text(r, text);
}

static const char **list_values(struct reader *r, const char *pointer, const json_t *one, size_t *n)
{
    const json_t *list = reader_array(r, pointer, one, "values", 1), *value;
    const struct place place = place_below(pointer, "values");
    const char **values = reader_keep(r, (json_array_size(list) + 1) * sizeof *values);
    size_t i;
    json_array_foreach(list, i, value)
    {
        values[i] = value_text(r, place_at(place.text, i).text, value);
    }
    *n = json_array_size(list);
    return values;
}

/* from, from + step, ... up to `to`; or from, from * factor, ... */
static const char **range_values(struct reader *r, const char *pointer, const json_t *one,
                                 size_t *n)
{
    const double from = reader_number(r, pointer, one, "from", NAN);
    const double to = reader_number(r, pointer, one, "to", NAN);
    const double factor = reader_number(r, pointer, one, "factor", 0);
    const double step = reader_number(r, pointer, one, "step", factor != 0 ? 0 : 1);
    *n = 0;
    if (!isfinite(from) || !isfinite(to)) {
        reader_wrong(r, pointer, "give 'values', or a range by 'from' and 'to'");
    } else if ((step != 0) == (factor != 0) || step < 0 || (factor != 0 && factor <= 1) ||
               (factor != 0 && from <= 0)) {
        reader_wrong(r, pointer,
                     "a range goes up: by a 'step' above 0, or by a 'factor' above 1 from above 0");
    } else if (to < from) {
        reader_wrong(r, pointer, "the range is empty: 'to' is below 'from'");
    }
    if (r->failed) {
        return NULL;
    }
    const double last = factor != 0 ? log(to / from) / log(factor) : (to - from) / step;
    if (!(last < PARAMETER_MAX_SETTINGS)) {
        reader_wrong(r, pointer, "the range has more than %d values; take a larger step",
                     PARAMETER_MAX_SETTINGS);
        return NULL;
    }
    const char **values = reader_keep(r, ((size_t)last + 2) * sizeof *values);
    for (size_t i = 0; i <= (size_t)(last + 1e-9); i++) {
        char text[64];
        snprintf(text, sizeof text, "%.15g",
                 factor != 0 ? from * pow(factor, (double)i) : from + step * (double)i);
        values[(*n)++] = reader_keep_text(r, text);
    }
    return values;
}

/* ---- one parameter, one axis ---- */

/* Its number of values; 0 of a derived one. */
static size_t read_parameter(struct reader *r, struct parameters *parameters, const char *pointer,
                             const json_t *one)
{
    size_t n = 0;
    reader_keys(r, pointer, one, "name title values from to step factor of");
    if (r->failed) {
        return 0;
    }
    const char *name = reader_text(r, pointer, one, "name", NULL);
    struct parameter *p = new_parameter(r, parameters, pointer, name);
    p->title = reader_text(r, pointer, one, "title", name);
    p->axis = parameters->n_axes;
    if (json_object_get(one, "of") != NULL) {
        if (json_object_get(one, "values") != NULL || json_object_get(one, "from") != NULL) {
            reader_wrong(r, pointer, "'%.60s' has values and 'of', too; keep one", name);
        }
        p->of = reader_expression(r, pointer, one, "of");
        p->used = true;
        return 0;
    }
    p->values = json_object_get(one, "values") != NULL ? list_values(r, pointer, one, &n)
                                                       : range_values(r, pointer, one, &n);
    return n;
}

static void end_axis(struct reader *r, struct parameters *parameters, const char *pointer, size_t n)
{
    size_t *more = reader_keep(r, (parameters->n_axes + 1) * sizeof *more);
    if (parameters->n_axes > 0) {
        memcpy(more, parameters->axis, parameters->n_axes * sizeof *more);
    }
    if (n > PARAMETER_MAX_SETTINGS / parameters->n_settings) {
        reader_wrong(r, pointer,
                     "up to here the sweep has %zu times %zu settings; at most %d are run, take "
                     "fewer values",
                     parameters->n_settings, n, PARAMETER_MAX_SETTINGS);
        return;
    }
    more[parameters->n_axes++] = n;
    parameters->axis = more;
    parameters->n_settings *= n;
}

static void read_zip(struct reader *r, struct parameters *parameters, const char *pointer,
                     const json_t *one)
{
    const json_t *list, *member;
    size_t i, n = 0;
    reader_keys(r, pointer, one, "zip");
    list = r->failed ? NULL : reader_array(r, pointer, one, "zip", 2);
    json_array_foreach(list, i, member)
    {
        const struct place place = place_at(place_below(pointer, "zip").text, i);
        const size_t count = read_parameter(r, parameters, place.text, member);
        if (!r->failed && count == 0) {
            reader_wrong(r, place.text, "a derived parameter stands alone, not in a 'zip'");
        } else if (!r->failed && i > 0 && count != n) {
            reader_wrong(r, place.text,
                         "this has %zu values, the one before it %zu; zipped "
                         "parameters have as many",
                         count, n);
        }
        if (r->failed) {
            return;
        }
        n = count;
    }
    if (!r->failed) {
        end_axis(r, parameters, pointer, n);
    }
}

void parameters_read(struct reader *r, struct parameters *parameters, const json_t *list)
{
    const json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        const struct place place = place_at("/parameters", i);
        if (json_object_get(one, "zip") != NULL) {
            read_zip(r, parameters, place.text, one);
        } else {
            const size_t n = read_parameter(r, parameters, place.text, one);
            if (!r->failed && n > 0) {
                end_axis(r, parameters, place.text, n);
            }
        }
        if (r->failed) {
            return;
        }
    }
}

void parameters_add(struct reader *r, struct parameters *parameters, const char *name,
                    const char **values, size_t n)
{
    struct parameter *p = new_parameter(r, parameters, "/machines", name);
    p->values = values;
    p->axis = parameters->n_axes;
    end_axis(r, parameters, "/machines", n);
}

/* ---- what names what ---- */

enum { WHITE, GREY, BLACK };

static void visit(struct reader *r, struct parameters *parameters, size_t p, char *colour)
{
    const char *const *names;
    const struct parameter *self = &parameters->at[p];
    const size_t n = self->of != NULL ? expression_names(self->of, &names) : 0;
    colour[p] = GREY;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const size_t other = parameters_find(parameters, names[i], strlen(names[i]));
        if (other == parameters->n) {
            reader_wrong(r, self->where, "'%.60s' is made of '%.60s', which is no parameter",
                         self->name, names[i]);
        } else if (colour[other] == GREY) {
            reader_wrong(r, self->where,
                         "'%.60s' and '%.60s' are made of each other; give one of them values",
                         self->name, names[i]);
        } else if (colour[other] == WHITE) {
            visit(r, parameters, other, colour);
        }
        if (!r->failed) {
            parameters->at[other].used = true;
        }
    }
    colour[p] = BLACK;
}

void parameters_check_derived(struct reader *r, struct parameters *parameters)
{
    char *colour = reader_keep(r, parameters->n + 1);
    for (size_t p = 0; p < parameters->n && !r->failed; p++) {
        if (colour[p] == WHITE) {
            visit(r, parameters, p, colour);
        }
    }
}

void parameters_check_text(struct reader *r, struct parameters *parameters, const char *pointer,
                           const char *text)
{
    while ((text = strchr(text, '{')) != NULL && !r->failed) {
        const size_t length = strcspn(++text, "}");
        const size_t p = parameters_find(parameters, text, length);
        if (text[length] == '\0') {
            reader_wrong(r, pointer, "'{%.60s' has no end; write {%.60s}", text, text);
        } else if (p == parameters->n) {
            reader_wrong(r, pointer, "there is no parameter '%.*s'; name one of 'parameters'",
                         (int)(length < 60 ? length : 60), text);
        } else {
            parameters->at[p].used = true;
        }
    }
}
