/* lines_stride.c - the stride prefetcher: a table of regions with the strides between the lines that are
 * touched in each, of one length or of two by turns (lakshminarayana2014-graph 3.2.1).  It must not know
 * who touches them. */
#include <string.h>

#include "mechanisms/lines/lines.h"
#include "units/caps/lru_rank.h"

enum {
    SETS = 256,
    WAYS = 4,         /* 1024 entries */
    REGION_SHIFT = 9, /* lines of 64 KB: 16 region bits */
    THRESHOLD = 6,    /* equal strides, and strides that follow the pattern, until it is trusted */
    DISTANCE = 16,    /* lines ahead at most */
    TRAIN_CYCLES = 2
};

enum mode { LEARN, COUNT, SINGLE, MULTI };

/* A place in the pattern: `k` strides of kind `which` have been made. */
struct place {
    uint8_t which;
    uint32_t k;
};

struct entry {
    uint32_t region;
    int64_t last;    /* line touched last */
    uint8_t mode;    /* enum mode */
    struct place at; /* of the last line */
    int64_t stride[2], transition[2];
    uint32_t count[2], followed;
    uint32_t sent; /* lines asked for that the program has not come to */
    int64_t asked; /* the last of them, and its place */
    struct place asked_at;
};

struct table {
    struct entry entry[SETS][WAYS];
    uint8_t valid[SETS][WAYS], age[SETS][WAYS];
};

static void reset(void *table)
{
    struct table *t = table;
    memset(t->valid, 0, sizeof t->valid);
    for (uint32_t set = 0; set < SETS; set++) {
        for (uint8_t way = 0; way < WAYS; way++) {
            t->age[set][way] = way;
        }
    }
}

/* NULL, and an entry for the region after a miss, when there was none. */
static struct entry *find(struct table *t, uint32_t line, bool missed)
{
    const uint32_t region = line >> REGION_SHIFT, set = region % SETS;
    for (uint32_t way = 0; way < WAYS; way++) {
        if (t->valid[set][way] && t->entry[set][way].region == region) {
            lru_rank_touch(t->age[set], WAYS, way);
            return &t->entry[set][way];
        }
    }
    if (missed) {
        const unsigned way = lru_rank_victim(t->age[set], t->valid[set], WAYS);
        lru_rank_touch(t->age[set], WAYS, way);
        t->valid[set][way] = 1;
        t->entry[set][way] = (struct entry){.region = region, .last = line};
    }
    return NULL;
}

static void forget(struct entry *e)
{
    *e = (struct entry){.region = e->region, .last = e->last};
}

/* The stride that the pattern has next, and the place behind it (D-LINES-3). */
static int64_t next_of(const struct entry *e, struct place *at)
{
    if (e->mode == SINGLE || at->k < e->count[at->which]) {
        at->k++;
        return e->stride[at->which];
    }
    const uint8_t which = at->which;
    *at = (struct place){.which = which ^ 1};
    return e->transition[which];
}

/* Equal strides are counted; another one is the way to the second kind, then the way back. */
static void learn(struct entry *e, int64_t stride)
{
    const uint8_t which = e->at.which;
    if (e->count[which] == 0) {
        e->stride[which] = stride;
        e->count[which] = stride != 0;
    } else if (stride == e->stride[which]) {
        e->count[which]++;
        if (which == 0 && e->count[0] >= THRESHOLD) {
            e->mode = SINGLE;
        }
    } else {
        e->transition[which] = stride;
        e->at = (struct place){.which = which ^ 1};
        e->mode = which == 0 ? LEARN : COUNT;
    }
}

static void ask(struct entry *e, uint32_t degree, struct lines_wanted *wanted)
{
    e->sent -= e->sent > 0;
    if (e->sent == 0) {
        e->asked = e->last;
        e->asked_at = e->at;
    }
    for (uint32_t n = 0; n < degree && e->sent < DISTANCE; n++, e->sent++) {
        e->asked += next_of(e, &e->asked_at);
        lines_want(wanted, e->asked);
    }
}

static uint32_t train(void *table, uint32_t degree, uint32_t line, bool missed,
                      struct lines_wanted *wanted)
{
    struct entry *e = find(table, line, missed);
    if (e == NULL) {
        return TRAIN_CYCLES;
    }
    const int64_t stride = line - e->last;
    e->last = line;
    if (e->mode == LEARN) {
        learn(e, stride);
    } else if (stride != next_of(e, &e->at)) {
        forget(e);
    } else if (e->mode != COUNT) {
        ask(e, degree, wanted);
    } else if (++e->followed >= THRESHOLD) {
        e->mode = MULTI;
    }
    return TRAIN_CYCLES;
}

const struct lines_kind lines_stride = {
    .table_bytes = sizeof(struct table), .reset = reset, .train = train};

static int attach(struct mechanism_context *context)
{
    return lines_attach(context, &lines_stride);
}

static const struct mechanism_option options[] = {LINES_DEGREE(LINES_MOST)};

const struct mechanism mechanism_stride = {.name = "stride",
                                           .title = "stride prefetcher by regions (RPT)",
                                           .document = "lakshminarayana2014-graph",
                                           .section = "3.2.1",
                                           MECHANISM_OPTIONS(options),
                                           .promises = PLUG_LOCAL | PLUG_QUIET,
                                           .attach = attach};
