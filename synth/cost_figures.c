/* cost_figures.c - the figures that a claim's expressions may ask for. */
#include <stdio.h>
#include <string.h>

#include "synth/cost_figures.h"

static bool table_figure(const struct cost_scope *scope, const struct cost_reference *r,
                         double *value, char *why, size_t n_why)
{
    struct failure failure;
    const struct unit_desc *desc = cost_bench_desc(scope->judge->bench, r->unit, r->set, &failure);
    if (desc == NULL) {
        snprintf(why, n_why, "%s", failure.words);
        return false;
    }
    *value = 0;
    for (unsigned i = 0; strcmp(r->function, "param") != 0 && i < desc->n_state; i++) {
        const struct unit_field *field = &desc->state[i];
        if (strcmp(r->function, "bits") == 0 ||
            field->claimed == (strcmp(r->function, "claimed") == 0)) {
            const bool wanted = r->member[0] == '\0' || strcmp(r->member, field->name) == 0;
            *value += wanted ? (double)field->width * field->depth : 0;
        }
    }
    if (strcmp(r->function, "param") != 0) {
        return true;
    }
    for (unsigned i = 0; i < desc->n_params; i++) {
        if (strcmp(desc->params[i].name, r->member) == 0) {
            *value = (double)desc->params[i].value;
            return true;
        }
    }
    snprintf(why, n_why, "%s has no parameter '%s'", r->unit, r->member);
    return false;
}

static bool listed(const char *name, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(name, *list) == 0) {
            return true;
        }
    }
    return false;
}

static bool count_figure(const struct cost_scope *scope, const struct cost_reference *r,
                         double *value, char *why, size_t n_why)
{
    struct failure failure;
    static const char *const of_storage[] = {"ff",          "mem",        "stored",
                                             "storage_um2", "storage_ps", NULL};
    struct cost_bench *bench = scope->judge->bench;
    const struct cost_counts *c = listed(r->function, of_storage)
                                      ? cost_bench_storage(bench, r->unit, r->set, &failure)
                                      : cost_bench_counts(bench, r->unit, r->set, &failure);
    if (c == NULL) {
        snprintf(why, n_why, "%s", failure.words);
        return false;
    }
    const struct {
        const char *name;
        double value;
    } figures[] = {{"ff", (double)c->ff_bits},
                   {"mem", (double)c->memory_bits},
                   {"stored", (double)(c->ff_bits + c->memory_bits)},
                   {"xor2", (double)c->xor2},
                   {"xor_depth", (double)c->xor_depth},
                   {"gates", (double)c->n_gates},
                   {"depth", (double)c->depth}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (strcmp(figures[i].name, r->function) == 0) {
            *value = figures[i].value;
            return true;
        }
    }
    if (strcmp(r->function, "gate") == 0) {
        *value = 0;
        for (size_t i = 0; i < c->n_types; i++) {
            *value += strcmp(c->gates[i].type, r->member) == 0 ? (double)c->gates[i].n : 0;
        }
        return true;
    }
    struct cost_memory_form form;
    if (!cost_memory_form(scope->judge->sram, c, scope->node_nm, &form)) {
        snprintf(why, n_why, "the memories of %s are outside the SRAM estimate", r->unit);
        return false;
    }
    *value = strcmp(r->function, "storage_um2") == 0 ? form.area_um2 : form.access_ps;
    return true;
}

static bool mapped_figure(const struct cost_scope *scope, const struct cost_reference *r,
                          double *value, char *why, size_t n_why)
{
    struct failure failure;
    const bool through = strcmp(r->function, "through_ps") == 0;
    const struct cost_mapping *m = NULL;
    if (through && cost_bench_through(scope->judge->bench, r->unit, r->set, scope->judge->library,
                                      r->member, value, &failure)) {
        return true;
    } else if (!through) {
        m = cost_bench_mapping(scope->judge->bench, r->unit, r->set, scope->judge->library,
                               &failure);
    }
    if (m == NULL) {
        snprintf(why, n_why, "%s", failure.words);
        return false;
    }
    *value = strcmp(r->function, "area_um2") == 0     ? m->area_um2
             : strcmp(r->function, "area_nand2") == 0 ? m->area_um2 / m->nand2_um2
             : strcmp(r->function, "logic_um2") == 0  ? m->logic_um2
             : strcmp(r->function, "delay_ps") == 0   ? m->delay_ps
                                                      : m->leakage_nw / 1000;
    return true;
}

static bool unit_figure(const struct cost_scope *scope, const struct cost_reference *r,
                        double *value, char *why, size_t n_why)
{
    static const char *const of_table[] = {"claimed", "extra", "bits", "param", NULL};
    static const char *const of_counts[] = {"ff",          "mem",        "stored", "xor2",
                                            "xor_depth",   "gates",      "depth",  "gate",
                                            "storage_um2", "storage_ps", NULL};
    static const char *const of_mapping[] = {"area_um2", "area_nand2", "logic_um2", "delay_ps",
                                             "leak_uw",  "through_ps", NULL};
    if (listed(r->function, of_table)) {
        return table_figure(scope, r, value, why, n_why);
    } else if (listed(r->function, of_counts)) {
        return count_figure(scope, r, value, why, n_why);
    } else if (listed(r->function, of_mapping)) {
        return mapped_figure(scope, r, value, why, n_why);
    }
    snprintf(why, n_why, "'%s' is no figure of a unit; see synth/cost_judge.h", r->function);
    return false;
}

/* Each figure once. */
static void note_part(struct cost_outcome *outcome, const struct cost_reference *r, double value)
{
    struct cost_part *part = &outcome->parts[outcome->n_parts];
    if (outcome->n_parts == COST_MAX_PARTS) {
        return;
    }
    snprintf(part->name, sizeof part->name, "%s(%.30s%s%.20s%s%s%s%.24s)", r->function, r->unit,
             r->set[0] != '\0' ? "[" : "", r->set, strlen(r->set) > 20 ? "..." : "",
             r->set[0] != '\0' ? "]" : "", r->member[0] != '\0' ? "." : "", r->member);
    part->value = value;
    for (size_t i = 0; i < outcome->n_parts; i++) {
        if (strcmp(outcome->parts[i].name, part->name) == 0) {
            return;
        }
    }
    outcome->n_parts++;
}

/* Has the unit both forms, and does the row leave open which? */
static bool has_one_cycle(const struct cost_scope *scope, const struct cost_reference *r)
{
    struct failure failure;
    const struct unit_desc *desc = strstr(r->set, "ONE_CYCLE") == NULL
                                       ? cost_bench_desc(scope->judge->bench, r->unit, r->set,
                                                         &failure)
                                       : NULL;
    bool has = false;
    for (unsigned i = 0; desc != NULL && i < desc->n_params; i++) {
        has = has || strcmp(desc->params[i].name, "ONE_CYCLE") == 0;
    }
    return has;
}

bool cost_unit_figure(void *user, const struct cost_reference *asked, double *value, char *why,
                      size_t n_why)
{
    struct cost_scope *scope = user;
    struct cost_reference one_cycle = *asked;
    const struct cost_reference *r = asked;
    if (scope->judge->one_cycle && has_one_cycle(scope, asked)) {
        snprintf(one_cycle.set, sizeof one_cycle.set, "%.140s%sONE_CYCLE=1", asked->set,
                 asked->set[0] != '\0' ? "," : "");
        scope->one_cycle = true;
        r = &one_cycle;
    }
    if (!unit_figure(scope, r, value, why, n_why)) {
        return false;
    }
    /* A parameter is what was chosen, not what was found. */
    scope->hardware = scope->hardware || strcmp(r->function, "param") != 0;
    if (scope->parts != NULL) {
        note_part(scope->parts, r, *value);
    }
    return true;
}

bool cost_number_figure(void *user, const char *function, const double *arg, size_t n_arg,
                        double *value, char *why, size_t n_why)
{
    struct cost_scope *scope = user;
    scope->hardware = true;
    if (n_arg != 3 || (arg[2] != 1 && arg[2] != 2) ||
        !cost_sram_call(scope->judge->sram, function, arg[0], arg[1], arg[2] > 1, scope->node_nm,
                        value)) {
        snprintf(why, n_why, "%s takes rows, bits and 1 or 2 ports", function);
        return false;
    }
    return true;
}

bool cost_name_figure(void *user, const char *name, double *value, char *why, size_t n_why)
{
    const struct cost_scope *scope = user;
    for (size_t i = 0; i < scope->claim->n_names; i++) {
        if (strcmp(scope->claim->names[i].name, name) == 0) {
            *value = scope->claim->names[i].value;
            return true;
        }
    }
    snprintf(why, n_why, "'%s' is not in the row's machine", name);
    return false;
}
