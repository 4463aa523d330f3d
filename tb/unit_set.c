/* unit_set.c - "K=V,K=V": what a user may set of a unit's parameters. */
#include "tb/unit_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool legal(const struct unit_desc *desc, const char *word, size_t length,
                  struct failure *failure)
{
    char name[64] = "", *end = NULL;
    const char *equals = memchr(word, '=', length);
    if (equals == NULL || equals == word || (size_t)(equals - word) >= sizeof name) {
        failure_set(failure, VERDICT_USAGE, "parameter '%.*s': write NAME=VALUE", (int)length,
                    word);
        return false;
    }
    memcpy(name, word, (size_t)(equals - word));
    const long long value = strtoll(equals + 1, &end, 0);
    if (end == equals + 1 || end != word + length) {
        failure_set(failure, VERDICT_USAGE, "parameter '%.*s': the value is not a number",
                    (int)length, word);
        return false;
    }
    for (unsigned i = 0; i < desc->n_params; i++) {
        const struct unit_param *param = &desc->params[i];
        if (strcmp(param->name, name) != 0) {
            continue;
        }
        if (param->power_of_two && (value <= 0 || (value & (value - 1)) != 0)) {
            failure_set(failure, VERDICT_USAGE, "%s: %s=%lld is no power of two; %s (%lld to %lld)",
                        desc->name, name, value, param->doc, (long long)param->least,
                        (long long)param->greatest);
            return false;
        }
        if (value < param->least || value > param->greatest) {
            failure_set(failure, VERDICT_USAGE, "%s: %s=%lld is outside %lld to %lld; %s",
                        desc->name, name, value, (long long)param->least,
                        (long long)param->greatest, param->doc);
            return false;
        }
        return true;
    }
    failure_set(failure, VERDICT_USAGE, "%s has no parameter %s; `warplock ports %s` lists them",
                desc->name, name, desc->name);
    return false;
}

bool unit_set_resolve(const struct unit_desc *desc, const char *overrides, char *set, size_t n,
                      struct failure *failure)
{
    set[0] = '\0';
    for (const char *at = overrides; *at != '\0';) {
        const size_t length = strcspn(at, ", ");
        if (length > 0) {
            if (!legal(desc, at, length, failure)) {
                return false;
            }
            const size_t used = strlen(set);
            snprintf(set + used, n - used, "%s%.*s", used > 0 ? " " : "", (int)length, at);
        }
        at += length + (at[length] != '\0');
    }
    return true;
}

bool unit_set_meets(const struct unit_desc *desc, const char *set, struct failure *failure)
{
    for (unsigned i = 0; i < desc->n_conditions; i++) {
        if (!desc->conditions[i].met) {
            failure_set(failure, VERDICT_USAGE, "%s %s: %s", desc->name, set,
                        desc->conditions[i].words);
            return false;
        }
    }
    return true;
}
