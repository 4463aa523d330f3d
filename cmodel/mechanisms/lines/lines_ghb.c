/* lines_ghb.c - AC/DC: a history of line addresses, chained by zones of 4 KB, in which the last two
 * deltas of a zone are looked for again (lakshminarayana2014-graph 3.2.3).  It must not know who touches
 * the lines. */
#include <stdlib.h>
#include <string.h>

#include "mechanisms/lines/lines.h"
#include "units/caps/lru_rank.h"

enum {
    HISTORY = 1024,
    ZONES = 128,
    ZONE_SHIFT = 5, /* lines of 4 KB: 12 CZone bits */
    MOST_DELTA = 100,
    MOST_STEPS = 32 /* a cycle each */
};

struct table {
    struct {
        uint32_t line;
        uint16_t before; /* entry of the same zone; meaningful when linked */
        bool linked;
    } history[HISTORY];
    uint32_t next, n_history;
    uint32_t zone[ZONES];
    uint16_t newest[ZONES];
    uint8_t valid[ZONES], age[ZONES];
};

static void reset(void *table)
{
    struct table *t = table;
    memset(t->valid, 0, sizeof t->valid);
    t->next = t->n_history = 0;
    for (uint8_t i = 0; i < ZONES; i++) {
        t->age[i] = i;
    }
}

/* Accesses since the entry was written. */
static uint32_t age_of(const struct table *t, uint32_t entry)
{
    return (t->next + HISTORY - 1 - entry) % HISTORY;
}

/* Does the entry still hold the access of the zone that it held when it was pointed at?  An entry
 * written over is of another zone, or newer than what points at it (D-LINES-6). */
static bool is_there(const struct table *t, uint32_t entry, uint32_t zone)
{
    return age_of(t, entry) < t->n_history && t->history[entry].line >> ZONE_SHIFT == zone;
}

/* The zone's place in the index, and whether its newest access is there. */
static uint32_t index_of(struct table *t, uint32_t zone, bool *known)
{
    for (uint32_t i = 0; i < ZONES; i++) {
        if (t->valid[i] && t->zone[i] == zone) {
            lru_rank_touch(t->age, ZONES, i);
            *known = is_there(t, t->newest[i], zone);
            return i;
        }
    }
    const unsigned i = lru_rank_victim(t->age, t->valid, ZONES);
    lru_rank_touch(t->age, ZONES, i);
    t->valid[i] = 1;
    t->zone[i] = zone;
    *known = false;
    return i;
}

static uint32_t write_down(struct table *t, uint32_t line, uint32_t place, bool known)
{
    const uint32_t entry = t->next;
    t->history[entry].line = line;
    t->history[entry].before = t->newest[place];
    t->history[entry].linked = known;
    t->newest[place] = (uint16_t)entry;
    t->next = (t->next + 1) % HISTORY;
    t->n_history += t->n_history < HISTORY;
    return entry;
}

/* Deltas of the zone, the newest first; ends where the chain does, or at a large one. */
static uint32_t walk(const struct table *t, uint32_t entry, uint32_t zone, int64_t *delta)
{
    uint32_t n = 0;
    while (n < MOST_STEPS && t->history[entry].linked) {
        const uint32_t before = t->history[entry].before;
        if (!is_there(t, before, zone) || age_of(t, before) <= age_of(t, entry)) {
            break;
        }
        delta[n] = (int64_t)t->history[entry].line - t->history[before].line;
        if (llabs(delta[n]) > MOST_DELTA) {
            break;
        }
        n++;
        entry = before;
    }
    return n;
}

/* The deltas behind the last earlier occurrence of the newest two, over and over. */
static void replay(const int64_t *delta, uint32_t n, uint32_t degree, int64_t line,
                   struct lines_wanted *wanted)
{
    uint32_t at = 1;
    while (at + 1 < n && (delta[at] != delta[0] || delta[at + 1] != delta[1])) {
        at++;
    }
    if (at + 1 >= n) {
        return;
    }
    for (uint32_t k = 0; k < degree; k++) {
        line += delta[at - 1 - k % at];
        lines_want(wanted, line);
    }
}

static uint32_t train(void *table, uint32_t degree, uint32_t line, bool missed,
                      struct lines_wanted *wanted)
{
    struct table *t = table;
    const uint32_t zone = line >> ZONE_SHIFT;
    int64_t delta[MOST_STEPS];
    bool known;
    (void)missed;
    const uint32_t place = index_of(t, zone, &known);
    if (known && t->history[t->newest[place]].line == line) {
        return 1;
    }
    const uint32_t n = walk(t, write_down(t, line, place, known), zone, delta);
    if (n >= 2 && delta[0] == delta[1]) {
        for (uint32_t k = 1; k <= degree; k++) {
            lines_want(wanted, line + delta[0] * k);
        }
    } else if (n >= 2) {
        replay(delta, n, degree, line, wanted);
    }
    return n + 1;
}

const struct lines_kind lines_ghb = {
    .table_bytes = sizeof(struct table), .reset = reset, .train = train};

static int attach(struct mechanism_context *context)
{
    return lines_attach(context, &lines_ghb);
}

static const struct mechanism_option options[] = {LINES_DEGREE(LINES_MOST)};

const struct mechanism mechanism_ghb = {.name = "ghb",
                                        .title = "delta correlation in zones (AC/DC, GHB)",
                                        .document = "lakshminarayana2014-graph",
                                        .section = "3.2.3",
                                        MECHANISM_OPTIONS(options),
                                        .promises = PLUG_LOCAL | PLUG_QUIET,
                                        .attach = attach};
