/* cost_text.c - a cost report as text. */
#include <inttypes.h>
#include <string.h>

#include "synth/cost_report.h"

static void print_figure(FILE *to, const char *name, const struct cost_figure *figure,
                         const char *expression, const char *unit)
{
    if (!figure->asked) {
        return;
    }
    if (figure->known) {
        fprintf(to, "  %-11s %-12.6g %-10s = %s\n", name, figure->value, unit, expression);
    } else {
        fprintf(to, "  %-11s not known: %s\n", name, figure->why);
    }
}

/* What a measured figure is made of, when it is more than one figure of a unit; and what it is in
 * the other libraries. */
static void print_measured(FILE *to, const struct cost_outcome *o)
{
    for (size_t i = 0; o->n_parts > 1 && i < o->n_parts; i++) {
        fprintf(to, "  %-11s %-23.6g   %s\n", i == 0 ? "with" : "", o->parts[i].value,
                o->parts[i].name);
    }
    for (size_t i = 0; i < o->n_elsewhere; i++) {
        const struct cost_elsewhere *e = &o->elsewhere[i];
        fprintf(to, "  in %-8s %-12.6g %-10s %s\n", e->library, e->value,
                o->claim->text[CLAIM_UNIT],
                !o->claim->has_value ? ""
                : e->fits            ? "  agrees"
                                     : "  differs");
    }
}

static void print_left_out(FILE *to, const struct cost_outcome *o)
{
    for (size_t i = 0; i < o->claim->n_left_out; i++) {
        char bits[32] = "?";
        if (o->left_out[i] >= 0) {
            snprintf(bits, sizeof bits, "%.6g", o->left_out[i]);
        }
        fprintf(to, "  left out    %-12s %-10s %s\n", bits, o->claim->left_out[i].unit,
                o->claim->left_out[i].what);
    }
}

static void print_outcome(FILE *to, const struct cost_outcome *o)
{
    char *const *t = o->claim->text;
    char verdict[128];
    cost_outcome_words(o, verdict, sizeof verdict);
    fprintf(to, "%s  %s  [%s%s]\n", t[CLAIM_ID], verdict, t[CLAIM_ABOUT],
            o->claim->pending ? ", no RTL yet" : "");
    if (t[CLAIM_QUOTE][0] != '\0') {
        fprintf(to, "  %s, its section %s: \"%s\"\n", t[CLAIM_DOCUMENT], t[CLAIM_SECTION],
                t[CLAIM_QUOTE]);
    } else {
        fprintf(to, "  %s, its section %s (no words to quote)\n", t[CLAIM_DOCUMENT],
                t[CLAIM_SECTION]);
    }
    if (o->claim->has_value) {
        char value[64];
        snprintf(value, sizeof value, "%s %s", cost_claim_bound(o->claim), t[CLAIM_VALUE]);
        fprintf(to, "  %-11s %-12s %s%s%s%s%s\n", "claimed", value + (value[0] == ' '),
                t[CLAIM_UNIT], t[CLAIM_NODE][0] != '\0' ? ", nm: " : "", t[CLAIM_NODE],
                t[CLAIM_TOOL][0] != '\0' ? ", by " : "", t[CLAIM_TOOL]);
    }
    print_figure(to, "recomputed", &o->formula, t[CLAIM_FORMULA], t[CLAIM_UNIT]);
    print_figure(to, "port table", &o->table, t[CLAIM_TABLE], t[CLAIM_UNIT]);
    print_figure(to, "measured", &o->measured, t[CLAIM_MEASURED], t[CLAIM_UNIT]);
    print_measured(to, o);
    if (o->words[0] != '\0') {
        fprintf(to, "  %s\n", o->words);
    }
    if (t[CLAIM_TOLERANCE_REASON][0] != '\0') {
        fprintf(to, "  tolerance   %s %%: %s\n", t[CLAIM_TOLERANCE], t[CLAIM_TOLERANCE_REASON]);
    }
    print_left_out(to, o);
    if (t[CLAIM_REMARK][0] != '\0') {
        fprintf(to, "  note: %s\n", t[CLAIM_REMARK]);
    }
    fputc('\n', to);
}

static void print_mappings(const struct cost_report *report, const struct cost_unit_report *u,
                           FILE *to)
{
    for (size_t i = 0; i < report->n_libraries; i++) {
        const struct cost_mapping *m = u->mapping[i];
        if (m == NULL) {
            continue;
        }
        fprintf(to, "  %-12s %10.1f um2 = %.0f NAND2, %" PRIu64 " cells",
                report->libraries[i]->name, m->area_um2, m->area_um2 / m->nand2_um2, m->cells);
        if (m->delay_ps > 0 && m->cells > 0) {
            fprintf(to, "; path %.0f ps, %.0f MHz", m->delay_ps, cost_clock_mhz(m->delay_ps));
        }
        fprintf(to, "; leakage %.3g uW\n", m->leakage_nw / 1000);
        double slack;
        if (cost_slack_ns(u, m, &slack)) {
            fprintf(to, "  %-12s slack %+.3f ns%s%s\n", "", slack,
                    m->for_speed ? ", mapped for speed" : "", slack < 0 ? "  CLOCK NOT MET" : "");
        }
        if (u->counts->memory_bits > 0) {
            char cheaper[1024];
            cost_memory_words(&u->memory_at[i], u->counts, cheaper, sizeof cheaper);
            fprintf(to, "  %-12s %10.1f um2 of it without the memories, which take %.1f um2\n", "",
                    m->logic_um2, m->area_um2 - m->logic_um2);
            fprintf(to, "  %-12s %10.1f um2 with each memory in its cheaper form (%s)\n", "",
                    u->memory_at[i].cheaper_um2, cheaper);
        }
    }
}

/* What each script gives, and the least and the most of it, as mapped and as placed. */
static void print_band(const struct cost_report *report, const struct cost_unit_report *u, size_t i,
                       FILE *to)
{
    const struct cost_band *band = &u->band[i];
    const struct cost_placement *placement = &u->placement;
    static const char *const words[] = {
        [COST_PLACED_ITSELF] = "measured of this unit in osu018",
        [COST_PLACED_FAMILY] = "median of its family's units placed in osu018",
        [COST_PLACED_ANY] = "median of units placed in osu018"};
    for (size_t k = 0; k < band->n_variants; k++) {
        const struct cost_variant *v = &band->variants[k];
        fprintf(to, "  %-12s %-8s%s", k == 0 ? report->libraries[i]->name : "", v->script,
                v->retimed ? " retimed" : "        ");
        if (v->known) {
            fprintf(to, " %10.1f um2, path %5.0f ps\n", v->area_um2, v->delay_ps);
        } else {
            fprintf(to, " not mapped\n");
        }
    }
    if (band->n_variants > COST_BAND_SCRIPTS) {
        fprintf(to, "  %-12s %s\n", "", cost_band_retimed());
    }
    if (band->n_variants > 0) {
        fprintf(to, "  %-12s %.1f to %.1f um2, path %.0f to %.0f ps\n", "band", band->least_um2,
                band->most_um2, band->least_ps, band->most_ps);
        fprintf(to,
                "  %-12s %.1f to %.1f um2, path %.0f to %.0f ps (area * %.3f, path * %.3f, %s)\n",
                "placed", band->least_um2 * placement->area, band->most_um2 * placement->area,
                band->least_ps * placement->path, band->most_ps * placement->path, placement->area,
                placement->path, words[placement->of]);
    }
}

static void print_unit(const struct cost_report *report, const struct cost_unit_report *u, FILE *to)
{
    fprintf(to, "%s %s\n", u->unit, u->set);
    if (u->counts == NULL) {
        fprintf(to, "  not measured: %s\n\n", u->trouble);
        return;
    }
    fprintf(to, "  clock        %u MHz, period %.3f ns (%s)\n", u->clock_mhz, cost_period_ns(u),
            u->clock_words);
    if (u->late_words[0] != '\0') {
        fprintf(to, "  late         %s\n", u->late_words);
    }
    fprintf(to,
            "  storage      port table %" PRIu64 " bits of the claim + %" PRIu64 " beside it; "
            "Yosys %" PRIu64 " flip-flops + %" PRIu64 " memory bits%s\n",
            u->claimed_bits, u->extra_bits, u->counts->ff_bits, u->counts->memory_bits,
            cost_counts_agree(u) ? "" : "  COUNTS DIFFER");
    fprintf(to, "  gates        %" PRIu64 " at depth %" PRIu64 ":", u->counts->n_gates,
            u->counts->depth);
    for (size_t i = 0; i < u->counts->n_types; i++) {
        fprintf(to, " %s %" PRIu64, u->counts->gates[i].type, u->counts->gates[i].n);
    }
    fprintf(to, "\n  as XOR2      %" PRIu64 " XOR2 at depth %" PRIu64 " with {AND XOR NOT}\n",
            u->counts->xor2, u->counts->xor_depth);
    for (size_t i = 0; i < u->counts->n_memories; i++) {
        const struct cost_memory *m = &u->counts->memories[i];
        const struct cost_memory_price *price = &u->memory.prices[i];
        fprintf(to,
                "  memory       %s %" PRIu64 " x %" PRIu64 " bits, %" PRIu64 " read, %" PRIu64
                " write: %.0f %s of SRAM, %.1f um2\n",
                m->name, m->rows, m->width, m->read_ports, m->write_ports, price->copies,
                price->copies > 1 ? "copies" : "copy", price->sram_um2);
    }
    if (u->counts->n_memories > 0) {
        fprintf(to, "  all as SRAM  %10.1f um2, access %.0f ps at %.0f nm%s\n", u->memory.area_um2,
                u->memory.access_ps, report->node_nm,
                u->memory.extended ? " (extended beyond the table of figures)" : "");
    }
    print_mappings(report, u, to);
    for (size_t i = 0; i < report->n_libraries; i++) {
        print_band(report, u, i, to);
    }
    fprintf(to, "%s%s\n", u->trouble, u->trouble[0] != '\0' ? "\n" : "");
}

/* Area, path and slack of each library, and when answers come: both forms side by side. */
static void print_forms(const struct cost_report *report, const struct cost_unit_report *u,
                        FILE *to)
{
    for (size_t i = 0; i < report->n_libraries; i++) {
        for (size_t f = 0; f < u->n_forms; f++) {
            const struct cost_mapping *m = u->forms[f].mapping[i];
            double slack;
            if (m != NULL) {
                fprintf(to, "  %-12s ONE_CYCLE=%zu %10.1f um2, path %5.0f ps",
                        f == 0 ? report->libraries[i]->name : "", f, m->area_um2, m->delay_ps);
                if (cost_slack_ns(u, m, &slack)) {
                    fprintf(to, ", slack %+.3f ns%s", slack, slack < 0 ? "  CLOCK NOT MET" : "");
                }
                fputc('\n', to);
            }
        }
    }
    for (size_t f = 0; f < u->n_forms; f++) {
        const struct unit_desc *desc = u->forms[f].desc;
        for (unsigned i = 0; desc != NULL && i < desc->n_timings; i++) {
            const struct unit_timing *t = &desc->timings[i];
            fprintf(to, "  %-12s ONE_CYCLE=%zu %s to %s: latency %u, interval %u cycles\n",
                    f + i == 0 ? "timing" : "", f, t->request, t->answer, t->latency_cycles,
                    t->interval_cycles);
        }
    }
}

static void print_restructured(const struct cost_report *report, FILE *to)
{
    bool any = false;
    for (size_t i = 0; i < report->n_units; i++) {
        const struct cost_unit_report *u = &report->units[i];
        if (u->n_forms > 0) {
            fprintf(to, "%s%s %s\n",
                    any ? ""
                        : "Restructured units: in cycles that their tables give (ONE_CYCLE=0), "
                          "and in the one that the document draws (ONE_CYCLE=1)\n\n",
                    u->unit, u->set);
            print_forms(report, u, to);
            fputc('\n', to);
            any = true;
        }
    }
}

static const char *verdict_words(enum cost_verdict verdict)
{
    return verdict == COST_NONE ? "no verdict" : cost_verdict_words[verdict];
}

/* What the circuits of one cycle would have said of the claims. */
static void print_one_cycle(const struct cost_report *report, FILE *to)
{
    size_t n = 0, n_other = 0;
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct cost_outcome *o = &report->outcomes[i];
        const bool other = o->one_cycle.verdict != o->verdict;
        if (!o->one_cycle.judged) {
            continue;
        }
        fprintf(to, "%s  %-12s ",
                n == 0 ? "Claims of restructured units, priced as they are and in one cycle\n\n"
                       : "",
                o->claim->text[CLAIM_ID]);
        if (o->measured.known && o->one_cycle.known) {
            fprintf(to, "%.6g and %.6g %s: ", o->measured.value, o->one_cycle.value,
                    o->claim->text[CLAIM_UNIT]);
        }
        fprintf(to, other ? "%s, in one cycle %s\n" : "%s in both\n", verdict_words(o->verdict),
                verdict_words(o->one_cycle.verdict));
        n++;
        n_other += other;
    }
    if (n > 0) {
        fprintf(to, "verdicts that one cycle would change: %zu of %zu\n\n", n_other, n);
    }
}

void cost_report_text(const struct cost_report *report, FILE *to)
{
    for (size_t i = 0; i < report->n_units; i++) {
        print_unit(report, &report->units[i], to);
    }
    print_restructured(report, to);
    print_one_cycle(report, to);
    for (size_t i = 0; i < report->n_outcomes; i++) {
        print_outcome(to, &report->outcomes[i]);
    }
    fprintf(to, "SRAM estimate against %zu held-out points, median and worst error:",
            report->sram_error.n_points);
    for (int f = 0; f < SRAM_FIGURES; f++) {
        fprintf(to, "%s %s %.1f %% %.1f %%", f > 0 ? "," : "", cost_sram_names[f],
                100 * report->sram_error.median[f], 100 * report->sram_error.worst[f]);
    }
    char headline[400], clocks[COST_CLOCKS_TEXT];
    cost_report_headline(report, headline, sizeof headline);
    cost_report_clocks(report, clocks, sizeof clocks);
    fprintf(to, "\nmeasured with %s\n%s\n", report->tools, clocks);
    for (size_t i = 0; i < report->n_libraries; i++) {
        char missed[COST_MISSED_TEXT];
        cost_report_missed(report, i, missed, sizeof missed);
        if (missed[0] != '\0') {
            fprintf(to, "clock not met in %s: %s\n", report->libraries[i]->name, missed);
        }
    }
    fprintf(to, "%s\n", headline);
}
