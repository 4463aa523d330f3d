/* lines.h - what the prefetchers that follow streams of line addresses share (lakshminarayana2014-graph
 * 3.2): the access they learn from, the lines they ask for, the queue to the L1D.  It knows no
 * prefetcher. */
#ifndef WARPLOCK_MECHANISMS_LINES_H
#define WARPLOCK_MECHANISMS_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "mechanisms/mechanism.h"

enum {
    LINES_SHIFT = 7,   /* 128-byte lines of a 32-bit address space: 25 bits */
    LINES_QUEUE = 128, /* requests that wait for the L1D's port */
    LINES_MOST = 16    /* that one access asks for */
};

/* Lines to fetch, in order; those below 0 or beyond the address space are nobody's. */
struct lines_wanted {
    uint32_t n;
    int64_t line[LINES_MOST];
};

static inline void lines_want(struct lines_wanted *wanted, int64_t line)
{
    if (wanted->n < LINES_MOST) {
        wanted->line[wanted->n++] = line;
    }
}

/* One prefetcher of one SM: a table and a rule, no timing but how long an access keeps it busy. */
struct lines_kind {
    size_t table_bytes;
    void (*reset)(void *table); /* a kernel starts */
    /* A load of the SM looks for `line` in the L1D; `missed`: it takes a new MSHR entry.  Returns for
     * how many cycles no other access can be looked at, at least 1. */
    uint32_t (*train)(void *table, uint32_t degree, uint32_t line, bool missed,
                      struct lines_wanted *wanted);
};

extern const struct lines_kind lines_stride, lines_stream, lines_ghb;

/* Put `kind` behind the prefetch socket of every SM; the option "degree" is read. */
int lines_attach(struct mechanism_context *context, const struct lines_kind *kind);

#define LINES_DEGREE(most_) \
    OPTION_COUNT("degree", 4, 1, most_, "lines that an access asks for", "3.2.4")

#endif
