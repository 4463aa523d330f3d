/* cost_draw.c - the drawings of the HTML report: bars, schematics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/cost_html.h"

enum { BAR_WIDTH = 160, BAR_HEIGHT = 13, DRAWN_GATES = 60 };

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

static bool is_statement(const struct cost_outcome *o)
{
    return strcmp(o->claim->text[CLAIM_UNIT], "holds") == 0;
}

/* One figure: its name, value, bar and where it comes from. */
static void figure_line(FILE *to, const struct cost_outcome *o, const char *name, double value,
                        double most, const char *colour, const char *from)
{
    fprintf(to, "<tr><td>%s<td class=n>", name);
    if (strcmp(name, "claimed") == 0) {
        cost_html_text(to, cost_claim_bound(o->claim));
        fputc(' ', to);
    }
    if (is_statement(o)) {
        fputs(value != 0 ? "holds" : "does not hold", to);
    } else {
        fprintf(to, "%.6g ", value);
        cost_html_text(to, o->claim->text[CLAIM_UNIT]);
    }
    fputs("<td>", to);
    if (!is_statement(o) && most > 0) {
        fprintf(to, "<i style=\"width:%.1fpx;background:%s\"></i>", BAR_WIDTH * value / most,
                colour);
    }
    fputs("<td><code>", to);
    cost_html_text(to, from);
    fputs("</code></tr>", to);
}

/* The unit figures of a measured expression; those of one function share a scale. */
static void part_lines(FILE *to, const struct cost_outcome *o)
{
    for (size_t i = 0; o->n_parts > 1 && i < o->n_parts; i++) {
        const struct cost_part *part = &o->parts[i];
        const size_t n = strcspn(part->name, "_(");
        double most = 0;
        for (size_t k = 0; k < o->n_parts; k++) {
            const bool like = strncmp(o->parts[k].name, part->name, n) == 0;
            most = like ? fmax(most, o->parts[k].value) : most;
        }
        fprintf(to, "<tr class=p><td>%s<td class=n>%.6g<td>", i == 0 ? "with" : "", part->value);
        if (is_statement(o) && most > 0) {
            fprintf(to, "<i style=\"width:%.1fpx;background:#c77c22\"></i>",
                    BAR_WIDTH * part->value / most);
        }
        fprintf(to, "<td><code>%s</code></tr>", part->name);
    }
}

void cost_html_figures(FILE *to, const struct cost_outcome *o)
{
    char *const *t = o->claim->text;
    const struct {
        const char *name, *colour;
        bool known;
        double value;
        const char *from;
    } lines[] = {{"claimed", "#888", o->claim->has_value, o->claim->value, t[CLAIM_TOOL]},
                 {"recomputed", "#4a7ebb", o->formula.known, o->formula.value, t[CLAIM_FORMULA]},
                 {"port table", "#2f9e62", o->table.known, o->table.value, t[CLAIM_TABLE]},
                 {"measured", "#c77c22", o->measured.known, o->measured.value, t[CLAIM_MEASURED]}};
    double most = 0;
    for (int i = 0; i < 4; i++) {
        most = lines[i].known ? fmax(most, lines[i].value) : most;
    }
    fputs("<table class=f>", to);
    for (int i = 0; i < 4; i++) {
        if (lines[i].known) {
            figure_line(to, o, lines[i].name, lines[i].value, most, lines[i].colour, lines[i].from);
        }
    }
    part_lines(to, o);
    for (size_t i = 0; i < o->n_elsewhere; i++) {
        const struct cost_elsewhere *e = &o->elsewhere[i];
        char name[96];
        snprintf(name, sizeof name, "in %s", e->library);
        figure_line(to, o, name, e->value, fmax(most, e->value), "#e3bd90",
                    !o->claim->has_value ? ""
                    : e->fits            ? "agrees"
                                         : "differs");
    }
    fputs("</table>", to);
}

static double figure_of(const struct cost_mapping *m, bool delay)
{
    return m == NULL ? 0 : delay ? m->delay_ps : m->area_um2 / m->nand2_um2;
}

/* What one chart shows: units of a family, with or without storage. */
struct chart {
    const char *family;
    bool stored, delay;
};

static bool shown(const struct cost_unit_report *u, const struct chart *chart)
{
    const size_t n = strlen(chart->family);
    return u->counts != NULL && u->counts->n_gates > 0 && strncmp(u->unit, chart->family, n) == 0 &&
           u->unit[n] == '/' && (u->claimed_bits + u->extra_bits > 0) == chart->stored;
}

static void bars(FILE *to, const struct cost_report *report, const struct chart *chart)
{
    static const char *const colours[] = {"#4a7ebb", "#c77c22", "#2f9e62", "#8058a5"};
    double most[COST_MAX_LIBRARIES] = {0};
    int rows = 0;
    for (size_t i = 0; i < report->n_units; i++) {
        for (size_t k = 0; shown(&report->units[i], chart) && k < report->n_libraries; k++) {
            most[k] = fmax(most[k], figure_of(report->units[i].mapping[k], chart->delay));
            rows++;
        }
    }
    if (rows == 0) {
        return;
    }
    fprintf(to,
            "<figure><figcaption>%s, %s: %s; each library to its own scale</figcaption>"
            "<svg width=760 height=%d>",
            chart->family, chart->stored ? "units with storage" : "units without storage",
            chart->delay ? "longest path, ps" : "area in NAND2 equivalents, memories as flip-flops",
            rows * BAR_HEIGHT);
    for (size_t i = 0, y = 0; i < report->n_units; i++) {
        const struct cost_unit_report *u = &report->units[i];
        for (size_t k = 0; shown(u, chart) && k < report->n_libraries; k++, y += BAR_HEIGHT) {
            const double value = figure_of(u->mapping[k], chart->delay);
            const double width = most[k] > 0 ? 420 * value / most[k] : 0;
            fprintf(to,
                    "<rect x=150 y=%zu width=%.1f height=%d fill=\"%s\"/><text x=0 y=%zu "
                    "font-size=11>%s</text><text x=%.0f y=%zu font-size=11>%.0f %s</text>",
                    y + 1, width, BAR_HEIGHT - 2, colours[k % 4], y + BAR_HEIGHT - 3,
                    k == 0 ? u->unit + strlen(chart->family) + 1 : "", 155 + width,
                    y + BAR_HEIGHT - 3, value, report->libraries[k]->name);
        }
    }
    fputs("</svg></figure>\n", to);
}

void cost_html_family(FILE *to, const struct cost_report *report, const char *family)
{
    for (int i = 0; i < 4; i++) {
        const struct chart chart = {family, i >= 2, i % 2 == 1};
        bars(to, report, &chart);
    }
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
    fprintf(to, "<figure class=s><figcaption>%s %s</figcaption>\n", unit->unit, unit->set);
    snprintf(path, sizeof path, "%s/schematic.svg", folder);
    copy_svg(to, path);
    fputs("</figure>\n", to);
}
