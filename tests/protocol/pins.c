/* pins.c - a unit inside the protocol tester.  See pins.h. */
#include "pins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/layout_unit.h"
#include "tb/lockstep.h"
#include "tb/value.h"

bool pins_open(struct pins *pins, struct library *library, const char *unit, const char *overrides,
               const char *form)
{
    struct failure failure = {VERDICT_PASS, ""};
    memset(pins, 0, sizeof *pins);
    pins->backend = library_open(library, unit, overrides, form, &failure);
    if (pins->backend == NULL) {
        fprintf(stderr, "gtsc_random: %s\n", failure.words);
        return false;
    }
    pins->in = calloc(pins->backend->desc->in_slots + 1, sizeof *pins->in);
    pins->out = calloc(pins->backend->desc->out_slots + 1, sizeof *pins->out);
    pins->instance = pins->backend->create(pins->backend->context, 1);
    if (pins->in == NULL || pins->out == NULL || pins->instance == NULL) {
        fprintf(stderr, "gtsc_random: out of memory\n");
        return false;
    }
    pins->backend->seq(pins->instance, pins->in, true);
    return true;
}

bool pins_record(struct pins *pins, const char *where)
{
    char path[160];
    snprintf(pins->where, sizeof pins->where, "%s", where);
    snprintf(path, sizeof path, "%s.fst", pins->where);
    pins->recording = wave_steps_open(&pins->wave, path, WAVE_EVERYTHING, pins->backend);
    pins->sequence = calloc(1, sizeof *pins->sequence);
    if (!pins->recording || pins->sequence == NULL) {
        fprintf(stderr, "gtsc_random: %s cannot be written; make its folder\n", path);
        return false;
    }
    snprintf(pins->sequence->test, sizeof pins->sequence->test, "protocol");
    snprintf(pins->sequence->backend, sizeof pins->sequence->backend, "c+rtl");
    pins->sequence->seed = 1;
    return sequence_add(pins->sequence, pins->backend->desc, NULL, true);
}

static void close_record(struct pins *pins)
{
    char path[160], wave[160];
    snprintf(path, sizeof path, "%s.seq", pins->where);
    FILE *to = fopen(path, "w");
    if (to != NULL) {
        sequence_write(to, pins->sequence, pins->backend->desc);
        fclose(to);
    }
    wave_steps_close(&pins->wave);
    snprintf(wave, sizeof wave, "%s.fst", pins->where);
    snprintf(path, sizeof path, "%s.gtkw", pins->where);
    const struct layout_steps last = {{pins->step > 0 ? pins->step - 1 : 0}, 1, pins->step};
    layout_steps(path, wave, pins->backend, &last, NULL);
    sequence_free(pins->sequence);
    free(pins->sequence);
}

void pins_close(struct pins *pins)
{
    if (pins->recording && pins->sequence != NULL) {
        close_record(pins);
    }
    if (pins->instance != NULL) {
        pins->backend->destroy(pins->instance);
    }
    free(pins->in);
    free(pins->out);
    memset(pins, 0, sizeof *pins);
}

static uint64_t *slot_of(const struct unit_port *ports, unsigned n, uint64_t *slots,
                         const char *name)
{
    const struct unit_port *port = value_port(ports, n, name);
    if (port == NULL) {
        fprintf(stderr, "gtsc_random: the unit has no port %s\n", name);
        exit(2);
    }
    return slots + port->slot;
}

uint64_t *pins_in(struct pins *pins, const char *name)
{
    return slot_of(pins->backend->desc->in, pins->backend->desc->n_in, pins->in, name);
}

uint64_t *pins_out(struct pins *pins, const char *name)
{
    return slot_of(pins->backend->desc->out, pins->backend->desc->n_out, pins->out, name);
}

void pins_edge(struct pins *pins)
{
    if (pins->recording) {
        wave_steps_comb(&pins->wave, pins->instance, pins->step, false, pins->in, pins->out);
        (void)sequence_add(pins->sequence, pins->backend->desc, pins->in, false);
    }
    pins->backend->seq(pins->instance, pins->in, false);
    if (pins->recording) {
        wave_steps_seq(&pins->wave, pins->instance, pins->step, false, pins->in);
    }
    pins->step++;
}

bool pins_mismatch(const struct pins *pins)
{
    return lockstep_is(pins->backend) && lockstep_mismatch(pins->instance);
}
