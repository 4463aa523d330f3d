/* forms.c - see forms.h. */
#include "tb/forms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/drive.h"
#include "tb/lockstep.h"
#include "tb/timing.h"
#include "tb/value.h"

enum { WAIT_CYCLES = 4096, DUE = TIMING_CYCLES };

struct form {
    const struct unit_backend *backend;
    void *instance;
    uint64_t *out;
    struct timing_slots slots[TIMING_ROWS];
};

struct forms {
    struct form one, many;
    const struct unit_desc *desc; /* of the second; the ports are the same */
    struct driver *driver;
    struct tb_random random;
    uint64_t *in;       /* what the second form sees */
    uint64_t *expected; /* ring of DUE x TIMING_ROWS x outputs, by cycle and row */
    bool due[DUE][TIMING_ROWS];
    uint64_t cycle, quiet_at; /* of the second form; when all answers are out */
    uint64_t step;
    struct forms_result *result;
    struct failure *failure;
};

static bool fails(struct forms *forms, const char *name, unsigned element, uint64_t one,
                  uint64_t many)
{
    failure_set(forms->failure, VERDICT_MISMATCH,
                "%s: step %" PRIu64 " of the one-cycle form: %s[%u] is 0x%" PRIx64
                ", and 0x%" PRIx64 " in the form of several cycles",
                forms->desc->name, forms->step, name, element, one, many);
    return false;
}

/* ---- what is compared ---- */

/* The answer itself, and what it guards. */
static bool same_answer(struct forms *forms, unsigned row, const uint64_t *expected)
{
    const char *answer = forms->desc->timings[row].answer;
    const unsigned slot = forms->many.slots[row].answer;
    for (unsigned i = 0; i < forms->desc->n_out; i++) {
        const struct unit_port *port = &forms->desc->out[i];
        const bool guarded = expected[slot] != 0 && strcmp(port->guard, answer) == 0;
        for (unsigned k = 0; (guarded || port->slot == slot) && k < port->lanes; k++) {
            if (expected[port->slot + k] != forms->many.out[port->slot + k]) {
                return fails(forms, port->name, k, expected[port->slot + k],
                             forms->many.out[port->slot + k]);
            }
        }
    }
    return true;
}

/* Fields that both forms have and move by requests, where their guards say that they count. */
static bool same_state(struct forms *forms)
{
    const struct unit_desc *desc = forms->one.backend->desc;
    const void *one = forms->one.backend->state(forms->one.instance);
    const void *many = forms->many.backend->state(forms->many.instance);
    for (unsigned f = 0; f < desc->n_state; f++) {
        const struct unit_field *field = &desc->state[f];
        const struct unit_field *other = value_field_named(forms->desc, field->name);
        for (unsigned i = 0; other != NULL && !field->paced && i < field->depth; i++) {
            const uint64_t a = value_of_field(field, one, i), b = value_of_field(other, many, i);
            if (a != b && lockstep_compared(desc, field, i, one)) {
                return fails(forms, field->name, i, a, b);
            }
        }
    }
    return true;
}

/* ---- the second form's cycles ---- */

static void look(struct forms *forms)
{
    forms->many.backend->comb(forms->many.instance, forms->in, forms->many.out);
}

/* What falls due in this cycle, then its edge. */
static bool edge(struct forms *forms)
{
    for (unsigned row = 0; row < forms->desc->n_timings; row++) {
        const size_t at = forms->cycle % DUE * TIMING_ROWS + row;
        if (forms->due[forms->cycle % DUE][row]) {
            forms->due[forms->cycle % DUE][row] = false;
            if (!same_answer(forms, row, forms->expected + at * forms->desc->out_slots)) {
                return false;
            }
        }
    }
    forms->many.backend->seq(forms->many.instance, forms->in, false);
    forms->cycle++;
    forms->result->cycles++;
    return true;
}

static void no_requests(struct forms *forms)
{
    for (unsigned row = 0; row < forms->desc->n_timings; row++) {
        forms->in[forms->many.slots[row].request] = 0;
    }
}

static bool drain(struct forms *forms)
{
    no_requests(forms);
    while (forms->cycle < forms->quiet_at) {
        look(forms);
        if (!edge(forms)) {
            return false;
        }
    }
    return same_state(forms);
}

static bool takes(const struct form *form, unsigned row, const uint64_t *in)
{
    const struct timing_slots *slots = &form->slots[row];
    return in[slots->request] && (slots->always_ready || form->out[slots->ready]);
}

static unsigned request_of(const struct forms *forms, unsigned row)
{
    return forms->many.slots[row].request;
}

/* The rows of `wanted` that have the request of the first of them. */
static uint32_t first_request(const struct forms *forms, uint32_t wanted)
{
    const unsigned first = request_of(forms, (unsigned)__builtin_ctz(wanted));
    uint32_t rows = 0;
    for (unsigned row = 0; row < forms->desc->n_timings; row++) {
        rows |= (uint32_t)(request_of(forms, row) == first) << row;
    }
    return rows & wanted;
}

/* Offers the requests of the rows in `wanted`; those that are taken in this cycle. */
static uint32_t offer(struct forms *forms, uint32_t wanted, const uint64_t *in)
{
    uint32_t taken = 0;
    memcpy(forms->in, in, forms->desc->in_slots * sizeof *in);
    no_requests(forms);
    for (unsigned row = 0; row < forms->desc->n_timings; row++) {
        forms->in[request_of(forms, row)] |= wanted >> row & 1;
    }
    look(forms);
    for (unsigned row = 0; row < forms->desc->n_timings; row++) {
        taken |= (uint32_t)(wanted >> row & 1 && takes(&forms->many, row, forms->in)) << row;
    }
    return taken;
}

/* A unit that would take each of these requests alone, but not all at once: it arbitrates. */
static bool arbitrates(struct forms *forms, uint32_t wanted, const uint64_t *in)
{
    for (uint32_t left = wanted; left != 0;) {
        const uint32_t rows = first_request(forms, left);
        if (offer(forms, rows, in) != rows) {
            return false;
        }
        left &= ~rows;
    }
    return true;
}

/* Waits until all that the first form took is taken at once, or, where the unit arbitrates, the
 * first of it; which rows that is, 0 when something differs meanwhile. */
static uint32_t wait_for(struct forms *forms, uint32_t wanted, const uint64_t *in)
{
    for (unsigned waited = 0; waited < WAIT_CYCLES; waited++) {
        const uint32_t taken = offer(forms, wanted, in);
        if (taken == wanted) {
            return wanted;
        }
        if (arbitrates(forms, wanted, in)) {
            const uint32_t first = first_request(forms, wanted);
            offer(forms, first, in);
            return first;
        }
        offer(forms, taken == 0 ? wanted : 0, in);
        if (!edge(forms)) {
            return 0;
        }
    }
    failure_set(forms->failure, VERDICT_MISMATCH,
                "%s: step %" PRIu64 " of the one-cycle form: the form of several cycles does not "
                "take the request in %d cycles",
                forms->desc->name, forms->step, WAIT_CYCLES);
    return 0;
}

/* The answers of the rows in `taken` fall due. */
static void expect(struct forms *forms, uint32_t taken)
{
    for (unsigned row = 0; row < forms->desc->n_timings; row++) {
        const struct unit_timing *timing = &forms->desc->timings[row];
        if (taken >> row & 1) {
            const uint64_t cycle = forms->cycle + timing->latency_cycles;
            const uint64_t quiet = forms->cycle + 1 +
                                   (timing->latency_cycles > timing->interval_cycles
                                        ? timing->latency_cycles
                                        : timing->interval_cycles);
            const size_t at = cycle % DUE * TIMING_ROWS + row;
            if (!forms->many.slots[row].silent) {
                memcpy(forms->expected + at * forms->desc->out_slots, forms->one.out,
                       forms->desc->out_slots * sizeof *forms->one.out);
                forms->due[cycle % DUE][row] = true;
            }
            forms->quiet_at = quiet > forms->quiet_at ? quiet : forms->quiet_at;
        }
    }
    for (uint32_t left = taken; left != 0; left &= ~first_request(forms, left)) {
        forms->result->requests++;
    }
}

static bool carry_out(struct forms *forms, uint32_t wanted, const uint64_t *in)
{
    while (wanted != 0) {
        const uint32_t taken = wait_for(forms, wanted, in);
        expect(forms, taken);
        if (taken == 0 || !edge(forms)) {
            return false;
        }
        wanted &= ~taken;
    }
    return true;
}

/* ---- the run ---- */

static void restart(struct forms *forms, const uint64_t *in)
{
    forms->one.backend->seq(forms->one.instance, in, true);
    forms->many.backend->seq(forms->many.instance, in, true);
    memset(forms->due, 0, sizeof forms->due);
    forms->quiet_at = forms->cycle;
    driver_answer(forms->driver, forms->one.out, true);
}

/* A step of the first form, and of the second as many as it needs.  What is no request acts in a
 * cycle of its own, after all answers; requests follow each other at once, or do not. */
static bool one_step(struct forms *forms)
{
    bool rst;
    const uint64_t *in = driver_next(forms->driver, &rst);
    if (rst) {
        restart(forms, in);
        return true;
    }
    forms->one.backend->comb(forms->one.instance, in, forms->one.out);
    uint32_t wanted = 0;
    for (unsigned row = 0; row < forms->desc->n_timings; row++) {
        wanted |= (uint32_t)takes(&forms->one, row, in) << row;
    }
    if (wanted == 0) {
        if (!drain(forms)) {
            return false;
        }
        memcpy(forms->in, in, forms->desc->in_slots * sizeof *in);
        no_requests(forms);
        look(forms);
    }
    if (!(wanted == 0 ? edge(forms) : carry_out(forms, wanted, in))) {
        return false;
    }
    forms->one.backend->seq(forms->one.instance, in, false);
    driver_answer(forms->driver, forms->one.out, false);
    return tb_random_below(&forms->random, 2) == 0 || drain(forms);
}

static bool open_form(struct form *form, const struct unit_backend *backend, uint64_t seed)
{
    form->backend = backend;
    form->instance = backend->create(backend->context, seed);
    form->out = calloc(backend->desc->out_slots + 1, sizeof *form->out);
    for (unsigned row = 0; row < backend->desc->n_timings; row++) {
        timing_slots(backend->desc, &backend->desc->timings[row], &form->slots[row]);
    }
    return form->instance != NULL && form->out != NULL;
}

static void close_form(struct form *form)
{
    if (form->instance != NULL) {
        form->backend->destroy(form->instance);
    }
    free(form->out);
}

static void run(struct forms *forms, uint64_t steps)
{
    forms->step = 0;
    while (forms->step < steps && one_step(forms)) {
        forms->step++;
    }
}

/* Both forms' models, the second as the parameters say. */
static const struct unit_backend *other_form(struct library *library, const char *unit,
                                             const char *overrides, struct failure *failure)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%sONE_CYCLE=1", overrides, overrides[0] != '\0' ? "," : "");
    return library_open(library, unit, text, "c", failure);
}

/* Two forms, with requests by which they can be compared. */
static bool has_two(const struct unit_desc *desc)
{
    for (unsigned i = 0; desc->n_timings > 0 && i < desc->n_params; i++) {
        if (strcmp(desc->params[i].name, "ONE_CYCLE") == 0) {
            return desc->params[i].value == 0;
        }
    }
    return false;
}

static bool comparable(const struct unit_desc *one, const struct unit_desc *many,
                       struct failure *failure)
{
    if (one->in_slots == many->in_slots && one->out_slots == many->out_slots &&
        one->n_timings == many->n_timings) {
        return true;
    }
    failure_set(
        failure, VERDICT_USAGE,
        "%s: with the parameter ONE_CYCLE both forms have the same ports and rows of TIMING",
        many->name);
    return false;
}

void forms_compare(struct library *library, const char *unit, const char *overrides, uint64_t steps,
                   uint64_t seed, struct forms_result *result, struct failure *failure)
{
    memset(result, 0, sizeof *result);
    const struct unit_desc *desc = library_desc(library, unit, overrides, failure);
    if (desc == NULL || !has_two(desc)) {
        return;
    }
    const struct unit_backend *many = library_open(library, unit, overrides, "c", failure);
    if (many == NULL) {
        return;
    }
    const struct unit_backend *one = other_form(library, unit, overrides, failure);
    const struct unit_stimulus *stimulus = library_stimulus(library, unit, overrides, failure);
    if (one == NULL || stimulus == NULL || !comparable(one->desc, many->desc, failure)) {
        return;
    }
    struct forms forms = {.desc = many->desc, .result = result, .failure = failure};
    tb_random_seed(&forms.random, seed);
    forms.driver = driver_new(one->desc, stimulus, seed);
    forms.in = calloc(many->desc->in_slots + 1, sizeof *forms.in);
    forms.expected = calloc((size_t)DUE * TIMING_ROWS * many->desc->out_slots + 1,
                            sizeof *forms.expected);
    if (open_form(&forms.one, one, seed) && open_form(&forms.many, many, seed) &&
        forms.driver != NULL && forms.in != NULL && forms.expected != NULL) {
        result->compared = true;
        run(&forms, steps);
    } else {
        failure_set(failure, VERDICT_LIMIT, "out of memory");
    }
    close_form(&forms.one);
    close_form(&forms.many);
    if (forms.driver != NULL) {
        driver_free(forms.driver);
    }
    free(forms.in);
    free(forms.expected);
}
