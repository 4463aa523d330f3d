/* timing.c - see timing.h. */
#include "tb/timing.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tb/value.h"

static bool one_bit(const struct unit_port *port, unsigned *slot)
{
    if (port == NULL || port->width != 1 || port->is_array) {
        return false;
    }
    *slot = port->slot;
    return true;
}

bool timing_slots(const struct unit_desc *desc, const struct unit_timing *row,
                  struct timing_slots *slots)
{
    slots->always_ready = strcmp(row->ready, "ALWAYS") == 0;
    slots->silent = strcmp(row->answer, "NONE") == 0;
    slots->ready = slots->answer = 0;
    const unsigned most = slots->silent ? TIMING_SILENT_CYCLES : TIMING_CYCLES;
    return row->latency_cycles < most && row->interval_cycles > 0 &&
           row->interval_cycles < TIMING_CYCLES &&
           one_bit(value_port(desc->in, desc->n_in, row->request), &slots->request) &&
           (slots->always_ready ||
            one_bit(value_port(desc->out, desc->n_out, row->ready), &slots->ready)) &&
           (slots->silent ||
            one_bit(value_port(desc->out, desc->n_out, row->answer), &slots->answer));
}

void timing_begin(struct timing *timing, const struct unit_desc *desc)
{
    memset(timing, 0, sizeof *timing);
    timing->desc = desc;
    assert(desc->n_timings <= TIMING_ROWS);
    for (unsigned r = 0; r < desc->n_timings; r++) {
        const bool sound = timing_slots(desc, &desc->timings[r], &timing->slots[r]);
        assert(sound);
        (void)sound;
    }
}

bool timing_step(struct timing *timing, const uint64_t *in, const uint64_t *out, bool rst,
                 char *words, size_t n_words)
{
    for (unsigned r = 0; r < timing->desc->n_timings; r++) {
        const struct unit_timing *row = &timing->desc->timings[r];
        const struct timing_slots *slots = &timing->slots[r];
        if (rst) {
            timing->taken[r] = 0;
            continue;
        }
        const bool takes = in[slots->request] && (slots->always_ready || out[slots->ready]);
        const uint64_t before = timing->taken[r] << 1;
        timing->taken[r] = before | takes;
        const bool answers = !slots->silent && out[slots->answer] != 0;
        if (takes && (before & ((UINT64_C(1) << row->interval_cycles) - 1)) != 0) {
            snprintf(words, n_words, "%s is taken less than %u cycles after the last one",
                     row->request, row->interval_cycles);
            return false;
        }
        if (answers && !(timing->taken[r] >> row->latency_cycles & 1)) {
            snprintf(words, n_words, "%s without a %s taken %u cycles before", row->answer,
                     row->request, row->latency_cycles);
            return false;
        }
    }
    return true;
}
