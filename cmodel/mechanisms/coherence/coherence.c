/* coherence.c - what coherence protocols have in common, and the three systems without one: BL (no
 * L1D), the same one memory instruction at a time, and the ordinary non-coherent L1D
 * (tabbakh2018-coherence S11, S12, 3.4). */
#include "mechanisms/coherence/coherence.h"

void coherence_machine(struct machine *machine, const struct coherence_rules *rules)
{
    struct gpu_config *config = machine_settings(machine);
    config->sm_consistency = rules->sequential ? CONSISTENCY_SC : CONSISTENCY_RC;
    config->sm_barrier_drains = rules->barrier_drains;
    config->l1d_global_write = rules->global_write;
}

/* The seam is taken, by nothing: a protocol beside it is refused. */
static int plug_nothing(struct mechanism_context *context)
{
    static const struct coherence_l1_socket none;
    static const struct coherence_l2_socket none_l2;
    for (uint32_t i = 0; i < machine_cores(context->machine); i++) {
        if (plug_coherence(machine_core(context->machine, i), &context->plug, &none) != 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < machine_banks(context->machine); i++) {
        if (plug_bank_coherence(machine_bank(context->machine, i), &context->plug, &none_l2) != 0) {
            return -1;
        }
    }
    return 0;
}

static int without_l1d(struct mechanism_context *context, bool sequential)
{
    struct gpu_config *config = machine_settings(context->machine);
    const struct coherence_rules rules = {
        .sequential = sequential, .barrier_drains = true, .global_write = config->l1d_global_write};
    coherence_machine(context->machine, &rules);
    config->l1d_enable = false;
    return plug_nothing(context);
}

static int attach_no_l1(struct mechanism_context *context)
{
    return without_l1d(context, false);
}

static int attach_no_l1_sc(struct mechanism_context *context)
{
    return without_l1d(context, true);
}

static int attach_l1_noncoherent(struct mechanism_context *context)
{
    const struct coherence_rules rules = {
        .global_write = machine_config(context->machine)->l1d_global_write};
    coherence_machine(context->machine, &rules);
    return plug_nothing(context);
}

enum { NOTHING_PLUGGED = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL };

const struct mechanism mechanism_no_l1 = {
    .name = "no-l1",
    .title = "coherence: no L1D, every global access goes to the L2 (BL)",
    .document = "tabbakh2018-coherence",
    .section = "3.4",
    .memory_model = "rc",
    .promises = NOTHING_PLUGGED,
    .attach = attach_no_l1};

const struct mechanism mechanism_no_l1_sc = {
    .name = "no-l1-sc",
    .title = "coherence: no L1D, one memory instruction of a warp at a time",
    .document = "tabbakh2018-coherence",
    .section = "3.4",
    .memory_model = "sc",
    .promises = NOTHING_PLUGGED,
    .attach = attach_no_l1_sc};

const struct mechanism mechanism_l1_noncoherent = {
    .name = "l1-noncoherent",
    .title = "coherence: none, the L1D as it is (W/L1)",
    .document = "tabbakh2018-coherence",
    .section = "3.4",
    .memory_model = "none",
    .promises = NOTHING_PLUGGED,
    .attach = attach_l1_noncoherent};
