/* cost_draw.c - the drawings of the HTML report: bars, schematics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/cost_html.h"

enum { BAR_WIDTH = 160, BAR_HEIGHT = 13, DRAWN_GATES = 60 };

static bool is_statement(const struct cost_outcome *o)
{
    return strcmp(o->claim->text[CLAIM_UNIT], "holds") == 0;
}

static void bar(struct html *page, double width, const char *colour)
{
    html_open(page, "i");
    html_attribute(page, "style", "width:%.1fpx;background:%s", width, colour);
    html_close(page);
}

/* One figure: its name, value, bar and where it comes from. */
static void figure_line(struct html *page, const struct cost_outcome *o, const char *name,
                        double value, double most, const char *colour, const char *from)
{
    html_open(page, "tr");
    html_element(page, "td", NULL, "%s", name);
    if (is_statement(o)) {
        html_element(page, "td", "number", "%s", value != 0 ? "holds" : "does not hold");
    } else {
        html_element(page, "td", "number", "%s %.6g %s",
                     strcmp(name, "claimed") == 0 ? cost_claim_bound(o->claim) : "", value,
                     o->claim->text[CLAIM_UNIT]);
    }
    html_open(page, "td");
    if (!is_statement(o) && most > 0) {
        bar(page, BAR_WIDTH * value / most, colour);
    }
    html_close(page);
    html_open(page, "td");
    html_element(page, "code", NULL, "%s", from);
    html_close(page);
    html_close(page);
}

/* The unit figures of a measured expression; those of one function share a scale. */
static void part_lines(struct html *page, const struct cost_outcome *o)
{
    for (size_t i = 0; o->n_parts > 1 && i < o->n_parts; i++) {
        const struct cost_part *part = &o->parts[i];
        const size_t n = strcspn(part->name, "_(");
        double most = 0;
        for (size_t k = 0; k < o->n_parts; k++) {
            const bool like = strncmp(o->parts[k].name, part->name, n) == 0;
            most = like ? fmax(most, o->parts[k].value) : most;
        }
        html_open(page, "tr");
        html_attribute(page, "class", "part");
        html_element(page, "td", NULL, "%s", i == 0 ? "with" : "");
        html_element(page, "td", "number", "%.6g", part->value);
        html_open(page, "td");
        if (is_statement(o) && most > 0) {
            bar(page, BAR_WIDTH * part->value / most, "#c77c22");
        }
        html_close(page);
        html_open(page, "td");
        html_element(page, "code", NULL, "%s", part->name);
        html_close(page);
        html_close(page);
    }
}

void cost_html_figures(struct html *page, const struct cost_outcome *o)
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
    html_open(page, "table");
    html_attribute(page, "class", "figures");
    for (int i = 0; i < 4; i++) {
        if (lines[i].known) {
            figure_line(page, o, lines[i].name, lines[i].value, most, lines[i].colour,
                        lines[i].from);
        }
    }
    part_lines(page, o);
    for (size_t i = 0; i < o->n_elsewhere; i++) {
        const struct cost_elsewhere *e = &o->elsewhere[i];
        char name[96];
        snprintf(name, sizeof name, "in %s", e->library);
        figure_line(page, o, name, e->value, fmax(most, e->value), "#e3bd90",
                    !o->claim->has_value ? ""
                    : e->fits            ? "agrees"
                                         : "differs");
    }
    html_close(page);
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

static void label(struct html *page, double x, size_t y, const char *text)
{
    html_open(page, "text");
    html_attribute(page, "x", "%.0f", x);
    html_attribute(page, "y", "%zu", y);
    html_text(page, "%s", text);
    html_close(page);
}

/* One bar, `row` bars from the top: the unit's name, the bar, its figure and library. */
static void chart_row(struct html *page, const char *unit, size_t row, double width,
                      const char *colour, const char *figure)
{
    const size_t y = row * BAR_HEIGHT;
    html_open(page, "rect");
    html_attribute(page, "x", "150");
    html_attribute(page, "y", "%zu", y + 1);
    html_attribute(page, "width", "%.1f", width);
    html_attribute(page, "height", "%d", BAR_HEIGHT - 2);
    html_attribute(page, "fill", "%s", colour);
    html_close(page);
    label(page, 0, y + BAR_HEIGHT - 3, unit);
    label(page, 155 + width, y + BAR_HEIGHT - 3, figure);
}

static void chart_rows(struct html *page, const struct cost_report *report,
                       const struct chart *chart, const double *most)
{
    static const char *const colours[] = {"#4a7ebb", "#c77c22", "#2f9e62", "#8058a5"};
    size_t row = 0;
    for (size_t i = 0; i < report->n_units; i++) {
        const struct cost_unit_report *u = &report->units[i];
        for (size_t k = 0; shown(u, chart) && k < report->n_libraries; k++) {
            const double value = figure_of(u->mapping[k], chart->delay);
            char figure[96];
            snprintf(figure, sizeof figure, "%.0f %s", value, report->libraries[k]->name);
            chart_row(page, k == 0 ? u->unit + strlen(chart->family) + 1 : "", row++,
                      most[k] > 0 ? 420 * value / most[k] : 0, colours[k % 4], figure);
        }
    }
}

static void draw_chart(struct html *page, const struct cost_report *report,
                       const struct chart *chart)
{
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
    html_open(page, "figure");
    html_element(page, "figcaption", NULL, "%s, %s: %s; each library to its own scale",
                 chart->family, chart->stored ? "units with storage" : "units without storage",
                 chart->delay ? "longest path, ps"
                              : "area in NAND2 equivalents, memories as flip-flops");
    html_open(page, "svg");
    html_attribute(page, "width", "760");
    html_attribute(page, "height", "%d", rows * BAR_HEIGHT);
    chart_rows(page, report, chart, most);
    html_close(page);
    html_close(page);
}

void cost_html_family(struct html *page, const struct cost_report *report, const char *family)
{
    for (int i = 0; i < 4; i++) {
        const struct chart chart = {family, i >= 2, i % 2 == 1};
        draw_chart(page, report, &chart);
    }
}

/* dot's SVG without the XML prologue, which may not stand inside a page. */
static void copy_svg(struct html *page, const char *path)
{
    FILE *svg = fopen(path, "r");
    char line[4096];
    bool inside = false;
    while (svg != NULL && fgets(line, sizeof line, svg) != NULL) {
        inside = inside || strncmp(line, "<svg", 4) == 0;
        if (inside) {
            html_raw(page, line);
        }
    }
    if (svg != NULL) {
        fclose(svg);
    }
}

void cost_html_schematic(struct html *page, const struct cost_report *report,
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
        html_element(page, "p", NULL, "%s: no schematic, yosys or dot failed.", unit->unit);
        return;
    }
    html_open(page, "figure");
    html_attribute(page, "class", "schematic");
    html_element(page, "figcaption", NULL, "%s %s", unit->unit, unit->set);
    snprintf(path, sizeof path, "%s/schematic.svg", folder);
    copy_svg(page, path);
    html_close(page);
}
