/* Stimulus of caps_prefetch_gen.  The walk is a nest of four small loops (slots, warps
 * above and below, addresses) with a queue at each end; what matters is where each loop
 * starts and ends and when a queue is full or empty.  Warps per CTA and leading warps are
 * drawn small, so that leaders sit at both ends and past the end; blocks of 256 steps
 * alternate between few and many jobs, and blocks of 128 between a ready and a slow L1D.
 * Bases lie close together, so that adjacent requests share lines.  Address and PC bits are
 * sampled.  The parameter sets take short queues, 16 slots, both policies and filters. */
#define UNIT_TABLE "units/caps/caps_prefetch_gen/caps_prefetch_gen.ports.h"
#include "tb/stimulus.h"

static void draw_warps(struct tb_random *random, struct in *in, uint64_t step)
{
    in->wpc = step >> 9 & 1 ? in->wpc : 1 + (step >> 6) % 8;
    for (unsigned slot = 0; slot < CTAS && tb_random_below(random, 16) != 0; slot++) {
        in->first_wid[slot] = slot * in->wpc % (1 << WID_W);
    }
    if (tb_random_below(random, 8) != 0) {
        in->warp_alive |= tb_random_next(random) | tb_random_next(random);
        in->warp_alive &= ~UINT64_C(0) >> (64 - WARPS);
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    (void)last_in, (void)last_out;
    draw_warps(random, in, step);
    if (step >> 8 & 1) {
        in->job_valid = in->job_valid && tb_random_below(random, 32) == 0;
        in->job_mask &= tb_random_next(random);
    } else {
        in->job_valid |= tb_random_below(random, 3) == 0;
    }
    if (step >> 7 & 1) {
        in->pf_ready = in->pf_ready && tb_random_below(random, 8) == 0;
    }
    if (in->wpc != 0 && tb_random_below(random, 8) != 0) {
        in->read_lead = tb_random_below(random, in->wpc);
        in->job_wic = tb_random_below(random, in->wpc);
    }
    if (tb_random_below(random, 16) == 0) {
        in->read_base[0] = UINT32_MAX - tb_random_below(random, 1024);
        in->job_stride &= 1023;
    }
    for (unsigned lane = 1; lane < 4 && tb_random_below(random, 3) != 0; lane++) {
        in->read_base[lane] = (in->read_base[lane - 1] + tb_random_below(random, 256)) & UINT32_MAX;
    }
}

/* The job is for another warp than that of this cycle. */
static bool filtered(const struct state *s)
{
    return !GEN_ALL && s->scope >> (CTAS + 6) & 1 && (s->scope >> CTAS & 63) != s->warp;
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    const bool looks = out->read_valid && in->read_ready && in->read_hit && !in->kernel_start;
    const bool last_address = s->lane == s->last;
    hits[0] += looks && in->read_lead == 0 && in->wpc > 1;
    hits[1] += looks && in->read_lead != 0 && in->read_lead + 1 == in->wpc;
    hits[2] += looks && in->read_lead == 0 && in->wpc <= 1;
    hits[3] += looks && in->read_lead > in->wpc;
    hits[4] += out->emit && last_address && s->warp > s->lead && s->warp + 1u == in->wpc &&
               s->lead > 0;
    hits[5] += out->emit && last_address && s->warp == 0;
    hits[6] += out->skip && s->warp == 0;
    hits[7] += out->emit && s->lane == 0 && s->last == 3 && s->acc[0] / 128 == s->acc[1] / 128 &&
               s->acc[1] / 128 != s->acc[2] / 128;
    hits[8] += out->emit && s->last == 3 && s->acc[0] / 128 == s->acc[3] / 128;
    hits[9] += out->job_drop && s->phase == phase_IDLE;
    hits[10] += out->stall && in->pf_ready;
    hits[11] += out->emit && out->pf_valid && in->pf_ready;
    /* With ONE_CYCLE the slot that is looked up is still among those to visit. */
    const uint64_t last_slot = ONE_CYCLE ? UINT64_C(1) << out->read_cta : 0;
    hits[12] += out->miss && s->scope % (UINT64_C(1) << CTAS) == last_slot;
    hits[13] += in->kernel_start && s->phase == phase_EMIT && in->job_valid && out->pf_valid;
    hits[14] += in->job_valid && in->job_mask == 0;
    hits[15] += in->job_valid && out->idle;
    hits[16] += out->skip && filtered(s);
    hits[17] += out->emit && s->acc[0] < s->base[0] && s->warp > s->lead && s->stride < 0x8000;
}

STIMULUS(6000, drive, observe, BIN("leader is warp 0"), BIN("leader is the last warp"),
         BIN("one warp per CTA"), BIN("leader past the last warp"),
         BIN("turn downwards after an address"), BIN("walk ends at warp 0"),
         BIN("walk ends at a passed-over warp 0"), BIN("one duplicate line"),
         BIN("all addresses in one line"), BIN("job dropped while another is taken"),
         BIN("queue full while L1D takes one"), BIN("request in and out at once"),
         BIN("last slot does not know the PC"), BIN("kernel start stops everything"),
         BIN("job without slots"), BIN("job for an idle generator"),
         BIN_IF(!GEN_ALL, "warp filtered"), BIN("address wraps"))
