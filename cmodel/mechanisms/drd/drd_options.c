/* drd_options.c - reads the options of race detection from their text. */
#include "mechanisms/drd/drd_options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option {
    const char *key;
    size_t at;
    uint32_t standard, lowest, highest;
    const char *words, *about;
} options[] = {
#define O(key, standard, lowest, highest, words, about) \
    {#key, offsetof(struct drd_options, key), standard, lowest, highest, words, about},
    DRD_OPTIONS(O)
#undef O
};
enum { N_OPTIONS = sizeof options / sizeof *options };

uint32_t drd_shift(const struct drd_options *chosen)
{
    static const uint8_t shifts[] = {0, 2, 7, 9};
    return shifts[chosen->gran];
}

static void set(struct drd_options *chosen, const struct option *option, uint32_t value)
{
    memcpy((char *)chosen + option->at, &value, sizeof value);
}

/* The position of the word of `length` in "a|b|c"; false when it is none of them. */
static bool word_at(const char *words, const char *text, size_t length, uint32_t *position)
{
    for (*position = 0; words != NULL; ++*position) {
        const size_t n = strcspn(words, "|");
        if (n == length && strncmp(words, text, n) == 0) {
            return true;
        }
        words = words[n] == '|' ? words + n + 1 : NULL;
    }
    return false;
}

static bool number_of(const char *text, size_t length, const struct option *option, uint32_t *value)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    *value = (uint32_t)number;
    return length > 0 && text[0] >= '0' && text[0] <= '9' && end == text + length &&
           number >= option->lowest && number <= option->highest &&
           (strstr(option->about, "power of two") == NULL || (number & (number - 1)) == 0);
}

static void say_keys(char *error, size_t n)
{
    size_t used = strlen(error);
    for (size_t i = 0; i < N_OPTIONS && used < n; i++) {
        used += (size_t)snprintf(error + used, n - used, "%s%s", i > 0 ? ", " : "", options[i].key);
    }
}

static int read_one(const char *text, size_t length, struct drd_options *chosen, char *error,
                    size_t n)
{
    const char *equals = memchr(text, '=', length);
    const size_t key = equals != NULL ? (size_t)(equals - text) : length;
    const size_t rest = equals != NULL ? length - key - 1 : 0;
    for (size_t i = 0; i < N_OPTIONS; i++) {
        uint32_t value = 0;
        if (strlen(options[i].key) != key || strncmp(options[i].key, text, key) != 0) {
            continue;
        }
        if (equals != NULL &&
            (options[i].words != NULL ? word_at(options[i].words, equals + 1, rest, &value)
                                      : number_of(equals + 1, rest, &options[i], &value))) {
            set(chosen, &options[i], value);
            return 0;
        }
        snprintf(error, n, "drd: '%.*s': %s; give %s", (int)length, text, options[i].about,
                 options[i].words != NULL ? options[i].words : "");
        if (options[i].words == NULL) {
            const size_t used = strlen(error);
            snprintf(error + used, n - used, "%u to %u", options[i].lowest, options[i].highest);
        }
        return -1;
    }
    snprintf(error, n, "drd: '%.*s' is no option; there is ", (int)length, text);
    say_keys(error, n);
    return -1;
}

int drd_options_read(const char *text, struct drd_options *chosen, char *error, size_t n_error)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        set(chosen, &options[i], options[i].standard);
    }
    while (*text != '\0') {
        const size_t length = strcspn(text, ":");
        if (read_one(text, length, chosen, error, n_error) != 0) {
            return -1;
        }
        text += length + (text[length] == ':');
    }
    return 0;
}
