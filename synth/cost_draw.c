/* cost_draw.c - the drawings of the HTML report: bars, schematics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/cost_html.h"

enum { BAR_WIDTH = 220, BAR_HEIGHT = 13, DRAWN_GATES = 60 };

void cost_html_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *name = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                                          : NULL;
        if (name != NULL) {
            fputs(name, to);
        } else {
            fputc(*text, to);
        }
    }
}

void cost_html_bars(FILE *to, const struct cost_outcome *o)
{
    const struct {
        const char *name, *colour;
        bool known;
        double value;
    } bars[] = {{"claimed", "#888", o->claim->has_value, o->claim->value},
                {"recomputed", "#4a7ebb", o->formula.known, o->formula.value},
                {"port table", "#2f9e62", o->table.known, o->table.value},
                {"measured", "#c77c22", o->measured.known, o->measured.value}};
    double most = 0;
    int n = 0;
    for (int i = 0; i < 4; i++) {
        most = bars[i].known ? fmax(most, bars[i].value) : most;
        n += bars[i].known;
    }
    if (n < 2 || most <= 0 || strcmp(o->claim->text[CLAIM_UNIT], "holds") == 0) {
        return;
    }
    fprintf(to, "<br><svg width=%d height=%d>", BAR_WIDTH + 90, n * BAR_HEIGHT);
    for (int i = 0, y = 0; i < 4; i++) {
        if (bars[i].known) {
            fprintf(to, "<rect x=75 y=%d width=%.1f height=%d fill=\"%s\"/>"
                    "<text x=0 y=%d font-size=11>%s</text>", y + 1,
                    fmax(1, BAR_WIDTH * bars[i].value / most), BAR_HEIGHT - 2, bars[i].colour,
                    y + BAR_HEIGHT - 3, bars[i].name);
            y += BAR_HEIGHT;
        }
    }
    fputs("</svg>", to);
}

static double figure_of(const struct cost_mapping *m, bool delay)
{
    return m == NULL ? 0 : delay ? m->delay_ps : m->area_um2 / m->nand2_um2;
}

static bool of_family(const struct cost_unit_report *u, const char *family)
{
    const size_t n = strlen(family);
    return u->counts != NULL && strncmp(u->unit, family, n) == 0 && u->unit[n] == '/';
}

static void family_bars(FILE *to, const struct cost_report *report, const char *family, bool delay)
{
    static const char *const colours[] = {"#4a7ebb", "#c77c22", "#2f9e62", "#8058a5"};
    double most[COST_MAX_LIBRARIES] = {0};
    int rows = 0;
    for (size_t i = 0; i < report->n_units; i++) {
        for (size_t k = 0; of_family(&report->units[i], family) && k < report->n_libraries; k++) {
            most[k] = fmax(most[k], figure_of(report->units[i].mapping[k], delay));
            rows++;
        }
    }
    fprintf(to, "<figure><figcaption>%s: %s</figcaption><svg width=760 height=%d>", family,
            delay ? "longest path, ps" : "area in NAND2 equivalents, memories as flip-flops",
            rows * BAR_HEIGHT);
    for (size_t i = 0, y = 0; i < report->n_units; i++) {
        const struct cost_unit_report *u = &report->units[i];
        for (size_t k = 0; of_family(u, family) && k < report->n_libraries; k++, y += BAR_HEIGHT) {
            const double value = figure_of(u->mapping[k], delay);
            const double width = most[k] > 0 ? 420 * value / most[k] : 0;
            fprintf(to, "<rect x=150 y=%zu width=%.1f height=%d fill=\"%s\"/><text x=0 y=%zu "
                    "font-size=11>%s</text><text x=%.0f y=%zu font-size=11>%.0f %s</text>", y + 1,
                    width, BAR_HEIGHT - 2, colours[k % 4], y + BAR_HEIGHT - 3,
                    k == 0 ? u->unit + strlen(family) + 1 : "", 155 + width, y + BAR_HEIGHT - 3,
                    value, report->libraries[k]->name);
        }
    }
    fputs("</svg></figure>\n", to);
}

void cost_html_family(FILE *to, const struct cost_report *report, const char *family)
{
    family_bars(to, report, family, false);
    family_bars(to, report, family, true);
}

/* dot's SVG without the XML prologue, which may not stand inside a page. */
static void copy_svg(FILE *to, const char *path)
{
    FILE *svg = fopen(path, "r");
    char line[4096];
    bool inside = false;
    while (svg != NULL && fgets(line, sizeof line, svg) != NULL) {
        inside = inside || strncmp(line, "<svg", 4) == 0;
        if (inside) {
            fputs(line, to);
        }
    }
    if (svg != NULL) {
        fclose(svg);
    }
}

void cost_html_schematic(FILE *to, const struct cost_report *report,
                         const struct cost_unit_report *unit)
{
    char command[4096], path[1100];
    if (unit->counts == NULL || unit->counts->n_gates == 0 || unit->counts->n_gates > DRAWN_GATES) {
        return;
    }
    const char *folder = unit->counts->folder;
    snprintf(command, sizeof command,
             "cd '%s' && make -s -f synth/schematic.mk COST='%s' >/dev/null 2>&1", report->root,
             folder);
    if (system(command) != 0) {
        fprintf(to, "<p>%s: no schematic, yosys or dot failed.</p>\n", unit->unit);
        return;
    }
    fprintf(to, "<figure><figcaption>%s %s</figcaption>\n", unit->unit, unit->set);
    snprintf(path, sizeof path, "%s/schematic.svg", folder);
    copy_svg(to, path);
    fputs("</figure>\n", to);
}
