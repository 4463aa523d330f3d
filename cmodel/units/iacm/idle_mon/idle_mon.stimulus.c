/* Stimulus of idle_mon.  Counts of periods drawn at random are alike, the more so the longer a period is;
 * so a level is drawn for each period, that of the one before with a step near the threshold, or any.
 * Short periods run thousands of comparisons, the document's a few dozen. */
#define UNIT_TABLE "units/iacm/idle_mon/idle_mon.ports.h"
#include "tb/stimulus.h"

static uint64_t mixed(uint64_t x)
{
    x *= UINT64_C(0x9E3779B97F4A7C15);
    return x ^ x >> 32;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const uint64_t period = step / CP, near = 32 + mixed(period) % 64;
    (void)last_in, (void)last_out;
    in->kernel_start = step % CP == 7 % CP && mixed(period + 3) % 8 == 0;
    in->phase_idle = tb_random_below(random, 20 * CP) != 0;
    if (period % 64 < 8) {
        in->insn_inc = tb_random_below(random, 2) * 127;
    } else if (mixed(period) % 4 == 0) {
        in->insn_inc = mixed(period) % 5 == 0 ? 0 : 127;
    } else {
        in->insn_inc = near;
    }
}

enum bin { CHANGED, STEADY, LEVEL_SET, NOTHING_TWICE, SATURATES, LAUNCH, LEFT };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    const bool steady = out->sampled && !s->init && !out->retrigger;
    hits[CHANGED] += out->retrigger;
    hits[STEADY] += steady;
    hits[LEVEL_SET] += out->sampled && s->init;
    hits[NOTHING_TWICE] += steady && s->ipc_prev == 0;
    hits[SATURATES] += out->sampled && (uint64_t)s->ipc + in->insn_inc >= UINT64_C(1) << IPC_W;
    hits[LAUNCH] += in->kernel_start && s->sub > 0;
    hits[LEFT] += !in->phase_idle && s->sub > 0;
}

STIMULUS(40 * CP, drive, observe, BIN("the IPC changed"), BIN("it did not"), BIN("a first period"),
         BIN_IF(CP < 100, "no instructions in two periods"),
         BIN_IF(CP *INT64_C(127) >= (INT64_C(1) << IPC_W), "a count reaches its greatest"),
         BIN("a kernel starts amid a period"), BIN("the phase is left amid a period"))
