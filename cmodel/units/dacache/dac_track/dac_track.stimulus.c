/* Stimulus of dac_track.  Two state bits, ten input bits: all transitions occur within
 * some thousand uniform steps, the cross bins say so. */
#define UNIT_TABLE "units/dacache/dac_track/dac_track.ports.h"
#include "tb/stimulus.h"

enum bin { START_AT_LAST, CLEAN_RETIRE, RESERVED_ONLY, BYPASS_LAST };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    hits[START_AT_LAST] += in->start_valid && out->retire_valid;
    hits[CLEAN_RETIRE] += out->retire_valid && !out->miss_seen;
    hits[RESERVED_ONLY] += in->acc_valid && !s->miss && in->acc_result == acc_result_HIT_RESERVED;
    hits[BYPASS_LAST] += out->retire_valid && !s->miss && in->acc_result == acc_result_BYPASS;
}

STIMULUS(1000, NULL, observe, BIN("start in the cycle of a retirement"), BIN("fully cached load"),
         BIN("hit on a RESERVED line"), BIN("bypass as last access"))
