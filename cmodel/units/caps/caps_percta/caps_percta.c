/* caps_percta - PerCTA tables of the CTA-aware prefetcher (caps-prefetch 3.2.2, 3.2.3).
 * Holds who leads and where it started; strides are not its business. */
#define UNIT_TABLE "units/caps/caps_percta/caps_percta.ports.h"
#include "units/caps/lru_rank.h"
#include "units/model.h"

#if UNIT_SET_ONE_CYCLE
#include "units/caps/caps_bases.h"
#else
#include "units/caps/caps_lookup_steps.h"
#endif

enum action { NOTHING, ALLOCATE, UPDATE, INVALIDATE };

static bool flushing(const struct in *in)
{
    return in->kernel_start || in->flush_valid;
}

static struct bases bases_of(const struct state *s)
{
    return (struct bases){s->valid, s->age, s->lead,
                          s->last,  s->pc,  {s->base0, s->base1, s->base2, s->base3}};
}

#if UNIT_SET_ONE_CYCLE
/* The look-up of the load at hand is over. */
static bool is_found(const struct state *s)
{
    (void)s;
    return true;
}

static bool is_read(const struct state *s, const struct in *in)
{
    (void)s;
    return in->read_valid && !flushing(in);
}

static struct bases_answer of_load(const struct state *s, const struct in *in)
{
    const struct bases bases = bases_of(s);
    const int row = bases_find(&bases, in->ld_cta, in->ld_pc / PC_ALIGN);
    return bases_answer(&bases, row != NO_ROW,
                        row != NO_ROW ? (unsigned)row : bases_victim(&bases, in->ld_cta));
}

static struct bases_answer of_read(const struct state *s, const struct in *in)
{
    const struct bases bases = bases_of(s);
    const int row = bases_find(&bases, in->read_cta, in->read_pc);
    return bases_answer(&bases, row != NO_ROW, row != NO_ROW ? (unsigned)row : 0);
}

static void reset_steps(struct state *s)
{
    (void)s;
}

static void clock_steps(struct state *s, const struct in *in, bool taken)
{
    (void)s, (void)in, (void)taken;
}
#else
static struct lookup_asks asks_of(const struct in *in, bool taken)
{
    return (struct lookup_asks){.load = in->ld_valid,
                                .read = in->read_valid,
                                .taken = taken,
                                .flushing = flushing(in),
                                .load_cta = in->ld_cta,
                                .load_pc = in->ld_pc / PC_ALIGN,
                                .read_cta = in->read_cta,
                                .read_pc = in->read_pc};
}

/* The look-up of the load at hand is over. */
static bool is_found(const struct state *s)
{
    return s->found;
}

static bool is_read(const struct state *s, const struct in *in)
{
    const struct lookup_asks asks = asks_of(in, false);
    return lookup_answers_read(s, &asks);
}

static struct bases_answer of_load(const struct state *s, const struct in *in)
{
    return lookup_of_load(s, in->ld_cta);
}

static struct bases_answer of_read(const struct state *s, const struct in *in)
{
    const struct bases bases = bases_of(s);
    const struct lookup_asks asks = asks_of(in, false);
    return lookup_of_read(s, &bases, &asks);
}

static void reset_steps(struct state *s)
{
    lookup_reset(s);
}

/* The next cycle of both look-ups, before the tables change; `taken`: the load is. */
static void clock_steps(struct state *s, const struct in *in, bool taken)
{
    const struct bases bases = bases_of(s);
    const struct lookup_asks asks = asks_of(in, taken);
    lookup_edge(s, &bases, &asks);
}
#endif

static bool is_ready(const struct state *s, const struct in *in)
{
    return is_found(s) && in->ld_judged && !flushing(in);
}

static bool is_taken(const struct state *s, const struct in *in)
{
    return in->ld_valid && is_ready(s, in);
}

/* A load that the prefetcher looks at: affine, with at least one active lane. */
static bool observed(const struct state *s, const struct in *in)
{
    return is_taken(s, in) && in->ld_affine && in->ld_n != 0;
}

static enum action decide(const struct state *s, const struct in *in,
                          const struct bases_answer *answer)
{
    if (!observed(s, in) || in->ld_n > 4) {
        return NOTHING;
    }
    if (!answer->hit) {
        return ALLOCATE;
    }
    if (in->ld_wic == answer->lead) {
        return LOOP_UPDATE ? UPDATE : NOTHING;
    }
    return in->invalidate ? INVALIDATE : NOTHING;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    const struct bases_answer load = of_load(s, in), read = of_read(s, in);
    const enum action action = decide(s, in, &load);
    out->ld_found = in->ld_valid && is_found(s);
    out->ld_ready = is_ready(s, in);
    out->ld_hit = out->ld_found && load.hit;
    if (out->ld_hit) {
        out->ld_lead = load.lead;
        out->ld_last = load.last;
        memcpy(out->ld_base, load.base, sizeof load.base);
    }
    out->read_ready = is_read(s, in);
    out->read_hit = out->read_ready && read.hit;
    if (out->read_hit) {
        out->read_lead = read.lead;
        out->read_last = read.last;
        memcpy(out->read_base, read.base, sizeof read.base);
    }
    out->alloc = action == ALLOCATE;
    out->evict = action == ALLOCATE && s->valid[load.row];
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

static void begin(struct state *s)
{
    for (unsigned row = 0; row < ROWS; row++) {
        s->valid[row] = 0;
        s->age[row] = (uint8_t)(row % ENTRIES);
    }
}

static void reset(struct state *s)
{
    begin(s);
    reset_steps(s);
}

static void load(struct state *s, const struct in *in, const struct bases_answer *answer,
                 enum action action)
{
    const unsigned row = answer->row;
    if (action == ALLOCATE) {
        s->valid[row] = 1;
        s->pc[row] = (uint32_t)(in->ld_pc / PC_ALIGN);
        s->lead[row] = (uint8_t)in->ld_wic;
    }
    if (action == ALLOCATE || action == UPDATE) {
        write_base(s, in, row);
    }
    if (action == INVALIDATE) {
        s->valid[row] = 0;
    }
}

static void seq(struct state *s, const struct in *in)
{
    const struct bases_answer answer = of_load(s, in);
    const enum action action = decide(s, in, &answer);
    const bool touches = action == ALLOCATE || action == UPDATE ||
                         (TOUCH_ON_HIT && observed(s, in) && answer.hit);
    clock_steps(s, in, is_taken(s, in));
    if (in->kernel_start) {
        begin(s);
    } else if (in->flush_valid) {
        memset(s->valid + in->flush_slot * ENTRIES, 0, ENTRIES);
    } else {
        load(s, in, &answer, action);
    }
    if (touches) {
        touch(s, answer.row);
    }
}

MODEL_SEQUENTIAL
