/* Stimulus of @name@.  One counter, which is visited whole between two clears; the table draws clears
 * seldom enough. */
#define UNIT_TABLE "units/@family@/@name@/@name@.ports.h"
#include "tb/stimulus.h"

enum bin { CLEARED_WHEN_HOT, CLEAR_AND_HIT };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    hits[CLEARED_WHEN_HOT] += in->clear && out->hot;
    hits[CLEAR_AND_HIT] += in->clear && in->hit;
}

STIMULUS(100000, NULL, observe, BIN("cleared when hot"), BIN("clear and hit in one cycle"))
