/* cmd_ports.c - `warplock ports UNIT`: the table of a unit at a parameter set. */
#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "tb/backend.h"

struct options {
    const char *unit;
    struct cli_params params;
    bool json;
};

static const struct argp_option option_table[] = {
    {"param", 'p', "K=V", 0, "a parameter; may be given several times", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'p': return cli_add_param(&options->params, arg, state);
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->unit != NULL) {
            argp_error(state, "one unit at a time, '%s' is the second", arg);
        }
        options->unit = arg;
        return 0;
    case ARGP_KEY_END:
        if (options->unit == NULL) {
            argp_error(state, "name a unit; `warplock list units` shows all");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const char *const draw_names[] = {"any", "few", "rare", "mostly", "below"};

static void print_ports(const struct unit_port *ports, unsigned n, bool outputs)
{
    for (unsigned i = 0; i < n; i++) {
        const struct unit_port *p = &ports[i];
        char shape[32], extra[96] = "";
        snprintf(shape, sizeof shape, p->is_array ? "%ux%u" : "%u", p->width, p->lanes);
        if (outputs) {
            snprintf(extra, sizeof extra, "%s%s%s%s", p->registered ? "registered" : "comb",
                     p->event ? ", event" : "", strcmp(p->guard, "ALWAYS") != 0 ? ", guard " : "",
                     strcmp(p->guard, "ALWAYS") != 0 ? p->guard : "");
        } else if (p->draw != UNIT_DRAW_ANY) {
            snprintf(extra, sizeof extra, "%s(%" PRId64 ")", draw_names[p->draw], p->draw_arg);
        }
        printf("  %-20s %-8s %-20s %s\n", p->name, shape, extra, p->doc);
    }
}

static void print_timings(const struct unit_desc *d)
{
    printf("%s", d->n_timings > 0 ? "\ntiming, in cycles\n" : "");
    for (unsigned i = 0; i < d->n_timings; i++) {
        const struct unit_timing *t = &d->timings[i];
        printf("  %-20s %-20s %u after it is taken, one every %u\n", t->request, t->answer,
               t->latency_cycles, t->interval_cycles);
    }
}

static void print_kind(const struct unit_desc *d, const struct unit_clocking *pins)
{
    if (d->kind != UNIT_SEQUENTIAL) {
        puts("combinational");
        return;
    }
    printf("sequential: %s%s, %s active-%s %s\n", pins->clock,
           pins->falling ? " (falling edge)" : "",
           pins->asynchronous ? "asynchronous" : "synchronous", pins->low ? "low" : "high",
           pins->reset);
}

static void print_text(const struct unit_desc *d, const struct unit_clocking *pins,
                       const struct unit_file *file)
{
    printf("%s - %s (%s)\n", d->name, d->title, d->source);
    print_kind(d, pins);
    printf("%u MHz (%s)\n\nparameters\n", file->clock_mhz, file->clock_words);
    for (unsigned i = 0; i < d->n_params; i++) {
        const struct unit_param *p = &d->params[i];
        printf("  %-20s %-8" PRId64 " %" PRId64 " .. %" PRId64 "%s  %s\n", p->name, p->value,
               p->least, p->greatest, p->power_of_two ? ", power of two" : "", p->doc);
    }
    printf("\ninputs\n");
    print_ports(d->in, d->n_in, false);
    printf("\noutputs\n");
    print_ports(d->out, d->n_out, true);
    print_timings(d);
    uint64_t claimed = 0, extra = 0;
    printf("%s", d->n_state > 0 ? "\nstate\n" : "");
    for (unsigned i = 0; i < d->n_state; i++) {
        const struct unit_field *f = &d->state[i];
        char shape[32];
        snprintf(shape, sizeof shape, f->depth > 1 ? "%ux%u" : "%u", f->width, f->depth);
        printf("  %-20s %-8s %-20s %s\n", f->name, shape, f->claimed ? "claimed" : "extra", f->doc);
        *(f->claimed ? &claimed : &extra) += (uint64_t)f->width * f->depth;
    }
    printf("\nstorage %" PRIu64 " bits claimed + %" PRIu64 " bits extra\n", claimed, extra);
}

static json_t *ports_json(const struct unit_port *ports, unsigned n)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++) {
        const struct unit_port *p = &ports[i];
        json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:b, s:b, s:s, s:s}", "name",
                                              p->name, "width", p->width, "lanes", p->lanes,
                                              "registered", p->registered, "event", p->event,
                                              "guard", p->guard, "doc", p->doc));
    }
    return list;
}

static json_t *timings_json(const struct unit_desc *d)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < d->n_timings; i++) {
        const struct unit_timing *t = &d->timings[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i, s:i}", "request", t->request,
                                              "ready", t->ready, "answer", t->answer,
                                              "latency_cycles", (int)t->latency_cycles,
                                              "interval_cycles", (int)t->interval_cycles));
    }
    return list;
}

static json_t *pins_json(const struct unit_clocking *pins)
{
    return json_pack("{s:s, s:b, s:s, s:b, s:b}", "clock", pins->clock, "falling", pins->falling,
                     "reset", pins->reset, "low", pins->low, "asynchronous", pins->asynchronous);
}

static json_t *desc_json(const struct unit_desc *d, const struct unit_clocking *pins,
                         const struct unit_file *file)
{
    json_t *params = json_array(), *state = json_array();
    for (unsigned i = 0; i < d->n_params; i++) {
        const struct unit_param *p = &d->params[i];
        json_array_append_new(
            params, json_pack("{s:s, s:I, s:I, s:I, s:I, s:b, s:s}", "name", p->name, "value",
                              (json_int_t)p->value, "standard", (json_int_t)p->standard, "least",
                              (json_int_t)p->least, "greatest", (json_int_t)p->greatest,
                              "power_of_two", p->power_of_two, "doc", p->doc));
    }
    for (unsigned i = 0; i < d->n_state; i++) {
        const struct unit_field *f = &d->state[i];
        json_array_append_new(state,
                              json_pack("{s:s, s:i, s:i, s:b, s:s, s:s, s:s}", "name", f->name,
                                        "width", f->width, "depth", f->depth, "claimed", f->claimed,
                                        "guard", f->guard, "where", f->where, "doc", f->doc));
    }
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "unit",
                     d->name, "title", d->title, "source", d->source, "clock_mhz",
                     (int)file->clock_mhz, "clock_from", file->clock_words, "sequential",
                     d->kind == UNIT_SEQUENTIAL, "pins", pins_json(pins), "params", params,
                     "inputs", ports_json(d->in, d->n_in), "outputs", ports_json(d->out, d->n_out),
                     "timings", timings_json(d), "state", state);
}

int cmd_ports(int argc, char **argv)
{
    struct options options = {0};
    const struct argp argp = {
        option_table, parse, "UNIT", "Show a unit's parameters, ports and state.",
        NULL,         NULL,  NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct library *library = library_new(NULL);
    struct failure failure;
    const struct unit_desc *desc = library_desc(library, options.unit, options.params.text,
                                                &failure);
    struct unit_file file;
    if (desc == NULL || !library_unit_file(library, options.unit, &file, &failure)) {
        cli_print_failure(&failure);
        library_free(library);
        return (int)failure.verdict;
    }
    const struct unit_clocking pins = library_clocking(library, options.unit);
    if (options.json) {
        cli_print_json(desc_json(desc, &pins, &file));
    } else {
        print_text(desc, &pins, &file);
    }
    library_free(library);
    return VERDICT_PASS;
}
