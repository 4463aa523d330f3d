/* json_values.h - values of a JSON object by key, where a key that is not there is "" or 0. */
#ifndef WARPLOCK_EXPERIMENTS_JSON_VALUES_H
#define WARPLOCK_EXPERIMENTS_JSON_VALUES_H

#include <jansson.h>

/* Belongs to `object`. */
static inline const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static inline double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

#endif
