/* shrink.c - reduces a failing sequence: delta debugging over steps, then inputs. */
#include "tb/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"
#include "tb/player.h"

struct shrinker {
    const struct unit_backend *backend;
    struct sequence *sequence;
    double deadline;
};

static bool late(const struct shrinker *s)
{
    return seconds_now() > s->deadline;
}

/* Does it still differ?  What follows the difference is cut off. */
static bool fails(struct shrinker *s)
{
    struct play_result result;
    play(s->backend, s->sequence, NULL, &result);
    const bool mismatch = result.mismatch;
    if (mismatch) {
        s->sequence->n_steps = (size_t)result.steps; /* each step is played once here */
    }
    play_end(s->backend, &result);
    return mismatch;
}

/* Try without steps [at, at + n); keep the shorter one if it fails too. */
static bool drop(struct shrinker *s, size_t at, size_t n)
{
    struct sequence *sequence = s->sequence;
    const size_t bytes = sequence->n_steps * sizeof *sequence->steps;
    const size_t kept = sequence->n_steps;
    struct sequence_step *before = malloc(bytes);
    if (before == NULL) {
        return false;
    }
    memcpy(before, sequence->steps, bytes);
    memmove(sequence->steps + at, sequence->steps + at + n,
            (sequence->n_steps - at - n) * sizeof *sequence->steps);
    sequence->n_steps -= n;
    const bool still = fails(s);
    if (!still) {
        memcpy(sequence->steps, before, bytes);
        sequence->n_steps = kept;
    }
    free(before);
    return still;
}

static void drop_steps(struct shrinker *s)
{
    for (size_t chunk = s->sequence->n_steps / 2; chunk > 0; chunk /= 2) {
        /* From the end: what lies just before the difference matters most, and the
         * last step itself is the one that differs.  Where a register starts from no
         * loaded state, step 0 is the reset. */
        const bool needs_reset = s->sequence->state == NULL &&
                                 s->backend->desc->kind == UNIT_SEQUENTIAL;
        const size_t first = needs_reset ? 1 : 0;
        size_t at = s->sequence->n_steps;
        while (at >= chunk + first && !late(s)) {
            at = at - chunk;
            if (at + chunk <= s->sequence->n_steps) {
                drop(s, at, chunk);
            }
            at = at > s->sequence->n_steps ? s->sequence->n_steps : at;
        }
    }
}

/* Try every input of every step at 0. */
static void clear_inputs(struct shrinker *s)
{
    const unsigned slots = s->backend->desc->in_slots;
    for (size_t i = s->sequence->n_steps; i-- > 0;) {
        for (unsigned slot = 0; slot < slots && !late(s) && i < s->sequence->n_steps; slot++) {
            uint64_t *value = &s->sequence->inputs[s->sequence->steps[i].in + slot];
            const uint64_t before = *value;
            if (before != 0) {
                *value = 0;
                if (!fails(s)) {
                    *value = before;
                }
            }
        }
    }
}

bool shrink(const struct unit_backend *backend, struct sequence *sequence, double seconds)
{
    struct shrinker s = {backend, sequence, seconds_now() + seconds};
    if (!fails(&s)) {
        return false;
    }
    drop_steps(&s);
    clear_inputs(&s);
    return true;
}
