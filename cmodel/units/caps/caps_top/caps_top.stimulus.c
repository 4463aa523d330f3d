/* Stimulus of caps_top.  What the parts do alone is driven at the parts; here loads must
 * follow each other as those of real CTAs, or nothing is ever trained: each slot has a
 * base per PC that moves now and then, each PC a stride, of one bit for half of them, and a
 * load's addresses follow from both, off by one bit in one of 16.  Five PCs compete for the
 * entries, warps per CTA are few, and the first warps come first, so that bases, strides, walks
 * and verifications all happen within a hundred loads.  Blocks of 512 loads' time alternate between a
 * ready and a slow L1D (queues fill, jobs are dropped), and between all loads right and most
 * wrong.  Every second 4096 two PCs remain and no kernel starts, so that counters pass the
 * threshold and saturate.  A flush falls on a slot in use.
 * Addresses and PC bits are sampled; PCs stay for 8192, or for 512. */
#define UNIT_TABLE "units/caps/caps_top/caps_top.ports.h"
#include "tb/stimulus.h"

enum { PCS = 5 };

/* Steps that a load takes, by a power of two; blocks and resets are as far apart in loads. */
enum { LOAD_STEPS_LOG2 = ONE_CYCLE ? 0 : 3, RESET_STEPS = 20000 << LOAD_STEPS_LOG2 };

static bool few_pcs(uint64_t step)
{
    return step >> 12 & 1;
}

static uint64_t stride_of(uint64_t pc)
{
    static const uint32_t strides[PCS] = {128, 0u - 128, 400, 0, 0x80000040};
    const uint64_t tag = pc / PC_ALIGN;
    return tag >> 8 & 1 ? UINT64_C(1) << (tag >> 9 & 31) : strides[tag % PCS];
}

/* Where slot `cta` has its data for a PC in this phase of the run. */
static uint32_t base_of(uint64_t cta, uint64_t tag, uint64_t step)
{
    return (uint32_t)((cta * 37 + tag * 5 + (step >> 7)) * 0x9E3779B1);
}

static void draw_load(struct tb_random *random, struct in *in, uint64_t step)
{
    const bool wrong = step >> 9 & 1;
    if (tb_random_below(random, 16) != 0) {
        in->ld_cta = tb_random_below(random, CTAS < 4 ? CTAS : 4);
    }
    in->ld_wic = tb_random_below(random, tb_random_below(random, 2) ? 2 : in->wpc + 1u) & 63;
    const uint64_t phase = step >> 13 & 1 ? step >> 9 : step >> 13;
    in->ld_pc = (phase * 0x9E3779B1 + tb_random_below(random, few_pcs(step) ? 2 : PCS)) * PC_ALIGN &
                UINT32_MAX;
    in->ld_pc += tb_random_below(random, PC_ALIGN);
    in->ld_n = tb_random_below(random, 8) ? 1 + in->ld_pc / PC_ALIGN % 4 : in->ld_n;
    const uint32_t base = base_of(in->ld_cta, in->ld_pc / PC_ALIGN, step);
    for (unsigned lane = 0; lane < 4; lane++) {
        in->ld_addr[lane] = (base + lane * 4096 + in->ld_wic * stride_of(in->ld_pc)) & UINT32_MAX;
    }
    if (tb_random_below(random, wrong ? 2 : 16) == 0) {
        in->ld_addr[tb_random_below(random, 4)] ^= UINT64_C(1) << tb_random_below(random, 32);
    }
}

static void drive(struct tb_random *random, uint64_t cycle, const uint64_t *last_in_slots,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    const struct in *last_in = (const struct in *)(const void *)last_in_slots;
    const struct out *answer = (const struct out *)(const void *)last_out;
    const uint64_t step = cycle >> LOAD_STEPS_LOG2;
    in->wpc = step >> 12 & 1 ? in->wpc : 1 + (step >> 9) % 6;
    for (unsigned slot = 0; slot < CTAS && tb_random_below(random, 16) != 0; slot++) {
        in->first_wid[slot] = slot * in->wpc % (1 << WID_W);
    }
    if (tb_random_below(random, 8) != 0) {
        in->warp_alive |= tb_random_next(random) | tb_random_next(random);
        in->warp_alive &= ~UINT64_C(0) >> (64 - WARPS);
    }
    if (step >> 10 & 1) {
        in->pf_ready = in->pf_ready && tb_random_below(random, 16) == 0;
    }
    if (step >> 9 & 1 || few_pcs(step)) {
        in->kernel_start = 0;
    }
    if (tb_random_below(random, 16) != 0) {
        in->cta_flush_slot &= 3;
    }
    if (!last_in->ld_valid || answer->ld_ready) {
        draw_load(random, in, step);
    }
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    const bool open = in->ld_valid && out->ld_ready && in->ld_affine && in->ld_n != 0;
    const unsigned slots = (unsigned)(s->scope % (UINT64_C(1) << CTAS));
    /* A walk in steps has picked its slot before it reads. */
    const bool reads = s->phase == phase_LOOKUP && (!ONE_CYCLE || slots != 0);
    const unsigned read = ONE_CYCLE && slots != 0 ? (unsigned)__builtin_ctz(slots) : s->cta;
    bool throttled = false;
    for (unsigned way = 0; way < DIST_ENTRIES; way++) {
        throttled |= s->dist_valid[way] && s->dist_count[way] > THR;
    }
    hits[0] += out->stride_new && out->pf_valid;
    hits[1] += out->verify && !out->mispredict && s->phase == phase_EMIT;
    hits[2] += reads && open && in->ld_cta == read;
    hits[3] += in->cta_flush_valid && s->phase == phase_EMIT && s->cta == in->cta_flush_slot;
    hits[4] += out->invalidated && s->phase != phase_IDLE;
    hits[5] += out->job_drop;
    hits[6] += throttled;
    hits[7] += open && in->ld_n > 4 && out->mispredict;
    hits[8] += in->kernel_start && !out->idle;
    hits[9] += in->ld_valid && in->cta_flush_valid && in->cta_flush_slot == in->ld_cta;
    hits[10] += out->verify && s->phase == phase_IDLE && out->idle;
}

STIMULUS(RESET_STEPS, drive, observe, BIN("stride learnt while requests wait"),
         BIN("right prediction during a walk"), BIN("a walk reads the slot that loads"),
         BIN("flush of the slot being walked"), BIN("invalidation during a walk"),
         BIN("job dropped"), BIN_IF(THR != 255, "counter above the threshold"),
         BIN("more than four requests mispredict"), BIN("kernel start during a walk"),
         BIN("load waits for a flush of its slot"), BIN("check at an idle generator"))
