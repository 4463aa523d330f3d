/* parameters.c - see parameters.h.  Reading is parameters_read.c. */
#include "experiments/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t parameters_find(const struct parameters *parameters, const char *name, size_t length)
{
    size_t p = 0;
    while (p < parameters->n && (strlen(parameters->at[p].name) != length ||
                                 strncmp(parameters->at[p].name, name, length) != 0)) {
        p++;
    }
    return p;
}

size_t parameters_index(const struct parameters *parameters, size_t setting, size_t parameter)
{
    for (size_t a = parameters->n_axes; a-- > 0;) {
        if (a == parameters->at[parameter].axis) {
            return setting % parameters->axis[a];
        }
        setting /= parameters->axis[a];
    }
    return 0;
}

static bool number_of(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static void put_number(double value, char out[PARAMETER_TEXT])
{
    if (floor(value) == value && fabs(value) < 1e15) {
        snprintf(out, PARAMETER_TEXT, "%.0f", value);
    } else {
        snprintf(out, PARAMETER_TEXT, "%.15g", value);
    }
}

void parameters_value(const struct parameters *parameters, size_t setting, size_t parameter,
                      char out[PARAMETER_TEXT])
{
    const struct parameter *p = &parameters->at[parameter];
    char error[256];
    double value = NAN;
    if (p->values != NULL) {
        snprintf(out, PARAMETER_TEXT, "%s",
                 p->values[parameters_index(parameters, setting, parameter)]);
        return;
    }
    const char *const *names;
    const size_t n = expression_names(p->of, &names);
    json_t *values = json_object();
    for (size_t i = 0; i < n; i++) {
        char text[PARAMETER_TEXT];
        double number = NAN;
        parameters_value(parameters, setting,
                         parameters_find(parameters, names[i], strlen(names[i])), text);
        json_object_set_new(values, names[i], json_real(number_of(text, &number) ? number : 0));
    }
    expression_value(p->of, values, &value, error, sizeof error);
    json_decref(values);
    put_number(value, out);
}

bool parameters_fill(const struct parameters *parameters, size_t setting, const char *text,
                     char *out, size_t n_out)
{
    size_t used = 0;
    while (*text != '\0') {
        char value[PARAMETER_TEXT] = {*text};
        const size_t length = *text == '{' ? strcspn(text + 1, "}") : 0;
        const size_t p = *text == '{' && text[length + 1] == '}'
                             ? parameters_find(parameters, text + 1, length)
                             : parameters->n;
        if (p < parameters->n) {
            parameters_value(parameters, setting, p, value);
            text += length + 1;
        }
        text++;
        if (used + strlen(value) >= n_out) {
            return false;
        }
        used += (size_t)snprintf(out + used, n_out - used, "%s", value);
    }
    out[used] = '\0';
    return true;
}

void parameters_describe(const struct parameters *parameters, size_t setting, char *out,
                         size_t n_out)
{
    size_t used = 0;
    *out = '\0';
    for (size_t p = 0; p < parameters->n && used < n_out; p++) {
        char value[PARAMETER_TEXT];
        parameters_value(parameters, setting, p, value);
        used += (size_t)snprintf(out + used, n_out - used, "%s%s=%s", p > 0 ? " " : "",
                                 parameters->at[p].name, value);
    }
}

json_t *parameters_json(const struct parameters *parameters, size_t setting)
{
    json_t *object = json_object();
    for (size_t p = 0; p < parameters->n; p++) {
        char text[PARAMETER_TEXT];
        double number;
        parameters_value(parameters, setting, p, text);
        json_object_set_new(object, parameters->at[p].name,
                            number_of(text, &number) ? json_real(number) : json_string(text));
    }
    return object;
}
