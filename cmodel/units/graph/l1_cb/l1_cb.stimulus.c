/* Stimulus of l1_cb.  Lines are independent: three in four accesses go to eight of them, by stretches
 * others, so that lines are filled, evicted and stored to again and again; the rest go anywhere. */
#define UNIT_TABLE "units/graph/l1_cb/l1_cb.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    const uint64_t near = step / 512 * 8;
    in->fill_line = tb_random_below(random, 4) ? near + tb_random_below(random, 8) : in->fill_line;
    in->inv_line = tb_random_below(random, 4) ? near + tb_random_below(random, 8) : in->inv_line;
    in->fill_line %= LINES;
    in->inv_line %= LINES;
}

enum bin { COPIED_BACK, DROPPED, STORED_AND_FILLED, STORED, FLUSH_AND_FILL };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const bool held = s->valid[in->fill_line] && s->cb[in->fill_line];
    const bool same = in->inv_valid && in->inv_line == in->fill_line;
    hits[COPIED_BACK] += out->evict_cb;
    hits[DROPPED] += out->evict_valid && !out->evict_cb;
    hits[STORED_AND_FILLED] += in->fill_valid && same && held && !in->flush;
    hits[STORED] += in->inv_valid && s->valid[in->inv_line] && !(in->fill_valid && same);
    hits[FLUSH_AND_FILL] += in->flush && in->fill_valid && held;
}

STIMULUS(5000, drive, observe, BIN("a line is copied back"), BIN("a line is dropped"),
         BIN("a line is stored to as it is filled"), BIN("a line is stored to"),
         BIN("flush as a line is filled"))
