/* golden.h - memory in logical time: what every load must return, by its time alone.
 *
 * Works after tabbakh2018 3.6.1 and 3.6.8: operations are ordered by (epoch, timestamp), a
 * load returns the version with the greatest time not after its own.  Keeps versions by
 * (word, time); knows no line, lease, cache or message. */
#ifndef WARPLOCK_TESTS_PROTOCOL_GOLDEN_H
#define WARPLOCK_TESTS_PROTOCOL_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A point in logical time: the epoch above, the timestamp below. */
typedef uint64_t logical_time;

static inline logical_time logical_time_of(uint64_t epoch, uint64_t timestamp)
{
    return epoch << 32 | timestamp;
}

enum { GOLDEN_VERSIONS = 1024 }; /* kept per word; older ones cannot be checked */

struct golden_word {
    logical_time at[GOLDEN_VERSIONS];
    uint64_t value[GOLDEN_VERSIONS];
    uint64_t n;               /* versions ever */
    logical_time latest_load; /* the latest time at which somebody read */
};

struct golden {
    struct golden_word *word;
    size_t n_words;
    uint64_t loads_checked, loads_too_old;
};

/* Every word has the value 0 from the beginning of time; false when out of memory. */
bool golden_init(struct golden *golden, size_t n_words);
void golden_free(struct golden *golden);

/* A store is performed.  False, with words in `error`, when its time is not after the version
 * before it and after every load that did not see it. */
bool golden_store(struct golden *golden, size_t word, logical_time at, uint64_t value, char *error,
                  size_t n_error);
/* A load returned `value`.  False when that was another version's. */
bool golden_load(struct golden *golden, size_t word, logical_time at, uint64_t value, char *error,
                 size_t n_error);
/* The latest value. */
uint64_t golden_latest(const struct golden *golden, size_t word);

#endif
