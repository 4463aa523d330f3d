/* html.c - see html.h. */
#include "base/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* page.html, put into the program by the linker. */
extern const char _binary_cmodel_base_page_html_start[], _binary_cmodel_base_page_html_end[];

static void end_tag(struct html *page)
{
    if (page->in_tag) {
        fputc('>', page->to);
    }
    page->in_tag = false;
}

static void escape(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*text, to);
        }
    }
}

__attribute__((format(printf, 2, 0))) static void escape_format(FILE *to, const char *format,
                                                                va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) >= 0) {
        escape(to, text);
        free(text);
    }
}

/* Copies the template up to `{mark}`; returns what is behind the mark. */
static const char *copy_to(FILE *to, const char *from, const char *mark)
{
    const char *end = _binary_cmodel_base_page_html_end;
    const char *at = memmem(from, (size_t)(end - from), mark, strlen(mark));
    fwrite(from, 1, (size_t)((at != NULL ? at : end) - from), to);
    return at != NULL ? at + strlen(mark) : end;
}

bool html_begin(struct html *page, const char *path, const char *title)
{
    *page = (struct html){.to = fopen(path, "w")};
    if (page->to == NULL) {
        return false;
    }
    page->rest = _binary_cmodel_base_page_html_start;
    for (int twice = 0; twice < 2; twice++) {
        page->rest = copy_to(page->to, page->rest, "{title}");
        escape(page->to, title);
    }
    page->rest = copy_to(page->to, page->rest, "{body}");
    return true;
}

bool html_end(struct html *page)
{
    while (page->n_open > 0) {
        html_close(page);
    }
    fwrite(page->rest, 1, (size_t)(_binary_cmodel_base_page_html_end - page->rest), page->to);
    const bool good = !ferror(page->to);
    return fclose(page->to) == 0 && good;
}

void html_open(struct html *page, const char *tag)
{
    if (page->n_open == HTML_DEPTH) {
        abort(); /* a mistake of the program: no report nests so deep */
    }
    end_tag(page);
    fprintf(page->to, "<%s", tag);
    page->open[page->n_open++] = tag;
    page->in_tag = true;
}

void html_attribute(struct html *page, const char *name, const char *format, ...)
{
    va_list args;
    fprintf(page->to, " %s=\"", name);
    va_start(args, format);
    escape_format(page->to, format, args);
    va_end(args);
    fputc('"', page->to);
}

void html_close(struct html *page)
{
    end_tag(page);
    fprintf(page->to, "</%s>", page->open[--page->n_open]);
}

void html_text(struct html *page, const char *format, ...)
{
    va_list args;
    end_tag(page);
    va_start(args, format);
    escape_format(page->to, format, args);
    va_end(args);
}

void html_element(struct html *page, const char *tag, const char *class, const char *format, ...)
{
    va_list args;
    html_open(page, tag);
    if (class != NULL) {
        html_attribute(page, "class", "%s", class);
    }
    end_tag(page);
    va_start(args, format);
    escape_format(page->to, format, args);
    va_end(args);
    html_close(page);
}

void html_break(struct html *page)
{
    html_raw(page, "<br>");
}

void html_raw(struct html *page, const char *text)
{
    end_tag(page);
    fputs(text, page->to);
}
