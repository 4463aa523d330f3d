/* caps_percta - PerCTA tables of the CTA-aware prefetcher (caps-prefetch 3.2.2, 3.2.3).
 * Holds who leads and where it started; strides are not its business. */
#define UNIT_TABLE "units/caps/caps_percta/caps_percta.ports.h"
#include "units/caps/lru_rank.h"
#include "units/model.h"

enum { NO_ROW = -1 };
enum action { NOTHING, ALLOCATE, UPDATE, INVALIDATE };

static bool flushing(const struct in *in)
{
    return in->kernel_start || in->flush_valid;
}

static int find(const struct state *s, uint64_t cta, uint64_t tag)
{
    for (unsigned entry = 0; entry < ENTRIES; entry++) {
        const unsigned row = (unsigned)cta * ENTRIES + entry;
        if (s->valid[row] && s->pc[row] == tag) {
            return (int)row;
        }
    }
    return NO_ROW;
}

/* A load that the prefetcher looks at: affine, with at least one active lane. */
static bool observed(const struct in *in)
{
    return in->ld_valid && !flushing(in) && in->ld_affine && in->ld_n != 0;
}

static enum action decide(const struct state *s, const struct in *in, int row)
{
    if (!observed(in) || in->ld_n > 4) {
        return NOTHING;
    }
    if (row == NO_ROW) {
        return ALLOCATE;
    }
    if (in->ld_wic == s->lead[row]) {
        return LOOP_UPDATE ? UPDATE : NOTHING;
    }
    return in->invalidate ? INVALIDATE : NOTHING;
}

static unsigned victim_row(const struct state *s, uint64_t cta)
{
    const unsigned first = (unsigned)cta * ENTRIES;
    return first + lru_rank_victim(s->age + first, s->valid + first, ENTRIES);
}

static void read_base(const struct state *s, unsigned row, uint64_t base[4])
{
    base[0] = s->base0[row];
    base[1] = s->base1[row];
    base[2] = s->base2[row];
    base[3] = s->base3[row];
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    const int row = find(s, in->ld_cta, in->ld_pc / PC_ALIGN);
    const enum action action = decide(s, in, row);
    out->ld_ready = !flushing(in);
    out->ld_hit = row != NO_ROW;
    if (row != NO_ROW) {
        out->ld_lead = s->lead[row];
        out->ld_last = s->last[row];
        read_base(s, (unsigned)row, out->ld_base);
    }
    const int read_row = find(s, in->read_cta, in->read_pc);
    out->read_hit = read_row != NO_ROW;
    if (read_row != NO_ROW) {
        out->read_lead = s->lead[read_row];
        out->read_last = s->last[read_row];
        read_base(s, (unsigned)read_row, out->read_base);
    }
    out->alloc = action == ALLOCATE;
    out->evict = action == ALLOCATE && s->valid[victim_row(s, in->ld_cta)];
    out->update = action == UPDATE;
    out->invalidated = action == INVALIDATE;
}

static uint32_t stored_address(const struct in *in, unsigned lane)
{
    const uint32_t address = lane < in->ld_n ? (uint32_t)in->ld_addr[lane] : 0;
    return ADDR_LINE ? address & ~UINT32_C(127) : address;
}

static void write_base(struct state *s, const struct in *in, unsigned row)
{
    s->last[row] = (uint8_t)(in->ld_n - 1);
    s->base0[row] = stored_address(in, 0);
    s->base1[row] = stored_address(in, 1);
    s->base2[row] = stored_address(in, 2);
    s->base3[row] = stored_address(in, 3);
}

static void touch(struct state *s, unsigned row)
{
    lru_rank_touch(s->age + row / ENTRIES * ENTRIES, ENTRIES, row % ENTRIES);
}

static void reset(struct state *s)
{
    for (unsigned row = 0; row < ROWS; row++) {
        s->valid[row] = 0;
        s->age[row] = (uint8_t)(row % ENTRIES);
    }
}

static void load(struct state *s, const struct in *in)
{
    int row = find(s, in->ld_cta, in->ld_pc / PC_ALIGN);
    const enum action action = decide(s, in, row);
    if (action == ALLOCATE) {
        row = (int)victim_row(s, in->ld_cta);
        s->valid[row] = 1;
        s->pc[row] = (uint32_t)(in->ld_pc / PC_ALIGN);
        s->lead[row] = (uint8_t)in->ld_wic;
    }
    if (action == ALLOCATE || action == UPDATE) {
        write_base(s, in, (unsigned)row);
    }
    if (action == ALLOCATE || action == UPDATE || (TOUCH_ON_HIT && observed(in) && row != NO_ROW)) {
        touch(s, (unsigned)row);
    }
    if (action == INVALIDATE) {
        s->valid[row] = 0;
    }
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        reset(s);
    } else if (in->flush_valid) {
        memset(s->valid + in->flush_slot * ENTRIES, 0, ENTRIES);
    } else {
        load(s, in);
    }
}

MODEL_SEQUENTIAL
