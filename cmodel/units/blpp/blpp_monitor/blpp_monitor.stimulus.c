/* Stimulus of blpp_monitor.  Events come with a rate drawn for each stretch of 64 steps, none, half or all of
 * the cycles; windows are short, or long enough for the counters to fill where these are narrow.  Counters of
 * 32 bits never fill in a test: what a full one does is shown at 4 and 8 bits, and proven. */
#define UNIT_TABLE "units/blpp/blpp_monitor/blpp_monitor.ports.h"
#include "tb/stimulus.h"

static uint64_t one_of(struct tb_random *random, uint64_t rate)
{
    return rate == 0 ? 0 : rate == 1 ? tb_random_below(random, 2) : 1;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const uint64_t stretch = step / 64;
    (void)last_in, (void)last_out;
    in->sample = in->sample && stretch % 4 != 0;
    in->l1_access = one_of(random, stretch % 3);
    in->l1_miss = one_of(random, stretch / 3 % 3);
    in->l2_access = one_of(random, stretch / 5 % 3);
    in->l2_miss = one_of(random, stretch / 7 % 3);
    in->bytes = stretch % 8 == 5 ? in->bytes : in->bytes & 15;
}

enum bin { WINDOW, EMPTY_WINDOW, FULL_EVENTS, FULL_BYTES, STAYS_FULL, SAMPLED_WITH_EVENTS };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    const bool events = in->l1_access || in->l1_miss || in->l2_access || in->l2_miss;
    const uint64_t most = (UINT64_C(1) << CW) - 1;
    hits[WINDOW] += in->sample && s->bytes > 0;
    hits[EMPTY_WINDOW] += !in->sample && !events && in->bytes == 0;
    hits[FULL_EVENTS] += s->l1_access == most || s->l2_miss == most;
    hits[FULL_BYTES] += s->bytes == (UINT64_C(1) << BW) - 1;
    hits[STAYS_FULL] += out->saturated && events && !in->sample;
    hits[SAMPLED_WITH_EVENTS] += in->sample && events;
}

STIMULUS(2000, drive, observe, BIN("a window ends"), BIN("nothing happens"),
         BIN_IF(CW <= 6, "a counter of events is full"),
         BIN_IF(BW <= 14, "the counter of bytes is full"),
         BIN_IF(CW <= 6 || BW <= 14, "a full one stays so"), BIN("a window begins with an event"))
