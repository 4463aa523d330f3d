/* pins.h - a unit inside the protocol tester: its ports by name, its steps, its record.
 *
 * Works after the unit contract of units/unit.h; knows no unit. */
#ifndef WARPLOCK_TESTS_PROTOCOL_PINS_H
#define WARPLOCK_TESTS_PROTOCOL_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/backend.h"
#include "tb/sequence.h"
#include "tb/wave_unit.h"

struct pins {
    const struct unit_backend *backend;
    void *instance;
    uint64_t *in, *out;
    uint64_t step;
    struct wave_steps wave;
    bool recording;
    struct sequence *sequence;
    char where[128]; /* of the record, without a suffix */
};

/* Opens `unit` and resets it; false with one line on stderr. */
bool pins_open(struct pins *pins, struct library *library, const char *unit, const char *overrides,
               const char *form);
/* Keeps every step in `where`.fst and `where`.seq; false when they cannot be written. */
bool pins_record(struct pins *pins, const char *where);
void pins_close(struct pins *pins);

/* Slot of a port; ends the program when the unit has none of that name. */
uint64_t *pins_in(struct pins *pins, const char *name);
uint64_t *pins_out(struct pins *pins, const char *name);

/* Outputs for the inputs as they stand. */
static inline void pins_ask(struct pins *pins)
{
    pins->backend->comb(pins->instance, pins->in, pins->out);
}
/* The clock edge that follows an ask with the same inputs. */
void pins_edge(struct pins *pins);

/* Pairs in lockstep: did the sides differ so far? */
bool pins_mismatch(const struct pins *pins);

#endif
