/* litmus_model.c - every outcome that a memory model allows, by trying all executions.
 *
 * Works after the definitions of tabbakh2018-coherence 3.4 and [D-T7].  An execution
 * performs one operation after another.  SC takes a thread's operations in program order;
 * the others keep the order of two of them only across a fence or at the same location.
 * Stores to a location form one history; which entry a load reads depends on the model:
 * the newest (one copy), or any not older than what its SM has seen of the location (a
 * copy may linger until the storing thread's fence, TC-Weak), or any at all not older than
 * the thread's own store (no coherence).
 * It must not know protocols, caches or the machine.
 */
#include <string.h>

#include "litmus/litmus.h"

static const struct litmus_model models[] = {
    {"sc", "sequential consistency", true, true, true, true},
    {"rc", "release consistency, write-atomic: order at fences", false, true, true, true},
    {"rc-weak", "release consistency without write atomicity (TC-Weak)", false, false, true, true},
    {"none", "no coherence: any old value may be read", false, false, false, false},
};

const struct litmus_model *litmus_model(size_t i)
{
    return i < sizeof models / sizeof *models ? &models[i] : NULL;
}

const struct litmus_model *litmus_model_find(const char *name)
{
    for (size_t i = 0; litmus_model(i); i++) {
        if (!strcmp(models[i].name, name)) {
            return &models[i];
        }
    }
    return NULL;
}

enum { MOST_STORES = LITMUS_THREADS * LITMUS_OPS };

struct state {
    uint8_t history[LITMUS_LOCATIONS][MOST_STORES + 1]; /* entry 0 is the initial 0 */
    uint8_t newest[LITMUS_LOCATIONS];
    uint8_t seen[LITMUS_THREADS][LITMUS_LOCATIONS]; /* by an SM: the oldest it may still read */
    uint8_t own[LITMUS_THREADS][LITMUS_LOCATIONS];  /* the thread's own newest store */
    uint8_t done[LITMUS_THREADS];                   /* mask of operations performed */
    uint32_t outcome;
};

struct search {
    const struct litmus_test *test;
    const struct litmus_model *model;
    struct litmus_variant variant;
    bool *allowed;
};

static uint32_t sm_of(const struct search *search, uint32_t thread)
{
    return thread / litmus_together(search->test, &search->variant);
}

/* Must `first` be performed before `second`, which follows it in the thread? */
static bool ordered(const struct search *search, const struct litmus_op *first,
                    const struct litmus_op *second)
{
    bool fence = first->kind == LITMUS_FENCE || second->kind == LITMUS_FENCE;

    return search->model->program_order || (fence && search->variant.fenced) ||
           (!fence && first->location == second->location);
}

static bool may_perform(const struct search *search, const struct state *state, uint32_t thread,
                        uint32_t at)
{
    const struct litmus_op *op = search->test->thread[thread].op;

    if (state->done[thread] >> at & 1) {
        return false;
    }
    for (uint32_t before = 0; before < at; before++) {
        if (!(state->done[thread] >> before & 1) && ordered(search, &op[before], &op[at])) {
            return false;
        }
    }
    return true;
}

static void step(const struct search *search, const struct state *state);

static void load(const struct search *search, struct state *state, uint32_t thread,
                 const struct litmus_op *op)
{
    const struct litmus_model *model = search->model;
    uint8_t *seen = &state->seen[sm_of(search, thread)][op->location];
    uint8_t oldest = model->one_copy   ? state->newest[op->location]
                     : model->coherent ? *seen
                                       : state->own[thread][op->location];
    uint32_t before = state->outcome;

    for (uint8_t entry = oldest; entry <= state->newest[op->location]; entry++) {
        *seen = entry;
        state->outcome = before | (uint32_t)state->history[op->location][entry] << (2 * op->value);
        step(search, state);
    }
}

static void store(const struct search *search, struct state *state, uint32_t thread,
                  const struct litmus_op *op)
{
    uint8_t entry = ++state->newest[op->location];

    state->history[op->location][entry] = op->value;
    state->own[thread][op->location] = entry;
    state->seen[sm_of(search, thread)][op->location] = entry;
    step(search, state);
}

/* The thread's stores are now seen by every SM, if the model makes the writer wait. */
static void fence(const struct search *search, struct state *state, uint32_t thread)
{
    for (uint32_t sm = 0; sm < LITMUS_THREADS && search->variant.fenced; sm++) {
        for (uint32_t l = 0; l < LITMUS_LOCATIONS && search->model->writer_waits; l++) {
            if (state->seen[sm][l] < state->own[thread][l]) {
                state->seen[sm][l] = state->own[thread][l];
            }
        }
    }
    step(search, state);
}

/* All that may happen next, from a state that is left as it was. */
static void step(const struct search *search, const struct state *state)
{
    const struct litmus_test *test = search->test;
    uint32_t outcome = state->outcome;
    bool end = true;

    for (uint32_t t = 0; t < test->n_threads; t++) {
        for (uint32_t at = 0; at < test->thread[t].n_ops; at++) {
            const struct litmus_op *op = &test->thread[t].op[at];
            struct state next = *state;

            end &= state->done[t] >> at & 1;
            if (!may_perform(search, state, t, at)) {
                continue;
            }
            next.done[t] |= (uint8_t)(1u << at);
            if (op->kind == LITMUS_LOAD) {
                load(search, &next, t, op);
            } else if (op->kind == LITMUS_STORE || op->kind == LITMUS_EXCHANGE) {
                store(search, &next, t, op);
            } else {
                fence(search, &next, t);
            }
        }
    }
    for (uint32_t l = 0; l < test->n_locations && end; l++) {
        outcome |= (uint32_t)state->history[l][state->newest[l]] << (2 * (LITMUS_REGISTERS + l));
    }
    if (end) {
        search->allowed[outcome] = true;
    }
}

void litmus_allowed(const struct litmus_test *test, const struct litmus_variant *variant,
                    const struct litmus_model *model, bool *allowed)
{
    struct search search = {test, model, *variant, allowed};
    struct state start = {.outcome = 0};

    memset(allowed, 0, LITMUS_OUTCOMES * sizeof *allowed);
    step(&search, &start);
}
