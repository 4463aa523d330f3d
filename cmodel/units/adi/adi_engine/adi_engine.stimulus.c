/* Stimulus of adi_engine.  The counters' state space is far too large: sampled, along
 * whole rounds.  Streams of accesses change with each pair of periods: back-to-back misses
 * that walk with a power-of-two stride, any one or that of the highest candidate (the ATAX
 * case: idle index bits, exact halves), one block of which a few bits flip (many toggles in few clusters), uniform blocks, blocks
 * from a small pool (clusters repeat).  Restart and launch are rare enough to let rounds
 * end, but frequent in a flush, with its end above all, and, in every fourth stream, in a
 * decision; a launch often follows a restart.  flush_done answers flush_req within a few
 * cycles, seldom comes unasked.  The small periods run
 * hundreds of rounds; both documents' configurations, the L2's index width, both layouts
 * and decisions of 0, 1, 3, 5, 7 and 32 cycles are parameter sets.
 * Never reached: HOME without ADI_RESET_ON_KERNEL. */
#define UNIT_TABLE "units/adi/adi_engine/adi_engine.ports.h"
#include "tb/stimulus.h"

enum { ROUND = NV + NS + NI, STREAM = NV + NS + 2 * ADI_DEC_CYC };
enum { BUSY = sub_phase_BUSY };

static uint64_t mixed(uint64_t x)
{
    x *= UINT64_C(0x9E3779B97F4A7C15);
    return x ^ x >> 32;
}

/* Most bits of one block flip once in `period` accesses, neighbours one after the other; the
 * others in every second access, some of them but for one: equal entropies, and pairs as
 * useful as a single bit. */
static uint64_t seldom(uint64_t stream, uint64_t step)
{
    const unsigned period = (NV % 8 == 0 ? 8 : 10) << mixed(stream) % 2;
    const bool half = step % 2 != 0;
    uint64_t flips = 0;
    for (unsigned k = 0; k < NB; k++) {
        const uint64_t role = mixed(stream * 64 + k) % 6;
        const bool rare = step % period == k % period;
        const bool flip = role == 0 ? half : role == 1 ? half != rare : rare;
        flips |= (uint64_t)flip << k;
    }
    return flips;
}

/* The access of a stream; kinds 0 to 3 come back to back and miss. */
static void stream_access(uint64_t stream, uint64_t step, struct tb_random *random, struct in *in)
{
    const uint64_t all = ~UINT64_C(0) >> (64 - NB);
    const uint64_t flips = mixed(stream) & mixed(stream + 1) & (step % 2 != 0 ? all : 0);
    switch (stream % 8) {
    case 0: in->acc_blk = (step << mixed(stream) % NB) & all; break;
    case 1: in->acc_blk = (step << (CAND_BITS - 1)) & all; break;
    case 2:
    case 3: in->acc_blk = (mixed(stream + 2) ^ flips) & all; break;
    case 4:
    case 5: in->acc_blk = tb_random_next(random) & all; return;
    default: return;
    }
    in->acc_valid = in->acc_miss = 1;
    in->acc_gwrite = 0;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    const struct out *was = (const struct out *)(const void *)last_out;
    const bool again = ((const struct in *)(const void *)last_in)->restart;
    const uint64_t stream = step / STREAM;
    const bool harsh = stream % 8 > 5 && was->sub_phase == BUSY;
    const bool hurried = was->sub_phase == sub_phase_IDLE && step / (2 * ROUND) % 4 > 1;
    const uint64_t rarity = was->flush_req ? 16 : 6 * ROUND;
    const uint64_t patience = harsh ? 4 + 2 * ADI_DEC_CYC : hurried ? 256 : rarity;
    stream_access(stream, step, random, in);
    if (was->sub_phase == sub_phase_VIC && stream % 4 > 1) {
        in->acc_blk = seldom(stream / 4, step);
        in->acc_valid = in->acc_miss = 1;
        in->acc_gwrite = 0;
    }
    const bool ends = was->flush_req && in->flush_done;
    in->restart = tb_random_below(random, ends ? 3 : patience) == 0;
    const uint64_t launch = again ? (harsh ? 2 : 8) : hurried ? 1024 : rarity;
    in->kernel_start = tb_random_below(random, launch) == 0;
    if (was->flush_req && tb_random_below(random, 8) == 0) {
        in->enable = 0;
    }
    if (!was->flush_req && tb_random_below(random, 4) != 0) {
        in->flush_done = 0;
    }
}

static unsigned folded(unsigned count)
{
    return count < NV - count ? count : NV - count;
}

/* Which rule chose the victim: the counters of VIC still stand in SEL. */
static void observe_victim(const struct state *s, uint64_t *hits)
{
    unsigned low_e = NV, low_u = NV, pair = 0, n_low_e = 0;
    bool tie = false;
    for (unsigned i = 0; i < S; i++) {
        const unsigned e = folded(s->ce[i]);
        n_low_e = e < low_e ? 1 : n_low_e + (e == low_e);
        low_e = e < low_e ? e : low_e;
    }
    for (unsigned a = 0; a < S; a++) {
        for (unsigned b = a + 1; b < S; b++, pair++) {
            if (folded(s->cx[pair]) < low_u) {
                low_u = folded(s->cx[pair]);
                tie = folded(s->ce[a]) == folded(s->ce[b]);
            }
        }
    }
    hits[0] += low_e < low_u;
    hits[1] += low_e >= low_u && tie;
    hits[2] += low_e >= low_u && !tie;
    hits[3] += low_e == low_u && folded(s->ce[s->vic_pos]) != low_e;
    hits[4] += s->vic_pos == S - 1;
    hits[25] += low_e < low_u && n_low_e > 1;
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    const bool busy = s->phase > phase_IDLE, deciding = busy && !out->flush_req;
    unsigned top = 0;
    for (unsigned k = 0; k < CANDS; k++) {
        top = s->tog[k] > top ? s->tog[k] : top;
    }
    if (s->phase == phase_SEL && s->cnt == 0) {
        observe_victim(s, hits);
    }
    hits[5] += out->bit_kept && top > 1;
    hits[6] += out->bit_kept && top == 0;
    hits[7] += out->bit_changed && top > NS / 2;
    hits[8] += out->flush_req && in->flush_done && s->new_bit == CAND_BITS - 1;
    hits[9] += deciding && in->restart && !in->kernel_start;
    hits[10] += out->flush_req && in->restart && !in->kernel_start && !in->flush_done;
    hits[11] += out->flush_req && in->restart && !in->kernel_start && in->flush_done;
    hits[12] += out->flush_req && in->kernel_start;
    hits[13] += out->idle_done && in->stay_idle;
    hits[14] += out->idle_done && !in->stay_idle;
    hits[15] += in->flush_done && !out->flush_req;
    hits[16] += busy && in->acc_valid;
    hits[17] += out->flush_req && !in->enable;
    hits[18] += s->phase == phase_VIC && in->acc_valid && in->enable && in->acc_gwrite;
    hits[19] += s->phase == phase_IDLE && in->kernel_start;
    hits[20] += s->tag_valid == (UINT64_MAX >> (64 - CLUSTERS));
    hits[21] += out->flush_req && s->phase == phase_HOME && in->flush_done;
    hits[22] += s->again;
    hits[23] += s->again && in->kernel_start && out->flush_req;
    hits[24] += s->again && in->kernel_start && deciding;
}

STIMULUS(20 * (uint64_t)ROUND, drive, observe, BIN("victim by entropy"),
         BIN("victim of a pair, equal entropy"), BIN("victim of a pair, lower entropy"),
         BIN_IF(S > 2, "entropy equals usefulness, another is the victim"),
         BIN("last position chosen"), BIN("kept although it toggles"), BIN("kept, nothing toggles"),
         BIN("changed, many toggles"), BIN("highest candidate selected"),
         BIN_IF(ADI_DEC_CYC != 0, "restart in a decision"), BIN("restart in a flush"),
         BIN("restart with the end of a flush"), BIN("launch in a flush"),
         BIN("idle ends and stays"), BIN("idle ends"), BIN("flush_done unasked"),
         BIN("access in a decision or flush"), BIN("flush while not enabled"),
         BIN("global write passed over"), BIN("launch in idle"), BIN("every cluster seen"),
         BIN_IF(ADI_RESET_ON_KERNEL, "flush for the conventional index"), BIN("restart waits"),
         BIN("launch in a flush while a restart waits"),
         BIN_IF(ADI_DEC_CYC > 1, "launch in a decision while a restart waits"),
         BIN("victim by entropy, the first of equals"))
