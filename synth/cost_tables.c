/* cost_tables.c - tables of the HTML report on memories, restructured units and bands. */
#include <inttypes.h>

#include "synth/cost_html.h"

void cost_html_open_table(struct html *page, const char *class, const char *const *titles)
{
    html_open(page, "table");
    if (class != NULL) {
        html_attribute(page, "class", "%s", class);
    }
    html_open(page, "tr");
    for (; *titles != NULL; titles++) {
        html_element(page, "th", NULL, "%s", *titles);
    }
    html_close(page);
}

void cost_html_slack(struct html *page, const struct cost_unit_report *u,
                     const struct cost_mapping *m)
{
    double slack;
    if (cost_slack_ns(u, m, &slack)) {
        html_element(page, "td", slack < 0 ? "number wrong" : "number", "%+.3f%s", slack,
                     m->for_speed ? " S" : "");
    } else {
        html_element(page, "td", NULL, " ");
    }
}

/* Every memory with its ports, as SRAM and as flip-flops of the first library. */
static void memories_table(struct html *page, const struct cost_report *report)
{
    static const char *const titles[] = {"unit",    "memory",      "rows",
                                         "bits",    "read",        "write",
                                         "copies",  "as SRAM µm²", "as flip-flops µm²",
                                         "cheaper", NULL};
    cost_html_open_table(page, NULL, titles);
    for (size_t k = 0; k < report->n_units; k++) {
        const struct cost_unit_report *u = &report->units[k];
        for (size_t i = 0; u->counts != NULL && i < u->counts->n_memories; i++) {
            const struct cost_memory *m = &u->counts->memories[i];
            const struct cost_memory_price *price = &u->memory_at[0].prices[i];
            html_open(page, "tr");
            html_element(page, "td", NULL, "%s %s", u->unit, u->set);
            html_element(page, "td", NULL, "%s", m->name);
            html_element(page, "td", "number", "%" PRIu64, m->rows);
            html_element(page, "td", "number", "%" PRIu64, m->width);
            html_element(page, "td", "number", "%" PRIu64, m->read_ports);
            html_element(page, "td", "number", "%" PRIu64, m->write_ports);
            html_element(page, "td", "number", "%.0f", price->copies);
            html_element(page, "td", "number", "%.1f", price->sram_um2);
            html_element(page, "td", "number", "%.1f", price->flip_flop_um2);
            html_element(page, "td", NULL, "%s", price->as_sram ? "SRAM" : "flip-flops");
            html_close(page);
        }
    }
    html_close(page);
}

/* Requests and answers of a form, a line each. */
static void timings_cell(struct html *page, const struct unit_desc *desc)
{
    html_open(page, "td");
    for (unsigned i = 0; desc != NULL && i < desc->n_timings; i++) {
        const struct unit_timing *t = &desc->timings[i];
        html_text(page, "%s to %s: latency %u, interval %u", t->request, t->answer,
                  t->latency_cycles, t->interval_cycles);
        html_break(page);
    }
    html_close(page);
}

/* Units with the parameter ONE_CYCLE, both forms side by side. */
static void forms_table(struct html *page, const struct cost_report *report)
{
    static const char *const titles[] = {"unit",    "library",  "ONE_CYCLE", "µm²",
                                         "path ps", "slack ns", "cycles",    NULL};
    html_element(page, "p", NULL,
                 "ONE_CYCLE 0: in the cycles that the unit's table gives; 1: in the one cycle that "
                 "its document draws.");
    cost_html_open_table(page, NULL, titles);
    for (size_t n = 0; n < report->n_units * report->n_libraries * COST_FORMS; n++) {
        const struct cost_unit_report *u = &report->units[n / COST_FORMS / report->n_libraries];
        const size_t i = n / COST_FORMS % report->n_libraries;
        const struct cost_form *form = &u->forms[n % COST_FORMS];
        const struct cost_mapping *m = form->mapping[i];
        if (m == NULL) {
            continue;
        }
        html_open(page, "tr");
        html_element(page, "td", NULL, "%s %s", u->unit, u->set);
        html_element(page, "td", NULL, "%s", report->libraries[i]->name);
        html_element(page, "td", "number", "%zu", n % COST_FORMS);
        html_element(page, "td", "number", "%.1f", m->area_um2);
        html_element(page, "td", "number", "%.0f", m->delay_ps);
        cost_html_slack(page, u, m);
        timings_cell(page, form->desc);
        html_close(page);
    }
    html_close(page);
}

static void value_cell(struct html *page, bool known, double value)
{
    if (known) {
        html_element(page, "td", "number", "%.6g", value);
    } else {
        html_element(page, "td", NULL, "%s", "");
    }
}

/* Claims that ask for such units, with the figures of both forms. */
static void claims_table(struct html *page, const struct cost_report *report)
{
    static const char *const titles[] = {"claim",   "unit",         "measured", "in one cycle",
                                         "verdict", "in one cycle", NULL};
    cost_html_open_table(page, NULL, titles);
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct cost_outcome *o = &report->outcomes[i];
        if (o->one_cycle.judged) {
            html_open(page, "tr");
            html_element(page, "td", NULL, "%s", o->claim->text[CLAIM_ID]);
            html_element(page, "td", NULL, "%s", o->claim->text[CLAIM_UNIT]);
            value_cell(page, o->measured.known, o->measured.value);
            value_cell(page, o->one_cycle.known, o->one_cycle.value);
            html_element(page, "td", NULL, "%s", cost_verdict_words[o->verdict]);
            html_element(page, "td", NULL, "%s", cost_verdict_words[o->one_cycle.verdict]);
            html_close(page);
        }
    }
    html_close(page);
}

static bool has_forms(const struct cost_report *report)
{
    bool any = false;
    for (size_t i = 0; i < report->n_units; i++) {
        any = any || report->units[i].n_forms > 0;
    }
    return any;
}

/* Each script of each library, then the least and the most of all. */
static void bands_table(struct html *page, const struct cost_report *report)
{
    static const char *const titles[] = {"unit",    "library",    "script",         "µm²",
                                         "path ps", "placed µm²", "with wires, ps", NULL};
    cost_html_open_table(page, NULL, titles);
    for (size_t n = 0; n < report->n_units * report->n_libraries; n++) {
        const struct cost_unit_report *u = &report->units[n / report->n_libraries];
        const struct cost_band *band = &u->band[n % report->n_libraries];
        const char *library = report->libraries[n % report->n_libraries]->name;
        for (size_t k = 0; k < band->n_variants; k++) {
            const struct cost_variant *v = &band->variants[k];
            if (v->known) {
                html_open(page, "tr");
                html_element(page, "td", NULL, "%s %s", u->unit, u->set);
                html_element(page, "td", NULL, "%s", library);
                html_element(page, "td", NULL, "%s%s", v->script, v->retimed ? ", retimed" : "");
                html_element(page, "td", "number", "%.1f", v->area_um2);
                html_element(page, "td", "number", "%.0f", v->delay_ps);
                html_element(page, "td", "number", "%.1f", v->area_um2 * u->placement.area);
                html_element(page, "td", "number", "%.0f", v->delay_ps * u->placement.path);
                html_close(page);
            }
        }
        if (band->n_variants > 0) {
            html_open(page, "tr");
            html_element(page, "th", NULL, "%s %s", u->unit, u->set);
            html_element(page, "th", NULL, "%s", library);
            html_element(page, "th", NULL, "band");
            html_element(page, "th", "number", "%.1f to %.1f", band->least_um2, band->most_um2);
            html_element(page, "th", "number", "%.0f to %.0f", band->least_ps, band->most_ps);
            html_element(page, "th", "number", "%.1f to %.1f", band->least_um2 * u->placement.area,
                         band->most_um2 * u->placement.area);
            html_element(page, "th", "number", "%.0f to %.0f", band->least_ps * u->placement.path,
                         band->most_ps * u->placement.path);
            html_close(page);
        }
    }
    html_close(page);
}

void cost_html_tables(struct html *page, const struct cost_report *report)
{
    html_element(page, "h2", NULL, "Memories");
    html_element(page, "p", NULL,
                 "A macro has one read and one write port; more are copies of it. Flip-flops: of "
                 "%s, what all memories take, by bits.",
                 report->libraries[0]->name);
    memories_table(page, report);
    if (has_forms(report)) {
        html_element(page, "h2", NULL, "Restructured units");
        forms_table(page, report);
        claims_table(page, report);
    }
    if (report->banded) {
        html_element(page, "h2", NULL, "Bands");
        html_element(page, "p", NULL, "%s", cost_band_retimed());
        bands_table(page, report);
    }
}
