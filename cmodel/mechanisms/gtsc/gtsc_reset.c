/* gtsc_reset.c - see gtsc_reset.h.
 *
 * The controller is stepped in every L2 tick in which a bank waits for a reset or one is under
 * way, before the banks; in other ticks it has nothing to do.  A probe reaches its SM at once and
 * is not counted as traffic. */
#include "mechanisms/gtsc/gtsc_reset.h"

/* Nothing is being answered; a request that waits for the reset is parked. */
static uint64_t banks_drained(const struct gtsc_reset *reset)
{
    uint64_t mask = 0;
    for (uint32_t b = 0; b < reset->n_l2; b++) {
        mask |= (uint64_t)!bank_serving(reset->l2[b].bank) << b;
    }
    return mask | reset->overflow;
}

static uint64_t sms_of_epoch(const struct gtsc_reset *reset, uint64_t epoch)
{
    uint64_t mask = 0;
    for (uint32_t s = 0; s < reset->n_l1; s++) {
        mask |= (uint64_t)(reset->l1[s].epoch == epoch) << s;
    }
    return mask;
}

static void step(struct gtsc_reset *reset)
{
    pins_comb(&reset->unit);
    const uint64_t epoch = *reset->out.epoch, adopted = sms_of_epoch(reset, epoch);
    *reset->in.overflow = reset->overflow;
    *reset->in.drained = banks_drained(reset);
    *reset->in.adopted = adopted;
    pins_comb(&reset->unit);
    for (uint64_t left = *reset->out.probe & ~adopted; left != 0; left &= left - 1) {
        gtsc_l1_probe(&reset->l1[__builtin_ctzll(left)], epoch);
        reset->probes++;
    }
    const bool flash = *reset->out.flash;
    pins_seq(&reset->unit);
    if (flash) {
        reset->overflow = 0;
        for (uint32_t b = 0; b < reset->n_l2; b++) {
            gtsc_l2_flash(&reset->l2[b]);
        }
        reset->resets++;
    }
    pins_comb(&reset->unit);
    reset->stop = *reset->out.stop;
}

static bool begin(void *self, uint64_t tick)
{
    struct gtsc_reset *reset = self;
    (void)tick;
    if (reset->stop || reset->overflow != 0) {
        step(reset);
    }
    return !reset->stop;
}

/* Every tick of a reset is stepped, if the bank that waits has a busy port too. */
static bool end(void *self)
{
    return ((const struct gtsc_reset *)self)->overflow != 0;
}

int gtsc_reset_plug(struct mechanism_context *context, struct gtsc_reset *reset)
{
    const struct machine_clock_socket clock = {reset, begin, end};
    return plug_machine_clock(context->machine, &context->plug, &clock);
}
