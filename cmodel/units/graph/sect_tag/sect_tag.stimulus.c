/* Stimulus of sect_tag.  Lines are independent: three in four events are of four of them, by stretches
 * others, so that lines fill sector by sector, are read and replaced; the rest go anywhere.  Reads are
 * of what comes in their cycle: what else is there only the caller knows. */
#define UNIT_TABLE "units/graph/sect_tag/sect_tag.ports.h"
#include "tb/stimulus.h"

static uint64_t line_of(struct tb_random *random, uint64_t step, uint64_t drawn)
{
    const uint64_t near = step / 256 * 4 + tb_random_below(random, 4);
    return (tb_random_below(random, 4) ? near : drawn) % LINES;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    in->lk_line = line_of(random, step, in->lk_line);
    in->inv_line = line_of(random, step, in->inv_line);
    in->fill_line = line_of(random, step, in->fill_line);
    in->fill_new = tb_random_below(random, 3) == 0;
    in->lk_need |= UINT64_C(1) << tb_random_below(random, 4);
    in->fill_mask |= UINT64_C(1) << tb_random_below(random, 4);
    in->read_valid = in->fill_valid && tb_random_below(random, 2);
    in->read_line = in->read_valid ? in->fill_line : in->read_line % LINES;
    in->read_mask = in->read_valid ? in->read_mask & in->fill_mask : in->read_mask;
}

enum bin {
    HIT,
    SECTOR_MISS,
    BLOCK_MISS,
    OVER_FETCHED,
    STORED_AND_FILLED,
    FLUSH_AND_FILL,
    FILL_AND_LOOK_UP,
    WIDENED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const bool held = in->fill_valid && in->fill_new && s->there[in->fill_line];
    hits[HIT] += out->hit;
    hits[SECTOR_MISS] += out->sec_miss;
    hits[BLOCK_MISS] += out->blk_miss;
    hits[OVER_FETCHED] += out->evict_valid && out->evict_unused;
    hits[STORED_AND_FILLED] += held && in->inv_valid && in->inv_line == in->fill_line && !in->flush;
    hits[FLUSH_AND_FILL] += held && in->flush;
    hits[FILL_AND_LOOK_UP] += in->lk_valid && in->fill_valid && in->lk_line == in->fill_line;
    hits[WIDENED] += in->fill_valid && !in->fill_new && s->there[in->fill_line] &&
                     (in->fill_mask & ~(uint64_t)s->there[in->fill_line]);
}

STIMULUS(5000, drive, observe, BIN("a hit"), BIN("a sector miss"), BIN("a block miss"),
         BIN("a line leaves with sectors that were not read"),
         BIN("a line is stored to as it is replaced"), BIN("flush as a line is replaced"),
         BIN("a request of a line that is being filled"), BIN("sectors come to those there"))
