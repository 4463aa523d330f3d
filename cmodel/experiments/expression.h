/* expression.h - an expression over the counters of a run's statistics.
 *
 * A counter is named by its path in the JSON of `warplock run --json`, its keys joined by dots:
 * statistics.sm_total.loads_divergent.  A key `_` stands for every member of an object or array,
 * and the counter for the sum over all.  What a mechanism did not count is 0; any other counter must
 * be there.  Operators and functions are muParser's. */
#ifndef WARPLOCK_EXPERIMENTS_EXPRESSION_H
#define WARPLOCK_EXPERIMENTS_EXPRESSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct expression;

/* NULL with one line in `error` when it is no expression. */
struct expression *expression_new(const char *text, char *error, size_t n_error);
void expression_free(struct expression *expression);

/* How many counters it names, each once; they live as long as it. */
size_t expression_names(const struct expression *expression, const char *const **names);
/* Is there such a counter in `run`?  A member of what is empty is taken to be there. */
bool expression_has(const json_t *run, const char *counter);

/* Its value for one run; false with one line in `error` when a counter is missing.  NAN and
 * infinities are values. */
bool expression_value(struct expression *expression, const json_t *run, double *value, char *error,
                      size_t n_error);

#endif
