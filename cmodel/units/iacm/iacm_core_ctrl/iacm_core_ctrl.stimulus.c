/* Stimulus of iacm_core_ctrl.  The engine's sub-phases come in stretches of VIC, SEL, decision and idle,
 * whose windows end after nine cycles with a level that is that of the window before or another, and now
 * and then after thousands, so that counts saturate; ends of searches and changed IPCs are frequent,
 * launches rare.  The phases are few, and their ends are drawn together and apart; counts are sampled. */
#define UNIT_TABLE "units/iacm/iacm_core_ctrl/iacm_core_ctrl.ports.h"
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
    const uint64_t place = step % 16, level = mixed(step / 128);
    const uint64_t vic = step / 16 % 4 == 0 ? 5 : 2;
    const bool saturates = step % 32768 >= 24576;
    (void)last_in, (void)last_out;
    in->adi_sub_phase = place < vic ? adi_sub_phase_VIC
                        : place < 6 ? adi_sub_phase_SEL
                        : place < 7 ? adi_sub_phase_BUSY
                                    : adi_sub_phase_IDLE;
    in->adi_idle_done = place == 15;
    in->kernel_start = tb_random_below(random, saturates ? 8192 : 300) == 0;
    in->insn_inc = tb_random_below(random, 8) == 0 ? in->insn_inc : level % 16 * 8 % 128;
    if (saturates) {
        in->adi_sub_phase = adi_sub_phase_IDLE;
        in->adi_idle_done = step % 8192 == 8191;
        in->insn_inc = 127;
    }
    in->awl_done = tb_random_below(random, place == 15 ? 2 : 8) == 0;
}

enum bin {
    SETTLES,
    GOES_ON,
    SEARCH_NEAR,
    SEARCH_FAR,
    BOTH_END,
    ADAPTS,
    LAUNCH_IN_ADI,
    LAUNCH_IN_AWL,
    LAUNCH_IN_IDLE,
    TIMES_OUT
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    const bool search = s->awl && in->awl_done && !in->kernel_start;
    hits[SETTLES] += out->settled && s->ipc_prev > 0;
    hits[GOES_ON] += s->adi && in->adi_idle_done && !out->settled && s->ipc_prev > 0;
    hits[SEARCH_NEAR] += search && in->awl_goto_idle;
    hits[SEARCH_FAR] += search && !in->awl_goto_idle;
    hits[BOTH_END] += search && out->settled;
    hits[ADAPTS] += out->adapts && !in->kernel_start;
    hits[LAUNCH_IN_ADI] += in->kernel_start && s->adi;
    hits[LAUNCH_IN_AWL] += in->kernel_start && s->awl;
    hits[LAUNCH_IN_IDLE] += in->kernel_start && out->phase_idle;
    hits[TIMES_OUT] += out->settled && in->adi_sub_phase == adi_sub_phase_VIC;
}

STIMULUS(100000, drive, observe, BIN_IF(ADI_ON, "adaptive indexing settles"),
         BIN_IF(ADI_ON, "it goes on"), BIN_IF(AWL_ON, "a search ends near the last"),
         BIN_IF(AWL_ON, "a search ends far from it"),
         BIN_IF(ORDER == 2 && ADI_ON && AWL_ON, "both end in one cycle"),
         BIN("the idle phase ends"), BIN_IF(ADI_ON, "a kernel starts in ADI"),
         BIN_IF(AWL_ON, "a kernel starts in AWL"), BIN("a kernel starts in idle"),
         BIN_IF(ADI_VIC_TIMEOUT > 0, "VIC times out"))
