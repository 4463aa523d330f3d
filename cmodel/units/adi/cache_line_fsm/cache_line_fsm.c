/* cache_line_fsm - the state of every line of a cache whose set index may change
 * (aci 3.8.2, 3.8.3, decisions 3.8.6).  Knows nothing of tags, of victims, nor of what
 * is in the data: an owner names lines by physical set and way. */
#define UNIT_TABLE "units/adi/cache_line_fsm/cache_line_fsm.ports.h"
#include "units/model.h"

enum line_state {
    INVALID = state_rd_INVALID,
    RESERVED = state_rd_RESERVED,
    VALID = state_rd_VALID,
    DOOMED = state_rd_DOOMED,
    MODIFIED = state_rd_MODIFIED
};

static unsigned line_at(const struct state *s, uint64_t set, uint64_t way)
{
    return way < WAYS ? (unsigned)unit_field(s->line[set], (unsigned)way * LINE_W, LINE_W)
                      : INVALID;
}

static void put_line(struct state *s, uint64_t set, uint64_t way, unsigned value)
{
    uint64_t shift = way * LINE_W, hole = unit_bits(UINT64_MAX, LINE_W) << shift;
    s->line[set] = (UNIT_WORD(LINE_W * WAYS))((s->line[set] & ~hole) | (uint64_t)value << shift);
}

static bool is_reserved(unsigned line)
{
    return line == RESERVED || line == DOOMED;
}

/* The flush or an eviction reaches this line in this cycle. */
static bool is_killed(const struct in *in, uint64_t set, uint64_t way)
{
    return (in->flush_step && in->flush_set == set) ||
           (in->line_op == line_op_EVICT && in->line_set == set && in->line_way == way);
}

/* The index under which the line was reserved, or its contents, are gone. */
static unsigned killed(unsigned line)
{
    return is_reserved(line) ? DOOMED : INVALID;
}

/* The fill stays in the cache: the line is still wanted when the data arrives. */
static bool fill_stays(const struct state *s, const struct in *in)
{
    return line_at(s, in->fill_set, in->fill_way) == RESERVED &&
           !is_killed(in, in->fill_set, in->fill_way);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->all_reserved = 1;
    out->flush_dirty = 0;
    for (unsigned way = 0; way < WAYS; way++) {
        out->state_rd[way] = line_at(s, in->rd_set, way);
        out->all_reserved &= is_reserved((unsigned)out->state_rd[way]);
        out->flush_dirty |= (uint64_t)(line_at(s, in->flush_set, way) == MODIFIED) << way;
    }
    bool rsv_free = !is_reserved(line_at(s, in->rsv_set, in->rsv_way));
    out->reserved = in->rsv_valid && rsv_free;
    out->rsv_refused = in->rsv_valid && !rsv_free;
    bool awaited = in->fill_valid && is_reserved(line_at(s, in->fill_set, in->fill_way));
    out->fill_kept = awaited && fill_stays(s, in);
    out->fill_dropped = awaited && !fill_stays(s, in);
    out->fill_writeback = out->fill_dropped && in->fill_dirty && WRITE_BACK;
    out->fill_stray = in->fill_valid && !awaited;
}

/* The operation on one line; a flush or fill of the same line leaves it only EVICT. */
static unsigned operated(unsigned line, uint64_t op)
{
    if (op == line_op_EVICT) {
        return killed(line);
    }
    if (WRITE_BACK && op == line_op_DIRTY && line == VALID) {
        return MODIFIED;
    }
    return WRITE_BACK && op == line_op_CLEAN && line == MODIFIED ? VALID : line;
}

static void seq(struct state *s, const struct in *in)
{
    /* Reservation and fill are judged by the states before this cycle. */
    struct out did;
    comb(s, in, &did);
    bool stays = did.fill_kept;
    if (in->line_op != line_op_NONE && in->line_way < WAYS) {
        put_line(s, in->line_set, in->line_way,
                 operated(line_at(s, in->line_set, in->line_way), in->line_op));
    }
    if (did.reserved && in->rsv_way < WAYS) {
        put_line(s, in->rsv_set, in->rsv_way, RESERVED);
    }
    if (in->flush_step) {
        for (unsigned way = 0; way < WAYS; way++) {
            put_line(s, in->flush_set, way, killed(line_at(s, in->flush_set, way)));
        }
    }
    if (stays || did.fill_dropped) {
        put_line(s, in->fill_set, in->fill_way,
                 !stays                         ? INVALID
                 : WRITE_BACK && in->fill_dirty ? MODIFIED
                                                : VALID);
    }
}

static void reset(struct state *s)
{
    memset(s->line, 0, sizeof s->line);
}

MODEL_SEQUENTIAL
