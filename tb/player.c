/* player.c - plays a sequence on a backend and checks what it expects. */
#include "tb/player.h"

#include <stdlib.h>
#include <string.h>

#include "tb/value.h"

struct player {
    const struct unit_backend *backend;
    const struct sequence *sequence;
    struct wave_steps *wave;
    struct play_result *result;
    uint64_t *out;
};

static void expect(struct player *p, const struct sequence_step *step, bool of_state)
{
    const struct unit_desc *desc = p->backend->desc;
    if (of_state && p->backend->state == NULL) {
        return;
    }
    for (size_t i = 0; i < step->n_expects && !p->result->unexpected; i++) {
        const struct sequence_expect *e = &p->sequence->expects[step->first_expect + i];
        if (e->of_state != of_state) {
            continue;
        }
        const uint64_t got = of_state ? value_of_field(&desc->state[e->index],
                                                       p->backend->state(p->result->instance),
                                                       e->element)
                                      : p->out[desc->out[e->index].slot + e->element];
        p->result->expectations++;
        if (got != e->value) {
            p->result->unexpected = true;
            p->result->unexpected_step = p->result->steps;
            p->result->unexpected_line = step->line;
            p->result->expected = *e;
            p->result->got = got;
        }
    }
}

static void play_step(struct player *p, const struct sequence_step *step, bool defined)
{
    void *self = p->result->instance;
    const uint64_t *in = p->sequence->inputs + step->in;
    if (defined) {
        p->backend->comb(self, in, p->out);
        if (p->wave != NULL) {
            wave_steps_comb(p->wave, self, p->result->steps, step->rst, in, p->out);
        }
        expect(p, step, false);
    }
    p->backend->seq(self, in, step->rst);
    if (p->wave != NULL) {
        wave_steps_seq(p->wave, self, p->result->steps, step->rst, in);
    }
    expect(p, step, true);
    p->result->steps++;
}

/* Creates the instance and puts it where the sequence starts; false when it cannot be. */
static bool start(const struct unit_backend *backend, const struct sequence *sequence,
                  struct play_result *result)
{
    result->instance = backend->create(backend->context, sequence->seed);
    result->out_of_memory = result->instance == NULL;
    result->cannot_load = sequence->state != NULL && backend->load == NULL;
    if (result->out_of_memory || result->cannot_load) {
        return false;
    }
    if (sequence->state != NULL) {
        backend->load(result->instance, sequence->state);
    }
    return true;
}

void play(const struct unit_backend *backend, const struct sequence *sequence,
          struct wave_steps *wave, struct play_result *result)
{
    memset(result, 0, sizeof *result);
    struct player p = {backend, sequence, wave, result,
                       calloc(backend->desc->out_slots + 1, sizeof(uint64_t))};
    bool going = start(backend, sequence, result) && p.out != NULL;
    result->out_of_memory |= p.out == NULL;
    if (going && wave != NULL && sequence->state != NULL) {
        wave_steps_start(wave, result->instance);
    }
    const bool pair = lockstep_is(backend);
    /* Outputs mean nothing before the first edge with reset, unless a state was loaded. */
    bool defined = backend->desc->kind == UNIT_COMBINATIONAL || sequence->state != NULL;
    for (size_t i = 0; going && i < sequence->n_steps; i++) {
        const struct sequence_step *step = &sequence->steps[i];
        for (uint64_t n = 0; going && n < step->repeat; n++) {
            play_step(&p, step, defined);
            defined |= step->rst;
            result->mismatch = pair && lockstep_mismatch(result->instance);
            going = !result->mismatch && !result->unexpected;
        }
    }
    if (pair && result->instance != NULL) {
        lockstep_get(result->instance, &result->report);
    }
    free(p.out);
}

void play_end(const struct unit_backend *backend, struct play_result *result)
{
    if (result->instance != NULL) {
        backend->destroy(result->instance);
    }
    result->instance = NULL;
}
