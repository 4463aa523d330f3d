/* Stimulus of vcache8.  Twelve addresses for eight entries: probes and stores find lines, insertions
 * meet their own line, free entries and a full cache.  Half of the insertions stand beside a probe, as
 * a swap does; one probe in 16 has an address one bit apart from the last insertion's. */
#define UNIT_TABLE "units/graph/vcache8/vcache8.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    (void)last_out;
    if (step / 128 % 2) { /* few lines leave: the cache fills up */
        in->probe_valid &= tb_random_below(random, 8) == 0;
        in->inv_valid &= tb_random_below(random, 2);
    }
    switch (tb_random_below(random, 48)) {
    case 0:
        in->probe_addr = was->insert_addr ^ UINT64_C(1) << tb_random_below(random, ADDR_W);
        break;
    case 1: in->inv_addr = was->insert_addr ^ UINT64_C(1) << tb_random_below(random, ADDR_W); break;
    case 2:
        in->insert_addr = was->insert_addr ^ UINT64_C(1) << tb_random_below(random, ADDR_W);
        break;
    case 3: in->inv_addr = in->probe_addr; break;
    default: break;
    }
}

enum bin {
    SWAP_WHEN_FULL,
    OWN_LINE,
    STORE_MAKES_PLACE,
    STORE_TO_PROBED,
    PROBED_AND_INSERTED,
    FLUSH_AND_INSERT
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    unsigned count = 0, own = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        count += s->valid[i];
        own += s->valid[i] && s->addr[i] == in->insert_addr;
    }
    const bool insert = in->insert_valid && !in->flush, full = count == ENTRIES;
    hits[SWAP_WHEN_FULL] += insert && full && out->hit && !out->evict_valid;
    hits[OWN_LINE] += insert && full && own && !out->hit && !out->invalidated;
    hits[STORE_MAKES_PLACE] += insert && full && out->invalidated && !out->hit && !own;
    hits[STORE_TO_PROBED] += out->hit && in->inv_valid && in->inv_addr == in->probe_addr;
    hits[PROBED_AND_INSERTED] += insert && out->hit && in->insert_addr == in->probe_addr;
    hits[FLUSH_AND_INSERT] += in->insert_valid && in->flush && full;
}

STIMULUS(3000, drive, observe, BIN("a swap in a full cache"),
         BIN("a line that is here is inserted"), BIN("the place of a line just stored to"),
         BIN("a store to the line that is probed"), BIN("a line is probed and inserted"),
         BIN("flush beside an insertion into a full cache"))
