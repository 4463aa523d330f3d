/* html.h - writes a page of HTML: escapes text, closes what was opened.
 *
 * Frame and style of every report are page.html, which is part of the program.  It must not
 * know what a report is about.
 */
#ifndef WARPLOCK_BASE_HTML_H
#define WARPLOCK_BASE_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { HTML_DEPTH = 32 };

struct html {
    FILE *to;
    const char *open[HTML_DEPTH]; /* tags, the innermost last */
    size_t n_open;
    bool in_tag;      /* its attributes are not over */
    const char *rest; /* of page.html, behind the body */
};

/* False when the file cannot be written. */
bool html_begin(struct html *page, const char *path, const char *title);
/* Closes every element and the file.  False when something could not be written. */
bool html_end(struct html *page);

/* Opens an element; attributes follow before anything else. */
void html_open(struct html *page, const char *tag);
void html_attribute(struct html *page, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Closes the innermost. */
void html_close(struct html *page);
void html_text(struct html *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An element that holds nothing but text; `class` may be NULL. */
void html_element(struct html *page, const char *tag, const char *class, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void html_break(struct html *page);
/* What is HTML already, as a drawing of another program. */
void html_raw(struct html *page, const char *text);

#endif
