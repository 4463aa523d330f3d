/* Stimulus of caps_dist.  Every branch depends on who the warp is to its leading warp, on
 * the request counts, on whether addresses fit one stride, and on the entry's counter.
 * Each PC has its own stride, another every 256 loads, some of any bits, some of one; a load fits it in
 * 7 of 8 steps, otherwise one request is off.  In every second block of 1024 loads two PCs remain, nothing
 * is flushed and most loads are wrong, so that counters pass the threshold and saturate; there few train, and
 * two slots remain, so that the leading CTA's own loads are among those that pass it.
 * Addresses and PC bits are sampled: the table only compares and copies them.  The
 * parameter sets take every decision on both sides, and other table shapes. */
#define UNIT_TABLE "units/caps/caps_dist/caps_dist.ports.h"
#include "tb/stimulus.h"

/* Steps that a load takes, by a power of two, and resets are as far apart in loads. */
enum { LOAD_STEPS_LOG2 = ONE_CYCLE ? 0 : 3, RESET_STEPS = 20000 << LOAD_STEPS_LOG2 };

static uint64_t stride_of(uint64_t pc, uint64_t step)
{
    static const uint32_t strides[] = {0,   64,  0u - 64, 128, 0u - 128,
                                       136, 400, 512,     640, 0x80000000};
    pc += step >> (8 + LOAD_STEPS_LOG2) << 8;
    if (pc >> 8 & 1) {
        return pc >> 9 & 1 ? UINT64_C(1) << (pc >> 10 & 31) : pc * 0x9E3779B1 & UINT32_MAX;
    }
    return strides[(pc >> 4) % (sizeof strides / sizeof *strides)];
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in_slots,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    const struct in *last_in = (const struct in *)(const void *)last_in_slots;
    const struct out *answer = (const struct out *)(const void *)last_out;
    const bool wrong_block = step >> (10 + LOAD_STEPS_LOG2) & 1;
    if (wrong_block) {
        in->kernel_start = 0;
        in->flush_valid = 0;
    }
    if (last_in->ld_valid && !answer->ld_ready) {
        return; /* held; in one cycle, PerCTA may answer anything new after a flush */
    }
    if (tb_random_below(random, 2)) {
        in->ld_n = in->percta_last + 1;
    }
    if (wrong_block) {
        in->ld_pc = tb_random_below(random, 4) ? 0x58 : 0x90;
        in->ld_n = in->ld_n % 5;
        in->ld_cta &= 1;
    }
    switch (tb_random_below(random, wrong_block ? 8 : 4)) {
    case 0: in->ld_wic = in->percta_lead; break;
    case 1: in->ld_wic = (in->percta_lead + 1) & 63; break;
    case 2: in->ld_wic = (in->percta_lead - 1) & 63; break;
    default: break;
    }
    if (tb_random_below(random, 64) == 0) {
        in->percta_lead = 63;
        in->ld_wic = 0;
    }
    const uint64_t offset = (in->ld_wic - in->percta_lead) * stride_of(in->ld_pc, step);
    for (unsigned lane = 0; lane < 4; lane++) {
        in->ld_addr[lane] = (in->percta_base[lane] + offset) & UINT32_MAX;
    }
    if (tb_random_below(random, 8) == 0 || (wrong_block && tb_random_below(random, 4) != 0)) {
        const uint64_t lane = wrong_block ? 0 : tb_random_below(random, 4);
        in->ld_addr[lane] ^= UINT64_C(1) << tb_random_below(random, 32);
    }
}

/* A counter's greatest value: with DECAY, 2^DECAY - 1 are left of it, and as many are added
 * before the next halving. */
enum { MOST = DECAY == 0 || DECAY > 7 ? 255 : (2 << DECAY) - 2 };

static uint32_t difference(const struct in *in, unsigned lane)
{
    const uint64_t address = in->ld_addr[lane] & (ADDR_LINE ? ~UINT64_C(127) : ~UINT64_C(0));
    return (uint32_t)(address - in->percta_base[lane]);
}

/* A neighbour of the leading warp whose addresses fit one stride. */
static bool fits(const struct in *in)
{
    bool one = in->ld_wic == in->percta_lead + 1 || in->ld_wic + 1 == in->percta_lead;
    for (unsigned lane = 1; lane < 4 && lane < in->ld_n && lane <= in->percta_last; lane++) {
        one &= difference(in, lane) == difference(in, 0);
    }
    return one;
}

/* A flush finds a load half judged. */
static bool begins_anew(const struct in *in, const struct state *s)
{
#if UNIT_SET_ONE_CYCLE
    (void)in, (void)s;
    return false;
#else
    return (in->kernel_start || in->flush_valid) && s->judge_phase > judge_phase_PICK;
#endif
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const uint64_t lower = in->ld_wic < in->percta_lead ? in->ld_wic : in->percta_lead;
    const bool open = in->ld_valid && out->ld_ready && in->ld_affine && in->ld_n != 0;
    const bool leader = in->percta_hit && in->ld_wic == in->percta_lead;
    const bool trailing = open && in->percta_hit && !leader;
    const bool over = in->ld_n > 4;
    hits[0] += out->stride_new && in->ld_wic > in->percta_lead;
    hits[1] += out->stride_new && in->ld_wic < in->percta_lead;
    hits[2] += out->stride_new && !out->job_valid && difference(in, 0) == 0;
    hits[3] += out->stride_new && in->ld_n < in->percta_last + 1;
    hits[4] += out->stride_new && in->ld_n > in->percta_last + 1;
    hits[5] += out->evict;
    hits[6] += out->invalidate;
    hits[7] += trailing && !over && !out->dist_hit && !out->invalidate && !out->stride_new;
    hits[8] += trailing && !over && !out->dist_hit && in->percta_lead == 63 && in->ld_wic == 0;
    hits[9] += out->verify && !out->mispredict && in->ld_wic < in->percta_lead;
    hits[10] += out->mispredict_below;
    hits[11] += trailing && over && out->dist_hit;
    hits[12] += open && over && leader && out->dist_hit;
    hits[13] += open && !over && !in->percta_hit && out->job_valid;
    hits[14] += open && !over && leader && out->dist_hit && out->job_valid;
    hits[15] += out->dist_hit && out->dist_count == 255 && out->mispredict;
    hits[16] += out->throttled;
    hits[17] += out->job_valid && out->job_filter && out->verify;
    hits[18] += open && !over && !in->percta_hit && out->dist_hit && !out->job_valid &&
                !out->throttled;
    hits[19] += in->flush_valid && in->ld_valid;
    hits[20] += out->job_valid && out->job_stride == 0;
    hits[22] += out->stride_new && in->ld_wic > in->percta_lead + 1;
    hits[23] += out->invalidate && in->ld_wic + 1 < in->percta_lead;
    hits[24] += out->throttled && out->verify && out->dist_count == THR;
    hits[25] += begins_anew(in, state);
    hits[26] += out->verify && in->ld_wic + in->percta_lead - 2 * lower > 31;
    hits[21] += out->invalidate && fits(in) && in->ld_n <= in->percta_last;
}

STIMULUS(RESET_STEPS, drive, observe, BIN("stride from above"), BIN("stride from below"),
         BIN_IF(!STRIDE0_JOB, "stride 0 learnt"),
         BIN_IF(!STRICT_CNT, "fewer requests than the base"),
         BIN_IF(!STRICT_CNT, "more requests than the base"), BIN("eviction"),
         BIN("strides not uniform"), BIN_IF(!TRAIN_FAR, "distant warp ignored"),
         BIN("warp numbers do not wrap"), BIN("verified below the leading warp"),
         BIN("mispredicted below the leading warp"),
         BIN("more than four requests of a trailing warp"),
         BIN("more than four requests of the leading warp"), BIN("walk for a new base"),
         BIN_IF(LOOP_UPDATE, "walk for a returning leading warp"),
         BIN_IF(MOST == 255, "counter saturated"), BIN_IF(MOST > +THR, "walk refused"),
         BIN_IF(!GEN_ALL, "walk for one warp"),
         BIN_IF(!(SELF_PF && STRIDE0_JOB), "no walk for a new base"), BIN("load waits for a flush"),
         BIN_IF(STRIDE0_JOB, "walk with stride 0"), BIN_IF(STRICT_CNT, "strict count refuses"),
         BIN_IF(TRAIN_FAR, "stride from a distant warp"),
         BIN_IF(TRAIN_FAR, "distant warp below refuses"),
         BIN_IF(!GEN_ALL && MOST > +THR, "walk refused by this very misprediction"),
         BIN_IF(!ONE_CYCLE, "load begins anew after a flush"),
         BIN("verified 32 warps away and more"))
