/* Stimulus of caps_percta.  The rows of different slots do not interact, and PCs are only
 * compared, so few PCs (more than entries) over few slots reach every order of ages and
 * valid bits of a slot; addresses and PC bits are only copied, hence sampled.  In every
 * second block of 256 steps no kernel starts and only two slots are used, so that tables
 * fill up and evict; the generator mostly reads what was written just before.  The
 * parameter sets take other table shapes, each decision, and a PC stored in full. */
#define UNIT_TABLE "units/caps/caps_percta/caps_percta.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in_slots,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    const struct in *last_in = (const struct in *)(const void *)last_in_slots;
    const struct out *last = (const struct out *)(const void *)last_out;
    const bool held = last_in->ld_valid && !last->ld_ready;
    const bool reads = last_in->read_valid && !last->read_ready && !ONE_CYCLE;
    if (step >> 8 & 1) {
        in->kernel_start = 0;
        in->ld_cta = held ? in->ld_cta : in->ld_cta & 1;
        in->flush_slot &= 1;
    }
    if (reads) {
        return; /* held */
    }
    if (tb_random_below(random, 4) != 0) {
        in->read_cta = last_in->ld_cta;
        in->read_pc = last_in->ld_pc / PC_ALIGN;
    } else if (tb_random_below(random, 2) != 0) {
        in->read_cta = in->ld_cta;
        in->read_pc = in->ld_pc / PC_ALIGN;
    }
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    const bool open = in->ld_valid && out->ld_ready;
    const bool same = in->read_cta == in->ld_cta && in->read_pc == in->ld_pc / PC_ALIGN;
    const bool leader = out->ld_hit && out->ld_lead == in->ld_wic;
    const unsigned first = (unsigned)in->ld_cta * ENTRIES;
    hits[0] += out->alloc && !out->evict && s->valid[first];
    hits[1] += out->evict;
    hits[2] += out->update && s->age[first] != 0;
    hits[3] += out->invalidated && s->valid[first + ENTRIES - 1];
    hits[4] += in->ld_valid && in->flush_valid && in->flush_slot == in->ld_cta;
    hits[5] += in->kernel_start && in->flush_valid;
    hits[6] += same && out->read_hit && (LOOP_UPDATE ? out->update : out->invalidated);
    hits[7] += same && out->alloc;
    hits[8] += open && leader && in->invalidate && in->ld_affine && in->ld_n <= 4 && in->ld_n != 0;
    hits[9] += open && in->ld_affine && in->ld_n > 4 && !out->ld_hit;
    hits[10] += open && in->ld_affine && in->ld_n > 4 && leader;
    hits[11] += open && in->ld_affine && in->ld_n == 0;
    hits[12] += open && !in->ld_affine && out->ld_hit && in->invalidate;
    hits[13] += out->alloc && in->ld_n == 4 && in->ld_addr[3] > UINT32_MAX / 2;
    hits[14] += open && out->ld_hit && !leader && !in->invalidate;
}

STIMULUS(6000, drive, observe, BIN("second entry of a slot"), BIN("eviction"),
         BIN_IF(LOOP_UPDATE, "update of an older entry"), BIN("invalidation in a full slot"),
         BIN("load waits for a flush of its slot"), BIN("kernel start beside slot flush"),
         BIN("read of a row being changed"), BIN("read of a row being allocated"),
         BIN("invalidate at the leading warp is ignored"), BIN("more than four requests miss"),
         BIN("more than four requests of the leading warp"), BIN("no active lane"),
         BIN("not affine"), BIN("four addresses"), BIN("trailing warp leaves the entry"))
