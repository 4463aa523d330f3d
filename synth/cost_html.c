/* cost_html.c - a cost report as one HTML page. */
#include <inttypes.h>
#include <string.h>

#include "synth/cost_html.h"

static const char *const style =
    "body{font:14px/1.45 sans-serif;max-width:96em;margin:2em auto;color:#222}"
    "table{border-collapse:collapse;width:100%}"
    "td,th{border-bottom:1px solid #ddd;padding:.3em .6em;text-align:left;vertical-align:top}"
    "td.n{text-align:right;white-space:nowrap}"
    ".c>tbody>tr>td:nth-child(1){width:9em}.c>tbody>tr>td:nth-child(2){width:13em}"
    ".c>tbody>tr>td:nth-child(4){width:44em}"
    ".f td{border:0;padding:0 .5em 0 0;font-size:12px}.f td:nth-child(1){width:6em}"
    ".f td:nth-child(2){width:8em}.f td:nth-child(3){width:170px}.f .p{color:#666}"
    ".f i{display:inline-block;height:10px;min-width:1px}"
    "code{font-size:11px;color:#555;overflow-wrap:anywhere}"
    ".v0{color:#176d2c}.v1{color:#a85b00}.v2{color:#b00020}.v3{color:#666}"
    "q{color:#555}small{color:#555}figure{margin:1em 0;overflow:auto}"
    ".s svg{max-width:100%;height:auto;max-height:56em}";

/* Colour of a verdict: that of what was measured, else none. */
static int colour(const struct cost_outcome *o)
{
    return o->class == COST_MEASURED ? (int)o->verdict : (int)COST_NONE;
}

static void claim_row(FILE *to, const struct cost_outcome *o)
{
    char *const *t = o->claim->text;
    char verdict[128];
    cost_outcome_words(o, verdict, sizeof verdict);
    fprintf(to, "<tr><td id=\"%s\">%s<br><small>section %s%s</small><td class=v%d><b>%s</b><br>",
            t[CLAIM_ID], t[CLAIM_ID], t[CLAIM_SECTION], o->claim->pending ? "<br>no RTL yet" : "",
            colour(o), verdict);
    cost_html_text(to, o->words);
    if (t[CLAIM_TOLERANCE_REASON][0] != '\0') {
        fprintf(to, "<br><small>tolerance %s %%: ", t[CLAIM_TOLERANCE]);
        cost_html_text(to, t[CLAIM_TOLERANCE_REASON]);
        fputs("</small>", to);
    }
    fputs("<td>", to);
    if (t[CLAIM_QUOTE][0] != '\0') {
        fputs("<q>", to);
        cost_html_text(to, t[CLAIM_QUOTE]);
        fputs("</q><br>", to);
    }
    cost_html_text(to, t[CLAIM_REMARK]);
    for (size_t i = 0; i < o->claim->n_left_out; i++) {
        fputs("<br><small>left out: ", to);
        cost_html_text(to, o->claim->left_out[i].what);
        fprintf(to, " <b>%.6g</b> %s</small>", o->left_out[i], o->claim->left_out[i].unit);
    }
    fputs("<td>", to);
    cost_html_figures(to, o);
    fputs("</tr>\n", to);
}

static void claims_table(FILE *to, const struct cost_report *report)
{
    const char *family = "";
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct cost_outcome *o = &report->outcomes[i];
        if (strcmp(family, o->claim->family) != 0) {
            fprintf(to,
                    "%s<h3>%s</h3><table class=c><tr><th>claim<th>verdict<th>the source's "
                    "words, and ours<th>figures</tr>\n",
                    i > 0 ? "</table>" : "", o->claim->family);
            family = o->claim->family;
        }
        claim_row(to, o);
    }
    fprintf(to, "%s", report->n_outcomes > 0 ? "</table>" : "");
}

/* What does not agree, first, each with a link to its row. */
static void disagreements(FILE *to, const struct cost_report *report)
{
    for (int v = COST_CANNOT_HOLD; v >= COST_DIFFERS; v--) {
        for (size_t i = 0; i < report->n_outcomes; i++) {
            const struct cost_outcome *o = &report->outcomes[i];
            if ((int)o->verdict == v) {
                const char *id = o->claim->text[CLAIM_ID];
                char verdict[128];
                cost_outcome_words(o, verdict, sizeof verdict);
                fprintf(to, "<li><a href=\"#%s\">%s</a> <b class=v%d>%s</b> ", id, id, colour(o),
                        verdict);
                cost_html_text(to, o->words);
                fputs("</li>\n", to);
            }
        }
    }
}

static void unit_row(FILE *to, const struct cost_report *report, const struct cost_unit_report *u)
{
    fprintf(to, "<tr><td>%s %s</td>", u->unit, u->set);
    if (u->counts == NULL) {
        fputs("<td colspan=20>", to);
        cost_html_text(to, u->trouble);
        fputs("</td></tr>", to);
        return;
    }
    fprintf(to,
            "<td class=n>%" PRIu64 " + %" PRIu64 "</td><td class=n>%" PRIu64 " + %" PRIu64
            "%s</td><td class=n>%" PRIu64 " / %" PRIu64 "</td><td class=n>%" PRIu64 " / %" PRIu64
            "</td>",
            u->claimed_bits, u->extra_bits, u->counts->ff_bits, u->counts->memory_bits,
            cost_counts_agree(u) ? "" : " <b class=v2>differ</b>", u->counts->n_gates,
            u->counts->depth, u->counts->xor2, u->counts->xor_depth);
    for (size_t i = 0; i < report->n_libraries; i++) {
        const struct cost_mapping *m = u->mapping[i];
        if (m != NULL) {
            fprintf(to, "<td class=n>%.1f<br><small>%.0f NAND2</small></td><td class=n>%.0f</td>",
                    m->area_um2, m->area_um2 / m->nand2_um2, m->delay_ps);
        } else {
            fputs("<td></td><td></td>", to);
        }
    }
    fputs("</tr>\n", to);
}

static void units_table(FILE *to, const struct cost_report *report)
{
    fputs("<table><tr><th>unit<th>port table bits<br>claim + beside<th>Yosys bits<br>flip-flops + "
          "memory<th>gates / depth<th>XOR2 / depth",
          to);
    for (size_t i = 0; i < report->n_libraries; i++) {
        fputs("<th>", to);
        cost_html_text(to, report->libraries[i]->name);
        fputs(" µm²<th>path ps", to);
    }
    fputs("</tr>\n", to);
    for (size_t i = 0; i < report->n_units; i++) {
        unit_row(to, report, &report->units[i]);
    }
    fputs("</table>\n", to);
}

static void families(FILE *to, const struct cost_report *report)
{
    char family[64] = "";
    for (size_t i = 0; i < report->n_units; i++) {
        const char *unit = report->units[i].unit;
        const size_t n = strcspn(unit, "/");
        if (n >= sizeof family || (strncmp(family, unit, n) == 0 && family[n] == '\0')) {
            continue;
        }
        snprintf(family, sizeof family, "%.*s", (int)n, unit);
        cost_html_family(to, report, family);
    }
}

/* Counts, how to read the page, and how good the SRAM estimate is. */
static void head(FILE *to, const struct cost_report *report)
{
    char headline[400];
    cost_report_headline(report, headline, sizeof headline);
    fprintf(to,
            "<!doctype html><meta charset=utf-8><title>Hardware cost</title><style>%s</style>"
            "<h1>Hardware cost</h1><p>%s.</p>",
            style, headline);
    fputs("<p><b>claimed</b>: what the document prints. <b>recomputed</b>: its own arithmetic. "
          "<b>port table</b>: bits that the unit's description declares. <b>measured</b>: what "
          "Yosys, static timing or the SRAM estimate find in the RTL, in ",
          to);
    cost_html_text(to, report->libraries[0]->name);
    fprintf(to,
            " unless another library is named; a claim is judged by that one.</p>"
            "<p>SRAM estimate against %zu held-out points, median and worst error:",
            report->sram_error.n_points);
    for (int f = 0; f < SRAM_FIGURES; f++) {
        fprintf(to, "%s %s %.1f %% and %.1f %%", f > 0 ? "," : "", cost_sram_names[f],
                100 * report->sram_error.median[f], 100 * report->sram_error.worst[f]);
    }
    fputs(".</p>\n", to);
}

bool cost_report_html(const struct cost_report *report, const char *path, char *why, size_t n_why)
{
    FILE *to = fopen(path, "w");
    if (to == NULL) {
        snprintf(why, n_why, "%s cannot be written; check the path", path);
        return false;
    }
    head(to, report);
    fputs("<h2>Where claims and hardware part</h2>\n<ul>", to);
    disagreements(to, report);
    fputs("</ul>\n<h2>Claims</h2>\n", to);
    claims_table(to, report);
    fputs("<h2>Units</h2>\n<p>Areas and paths are of the whole unit in gates, its memories as "
          "flip-flops.</p>",
          to);
    units_table(to, report);
    families(to, report);
    fputs("<h2>Schematics</h2>\n", to);
    for (size_t i = 0; i < report->n_units; i++) {
        cost_html_schematic(to, report, &report->units[i]);
    }
    const bool good = fclose(to) == 0;
    if (!good) {
        snprintf(why, n_why, "%s cannot be written; is the disk full?", path);
    }
    return good;
}
