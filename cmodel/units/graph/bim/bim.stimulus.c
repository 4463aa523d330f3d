/* Stimulus of bim.  Lines are drawn from 32 of a stretch, so that those that left come again, and one
 * in eight from all.  In turns of a few periods most lines that leave are fine, coarse, or as the
 * default says, so that the default is turned around, kept just so, and the arrays swap. */
#define UNIT_TABLE "units/graph/bim/bim.ports.h"
#include "tb/stimulus.h"

static uint64_t line_of(struct tb_random *random, uint64_t step, uint64_t drawn)
{
    const uint64_t number = step / 512 * 8 + tb_random_below(random, 32);
    const uint64_t spread = number * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LINE_W);
    return tb_random_below(random, 8) ? spread : drawn;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    static const uint8_t of_class[2][3] = {{7, 14, 15}, {1, 6, 8}}; /* coarse, fine */
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    const struct out *last = (const struct out *)last_out;
    const uint64_t turn = step / (3 * PERIOD);
    in->miss_line = line_of(random, step, in->miss_line);
    in->evict_line = line_of(random, step, in->evict_line);
    if (tb_random_below(random, 4) == 0) {
        in->miss_line = was->evict_line;
    }
    /* Notes of a period are around the limit: SKEW in ten of the other class. */
    const bool other = turn % 3 == 0 ? tb_random_below(random, 100) < 10 * SKEW
                                     : turn % 3 == 1 || tb_random_below(random, 8) == 0;
    if (tb_random_below(random, 16)) {
        in->evict_used = of_class[other != last->default_fine][tb_random_below(random, 3)];
    }
}

enum bin {
    IN_FILTER,
    NOT_IN_FILTER,
    SWAPPED,
    TURNED_TO_FINE,
    TURNED_TO_COARSE,
    KEPT_JUST_SO,
    UNREAD,
    MISS_IN_TURN
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const bool judged = s->evict && s->evicts == PERIOD - 1;
    hits[IN_FILTER] += s->done && out->coarse == s->as_fine[0];
    hits[NOT_IN_FILTER] += s->done && out->coarse != s->as_fine[0];
    hits[SWAPPED] += s->note && s->round == PERIOD - 1 && !out->flipped;
    hits[TURNED_TO_FINE] += out->flipped && !s->fine;
    hits[TURNED_TO_COARSE] += out->flipped && s->fine;
    hits[KEPT_JUST_SO] += judged && s->notes + s->note == SKEW * PERIOD / 10;
    hits[UNREAD] += in->evict_valid && in->evict_used == 0;
    hits[MISS_IN_TURN] += in->miss_valid && out->flipped;
}

STIMULUS(60000, drive, observe, BIN_IF(FINE > 0 && FINE < 4, "the line of a miss is in the filter"),
         BIN("it is not"), BIN("the arrays swap"), BIN_IF(FINE > 0, "the default becomes fine"),
         BIN("it becomes coarse"), BIN("it is kept, just so"), BIN("a line was not read at all"),
         BIN("a miss as the default is turned around"))
