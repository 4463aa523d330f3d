/* cost_json.c - a cost report as JSON. */
#include "synth/cost_report.h"

static json_t *figure_json(const struct cost_figure *figure)
{
    return figure->known ? json_real(figure->value) : json_null();
}

static json_t *outcome_json(const struct cost_outcome *o)
{
    json_t *object = json_object(), *left = json_array();
    json_t *parts = json_object(), *elsewhere = json_object();
    for (int i = 0; i < CLAIM_COLUMNS; i++) {
        json_object_set_new(object, cost_claim_columns[i], json_string(o->claim->text[i]));
    }
    for (size_t i = 0; i < o->claim->n_left_out; i++) {
        json_array_append_new(left, json_pack("{s:s, s:s, s:f}", "what", o->claim->left_out[i].what,
                                              "unit", o->claim->left_out[i].unit, "value",
                                              o->left_out[i]));
    }
    for (size_t i = 0; i < o->n_parts; i++) {
        json_object_set_new(parts, o->parts[i].name, json_real(o->parts[i].value));
    }
    for (size_t i = 0; i < o->n_elsewhere; i++) {
        json_object_set_new(elsewhere, o->elsewhere[i].library, json_real(o->elsewhere[i].value));
    }
    json_object_set_new(object, "measured_parts", parts);
    json_object_set_new(object, "measured_elsewhere", elsewhere);
    json_object_set_new(object, "family", json_string(o->claim->family));
    json_object_set_new(object, "recomputed_value", figure_json(&o->formula));
    json_object_set_new(object, "table_value", figure_json(&o->table));
    json_object_set_new(object, "measured_value", figure_json(&o->measured));
    json_object_set_new(object, "left_out_values", left);
    json_object_set_new(object, "no_rtl_yet", json_boolean(o->claim->pending));
    json_object_set_new(object, "class", json_string(cost_class_words[o->class]));
    json_object_set_new(object, "verdict", json_string(cost_verdict_words[o->verdict]));
    json_object_set_new(object, "words", json_string(o->words));
    return object;
}

static json_t *mapping_json(const struct cost_library *library, const struct cost_unit_report *u,
                            size_t i)
{
    const struct cost_mapping *m = u->mapping[i];
    double slack;
    json_t *slack_json = cost_slack_ns(u, i, &slack) ? json_real(slack) : json_null();
    return json_pack("{s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "library", library->name,
                     "cells", (json_int_t)m->cells, "area_um2", m->area_um2, "area_nand2",
                     m->area_um2 / m->nand2_um2, "logic_um2", m->logic_um2, "delay_ps", m->delay_ps,
                     "clock_mhz", cost_clock_mhz(m->delay_ps), "leakage_nw", m->leakage_nw,
                     "slack_ns", slack_json);
}

static json_t *unit_json(const struct cost_report *report, const struct cost_unit_report *u)
{
    json_t *object = json_pack("{s:s, s:s, s:I, s:f, s:s, s:I, s:I, s:b}", "unit", u->unit, "set",
                               u->set, "clock_mhz", (json_int_t)u->clock_mhz, "period_ns",
                               cost_period_ns(u), "clock_from", u->clock_words, "claimed_bits",
                               (json_int_t)u->claimed_bits, "extra_bits", (json_int_t)u->extra_bits,
                               "counts_agree", cost_counts_agree(u));
    json_t *gates = json_object(), *mappings = json_array();
    for (size_t i = 0; u->counts != NULL && i < u->counts->n_types; i++) {
        json_object_set_new(gates, u->counts->gates[i].type,
                            json_integer((json_int_t)u->counts->gates[i].n));
    }
    for (size_t i = 0; i < report->n_libraries; i++) {
        if (u->mapping[i] != NULL) {
            json_array_append_new(mappings, mapping_json(report->libraries[i], u, i));
        }
    }
    if (u->counts != NULL) {
        json_object_update_new(
            object,
            json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "flip_flop_bits",
                      (json_int_t)u->counts->ff_bits, "memory_bits",
                      (json_int_t)u->counts->memory_bits, "xor2", (json_int_t)u->counts->xor2,
                      "xor_depth", (json_int_t)u->counts->xor_depth, "gates",
                      (json_int_t)u->counts->n_gates, "depth", (json_int_t)u->counts->depth,
                      "sram_um2", u->memory.area_um2, "sram_access_ps", u->memory.access_ps));
    }
    json_object_set_new(object, "gate_types", gates);
    json_object_set_new(object, "mapped", mappings);
    json_object_set_new(object, "trouble", json_string(u->trouble));
    return object;
}

json_t *cost_report_json(const struct cost_report *report)
{
    json_t *units = json_array(), *claims = json_array(), *errors = json_object();
    for (size_t i = 0; i < report->n_units; i++) {
        json_array_append_new(units, unit_json(report, &report->units[i]));
    }
    for (size_t i = 0; i < report->n_outcomes; i++) {
        json_array_append_new(claims, outcome_json(&report->outcomes[i]));
    }
    for (int f = 0; f < SRAM_FIGURES; f++) {
        json_object_set_new(errors, cost_sram_names[f],
                            json_pack("{s:f, s:f}", "median", report->sram_error.median[f], "worst",
                                      report->sram_error.worst[f]));
    }
    char clocks[COST_CLOCKS_TEXT];
    cost_report_clocks(report, clocks, sizeof clocks);
    return json_pack("{s:s, s:o, s:o, s:o}", "clocks", clocks, "units", units, "claims", claims,
                     "sram_held_out", errors);
}
