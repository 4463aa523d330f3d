/* cost_html.c - a cost report as one HTML page. */
#include "synth/cost_html.h"

#include <inttypes.h>
#include <string.h>

/* How the verdict is coloured: what was not measured has none. */
static const char *colour(const struct cost_outcome *o)
{
    static const char *const classes[COST_VERDICTS] = {"agrees", "differs", "wrong", "unmeasured"};
    return classes[o->class == COST_MEASURED ? o->verdict : COST_NONE];
}

static void verdict_cell(struct html *page, const struct cost_outcome *o)
{
    char *const *t = o->claim->text;
    char verdict[128];
    cost_outcome_words(o, verdict, sizeof verdict);
    html_open(page, "td");
    html_attribute(page, "class", "%s", colour(o));
    html_element(page, "b", NULL, "%s", verdict);
    html_break(page);
    html_text(page, "%s", o->words);
    if (t[CLAIM_TOLERANCE_REASON][0] != '\0') {
        html_break(page);
        html_element(page, "small", NULL, "tolerance %s %%: %s", t[CLAIM_TOLERANCE],
                     t[CLAIM_TOLERANCE_REASON]);
    }
    html_close(page);
}

/* The source's words, and ours. */
static void words_cell(struct html *page, const struct cost_outcome *o)
{
    char *const *t = o->claim->text;
    html_open(page, "td");
    if (t[CLAIM_QUOTE][0] != '\0') {
        html_element(page, "q", NULL, "%s", t[CLAIM_QUOTE]);
        html_break(page);
    }
    html_text(page, "%s", t[CLAIM_REMARK]);
    for (size_t i = 0; i < o->claim->n_left_out; i++) {
        html_break(page);
        html_open(page, "small");
        html_text(page, "left out: %s ", o->claim->left_out[i].what);
        html_element(page, "b", NULL, "%.6g", o->left_out[i]);
        html_text(page, " %s", o->claim->left_out[i].unit);
        html_close(page);
    }
    html_close(page);
}

static void claim_row(struct html *page, const struct cost_outcome *o)
{
    char *const *t = o->claim->text;
    html_open(page, "tr");
    html_open(page, "td");
    html_attribute(page, "id", "%s", t[CLAIM_ID]);
    html_text(page, "%s", t[CLAIM_ID]);
    html_break(page);
    html_element(page, "small", NULL, "section %s%s", t[CLAIM_SECTION],
                 o->claim->pending ? ", no RTL yet" : "");
    html_close(page);
    verdict_cell(page, o);
    words_cell(page, o);
    html_open(page, "td");
    cost_html_figures(page, o);
    html_close(page);
    html_close(page);
}

static void claims_tables(struct html *page, const struct cost_report *report)
{
    static const char *const titles[] = {"claim", "verdict", "the source's words, and ours",
                                         "figures", NULL};
    const char *family = "";
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct cost_outcome *o = &report->outcomes[i];
        if (strcmp(family, o->claim->family) != 0) {
            if (i > 0) {
                html_close(page);
            }
            family = o->claim->family;
            html_element(page, "h3", NULL, "%s", family);
            cost_html_open_table(page, "claims", titles);
        }
        claim_row(page, o);
    }
    if (report->n_outcomes > 0) {
        html_close(page);
    }
}

/* What does not agree, each with a link to its row: first what was measured. */
static void disagreements(struct html *page, const struct cost_report *report)
{
    html_open(page, "ul");
    for (size_t i = 0; i < (size_t)COST_CLASSES * report->n_outcomes; i++) {
        const struct cost_outcome *o = &report->outcomes[i % report->n_outcomes];
        const bool parts = o->verdict == COST_DIFFERS || o->verdict == COST_CANNOT_HOLD;
        if (parts && (size_t)o->class == i / report->n_outcomes) {
            char verdict[128];
            cost_outcome_words(o, verdict, sizeof verdict);
            html_open(page, "li");
            html_open(page, "a");
            html_attribute(page, "href", "#%s", o->claim->text[CLAIM_ID]);
            html_text(page, "%s", o->claim->text[CLAIM_ID]);
            html_close(page);
            html_text(page, " ");
            html_element(page, "b", colour(o), "%s", verdict);
            html_text(page, " %s", o->words);
            html_close(page);
        }
    }
    html_close(page);
}

static void unit_row(struct html *page, const struct cost_report *report,
                     const struct cost_unit_report *u)
{
    const struct cost_counts *c = u->counts;
    html_open(page, "tr");
    html_element(page, "td", NULL, "%s %s", u->unit, u->set);
    if (c == NULL) {
        html_open(page, "td");
        html_attribute(page, "colspan", "%zu", 5 + 3 * report->n_libraries);
        html_text(page, "%s", u->trouble);
        html_close(page);
        html_close(page);
        return;
    }
    html_open(page, "td");
    html_attribute(page, "class", "number");
    html_attribute(page, "title", "%s", u->clock_words);
    html_text(page, "%u MHz, %.3f ns", u->clock_mhz, cost_period_ns(u));
    html_close(page);
    html_element(page, "td", "number", "%" PRIu64 " + %" PRIu64, u->claimed_bits, u->extra_bits);
    html_element(page, "td", cost_counts_agree(u) ? "number" : "number wrong",
                 "%" PRIu64 " + %" PRIu64 "%s", c->ff_bits, c->memory_bits,
                 cost_counts_agree(u) ? "" : " differ");
    html_element(page, "td", "number", "%" PRIu64 " / %" PRIu64, c->n_gates, c->depth);
    html_element(page, "td", "number", "%" PRIu64 " / %" PRIu64, c->xor2, c->xor_depth);
    for (size_t i = 0; i < report->n_libraries; i++) {
        const struct cost_mapping *m = u->mapping[i];
        if (m != NULL) {
            html_open(page, "td");
            html_attribute(page, "class", "number");
            html_text(page, "%.1f", m->area_um2);
            html_break(page);
            html_element(page, "small", NULL, "%.0f NAND2", m->area_um2 / m->nand2_um2);
            html_close(page);
            html_element(page, "td", "number", "%.0f", m->delay_ps);
            cost_html_slack(page, u, m);
        } else {
            html_element(page, "td", NULL, " ");
            html_element(page, "td", NULL, " ");
            html_element(page, "td", NULL, " ");
        }
    }
    html_close(page);
}

static void units_table(struct html *page, const struct cost_report *report)
{
    static const char *const titles[] = {"unit",
                                         "clock",
                                         "port table bits, claim + beside",
                                         "Yosys bits, flip-flops + memory",
                                         "gates / depth",
                                         "XOR2 / depth"};
    char area[COST_MAX_LIBRARIES][96];
    const char *all[6 + 3 * COST_MAX_LIBRARIES + 1];
    size_t n = sizeof titles / sizeof *titles;
    memcpy(all, titles, sizeof titles);
    for (size_t i = 0; i < report->n_libraries; i++) {
        snprintf(area[i], sizeof area[i], "%s µm²", report->libraries[i]->name);
        all[n++] = area[i];
        all[n++] = "path ps";
        all[n++] = "slack ns (S: mapped for speed)";
    }
    all[n] = NULL;
    cost_html_open_table(page, NULL, all);
    for (size_t i = 0; i < report->n_units; i++) {
        unit_row(page, report, &report->units[i]);
    }
    html_close(page);
}

static void families(struct html *page, const struct cost_report *report)
{
    char family[64] = "";
    for (size_t i = 0; i < report->n_units; i++) {
        const char *unit = report->units[i].unit;
        const size_t n = strcspn(unit, "/");
        if (n >= sizeof family || (strncmp(family, unit, n) == 0 && family[n] == '\0')) {
            continue;
        }
        snprintf(family, sizeof family, "%.*s", (int)n, unit);
        cost_html_family(page, report, family);
    }
}

/* Counts, how to read the page, and how good the SRAM estimate is. */
static void introduction(struct html *page, const struct cost_report *report)
{
    char headline[400], clocks[COST_CLOCKS_TEXT];
    cost_report_headline(report, headline, sizeof headline);
    html_element(page, "p", NULL, "%s.", headline);
    cost_report_clocks(report, clocks, sizeof clocks);
    html_element(page, "p", NULL, "%s.", clocks);
    html_element(page, "p", NULL, "Measured with %s.", report->tools);
    for (size_t i = 0; i < report->n_libraries; i++) {
        char missed[COST_MISSED_TEXT];
        cost_report_missed(report, i, missed, sizeof missed);
        if (missed[0] != '\0') {
            html_element(page, "p", NULL, "Clock not met in %s: %s.", report->libraries[i]->name,
                         missed);
        }
    }
    for (size_t k = 0; k < report->n_units; k++) {
        const struct cost_unit_report *u = &report->units[k];
        if (u->late_words[0] != '\0') {
            html_element(page, "p", NULL, "%s is late: %s.", u->unit, u->late_words);
        }
    }
    html_element(page, "p", NULL,
                 "Claimed: what the document prints. Recomputed: its own arithmetic. Port table: "
                 "bits that the unit's description declares. Measured: what Yosys, static timing "
                 "or the SRAM estimate find in the RTL, in %s unless another library is named; a "
                 "claim is judged by that one.",
                 report->libraries[0]->name);
    html_open(page, "p");
    html_text(page, "SRAM estimate against %zu held-out points, median and worst error:",
              report->sram_error.n_points);
    for (int f = 0; f < SRAM_FIGURES; f++) {
        html_text(page, "%s %s %.1f %% and %.1f %%", f > 0 ? "," : "", cost_sram_names[f],
                  100 * report->sram_error.median[f], 100 * report->sram_error.worst[f]);
    }
    html_text(page, ".");
    html_close(page);
}

bool cost_report_html(const struct cost_report *report, const char *path, char *why, size_t n_why)
{
    struct html page;
    if (!html_begin(&page, path, "Hardware cost")) {
        snprintf(why, n_why, "%s cannot be written; check the path", path);
        return false;
    }
    introduction(&page, report);
    html_element(&page, "h2", NULL, "Where claims and hardware part");
    disagreements(&page, report);
    html_element(&page, "h2", NULL, "Claims");
    claims_tables(&page, report);
    html_element(&page, "h2", NULL, "Units");
    html_element(&page, "p", NULL,
                 "Areas and paths are of the whole unit in gates, its memories as flip-flops.");
    units_table(&page, report);
    families(&page, report);
    cost_html_tables(&page, report);
    html_element(&page, "h2", NULL, "Schematics");
    for (size_t i = 0; i < report->n_units; i++) {
        cost_html_schematic(&page, report, &report->units[i]);
    }
    const bool good = html_end(&page);
    if (!good) {
        snprintf(why, n_why, "%s cannot be written; is the disk full?", path);
    }
    return good;
}
