/* Stimulus of cache_line_fsm.  A line has at most five states and its next state depends
 * on five events of its own cycle, so the state space of one line is covered exhaustively;
 * which sets and ways meet is sampled.  Sets come from small pools; in half of the steps
 * all ports name one set, and in half of those one way, so that every pair of events
 * falls on one line.  The parameter sets take 2 and 3 bits per line, a way count that is
 * no power of two, and the L2 bank. */
#define UNIT_TABLE "units/adi/cache_line_fsm/cache_line_fsm.ports.h"
#include "tb/stimulus.h"

enum {
    INVALID = state_rd_INVALID,
    RESERVED = state_rd_RESERVED,
    VALID = state_rd_VALID,
    DOOMED = state_rd_DOOMED,
    MODIFIED = state_rd_MODIFIED
};

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    if (tb_random_below(random, 2) == 0) {
        in->rd_set = in->fill_set = in->line_set = in->flush_set = in->rsv_set;
        if (tb_random_below(random, 2) == 0) {
            in->fill_way = in->line_way = in->rsv_way;
        }
    }
}

static unsigned line_at(const struct state *s, uint64_t set, uint64_t way)
{
    return (unsigned)(s->line[set] >> way * LINE_W) & ((1 << LINE_W) - 1);
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    const unsigned filled = line_at(s, in->fill_set, in->fill_way);
    const unsigned operated = line_at(s, in->line_set, in->line_way);
    const bool flushes_fill = in->flush_step && in->flush_set == in->fill_set;
    const bool evicts_fill = in->line_op == line_op_EVICT && in->line_set == in->fill_set &&
                             in->line_way == in->fill_way;
    const bool one_line = in->line_set == in->rsv_set && in->line_way == in->rsv_way;
    hits[0] += out->all_reserved;
    hits[1] += out->reserved && in->flush_step && in->flush_set == in->rsv_set;
    hits[2] += out->reserved && in->fill_valid && in->fill_set == in->rsv_set &&
               in->fill_way == in->rsv_way;
    hits[3] += out->fill_dropped && filled == RESERVED && flushes_fill;
    hits[4] += out->fill_dropped && filled == RESERVED && evicts_fill;
    hits[5] += out->fill_dropped && filled == DOOMED;
    hits[6] += in->line_op == line_op_EVICT && operated == RESERVED && !in->fill_valid &&
               !in->flush_step;
    hits[7] += in->line_op == line_op_EVICT && one_line && out->reserved && operated == VALID;
    hits[8] += in->flush_step && line_at(s, in->flush_set, 0) == DOOMED && !in->fill_valid;
    hits[9] += in->flush_step && (out->flush_dirty & 1) != 0;
    hits[10] += out->fill_writeback;
    hits[11] += out->fill_kept && in->fill_dirty;
    hits[12] += out->reserved && line_at(s, in->rsv_set, in->rsv_way) == MODIFIED;
    hits[13] += in->line_op == line_op_CLEAN && operated == MODIFIED;
    hits[14] += in->line_op == line_op_DIRTY && operated == VALID;
    hits[15] += in->fill_valid && filled == INVALID;
}

STIMULUS(3000, drive, observe, BIN("set fully reserved"), BIN("reservation flushed at once"),
         BIN("reservation beside a stray fill"), BIN("fill beside its flush"),
         BIN("fill beside its eviction"), BIN("fill of a doomed line"),
         BIN("reserved line evicted"), BIN("eviction beside a reservation"),
         BIN("doomed line flushed again"), BIN_IF(WRITE_BACK, "modified line flushed"),
         BIN_IF(WRITE_BACK, "dropped fill with stores"), BIN("kept fill with stores"),
         BIN_IF(WRITE_BACK, "modified line reserved"), BIN_IF(WRITE_BACK, "modified line cleaned"),
         BIN("write hit"), BIN("stray fill"))
