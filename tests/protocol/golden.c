/* golden.c - memory in logical time.  See golden.h. */
#include "golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool golden_init(struct golden *golden, size_t n_words)
{
    *golden = (struct golden){.n_words = n_words};
    golden->word = calloc(n_words, sizeof *golden->word);
    for (size_t w = 0; golden->word != NULL && w < n_words; w++) {
        golden->word[w].n = 1;
    }
    return golden->word != NULL;
}

void golden_free(struct golden *golden)
{
    free(golden->word);
    golden->word = NULL;
}

static void say(char *error, size_t n_error, size_t word, logical_time at, const char *what,
                logical_time other, uint64_t got, uint64_t expected)
{
    snprintf(error, n_error,
             "word %zu at epoch %" PRIu64 " ts %" PRIu64 ": %s (epoch %" PRIu64 " ts %" PRIu64
             "), got %" PRIu64 ", expected %" PRIu64,
             word, at >> 32, at & UINT32_MAX, what, other >> 32, other & UINT32_MAX, got, expected);
}

bool golden_store(struct golden *golden, size_t word, logical_time at, uint64_t value, char *error,
                  size_t n_error)
{
    struct golden_word *w = &golden->word[word];
    const logical_time before = w->at[(w->n - 1) % GOLDEN_VERSIONS];
    if (at <= before || at <= w->latest_load) {
        say(error, n_error, word, at,
            at <= before ? "store not after the version before it"
                         : "store not after a load that did not see it",
            at <= before ? before : w->latest_load, value, value);
        return false;
    }
    w->at[w->n % GOLDEN_VERSIONS] = at;
    w->value[w->n % GOLDEN_VERSIONS] = value;
    w->n++;
    return true;
}

bool golden_load(struct golden *golden, size_t word, logical_time at, uint64_t value, char *error,
                 size_t n_error)
{
    struct golden_word *w = &golden->word[word];
    const uint64_t oldest = w->n > GOLDEN_VERSIONS ? w->n - GOLDEN_VERSIONS : 0;
    uint64_t v = w->n - 1;
    while (v > oldest && w->at[v % GOLDEN_VERSIONS] > at) {
        v--;
    }
    if (w->at[v % GOLDEN_VERSIONS] > at) {
        golden->loads_too_old++;
        return true;
    }
    golden->loads_checked++;
    w->latest_load = at > w->latest_load ? at : w->latest_load;
    const uint64_t expected = w->value[v % GOLDEN_VERSIONS];
    if (value != expected) {
        say(error, n_error, word, at, "load of another version than the latest one",
            w->at[v % GOLDEN_VERSIONS], value, expected);
    }
    return value == expected;
}

uint64_t golden_latest(const struct golden *golden, size_t word)
{
    const struct golden_word *w = &golden->word[word];
    return w->value[(w->n - 1) % GOLDEN_VERSIONS];
}
