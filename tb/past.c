/* past.c - the last steps of a unit, kept so that a difference can be played again. */
#include "tb/past.h"

#include <stdlib.h>
#include <string.h>

/* A bound on the ring of the standard length. */
enum { MAX_RING_BYTES = 128 << 10, LEAST_STEPS = 16 };

struct past {
    const struct unit_desc *desc;
    bool keeps_state;
    uint64_t period; /* steps between two moments; the ring holds twice as many */
    uint64_t n;      /* steps taken */
    uint64_t *in;
    bool *rst;
    unsigned char *state[2]; /* at the last multiples of the period, by parity */
};

struct past *past_new(const struct unit_desc *desc, uint64_t steps, bool keeps_state)
{
    struct past *past = calloc(1, sizeof *past);
    if (past == NULL) {
        return NULL;
    }
    past->desc = desc;
    past->keeps_state = keeps_state || desc->n_state == 0;
    past->period = steps;
    while (steps == PAST_STANDARD && past->period > LEAST_STEPS &&
           2 * past->period * desc->in_slots * sizeof *past->in > MAX_RING_BYTES) {
        past->period /= 2;
    }
    past->in = calloc(2 * past->period * desc->in_slots + 1, sizeof *past->in);
    past->rst = calloc(2 * past->period, sizeof *past->rst);
    past->state[0] = calloc(1, desc->state_bytes + 1);
    past->state[1] = calloc(1, desc->state_bytes + 1);
    if (!past->in || !past->rst || !past->state[0] || !past->state[1]) {
        past_free(past);
        return NULL;
    }
    return past;
}

void past_free(struct past *past)
{
    if (past != NULL) {
        free(past->in);
        free(past->rst);
        free(past->state[0]);
        free(past->state[1]);
        free(past);
    }
}

void past_step(struct past *past, const uint64_t *in, bool rst)
{
    const uint64_t at = past->n++ % (2 * past->period);
    const unsigned slots = past->desc->in_slots;
    memcpy(past->in + at * slots, in, slots * sizeof *in);
    past->rst[at] = rst;
}

bool past_wants_state(const struct past *past)
{
    return past->keeps_state && past->n % past->period == 0;
}

void past_state(struct past *past, const void *state)
{
    memcpy(past->state[past->n / past->period % 2], state, past->desc->state_bytes);
}

uint64_t past_steps(const struct past *past)
{
    return past->period;
}

enum past_found past_sequence(const struct past *past, struct sequence *sequence, uint64_t *first)
{
    const struct unit_desc *desc = past->desc;
    const uint64_t capacity = 2 * past->period;
    *first = 0;
    if (past->n > capacity) {
        /* The last step is the one that differs: it must lie after the moment. */
        const uint64_t newest = (past->n - 1) / past->period;
        *first = (newest - 1) * past->period;
        if (!past->keeps_state) {
            return PAST_LOST;
        }
        if (desc->n_state > 0) {
            sequence->state = malloc(desc->state_bytes);
            if (sequence->state == NULL) {
                return PAST_NO_MEMORY;
            }
            memcpy(sequence->state, past->state[(newest - 1) % 2], desc->state_bytes);
        }
    }
    for (uint64_t step = *first; step < past->n; step++) {
        const uint64_t at = step % capacity;
        if (!sequence_add(sequence, desc, past->in + at * desc->in_slots, past->rst[at])) {
            return PAST_NO_MEMORY;
        }
    }
    return PAST_FOUND;
}
