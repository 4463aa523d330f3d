/* workload_size.c - the sizes of workloads: from a user's text to checked values.
 *
 * A size is text "key=value,key=value" in the order of the workload's parameter
 * table.  Parsing starts from a named size and replaces what the user gave, so a
 * parsed size always has every parameter, and the run functions can look values
 * up without checking.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/workload.h"

/* A stretch of somebody else's text. */
struct slice {
    const char *text;
    size_t n;
};

struct parse {
    const struct workload *workload;
    char *error;
    size_t n_error;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct parse *parse,
                                                        const char *format, ...)
{
    va_list args;
    int n = snprintf(parse->error, parse->n_error, "workload %s: ", parse->workload->name);
    size_t used = n > 0 && (size_t)n < parse->n_error ? (size_t)n : parse->n_error;
    va_start(args, format);
    vsnprintf(parse->error + used, parse->n_error - used, format, args);
    va_end(args);
    return -1;
}

static bool slice_is(struct slice slice, const char *text)
{
    return strlen(text) == slice.n && memcmp(slice.text, text, slice.n) == 0;
}

/* Take the part before the next comma; false at the end of the text. */
static bool next_part(const char **cursor, struct slice *part)
{
    if (!*cursor) {
        return false;
    }
    *part = (struct slice){.text = *cursor, .n = strcspn(*cursor, ",")};
    *cursor = part->text[part->n] ? part->text + part->n + 1 : NULL;
    return true;
}

/* The value of `key` in "key=value,…"; false when it is not there. */
static bool find_value(const char *values, const char *key, struct slice *value)
{
    struct slice part;
    size_t n_key = strlen(key);
    while (next_part(&values, &part)) {
        if (part.n <= n_key || part.text[n_key] != '=' || memcmp(part.text, key, n_key) != 0) {
            continue;
        }
        *value = (struct slice){.text = part.text + n_key + 1, .n = part.n - n_key - 1};
        return true;
    }
    return false;
}

static const struct workload_param *find_param(const struct workload *workload, struct slice key)
{
    for (const struct workload_param *p = workload->params; p->key; p++) {
        if (slice_is(key, p->key)) {
            return p;
        }
    }
    return NULL;
}

static const struct workload_size *find_size(const struct workload *workload, struct slice name)
{
    for (const struct workload_size *s = workload->sizes; s->name; s++) {
        if (slice_is(name, s->name)) {
            return s;
        }
    }
    return NULL;
}

static int refuse_size(const struct parse *parse, struct slice name)
{
    char names[160] = "";
    for (const struct workload_size *s = parse->workload->sizes; s->name; s++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", s->name);
    }
    return refuse(parse, "no size '%.*s'; use one of %s, or key=value", (int)name.n, name.text,
                  names);
}

static int refuse_key(const struct parse *parse, struct slice key)
{
    char keys[160] = "";
    for (const struct workload_param *p = parse->workload->params; p->key; p++) {
        size_t used = strlen(keys);
        snprintf(keys + used, sizeof keys - used, "%s%s", used ? ", " : "", p->key);
    }
    return refuse(parse, "no parameter '%.*s'; it has %s", (int)key.n, key.text, keys);
}

/* Decimal digits only: no sign, no space, no overflow. */
static bool read_number(struct slice slice, uint64_t *number)
{
    uint64_t n = 0;
    for (size_t i = 0; i < slice.n; i++) {
        if (slice.text[i] < '0' || slice.text[i] > '9' || n > (UINT64_MAX - 9) / 10) {
            return false;
        }
        n = n * 10 + (uint64_t)(slice.text[i] - '0');
    }
    *number = n;
    return slice.n > 0;
}

static int check_value(const struct parse *parse, const struct workload_param *param,
                       struct slice value)
{
    uint64_t number;
    if (param->kind == WORKLOAD_TEXT) {
        return value.n ? 0 : refuse(parse, "%s is empty; give %s", param->key, param->meaning);
    }
    if (!read_number(value, &number)) {
        return refuse(parse, "%s=%.*s is not a number; give %s in decimal digits", param->key,
                      (int)value.n, value.text, param->meaning);
    }
    if (number < param->min || number > param->max) {
        return refuse(parse, "%s=%" PRIu64 " is out of range; use %" PRIu64 " to %" PRIu64,
                      param->key, number, param->min, param->max);
    }
    if (param->kind == WORKLOAD_POWER2 && (number & (number - 1)) != 0) {
        return refuse(parse, "%s=%" PRIu64 " is not a power of two; use %" PRIu64 " for example",
                      param->key, number, UINT64_C(1) << (63 - __builtin_clzll(number)));
    }
    return 0;
}

/* Check what the user wrote; sets the size to start from, and the rest after its name. */
static int check_text(const struct parse *parse, const char *text,
                      const struct workload_size **base, const char **changes)
{
    const char *cursor = text;
    struct slice part, seen;
    *base = find_size(parse->workload, (struct slice){.text = "small", .n = 5});
    *changes = text;
    for (bool first = true; next_part(&cursor, &part); first = false) {
        const char *equals = memchr(part.text, '=', part.n);
        if (!equals && first) {
            if (!(*base = find_size(parse->workload, part))) {
                return refuse_size(parse, part);
            }
            *changes = cursor;
            continue;
        }
        struct slice key = {.text = part.text, .n = equals ? (size_t)(equals - part.text) : part.n};
        const struct workload_param *param = find_param(parse->workload, key);
        if (!param) {
            return refuse_key(parse, key);
        }
        if (!equals) {
            return refuse(parse, "%s has no value; write %s=…", param->key, param->key);
        }
        if (find_value(*changes, param->key, &seen) && seen.text != equals + 1) {
            return refuse(parse, "%s is given twice; remove one", param->key);
        }
    }
    return *base ? 0 : refuse(parse, "it has no size 'small'; name a size");
}

int workload_size_parse(const struct workload *workload, const char *text,
                        struct workload_size *out, char *error, size_t n_error)
{
    const struct parse parse = {.workload = workload, .error = error, .n_error = n_error};
    const struct workload_size *base;
    const char *changes;
    if (check_text(&parse, text, &base, &changes) != 0) {
        return -1;
    }

    char *values = malloc(strlen(base->values) + strlen(text) + 2);
    size_t used = 0;
    if (!values) {
        return refuse(&parse, "out of memory");
    }
    values[0] = '\0';
    for (const struct workload_param *p = workload->params; p->key; p++) {
        struct slice value;
        if (!(changes && find_value(changes, p->key, &value)) &&
            !find_value(base->values, p->key, &value)) {
            free(values);
            return refuse(&parse, "size %s lacks %s; give %s=…", base->name, p->key, p->key);
        }
        if (check_value(&parse, p, value) != 0) {
            free(values);
            return -1;
        }
        used += (size_t)sprintf(values + used, "%s%s=%.*s", used ? "," : "", p->key, (int)value.n,
                                value.text);
    }
    *out = (struct workload_size){.name = base->name, .values = values};
    return 0;
}

void workload_size_free(struct workload_size *size)
{
    free((char *)(uintptr_t)size->values);
    *size = (struct workload_size){0};
}

uint64_t workload_number(const struct workload_size *size, const char *key)
{
    struct slice value;
    uint64_t number = 0;
    if (find_value(size->values, key, &value)) {
        read_number(value, &number);
    }
    return number;
}

uint32_t workload_u32(const struct workload_size *size, const char *key)
{
    return (uint32_t)workload_number(size, key);
}

int workload_text(const struct workload_size *size, const char *key, char *out, size_t n_out)
{
    struct slice value = {.text = "", .n = 0};
    find_value(size->values, key, &value);
    int n = snprintf(out, n_out, "%.*s", (int)value.n, value.text);
    return n >= 0 && (size_t)n < n_out ? 0 : -1;
}
