/* reuse_table.h - counts of accesses and of hits by entry, and UPDATE over them: the RTL module
 * reuse_table (lakshminarayana2014 3.4.4, 3.5.4).
 *
 * For a model whose table has ENTRIES, COLUMNS, CTR_W, THR_SHIFT, RECOMPUTE, REPLACE, the phases and
 * the fields valid, trained, acc, hits, reuse, phase, at, least and where.  Knows nothing of what an
 * entry stands for. */
#ifndef WARPLOCK_UNITS_GRAPH_REUSE_TABLE_H
#define WARPLOCK_UNITS_GRAPH_REUSE_TABLE_H

typedef __typeof__(((struct state *)0)->least) reuse_count;

static inline void reuse_add(reuse_count *value, bool one)
{
    *value = (reuse_count)(*value + (one && *value < (1 << CTR_W) - 1));
}

/* The entry that is freed in this cycle, or ENTRIES; `rival` is compared with the fewest accesses. */
static inline unsigned reuse_freed(const struct state *s, bool kernel_start, uint64_t rival)
{
    bool all = s->phase == phase_FREE && !kernel_start;
    for (unsigned i = 0; i < ENTRIES; i++) {
        all &= s->valid[i];
    }
    return all && rival > s->least ? s->where : ENTRIES;
}

static inline bool reuse_is_last(const struct state *s)
{
    return s->phase == phase_HALVE && s->at == ENTRIES - 1;
}

static inline void reuse_clear(struct state *s, unsigned i, bool in_use)
{
    s->valid[i] = in_use;
    s->trained[i] = 0;
    s->acc[i] = 0;
    for (unsigned c = 0; c < COLUMNS; c++) {
        s->reuse[c * ENTRIES + i] = 0;
        s->hits[c * ENTRIES + i] = 0;
    }
}

static inline void reuse_halve(struct state *s, unsigned i)
{
    if (s->acc[i] == 0) {
        return;
    }
    s->acc[i] >>= 1;
    for (unsigned c = 0; c < COLUMNS; c++) {
        const unsigned h = c * ENTRIES + i;
        s->hits[h] >>= 1;
        s->reuse[h] = s->hits[h] > s->acc[i] >> THR_SHIFT || (!RECOMPUTE && s->reuse[h]);
    }
    s->trained[i] = 1;
}

/* A cycle of UPDATE; counts, and what is opened or freed, come behind it. */
static inline void reuse_update(struct state *s, bool tick)
{
    if (s->phase == phase_IDLE) {
        s->phase = tick ? REPLACE ? phase_SEEK : phase_HALVE : phase_IDLE;
        return;
    }
    if (s->phase == phase_FREE) {
        s->phase = phase_HALVE;
        return;
    }
    const bool seeks = s->phase == phase_SEEK, ends = s->at == ENTRIES - 1;
    if (!seeks) {
        reuse_halve(s, s->at);
    } else if (s->at == 0 || s->acc[s->at] < s->least) {
        s->least = s->acc[s->at];
        s->where = s->at;
    }
    s->at = ends ? 0 : (uint8_t)(s->at + 1);
    s->phase = !ends ? s->phase : seeks ? phase_FREE : phase_IDLE;
}

/* UPDATE is at an entry; flags and counts are those of entries in use. */
static inline bool reuse_is_sound(const struct state *s)
{
    bool sound = s->at < ENTRIES && s->where < ENTRIES && s->phase <= phase_HALVE &&
                 ((s->phase != phase_IDLE && s->phase != phase_FREE) || s->at == 0) &&
                 (REPLACE || s->phase == phase_IDLE || s->phase == phase_HALVE);
    for (unsigned i = 0; i < ENTRIES; i++) {
        sound &= s->valid[i] || !(s->acc[i] || s->trained[i]);
    }
    for (unsigned h = 0; h < COLUMNS * ENTRIES; h++) {
        sound &= s->valid[h % ENTRIES] || !(s->hits[h] || s->reuse[h]);
    }
    return sound;
}

#endif
