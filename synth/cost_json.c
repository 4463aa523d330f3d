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
    if (o->one_cycle.judged) {
        json_object_set_new(
            object, "one_cycle",
            json_pack("{s:o, s:s}", "measured_value",
                      o->one_cycle.known ? json_real(o->one_cycle.value) : json_null(), "verdict",
                      cost_verdict_words[o->one_cycle.verdict]));
    }
    return object;
}

static json_t *mapping_json(const struct cost_library *library, const struct cost_unit_report *u,
                            const struct cost_mapping *m)
{
    double slack;
    json_t *slack_json = cost_slack_ns(u, m, &slack) ? json_real(slack) : json_null();
    return json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "library", library->name,
                     "mapped_for", m->for_speed ? "speed" : "area", "cells", (json_int_t)m->cells,
                     "area_um2", m->area_um2, "area_nand2", m->area_um2 / m->nand2_um2, "logic_um2",
                     m->logic_um2, "delay_ps", m->delay_ps, "clock_mhz",
                     cost_clock_mhz(m->delay_ps), "leakage_nw", m->leakage_nw, "slack_ns",
                     slack_json);
}

static json_t *mappings_json(const struct cost_report *report, const struct cost_unit_report *u,
                             const struct cost_mapping *const *mapping)
{
    json_t *mappings = json_array();
    for (size_t i = 0; i < report->n_libraries; i++) {
        if (mapping[i] != NULL) {
            json_array_append_new(mappings, mapping_json(report->libraries[i], u, mapping[i]));
        }
    }
    return mappings;
}

static json_t *forms_json(const struct cost_report *report, const struct cost_unit_report *u)
{
    json_t *forms = json_array();
    for (size_t f = 0; f < u->n_forms; f++) {
        const struct cost_form *form = &u->forms[f];
        json_t *timings = json_array();
        for (unsigned i = 0; form->desc != NULL && i < form->desc->n_timings; i++) {
            const struct unit_timing *t = &form->desc->timings[i];
            json_array_append_new(timings,
                                  json_pack("{s:s, s:s, s:i, s:i}", "request", t->request, "answer",
                                            t->answer, "latency_cycles", (int)t->latency_cycles,
                                            "interval_cycles", (int)t->interval_cycles));
        }
        json_array_append_new(forms, json_pack("{s:i, s:s, s:o, s:o}", "one_cycle", (int)f, "set",
                                               form->set, "mapped",
                                               mappings_json(report, u, form->mapping), "timings",
                                               timings));
    }
    return forms;
}

/* Each with its ports, and in each library its price as SRAM of that node and as flip-flops. */
static json_t *memories_json(const struct cost_report *report, const struct cost_unit_report *u)
{
    json_t *memories = json_array();
    for (size_t i = 0; u->counts != NULL && i < u->counts->n_memories; i++) {
        const struct cost_memory *m = &u->counts->memories[i];
        json_t *prices = json_object();
        for (size_t k = 0; k < report->n_libraries; k++) {
            const struct cost_memory_price *price = &u->memory_at[k].prices[i];
            json_object_set_new(prices, report->libraries[k]->name,
                                json_pack("{s:f, s:f, s:s}", "sram_um2", price->sram_um2,
                                          "flip_flop_um2", price->flip_flop_um2, "cheaper",
                                          price->as_sram ? "SRAM" : "flip-flops"));
        }
        json_array_append_new(memories,
                              json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:o}", "name", m->name,
                                        "rows", (json_int_t)m->rows, "bits", (json_int_t)m->width,
                                        "read_ports", (json_int_t)m->read_ports, "write_ports",
                                        (json_int_t)m->write_ports, "copies",
                                        u->memory.prices[i].copies, "prices", prices));
    }
    return memories;
}

static json_t *bands_json(const struct cost_report *report, const struct cost_unit_report *u)
{
    json_t *bands = json_array();
    for (size_t i = 0; report->banded && i < report->n_libraries; i++) {
        const struct cost_band *band = &u->band[i];
        json_t *variants = json_array();
        for (size_t k = 0; k < band->n_variants; k++) {
            const struct cost_variant *v = &band->variants[k];
            json_array_append_new(variants,
                                  json_pack("{s:s, s:b, s:b, s:f, s:f}", "script", v->script,
                                            "retimed", v->retimed, "known", v->known, "area_um2",
                                            v->area_um2, "delay_ps", v->delay_ps));
        }
        json_array_append_new(
            bands, json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:o}", "library",
                             report->libraries[i]->name, "least_um2", band->least_um2, "most_um2",
                             band->most_um2, "least_ps", band->least_ps, "most_ps", band->most_ps,
                             "placed_area", u->placement.area, "placed_path", u->placement.path,
                             "placed_itself", u->placement.of == COST_PLACED_ITSELF, "variants",
                             variants));
    }
    return bands;
}

static json_t *unit_json(const struct cost_report *report, const struct cost_unit_report *u)
{
    json_t *object = json_pack(
        "{s:s, s:s, s:I, s:f, s:s, s:s, s:I, s:I, s:b}", "unit", u->unit, "set", u->set,
        "clock_mhz", (json_int_t)u->clock_mhz, "period_ns", cost_period_ns(u), "clock_from",
        u->clock_words, "late_because", u->late_words, "claimed_bits", (json_int_t)u->claimed_bits,
        "extra_bits", (json_int_t)u->extra_bits, "counts_agree", cost_counts_agree(u));
    json_t *gates = json_object();
    for (size_t i = 0; u->counts != NULL && i < u->counts->n_types; i++) {
        json_object_set_new(gates, u->counts->gates[i].type,
                            json_integer((json_int_t)u->counts->gates[i].n));
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
    json_object_set_new(object, "memories", memories_json(report, u));
    json_object_set_new(object, "gate_types", gates);
    json_object_set_new(object, "mapped", mappings_json(report, u, u->mapping));
    json_object_set_new(object, "forms", forms_json(report, u));
    json_object_set_new(object, "bands", bands_json(report, u));
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
    json_t *missed = json_object();
    for (size_t i = 0; i < report->n_libraries; i++) {
        char words[COST_MISSED_TEXT];
        cost_report_missed(report, i, words, sizeof words);
        json_object_set_new(missed, report->libraries[i]->name, json_string(words));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "tools", report->tools, "clocks", clocks,
                     "clock_not_met", missed, "units", units, "claims", claims, "sram_held_out",
                     errors);
}
