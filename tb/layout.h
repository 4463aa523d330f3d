/* layout.h - a GTKWave save file being written: what is shown, in which order, how.
 *
 * Works after the save files of GTKWave 3.3.  Knows signals by path, no unit. */
#ifndef WARPLOCK_TB_LAYOUT_H
#define WARPLOCK_TB_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum layout_format { LAYOUT_BITS, LAYOUT_HEX, LAYOUT_DECIMAL, LAYOUT_NAMES, LAYOUT_CURVE };
enum layout_colour {
    LAYOUT_PLAIN,
    LAYOUT_RED,
    LAYOUT_ORANGE,
    LAYOUT_YELLOW,
    LAYOUT_GREEN,
    LAYOUT_BLUE,
    LAYOUT_INDIGO,
    LAYOUT_VIOLET
};

enum { LAYOUT_NAMED = 26 };
/* Where the viewer opens, in units of the wave's timescale. */
struct layout_view {
    const char *wave; /* path of the FST, as the viewer is started */
    uint64_t marker;
    uint64_t named[LAYOUT_NAMED]; /* the markers A, B, ... */
    unsigned n_named;
    uint64_t from, span; /* what is visible, about */
};

struct layout {
    FILE *to;
};

/* False when `path` cannot be written. */
bool layout_open(struct layout *layout, const char *path, const struct layout_view *view);
bool layout_close(struct layout *layout);

/* Signals between begin and end can be folded away; `folded`: they are at first. */
void layout_begin(struct layout *layout, const char *title, bool folded);
void layout_end(struct layout *layout, const char *title, bool folded);
/* `path` without its bit range. */
void layout_signal(struct layout *layout, const char *path, unsigned width,
                   enum layout_format format, enum layout_colour colour);
/* How a value is best read: names where it has any, addresses and masks hexadecimal,
 * counts decimal. */
enum layout_format layout_format_of(const char *name, unsigned width, bool has_names);

#endif
