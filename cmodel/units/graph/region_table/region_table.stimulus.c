/* Stimulus of region_table.  Regions are drawn from 16 pages, so that they touch, overlap and are
 * empty; look-ups are of first and last bytes and their neighbours, and of any byte of those pages.
 * The upper bits of addresses are drawn once a stretch, and one look-up in 16 has one bit flipped. */
#define UNIT_TABLE "units/graph/region_table/region_table.ports.h"
#include "tb/stimulus.h"

static uint64_t within(uint64_t value)
{
    return value & (UINT64_MAX >> (64 - ADDR_W));
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    (void)last_out;
    const unsigned page = ADDR_W - 6; /* log2 of the bytes of a page */
    const uint64_t upper = (step / 4096 % 4) << (ADDR_W - 2);
    const uint64_t at = tb_random_below(random, 16) << page;
    in->cfg_base = upper + (tb_random_below(random, 16) << page);
    in->cfg_limit = within(in->cfg_base + (tb_random_below(random, 8) << page));
    if (tb_random_below(random, 8) == 0) {
        const uint64_t any = tb_random_below(random, UINT64_C(1) << page);
        in->cfg_base += any;
        in->cfg_limit = within(in->cfg_base + tb_random_below(random, 2) * (any + 1));
    }
    in->lk_addr = within(upper + at + tb_random_below(random, 3) - 1);
    if (tb_random_below(random, 4) == 0) { /* an end of the region written last */
        in->lk_addr = tb_random_below(random, 2) ? was->cfg_base : was->cfg_limit;
    }
    if (tb_random_below(random, 4) == 0) {
        in->lk_addr = upper + at + tb_random_below(random, UINT64_C(1) << page);
    }
    if (tb_random_below(random, 16) == 0) {
        in->lk_addr = was->lk_addr ^ UINT64_C(1) << tb_random_below(random, ADDR_W);
    }
}

enum bin { FIRST_BYTE, BEHIND_LAST, EMPTY_REGION, LAST_ENTRY, NO_ENTRY, CFG_AND_LOOK_UP, BEYOND };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    for (unsigned i = 0; i < ENTRIES; i++) {
        const bool asked = s->valid[i] && in->lk_valid;
        hits[FIRST_BYTE] += asked && in->lk_addr == s->base[i] && s->limit[i] > s->base[i];
        hits[BEHIND_LAST] += asked && in->lk_addr == s->limit[i] && s->limit[i] > s->base[i];
        hits[EMPTY_REGION] += asked && in->lk_addr == s->base[i] && s->limit[i] == s->base[i];
    }
    hits[LAST_ENTRY] += out->lk_done && out->rid == ENTRIES - 1;
    hits[NO_ENTRY] += out->lk_done && out->rid == ENTRIES;
    hits[CFG_AND_LOOK_UP] += in->cfg_valid && in->lk_valid && in->lk_addr == in->cfg_base;
    hits[BEYOND] += in->cfg_valid && in->cfg_idx == ENTRIES;
}

STIMULUS(20000, drive, observe, BIN("first byte of a region"), BIN("byte behind a region"),
         BIN("an empty region"), BIN("the last entry answers"), BIN("no entry answers"),
         BIN("a look-up of what is being written"), BIN("an entry that does not exist is written"))
