/* delay_line.h - a pipeline of so many places, one cycle each, whose items close up when the end
 * waits.
 *
 * An item that enters in cycle e can be at the end from e + places on; later when those before it
 * are still there.  As items move up into every free place, it is full exactly when every place is
 * taken.  It must not know what its items are for.
 */
#ifndef WARPLOCK_MACHINE_DELAY_LINE_H
#define WARPLOCK_MACHINE_DELAY_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DELAY_MOST = 64 };

struct mem_inst;

struct delay_item {
    uint64_t end;          /* first cycle in which it can be at the end */
    struct mem_inst *inst; /* or NULL */
    uint32_t pc;
    uint8_t slot, at; /* warp; request of `inst` */
};

struct delay_line {
    uint32_t head, count, places;
    struct delay_item item[DELAY_MOST];
};

static inline bool delay_line_full(const struct delay_line *line)
{
    return line->count == line->places;
}

/* There is a place. */
static inline void delay_line_enter(struct delay_line *line, uint64_t now, struct delay_item item)
{
    item.end = now + line->places;
    line->item[(line->head + line->count++) % DELAY_MOST] = item;
}

/* The items, oldest first: i below count. */
static inline const struct delay_item *delay_line_item(const struct delay_line *line, uint32_t i)
{
    return &line->item[(line->head + i) % DELAY_MOST];
}

/* The item at the end, or NULL. */
static inline const struct delay_item *delay_line_end(const struct delay_line *line, uint64_t now)
{
    const struct delay_item *item = &line->item[line->head];

    return line->count && item->end <= now ? item : NULL;
}

static inline void delay_line_leave(struct delay_line *line)
{
    line->head = (line->head + 1) % DELAY_MOST;
    line->count--;
}

/* The cycle in which one is next at the end; UINT64_MAX: never. */
static inline uint64_t delay_line_next(const struct delay_line *line)
{
    return line->count ? line->item[line->head].end : UINT64_MAX;
}

#endif
