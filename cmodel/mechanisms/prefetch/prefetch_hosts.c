/* prefetch_hosts.c - the schedulers on which prefetchers are compared, as mechanisms: the machine's
 * own two-level and round-robin ones (caps-prefetch 3.3).  They know no prefetcher. */
#include "mechanisms/mechanism.h"

static int attach_two_level(struct mechanism_context *context)
{
    return plug_own_schedulers(context->machine, &context->plug, SCHEDULER_TWO_LEVEL);
}

static int attach_round_robin(struct mechanism_context *context)
{
    return plug_own_schedulers(context->machine, &context->plug, SCHEDULER_LRR);
}

const struct mechanism mechanism_tl = {.name = "tl",
                                       .title = "two-level warp scheduler, no prefetcher (BASE of "
                                                "CAPS)",
                                       .document = "caps-prefetch",
                                       .section = "3.3",
                                       .promises = PLUG_LOCAL | PLUG_QUIET,
                                       .attach = attach_two_level};

const struct mechanism mechanism_rr = {.name = "rr",
                                       .title = "loose round-robin warp scheduler, no prefetcher",
                                       .document = "caps-prefetch",
                                       .section = "3.3",
                                       .promises = PLUG_LOCAL | PLUG_QUIET,
                                       .attach = attach_round_robin};
