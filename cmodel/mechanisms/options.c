/* options.c - see options.h.  Knows descriptors, and no mechanism. */
#include "mechanisms/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One "KEY=VALUE" of the text. */
struct setting {
    const char *text; /* the whole */
    size_t length;
    size_t key;        /* bytes of the key */
    const char *value; /* behind '=', or NULL */
    size_t value_length;
};

static struct setting setting_at(const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    struct setting setting = {.text = text, .length = length, .key = length};
    if (equals != NULL) {
        setting.key = (size_t)(equals - text);
        setting.value = equals + 1;
        setting.value_length = length - setting.key - 1;
    }
    return setting;
}

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && strncmp(word, text, length) == 0;
}

/* The position of the setting's value among "a|b|c"; -1 when it is none of them. */
static int64_t position_of(const char *words, const struct setting *setting)
{
    for (int64_t position = 0; words != NULL; position++) {
        const size_t n = strcspn(words, "|");
        if (n == setting->value_length && strncmp(words, setting->value, n) == 0) {
            return position;
        }
        words = words[n] == '|' ? words + n + 1 : NULL;
    }
    return -1;
}

static bool number_of(const struct setting *setting, int64_t *number)
{
    char digits[24], *end;
    if (setting->value_length == 0 || setting->value_length >= sizeof digits ||
        (!isdigit((unsigned char)setting->value[0]) && setting->value[0] != '-')) {
        return false;
    }
    snprintf(digits, sizeof digits, "%.*s", (int)setting->value_length, setting->value);
    errno = 0;
    *number = strtoll(digits, &end, 0);
    return *end == '\0' && errno == 0;
}

static bool value_of(const struct mechanism_option *option, const struct setting *setting,
                     int64_t *value)
{
    if (option->kind == OPTION_WORD) {
        *value = position_of(option->words, setting);
        return *value >= 0;
    }
    return number_of(setting, value) && *value >= option->least && *value <= option->greatest &&
           (option->kind != OPTION_POWER_OF_TWO || (*value & (*value - 1)) == 0);
}

static int refuse_value(const struct mechanism *mechanism, const struct mechanism_option *option,
                        const struct setting *setting, char *error, size_t n)
{
    if (option->kind == OPTION_WORD) {
        snprintf(error, n, "%s: '%.*s': %s; give %s", mechanism->name, (int)setting->length,
                 setting->text, option->meaning, option->words);
    } else {
        snprintf(error, n, "%s: '%.*s': %s; give %s%" PRId64 " to %" PRId64, mechanism->name,
                 (int)setting->length, setting->text, option->meaning,
                 option->kind == OPTION_POWER_OF_TWO ? "a power of two, " : "", option->least,
                 option->greatest);
    }
    return -1;
}

static int refuse_key(const struct mechanism *mechanism, const struct setting *setting, char *error,
                      size_t n)
{
    size_t used = (size_t)snprintf(error, n, "%s: '%.*s' is no option; there is ", mechanism->name,
                                   (int)setting->length, setting->text);
    for (size_t i = 0; i < mechanism->n_options && used < n; i++) {
        used += (size_t)snprintf(error + used, n - used, "%s%s", i > 0 ? ", " : "",
                                 mechanism->options[i].name);
    }
    for (size_t i = 0; i < mechanism->n_parts && used < n; i++) {
        used += (size_t)snprintf(error + used, n - used, "%s%s.PARAMETER",
                                 i > 0 || mechanism->n_options > 0 ? ", " : "",
                                 mechanism->parts[i].role);
    }
    if (mechanism->n_options + mechanism->n_parts == 0) {
        snprintf(error, n, "%s: no options ':%.*s' are known; leave them out", mechanism->name,
                 (int)setting->length, setting->text);
    }
    return -1;
}

/* "dist.thr=64" becomes "THR=64" among the overrides of that part; the unit says whether it has
 * the parameter and takes the value. */
static int add_override(char **overrides, const struct setting *setting, size_t role, char *error,
                        size_t n)
{
    const size_t before = *overrides != NULL ? strlen(*overrides) : 0;
    char *longer = realloc(*overrides, before + setting->length + 2);
    if (longer == NULL) {
        snprintf(error, n, "out of memory");
        return -1;
    }
    *overrides = longer;
    char *at = longer + before;
    if (before > 0) {
        *at++ = ',';
    }
    for (size_t i = role + 1; i < setting->length; i++) {
        *at++ = (char)(i < setting->key ? toupper((unsigned char)setting->text[i])
                                        : setting->text[i]);
    }
    *at = '\0';
    return 0;
}

static int read_one(const struct mechanism *mechanism, const struct setting *setting,
                    int64_t *values, char **overrides, char *error, size_t n)
{
    for (size_t i = 0; i < mechanism->n_options; i++) {
        const struct mechanism_option *option = &mechanism->options[i];
        if (is_word(option->name, setting->text, setting->key)) {
            return setting->value != NULL && value_of(option, setting, &values[i])
                       ? 0
                       : refuse_value(mechanism, option, setting, error, n);
        }
    }
    const char *dot = memchr(setting->text, '.', setting->key);
    const size_t role = dot != NULL ? (size_t)(dot - setting->text) : 0;
    for (size_t i = 0; dot != NULL && i < mechanism->n_parts; i++) {
        if (is_word(mechanism->parts[i].role, setting->text, role) && setting->value_length > 0) {
            return add_override(&overrides[i], setting, role, error, n);
        }
    }
    return refuse_key(mechanism, setting, error, n);
}

int options_read(const struct mechanism *mechanism, const char *text, size_t length,
                 int64_t *values, char **overrides, char *error, size_t n_error)
{
    for (size_t i = 0; i < mechanism->n_options; i++) {
        values[i] = mechanism->options[i].standard;
    }
    for (size_t at = 0; at < length;) {
        const char *colon = memchr(text + at, ':', length - at);
        const size_t end = colon != NULL ? (size_t)(colon - text) : length;
        const struct setting setting = setting_at(text + at, end - at);
        if (read_one(mechanism, &setting, values, overrides, error, n_error) != 0) {
            return -1;
        }
        at = end + 1;
    }
    return 0;
}
