/* caps_percta - PerCTA tables of the CTA-aware prefetcher (caps-prefetch 3.2.2, 3.2.3).
 * Holds who leads and where it started; strides are not its business. */
#define UNIT_TABLE "units/caps/caps_percta/caps_percta.ports.h"
#include "units/caps/lru_rank.h"
#include "units/model.h"

enum action { NOTHING, ALLOCATE, UPDATE, INVALIDATE };

/* A look-up's answer: where the PC is, or which entry would give way. */
struct answer {
    bool hit;
    unsigned row;
    uint64_t lead, last, base[4];
};

static bool flushing(const struct in *in)
{
    return in->kernel_start || in->flush_valid;
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

static struct answer answer_of(const struct state *s, bool hit, unsigned row)
{
    struct answer answer = {hit, row, s->lead[row], s->last[row], {0}};
    read_base(s, row, answer.base);
    return answer;
}

#if UNIT_SET_ONE_CYCLE
enum { NO_ROW = -1 };

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

static struct answer of_load(const struct state *s, const struct in *in)
{
    const int row = find(s, in->ld_cta, in->ld_pc / PC_ALIGN);
    return answer_of(s, row != NO_ROW, row != NO_ROW ? (unsigned)row : victim_row(s, in->ld_cta));
}

static struct answer of_read(const struct state *s, const struct in *in)
{
    const int row = find(s, in->read_cta, in->read_pc);
    return answer_of(s, row != NO_ROW, row != NO_ROW ? (unsigned)row : 0);
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
/* The look-up of the load at hand is over. */
static bool is_found(const struct state *s)
{
    return s->found;
}

static bool is_read(const struct state *s, const struct in *in)
{
    return in->read_valid && s->reads && !flushing(in);
}

/* The lowest entry of a look-up in its second cycle. */
static unsigned entry_found(const struct state *s)
{
    return s->match != 0 ? (unsigned)__builtin_ctz(s->match) : 0;
}

static struct answer of_load(const struct state *s, const struct in *in)
{
    struct answer answer = {s->found_hit,
                            (unsigned)in->ld_cta * ENTRIES + s->found_way,
                            s->found_lead,
                            s->found_last,
                            {0}};
    for (unsigned i = 0; i < 4; i++) {
        answer.base[i] = s->found_base[i];
    }
    return answer;
}

static struct answer of_read(const struct state *s, const struct in *in)
{
    const uint64_t cta = s->loads ? in->ld_cta : in->read_cta; /* of the one in its second cycle */
    return answer_of(s, s->match != 0, (unsigned)cta * ENTRIES + entry_found(s));
}

static void reset_steps(struct state *s)
{
    s->loads = s->reads = s->found = 0;
    s->match = 0;
    s->found_hit = s->found_way = s->found_lead = s->found_last = 0;
    memset(s->found_base, 0, sizeof s->found_base);
}

/* The load's look-up, in its second cycle, leaves its answer. */
static void keep_answer(struct state *s, const struct in *in)
{
    const unsigned first = (unsigned)in->ld_cta * ENTRIES;
    const bool hit = s->match != 0;
    const struct answer answer = answer_of(s, hit, first + entry_found(s));
    s->found_hit = hit;
    s->found_way = (uint8_t)(hit ? entry_found(s) : victim_row(s, in->ld_cta) - first);
    if (!hit) {
        return;
    }
    s->found_lead = (uint8_t)answer.lead;
    s->found_last = (uint8_t)answer.last;
    for (unsigned i = 0; i < 4; i++) {
        s->found_base[i] = (uint32_t)answer.base[i];
    }
}

/* The next cycle of both look-ups, before the tables change; `taken`: the load is. */
static void clock_steps(struct state *s, const struct in *in, bool taken)
{
    const bool load_first = in->ld_valid && !s->loads && !s->found;
    const bool reads = in->read_valid && !s->reads && !load_first && !taken;
    const uint64_t cta = load_first ? in->ld_cta : in->read_cta;
    const uint64_t tag = load_first ? in->ld_pc / PC_ALIGN : in->read_pc;
    if (s->loads) {
        keep_answer(s, in);
    }
    s->found = !flushing(in) && (s->found || s->loads) && in->ld_valid && !taken;
    s->loads = !flushing(in) && load_first;
    s->reads = !flushing(in) && reads;
    s->match = 0;
    for (unsigned entry = 0; entry < ENTRIES; entry++) {
        const bool same = s->valid[cta * ENTRIES + entry] && s->pc[cta * ENTRIES + entry] == tag;
        s->match |= (__typeof__(s->match))(same << entry);
    }
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

static enum action decide(const struct state *s, const struct in *in, const struct answer *answer)
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
    const struct answer load = of_load(s, in), read = of_read(s, in);
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

static void load(struct state *s, const struct in *in, const struct answer *answer,
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
    const struct answer answer = of_load(s, in);
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
