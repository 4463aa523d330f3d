/* report.c - the one place where a difference is put into words. */
#include "tb/report.h"

#include <inttypes.h>
#include <string.h>

#include "tb/value.h"

enum { SHOWN = 24 };

void report_params(FILE *to, const struct unit_desc *desc)
{
    for (unsigned i = 0; i < desc->n_params; i++) {
        fprintf(to, "%s%s=%" PRId64, i > 0 ? " " : "", desc->params[i].name, desc->params[i].value);
    }
}

static void print_value(FILE *to, const struct unit_desc *desc, const char *of, uint64_t value)
{
    const char *name = value_enum(desc, of, value);
    fprintf(to, "0x%" PRIx64, value);
    if (name != NULL) {
        fprintf(to, " (%s)", name);
    }
}

static void print_element(FILE *to, const char *name, bool is_array, unsigned element)
{
    if (is_array) {
        fprintf(to, "%s[%u]", name, element);
    } else {
        fputs(name, to);
    }
}

static void print_difference(FILE *to, const struct unit_desc *desc,
                             const struct lockstep_report *report,
                             const struct lockstep_difference *d)
{
    const struct unit_port *port = &desc->out[d->of_state ? 0 : d->index];
    const struct unit_field *field = &desc->state[d->of_state ? d->index : 0];
    const char *name = d->of_state ? field->name : port->name;
    const bool is_array = d->of_state ? field->depth > 1 : port->is_array;
    fprintf(to, "  %s ", d->of_state ? "state " : "output");
    print_element(to, name, is_array, d->element);
    fprintf(to, "  %s ", report->name_a);
    print_value(to, desc, name, d->a);
    fprintf(to, "  %s ", report->name_b);
    print_value(to, desc, name, d->b);
    fprintf(to, "  xor 0x%" PRIx64, d->a ^ d->b);
    if (!d->of_state && strcmp(port->guard, "ALWAYS") != 0) {
        fprintf(to, "  guard %s", port->guard);
    }
    fputc('\n', to);
}

static void print_ports(FILE *to, const struct unit_port *ports, unsigned n, const uint64_t *slots)
{
    for (unsigned i = 0; i < n; i++) {
        fprintf(to, " %s=", ports[i].name);
        for (unsigned lane = 0; lane < ports[i].lanes; lane++) {
            fprintf(to, "%s0x%" PRIx64, lane > 0 ? "," : "", slots[ports[i].slot + lane]);
        }
    }
}

static void print_history(FILE *to, const struct unit_desc *desc,
                          const struct lockstep_report *report)
{
    fprintf(to, "last steps (inputs -> outputs of %s):\n", report->name_a);
    for (unsigned i = 0; i < report->n_history; i++) {
        fprintf(to, "  %8" PRIu64, report->history_step[i]);
        print_ports(to, desc->in, desc->n_in, report->history_in[i]);
        fputs(" ->", to);
        print_ports(to, desc->out, desc->n_out, report->history_out[i]);
        fputc('\n', to);
    }
}

unsigned report_closed_guards(FILE *to, const struct unit_desc *desc,
                              const struct lockstep_report *report)
{
    unsigned closed = 0;
    for (unsigned i = 0; report->guard_open != NULL && i < desc->n_out; i++) {
        if (report->guard_open[i] == 0) {
            fprintf(to, "%s%s (%s)", closed++ > 0 ? ", " : "", desc->out[i].guard,
                    desc->out[i].name);
        }
    }
    return closed;
}

void report_mismatch(FILE *to, const struct unit_desc *desc, const struct lockstep_report *report,
                     const struct report_context *context)
{
    fprintf(to, "MISMATCH %s  step %" PRIu64 "%s  seed %" PRIu64 "  ", desc->name,
            report->mismatch_step, report->mismatch_in_reset ? " (reset)" : "", context->seed);
    report_params(to, desc);
    fputc('\n', to);
    const unsigned kept = report->n_differences < 64 ? report->n_differences : 64;
    for (unsigned i = 0; i < kept && i < SHOWN; i++) {
        print_difference(to, desc, report, &report->differences[i]);
    }
    if (report->n_differences > SHOWN) {
        fprintf(to, "  and %u more values differ\n", report->n_differences - SHOWN);
    }
    print_history(to, desc, report);
    fprintf(to,
            "compared %" PRIu64 " steps, %" PRIu64 " values; guards never open: ", report->steps,
            report->values);
    if (report_closed_guards(to, desc, report) == 0) {
        fputs("none", to);
    }
    fputc('\n', to);
    if (context->replay != NULL) {
        fprintf(to, "again: %s\n", context->replay);
    }
    if (context->wave != NULL) {
        fprintf(to, "wave:  %s\n", context->wave);
    }
}

json_t *report_mismatch_json(const struct unit_desc *desc, const struct lockstep_report *report,
                             const struct report_context *context)
{
    json_t *list = json_array();
    const unsigned kept = report->n_differences < 64 ? report->n_differences : 64;
    for (unsigned i = 0; i < kept; i++) {
        const struct lockstep_difference *d = &report->differences[i];
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:i, s:I, s:I}", "kind", d->of_state ? "state" : "output", "name",
                      d->of_state ? desc->state[d->index].name : desc->out[d->index].name,
                      "element", d->element, report->name_a, (json_int_t)d->a, report->name_b,
                      (json_int_t)d->b));
    }
    return json_pack("{s:I, s:b, s:o, s:s*, s:s*}", "step", (json_int_t)report->mismatch_step,
                     "in_reset", report->mismatch_in_reset, "differences", list, "again",
                     context->replay, "wave", context->wave);
}

void report_unexpected(FILE *to, const struct unit_backend *backend, const char *path,
                       const char *test, const struct play_result *result)
{
    const struct unit_desc *desc = backend->desc;
    const struct sequence_expect *e = &result->expected;
    const char *name = e->of_state ? desc->state[e->index].name : desc->out[e->index].name;
    const bool is_array = e->of_state ? desc->state[e->index].depth > 1
                                      : desc->out[e->index].is_array;
    fprintf(to, "MISMATCH %s  %s:%u: test %s, step %" PRIu64 ": ", desc->name, path,
            result->unexpected_line, test, result->unexpected_step);
    print_element(to, name, is_array, e->element);
    fputs(" expected ", to);
    print_value(to, desc, name, e->value);
    fprintf(to, ", %s has ", backend->name);
    print_value(to, desc, name, result->got);
    fputc('\n', to);
}
