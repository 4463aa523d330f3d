/* layout.c - a GTKWave save file being written. */
#include "tb/layout.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* GTKWave's flags of a line, hexadecimal; all values right-justified. */
static const char *const formats[] = {[LAYOUT_BITS] = "28",
                                      [LAYOUT_HEX] = "22",
                                      [LAYOUT_DECIMAL] = "24",
                                      [LAYOUT_NAMES] = "100000028",
                                      [LAYOUT_CURVE] = "88024"};

/* GTKWave draws 2^-zoom units of time over 200 pixels; of a window of 1280 pixels the waves
 * have so many such stretches. */
static const double STRETCHES = 4.7;

static void head(struct layout *layout, const struct layout_view *view)
{
    const double zoom = -log2((double)(view->span > 0 ? view->span : 1) / STRETCHES);
    fprintf(layout->to,
            "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1280 800\n[pos] -1 -1\n"
            "*%.6f %" PRIu64,
            view->wave, view->from, zoom, view->marker);
    for (unsigned i = 0; i < LAYOUT_NAMED; i++) {
        if (i < view->n_named) {
            fprintf(layout->to, " %" PRIu64, view->named[i]);
        } else {
            fputs(" -1", layout->to);
        }
    }
    fputs("\n[sst_width] 200\n[signals_width] 320\n[sst_expanded] 0\n", layout->to);
}

bool layout_open(struct layout *layout, const char *path, const struct layout_view *view)
{
    layout->to = fopen(path, "w");
    if (layout->to == NULL) {
        return false;
    }
    head(layout, view);
    return true;
}

bool layout_close(struct layout *layout)
{
    const bool whole = ferror(layout->to) == 0;
    return fclose(layout->to) == 0 && whole;
}

void layout_begin(struct layout *layout, const char *title, bool folded)
{
    fprintf(layout->to, "@%s\n-%s\n", folded ? "c00200" : "800200", title);
}

void layout_end(struct layout *layout, const char *title, bool folded)
{
    fprintf(layout->to, "@%s\n-%s\n", folded ? "1401200" : "1000200", title);
}

void layout_signal(struct layout *layout, const char *path, unsigned width,
                   enum layout_format format, enum layout_colour colour)
{
    fprintf(layout->to, "@%s\n",
            formats[width == 1 && format != LAYOUT_NAMES ? LAYOUT_BITS : format]);
    if (colour != LAYOUT_PLAIN) {
        fprintf(layout->to, "[color] %d\n", (int)colour);
    }
    fputs(path, layout->to);
    if (width > 1) {
        fprintf(layout->to, "[%u:0]", width - 1);
    }
    fputc('\n', layout->to);
}

enum layout_format layout_format_of(const char *name, unsigned width, bool has_names)
{
    static const char *const hexadecimal[] = {"addr", "pc",   "block", "tag",  "line",  "mask",
                                              "base", "data", "bits",  "lane", "ready", "valid"};
    if (has_names) {
        return LAYOUT_NAMES;
    }
    for (size_t i = 0; i < sizeof hexadecimal / sizeof *hexadecimal; i++) {
        if (width > 8 && strstr(name, hexadecimal[i]) != NULL) {
            return LAYOUT_HEX;
        }
    }
    return width > 16 && width < 64 ? LAYOUT_HEX : LAYOUT_DECIMAL;
}
