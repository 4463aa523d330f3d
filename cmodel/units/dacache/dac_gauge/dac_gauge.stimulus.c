/* Stimulus of dac_gauge.  Combinational: 5 + 6 + 2 + 6 + 1 input bits, so a million
 * uniform steps visit nearly all of the 2^20 points; half of the steps put the request
 * count and the rank next to their thresholds, where a misreading would show; a few have the
 * profile that does not occur.  The parameter sets cover each decision's other value and the
 * document's geometries. */
#define UNIT_TABLE "units/dacache/dac_gauge/dac_gauge.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step, (void)last_in, (void)last_out;
    struct in *in = (struct in *)in_slots;
    if (tb_random_below(random, 2)) {
        uint64_t scaled = in->prio * N_SCHED + tb_random_below(random, 3);
        in->fcw = (scaled > 0 ? scaled - 1 : 0) & ((1 << FCW_W) - 1);
        in->nreq = tb_random_below(random, SMALL_MAX + 3) & ((1 << NREQ_W) - 1);
    }
    if (tb_random_below(random, 32) == 0) {
        in->clp = 3;
    }
}

enum bin { COHERENT, SMALL, SMALL_THRASHING, GAUGED, CLIPPED, THRASHING, AT_LIMIT, OFF };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    (void)state;
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    bool on = in->enable, few = in->nreq > COH_MAX && in->nreq <= SMALL_MAX;
    bool many = in->nreq > SMALL_MAX;
    hits[COHERENT] += on && in->nreq <= COH_MAX;
    hits[SMALL] += on && few && !out->thrash;
    hits[SMALL_THRASHING] += on && few && out->thrash;
    hits[GAUGED] += on && many && !out->thrash && out->insert_pos > 0 && out->insert_pos < WAYS - 1;
    hits[CLIPPED] += on && many && !out->thrash && out->insert_pos == WAYS - 1;
    hits[THRASHING] += on && many && out->thrash;
    hits[AT_LIMIT] += on && in->prio * N_SCHED == in->fcw;
    hits[OFF] += !on;
}

STIMULUS(0, drive, observe, BIN("coherent load"), BIN("small load, locality warp"),
         BIN("small load, thrashing warp"), BIN("gauged inside the stack"),
         BIN("gauged beyond the stack"), BIN("thrashing warp"),
         BIN("rank exactly at the partition"), BIN("gauging off"))
