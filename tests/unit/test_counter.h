/* test_counter.h - one counter out of the statistics of all mechanisms. */
#ifndef WARPLOCK_TEST_COUNTER_H
#define WARPLOCK_TEST_COUNTER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <cmocka.h>

/* The integer `name` of `mechanism` in `all`, which is released. */
static inline json_int_t counter_of(json_t *all, const char *mechanism, const char *name)
{
    const json_t *value = json_object_get(json_object_get(all, mechanism), name);

    assert_true(json_is_integer(value));
    const json_int_t count = json_integer_value(value);
    json_decref(all);
    return count;
}

#endif
