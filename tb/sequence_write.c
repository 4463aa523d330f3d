/* sequence_write.c - writes sequences of steps as text (format: sequence.h). */
#include "tb/sequence.h"

#include <inttypes.h>

#include "tb/value.h"

static void write_port(FILE *to, const struct unit_port *port, const uint64_t *slots)
{
    uint64_t any = 0;
    for (unsigned lane = 0; lane < port->lanes; lane++) {
        any |= slots[port->slot + lane];
    }
    if (any == 0) {
        return;
    }
    fprintf(to, " %s=", port->name);
    for (unsigned lane = 0; lane < port->lanes; lane++) {
        fprintf(to, "%s0x%" PRIx64, lane > 0 ? "," : "", slots[port->slot + lane]);
    }
}

/* As many elements to a line as its reader takes, whatever their width. */
static void write_field(FILE *to, const struct unit_field *field, const void *state)
{
    enum { PER_LINE = 64 };
    for (unsigned first = 0; first < field->depth; first += PER_LINE) {
        const unsigned end = field->depth < first + PER_LINE ? field->depth : first + PER_LINE;
        uint64_t any = 0;
        for (unsigned i = first; i < end; i++) {
            any |= value_of_field(field, state, i);
        }
        if (any == 0) {
            continue;
        }
        fprintf(to, "load %s", field->name);
        if (first > 0) {
            fprintf(to, "[%u]", first);
        }
        for (unsigned i = first; i < end; i++) {
            fprintf(to, "%s0x%" PRIx64, i > first ? "," : "=", value_of_field(field, state, i));
        }
        fputc('\n', to);
    }
}

/* A state of all zeros is one to start from, too. */
static void write_state(FILE *to, const struct sequence *sequence, const struct unit_desc *desc)
{
    if (sequence->state == NULL) {
        return;
    }
    fputs("load\n", to);
    for (unsigned i = 0; i < desc->n_state; i++) {
        write_field(to, &desc->state[i], sequence->state);
    }
}

void sequence_write(FILE *to, const struct sequence *sequence, const struct unit_desc *desc)
{
    fprintf(to, "unit %s\ntest %s", desc->name, sequence->test);
    for (unsigned i = 0; i < desc->n_params; i++) {
        fprintf(to, " %s=%" PRId64, desc->params[i].name, desc->params[i].value);
    }
    fputc('\n', to);
    if (sequence->backend[0] != '\0') {
        fprintf(to, "backend %s\n", sequence->backend);
    }
    fprintf(to, "seed %" PRIu64 "\n", sequence->seed);
    write_state(to, sequence, desc);
    for (size_t i = 0; i < sequence->n_steps; i++) {
        const struct sequence_step *step = &sequence->steps[i];
        if (step->repeat > 1) {
            fprintf(to, "repeat %" PRIu64 " ", step->repeat);
        }
        fputs(step->rst ? "rst" : "step", to);
        for (unsigned port = 0; port < desc->n_in; port++) {
            write_port(to, &desc->in[port], sequence->inputs + step->in);
        }
        fputc('\n', to);
    }
}
