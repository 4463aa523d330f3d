/* cost_report.c - fills a report's units, and what all writers share. */
#include "synth/cost_report.h"

#include <stdio.h>
#include <string.h>

/* What the unit's file says of its clock. */
static bool take_clock(const struct cost_judge *judge, struct cost_unit_report *unit,
                       struct failure *failure)
{
    struct unit_file file;
    if (!cost_bench_file(judge->bench, unit->unit, &file, failure)) {
        return false;
    }
    if (file.clock_mhz == 0) {
        failure_set(failure, VERDICT_USAGE,
                    "its file has no clock row; a unit has one, see "
                    "cmodel/units/unit_file.md");
        return false;
    }
    unit->clock_mhz = file.clock_mhz;
    snprintf(unit->clock_words, sizeof unit->clock_words, "%s", file.clock_words);
    return true;
}

void cost_report_measure(struct cost_report *report, const struct cost_judge *judge,
                         struct cost_unit_report *unit)
{
    struct failure failure = {0};
    const struct unit_desc *desc = cost_bench_desc(judge->bench, unit->unit, unit->set, &failure);
    for (unsigned i = 0; desc != NULL && i < desc->n_state; i++) {
        const uint64_t bits = (uint64_t)desc->state[i].width * desc->state[i].depth;
        *(desc->state[i].claimed ? &unit->claimed_bits : &unit->extra_bits) += bits;
    }
    const bool clocked = desc != NULL && take_clock(judge, unit, &failure);
    unit->counts = clocked ? cost_bench_counts(judge->bench, unit->unit, unit->set, &failure)
                           : NULL;
    bool good = unit->counts != NULL &&
                cost_memory_form(judge, unit->counts, report->node_nm, &unit->memory);
    for (size_t i = 0; good && i < report->n_libraries; i++) {
        unit->mapping[i] = cost_bench_mapping(judge->bench, unit->unit, unit->set,
                                              report->libraries[i], &failure);
        good = unit->mapping[i] != NULL;
    }
    if (!good) {
        snprintf(unit->trouble, sizeof unit->trouble, "%.1300s",
                 failure.words[0] != '\0' ? failure.words : "outside the SRAM estimate");
    }
}

bool cost_counts_agree(const struct cost_unit_report *unit)
{
    return unit->counts == NULL || unit->claimed_bits + unit->extra_bits ==
                                       unit->counts->ff_bits + unit->counts->memory_bits;
}

double cost_clock_mhz(double delay_ps)
{
    return delay_ps > 0 ? 1e6 / delay_ps : 0;
}

double cost_period_ns(const struct cost_unit_report *unit)
{
    return unit->clock_mhz > 0 ? 1e3 / unit->clock_mhz : 0;
}

bool cost_slack_ns(const struct cost_unit_report *unit, size_t i, double *slack)
{
    const struct cost_mapping *m = unit->mapping[i];
    const bool has = m != NULL && m->delay_ps > 0 && m->cells > 0;
    if (has) {
        *slack = cost_period_ns(unit) - m->delay_ps / 1e3;
    }
    return has;
}

void cost_report_clocks(const struct cost_report *report, char *out, size_t n_out)
{
    size_t used = 0;
    for (size_t i = 0; i < report->n_libraries && used < n_out; i++) {
        size_t met = 0, n = 0;
        for (size_t u = 0; u < report->n_units; u++) {
            double slack;
            const bool has = cost_slack_ns(&report->units[u], i, &slack);
            n += has;
            met += has && slack >= 0;
        }
        used += (size_t)snprintf(out + used, n_out - used, "%s%zu of %zu in %s",
                                 i == 0 ? "units that meet their clock, of those with a path: "
                                        : ", ",
                                 met, n, report->libraries[i]->name);
    }
}

size_t cost_report_count(const struct cost_report *report, enum cost_class class,
                         enum cost_verdict verdict)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct cost_outcome *o = &report->outcomes[i];
        n += o->class == class && (verdict == COST_VERDICTS || o->verdict == verdict);
    }
    return n;
}

void cost_report_headline(const struct cost_report *report, char *out, size_t n_out)
{
#define COUNT(class, verdict) cost_report_count(report, COST_##class, COST_##verdict)
    snprintf(out, n_out,
             "%zu claims: %zu measured (%zu agree, %zu differ, %zu cannot hold), "
             "%zu recomputed from the document's own figures (%zu of them differ, %zu cannot "
             "hold), %zu no hardware here yet, %zu cannot be checked",
             report->n_outcomes, COUNT(MEASURED, VERDICTS), COUNT(MEASURED, AGREES),
             COUNT(MEASURED, DIFFERS), COUNT(MEASURED, CANNOT_HOLD), COUNT(RECOMPUTED, VERDICTS),
             COUNT(RECOMPUTED, DIFFERS), COUNT(RECOMPUTED, CANNOT_HOLD),
             COUNT(NO_HARDWARE, VERDICTS), COUNT(UNCHECKED, VERDICTS));
#undef COUNT
}
