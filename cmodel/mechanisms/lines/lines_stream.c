/* lines_stream.c - the stream prefetcher: lines that lie close to each other, one behind the other, up or
 * down, are run ahead of (lakshminarayana2014-graph 3.2.2).  It must not know who touches them. */
#include <stdlib.h>
#include <string.h>

#include "mechanisms/lines/lines.h"
#include "units/caps/lru_rank.h"

enum {
    SETS = 64,
    WAYS = 8,      /* 512 entries */
    SET_SHIFT = 6, /* a set is that of line bits 11:6 */
    LENGTH = 64,   /* lines from the start of a stream to its end */
    WINDOW = 16,   /* lines from an untrained stream's start */
    TRAIN_HITS = 2,
    FILTER = 16,
    TRAIN_CYCLES = 1
};

struct stream {
    bool trained;
    int8_t up; /* 1, or -1: down */
    uint8_t hits;
    int64_t start, end;
};

struct table {
    struct stream stream[SETS][WAYS];
    uint8_t valid[SETS][WAYS], age[SETS][WAYS];
    uint32_t recent[FILTER], next, n_recent; /* lines looked at last */
};

static void reset(void *table)
{
    struct table *t = table;
    memset(t->valid, 0, sizeof t->valid);
    t->next = t->n_recent = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        for (uint8_t way = 0; way < WAYS; way++) {
            t->age[set][way] = way;
        }
    }
}

static bool is_recent(struct table *t, uint32_t line)
{
    for (uint32_t i = 0; i < t->n_recent; i++) {
        if (t->recent[i] == line) {
            return true;
        }
    }
    t->recent[t->next] = line;
    t->next = (t->next + 1) % FILTER;
    t->n_recent += t->n_recent < FILTER;
    return false;
}

static bool matches(const struct stream *s, int64_t line, bool trained)
{
    if (s->trained != trained) {
        return false;
    }
    return trained ? (line - s->start) * s->up >= 0 && (s->end - line) * s->up >= 0
                   : llabs(line - s->start) <= WINDOW;
}

/* The stream that goes on with `line`, put into the line's own set: lines near the border of a set may
 * belong to a stream of a set beside it (D-LINES-5).  NULL when there is none. */
static struct stream *find(struct table *t, uint32_t line, bool trained)
{
    const uint32_t own = line >> SET_SHIFT;
    for (uint32_t n = 0; n < 3; n++) {
        const uint32_t set = (own + (n == 1 ? SETS - 1 : n == 2 ? 1 : 0)) % SETS;
        for (uint32_t way = 0; way < WAYS; way++) {
            if (!t->valid[set][way] || !matches(&t->stream[set][way], line, trained)) {
                continue;
            }
            const struct stream found = t->stream[set][way];
            t->valid[set][way] = 0;
            const uint32_t to = n == 0 ? way
                                       : lru_rank_victim(t->age[own % SETS], t->valid[own % SETS],
                                                         WAYS);
            lru_rank_touch(t->age[own % SETS], WAYS, to);
            t->valid[own % SETS][to] = 1;
            t->stream[own % SETS][to] = found;
            return &t->stream[own % SETS][to];
        }
    }
    return NULL;
}

static void start(struct table *t, uint32_t line)
{
    const uint32_t set = (line >> SET_SHIFT) % SETS;
    const unsigned way = lru_rank_victim(t->age[set], t->valid[set], WAYS);
    lru_rank_touch(t->age[set], WAYS, way);
    t->valid[set][way] = 1;
    t->stream[set][way] = (struct stream){.up = 1, .hits = 1, .start = line, .end = line};
}

static void run_ahead(struct stream *s, uint32_t degree, struct lines_wanted *wanted)
{
    for (uint32_t n = 0; n < degree; n++) {
        s->end += s->up;
        lines_want(wanted, s->end);
    }
    if (llabs(s->end - s->start) > LENGTH) {
        s->start = s->end - (int64_t)s->up * LENGTH;
    }
}

static uint32_t train(void *table, uint32_t degree, uint32_t line, bool missed,
                      struct lines_wanted *wanted)
{
    struct table *t = table;
    (void)missed;
    if (is_recent(t, line)) {
        return TRAIN_CYCLES;
    }
    struct stream *s = find(t, line, true);
    if (s != NULL) {
        run_ahead(s, degree, wanted);
        return TRAIN_CYCLES;
    }
    s = find(t, line, false);
    if (s == NULL) {
        start(t, line);
        return TRAIN_CYCLES;
    }
    s->up = line < s->start ? -1 : 1;
    s->trained = ++s->hits > TRAIN_HITS;
    if (s->trained) { /* D-LINES-4 */
        s->end = line;
        run_ahead(s, degree, wanted);
    }
    return TRAIN_CYCLES;
}

const struct lines_kind lines_stream = {
    .table_bytes = sizeof(struct table), .reset = reset, .train = train};

static int attach(struct mechanism_context *context)
{
    return lines_attach(context, &lines_stream);
}

static const struct mechanism_option options[] = {LINES_DEGREE(LINES_MOST)};

const struct mechanism mechanism_stream = {.name = "stream",
                                           .title = "stream prefetcher (POWER4 style)",
                                           .document = "lakshminarayana2014-graph",
                                           .section = "3.2.2",
                                           MECHANISM_OPTIONS(options),
                                           .promises = PLUG_LOCAL | PLUG_QUIET,
                                           .attach = attach};
