/* decode.c - a unit's inputs out of a fuzzer's bytes, by the unit's port table. */
#include "tb/ladder/fuzz/decode.h"

#include <stdlib.h>
#include <string.h>

#include "tb/value.h"

enum { RECENT = 4, MOST_FEW = 64 };

struct decoder {
    const struct unit_desc *desc;
    const struct unit_stimulus *stimulus;
    const uint8_t *bytes;
    size_t n, at;
    uint64_t seed, step;
    uint64_t *in, *last_in, *last_out, *recent; /* recent: RECENT values of each slot */
    bool started;
};

static uint8_t next_byte(struct decoder *d)
{
    return d->at < d->n ? d->bytes[d->at++] : 0;
}

static uint64_t next_number(struct decoder *d, unsigned width)
{
    uint64_t value = 0;
    for (unsigned bits = 0; bits < width; bits += 8) {
        value |= (uint64_t)next_byte(d) << bits;
    }
    return value & value_mask(width);
}

struct decoder *decoder_new(const struct unit_desc *desc, const struct unit_stimulus *stimulus,
                            const uint8_t *bytes, size_t n)
{
    struct decoder *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return NULL;
    }
    *d = (struct decoder){.desc = desc, .stimulus = stimulus, .bytes = bytes, .n = n};
    d->in = calloc(desc->in_slots + 1, sizeof *d->in);
    d->last_in = calloc(desc->in_slots + 1, sizeof *d->last_in);
    d->last_out = calloc(desc->out_slots + 1, sizeof *d->last_out);
    d->recent = calloc(RECENT * (desc->in_slots + 1), sizeof *d->recent);
    if (!d->in || !d->last_in || !d->last_out || !d->recent) {
        decoder_free(d);
        return NULL;
    }
    d->seed = next_number(d, 32);
    d->step = 64 * next_number(d, 16);
    return d;
}

void decoder_free(struct decoder *d)
{
    free(d->in);
    free(d->last_in);
    free(d->last_out);
    free(d->recent);
    free(d);
}

/* One of the few values of this input. */
static uint64_t few(const struct decoder *d, const struct unit_port *port, unsigned which)
{
    struct tb_random random;
    const unsigned n = port->draw_arg < MOST_FEW ? (unsigned)port->draw_arg : MOST_FEW;
    tb_random_seed(&random, d->seed ^ (uint64_t)port->slot << 32 ^ which % n << 8);
    return tb_random_next(&random) & value_mask(port->width);
}

static uint64_t wide(struct decoder *d, const struct unit_port *port, unsigned slot)
{
    uint64_t *recent = d->recent + RECENT * slot;
    const uint8_t first = next_byte(d);
    if (first < 64) {
        return recent[first % RECENT];
    }
    memmove(recent + 1, recent, (RECENT - 1) * sizeof *recent);
    return recent[0] = next_number(d, port->width);
}

static uint64_t value(struct decoder *d, const struct unit_port *port, unsigned slot)
{
    switch (port->draw) {
    case UNIT_DRAW_FEW: return few(d, port, next_byte(d));
    case UNIT_DRAW_BELOW:
        return (port->draw_arg <= 256 ? next_byte(d) : next_number(d, 32)) %
                   (uint64_t)port->draw_arg &
               value_mask(port->width);
    case UNIT_DRAW_RARE:
        if (next_byte(d) % 16 != 0) {
            return 0;
        }
        return port->width == 1 ? 1 : wide(d, port, slot);
    case UNIT_DRAW_MOSTLY:
        if (next_byte(d) % 16 == 0) {
            return 0;
        }
        return port->width == 1 ? 1 : wide(d, port, slot);
    case UNIT_DRAW_ANY: break;
    }
    return port->width <= 8 ? next_byte(d) & value_mask(port->width) : wide(d, port, slot);
}

static bool ready_was_low(const struct decoder *d, const char *port)
{
    for (unsigned h = 0; h < d->desc->n_held; h++) {
        const struct unit_held *held = &d->desc->held[h];
        const struct unit_port *valid = value_port(d->desc->in, d->desc->n_in, held->valid);
        const struct unit_port *ready = value_port(d->desc->out, d->desc->n_out, held->ready);
        if (strcmp(held->port, port) == 0 && valid != NULL && ready != NULL &&
            d->last_in[valid->slot] != 0 && d->last_out[ready->slot] == 0) {
            return true;
        }
    }
    return false;
}

bool decoder_next(struct decoder *d, enum fuzz_step *kind, const uint64_t **in)
{
    if (d->at >= d->n) {
        return false;
    }
    const uint8_t control = next_byte(d);
    const bool sequential = d->desc->kind == UNIT_SEQUENTIAL;
    *kind = !sequential                     ? FUZZ_STEP
            : !d->started || control == 255 ? FUZZ_RESET
            : control == 254                ? FUZZ_LOAD
            : control >= 250                ? FUZZ_KEEP
                                            : FUZZ_STEP;
    d->started = true;
    const size_t first = d->at;
    for (unsigned i = 0; i < d->desc->n_in; i++) {
        const struct unit_port *port = &d->desc->in[i];
        const bool held = ready_was_low(d, port->name);
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            const unsigned slot = port->slot + lane;
            d->in[slot] = held ? d->last_in[slot] : value(d, port, slot);
        }
    }
    if (d->stimulus->drive != NULL) {
        struct tb_random random;
        uint64_t seed = control;
        for (size_t i = first; i < d->at; i++) {
            seed = seed * 1099511628211u ^ d->bytes[i];
        }
        tb_random_seed(&random, seed);
        d->stimulus->drive(&random, d->step, d->last_in, d->last_out, d->in);
    }
    d->step++;
    *in = d->in;
    return true;
}

void decoder_answer(struct decoder *d, const uint64_t *out, bool restarted)
{
    if (restarted) {
        memset(d->last_in, 0, d->desc->in_slots * sizeof *d->last_in);
        memset(d->last_out, 0, d->desc->out_slots * sizeof *d->last_out);
    } else {
        memcpy(d->last_in, d->in, d->desc->in_slots * sizeof *d->last_in);
        memcpy(d->last_out, out, d->desc->out_slots * sizeof *d->last_out);
    }
}
