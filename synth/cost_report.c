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
    snprintf(unit->late_words, sizeof unit->late_words, "%s", file.late_words);
    return true;
}

/* `set` with its ONE_CYCLE, if any, replaced. */
static void form_set(const char *set, size_t one_cycle, char *out, size_t n_out)
{
    static const char name[] = "ONE_CYCLE=";
    size_t used = 0;
    out[0] = '\0';
    for (const char *word = set; *word != '\0';) {
        const size_t length = strcspn(word, ",");
        if (strncmp(word, name, strlen(name)) != 0) {
            used += (size_t)snprintf(out + used, n_out - used, "%.*s,", (int)length, word);
        }
        word += length + (word[length] == ',');
    }
    snprintf(out + used, n_out - used, "%s%zu", name, one_cycle);
}

static bool measure_mappings(const struct cost_report *report, const struct cost_judge *judge,
                             const struct cost_unit_report *unit, const char *set,
                             const struct cost_mapping **mapping, struct failure *failure)
{
    bool good = true;
    for (size_t i = 0; good && i < report->n_libraries; i++) {
        mapping[i] = cost_bench_mapping(judge->bench, unit->unit, set, report->libraries[i],
                                        failure);
        good = mapping[i] != NULL;
    }
    return good;
}

static bool measure_forms(const struct cost_report *report, const struct cost_judge *judge,
                          const struct unit_desc *desc, struct cost_unit_report *unit,
                          struct failure *failure)
{
    bool good = true;
    for (unsigned i = 0; i < desc->n_params; i++) {
        unit->n_forms = strcmp(desc->params[i].name, "ONE_CYCLE") == 0 ? COST_FORMS : unit->n_forms;
    }
    for (size_t i = 0; good && i < unit->n_forms; i++) {
        struct cost_form *form = &unit->forms[i];
        form_set(unit->set, i, form->set, sizeof form->set);
        form->desc = cost_bench_desc(judge->bench, unit->unit, form->set, failure);
        good = form->desc != NULL &&
               measure_mappings(report, judge, unit, form->set, form->mapping, failure);
    }
    return good;
}

/* A unit that misses its clock at its standard parameters in the default library says why, and no
 * other does. */
static void judge_late(const struct cost_report *report, const struct cost_judge *judge,
                       struct cost_unit_report *unit)
{
    const char *standard = cost_bench_nth_library(judge->bench, 0)->name;
    for (size_t i = 0; i < report->n_libraries; i++) {
        double slack;
        if (strcmp(report->libraries[i]->name, standard) != 0 || unit->set[0] != '\0' ||
            !cost_slack_ns(unit, unit->mapping[i], &slack)) {
            continue;
        }
        if (slack < 0 && unit->late_words[0] == '\0') {
            unit->late_wrong = "misses its clock, and its file has no late row that says why";
        } else if (slack >= 0 && unit->late_words[0] != '\0') {
            unit->late_wrong = "meets its clock, and its file has a late row; take it out";
        }
    }
}

/* SRAM of a library's own node against flip-flops of its cells. */
static bool measure_memories(const struct cost_report *report, const struct cost_judge *judge,
                             struct cost_unit_report *unit)
{
    bool good = true;
    for (size_t i = 0; good && i < report->n_libraries; i++) {
        const double node_nm = report->libraries[i]->node_nm;
        good = cost_memory_form(judge->sram, unit->counts, node_nm > 0 ? node_nm : report->node_nm,
                                &unit->memory_at[i]);
        cost_memory_compare(&unit->memory_at[i], unit->counts, unit->mapping[i]);
    }
    return good;
}

static bool measure_bands(const struct cost_report *report, const struct cost_judge *judge,
                          struct cost_unit_report *unit, struct failure *failure)
{
    bool good = true;
    char path[5000];
    for (size_t i = 0; good && report->banded && i < report->n_libraries; i++) {
        good = cost_band_measure(&unit->band[i], judge->bench, unit->unit, unit->set,
                                 report->libraries[i], unit->counts);
        if (!good) {
            failure_set(failure, VERDICT_BUILD, "no script of synth/band.mk maps it to %s",
                        report->libraries[i]->name);
        }
    }
    snprintf(path, sizeof path, "%s/synth/data/placement.csv", report->root);
    return good && (!report->banded || cost_placement_of(&unit->placement, path, unit->unit));
}

void cost_report_tools(struct cost_report *report)
{
    char line[256];
    size_t used = 0;
    /* Debian's ABC says no version of its own; a package's name and version stand for each. */
    FILE *pipe = popen(
        "dpkg-query -W -f '${Package} ${Version}\n' yosys berkeley-abc opensta qflow "
        "2>/dev/null",
        "r");
    report->tools[0] = '\0';
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL && used < sizeof report->tools) {
        line[strcspn(line, "\n")] = '\0';
        used += (size_t)snprintf(report->tools + used, sizeof report->tools - used, "%s%s",
                                 used > 0 ? ", " : "", line);
    }
    if (pipe != NULL) {
        pclose(pipe);
    }
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
    const bool good = unit->counts != NULL &&
                      cost_memory_form(judge->sram, unit->counts, report->node_nm, &unit->memory) &&
                      measure_mappings(report, judge, unit, unit->set, unit->mapping, &failure) &&
                      measure_forms(report, judge, desc, unit, &failure) &&
                      measure_memories(report, judge, unit) &&
                      measure_bands(report, judge, unit, &failure);
    judge_late(report, judge, unit);
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

bool cost_slack_ns(const struct cost_unit_report *unit, const struct cost_mapping *mapping,
                   double *slack)
{
    const bool has = mapping != NULL && mapping->delay_ps > 0 && mapping->cells > 0;
    if (has) {
        *slack = cost_period_ns(unit) - mapping->delay_ps / 1e3;
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
            const struct cost_unit_report *unit = &report->units[u];
            const bool has = cost_slack_ns(unit, unit->mapping[i], &slack);
            n += has;
            met += has && slack >= 0;
        }
        used += (size_t)snprintf(out + used, n_out - used, "%s%zu of %zu in %s",
                                 i == 0 ? "units that meet their clock, of those with a path: "
                                        : ", ",
                                 met, n, report->libraries[i]->name);
    }
}

void cost_report_missed(const struct cost_report *report, size_t i, char *out, size_t n_out)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t u = 0; u < report->n_units && used < n_out; u++) {
        const struct cost_unit_report *unit = &report->units[u];
        double slack;
        if (cost_slack_ns(unit, unit->mapping[i], &slack) && slack < 0) {
            used += (size_t)snprintf(out + used, n_out - used, "%s%s %+.3f ns",
                                     used > 0 ? ", " : "", strchr(unit->unit, '/') + 1, slack);
        }
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
