/* rdu - the race detection unit: signatures of unseen updates of all SMs, in front of the
 * L2 banks (tabbakh2018 3.7.3, 3.7.4).  Knows nothing of data, caches or the network. */
#define UNIT_TABLE "units/rdu/rdu/rdu.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/rdu/bloom.h"

#if !UNIT_SET_ONE_CYCLE
#include "units/rdu/signature_words.h"
#endif

enum { OF_SM = M / 64, OF_ROW = ROW / 64, NOBODY = -1 };

/* The lowest SM whose signature must be forced now, or NOBODY. */
static int forced_sm(const struct state *s)
{
    if (s->started && !FULL_AT_ONCE) {
        return NOBODY;
    }
    for (int sm = 0; sm < SMS; sm++) {
        if (s->ucnt[sm] >= N) {
            return sm;
        }
    }
    return NOBODY;
}

/* Steps of the granule or wait in work that are over. */
static unsigned ticks(const struct state *s)
{
#if UNIT_SET_GRANULE_CYCLES > 1 || UNIT_SET_LAT > 1
    return s->tick;
#else
    (void)s;
    return 0;
#endif
}

static void set_ticks(struct state *s, unsigned ticks)
{
#if UNIT_SET_GRANULE_CYCLES > 1 || UNIT_SET_LAT > 1
    s->tick = (uint8_t)ticks;
#else
    (void)s, (void)ticks;
#endif
}

static bool stores(const struct state *s)
{
    return s->q_type[0] == in_type_WR || s->q_type[0] == in_type_ATOMIC;
}

static bool checks(const struct state *s)
{
    return s->q_type[0] != in_type_WR;
}

/* The oldest message's lowest granule that is left, or GRANULES. */
static unsigned next_granule(const struct state *s)
{
    for (unsigned n = 0; n < MASK_N; n++) {
        if (s->q_mask[n] != 0) {
            return n * MASK_W + (unsigned)__builtin_ctzll((uint64_t)s->q_mask[n]);
        }
    }
    return GRANULES;
}

/* What the oldest message does in this step. */
struct work {
    bool left;         /* there are granules */
    bool step, answer; /* a granule is done; the message is answered */
    bool sync;         /* the answer is a synchronisation point */
    unsigned granule;
};

/* Is the granule in work done in this step? */
static bool looked_up(const struct state *s)
{
#if UNIT_SET_ONE_CYCLE
    return ticks(s) == GRANULE_CYCLES - 1;
#else
    return s->looked_up;
#endif
}

static struct work work_of(const struct state *s)
{
    struct work work = {.step = false};
    if (s->count == 0 || forced_sm(s) != NOBODY) {
        return work;
    }
    work.granule = next_granule(s);
    const bool left = work.granule < GRANULES;
    const bool quiet = s->q_type[0] == in_type_WR && s->q_nosync[0];
    work.left = left;
    work.step = left && looked_up(s);
    work.answer = !left && ticks(s) == LAT - 1;
    work.sync = stores(s) ? !quiet : s->race;
    return work;
}

/* The word of the SM's signature that is next.  Over all words, here and where they are written: CBMC
 * takes a run of words that begins where a variable says for a change of any byte of them. */
static void show_word(const struct state *s, unsigned of, uint64_t word[OF_ROW])
{
#if UNIT_SET_ONE_CYCLE
    for (unsigned i = 0; i < SMS * OF_SM; i++) {
        word[i % OF_ROW] |= i / OF_SM == of && i % OF_SM / OF_ROW == s->at ? s->usig[i] : 0;
    }
#else
    for (unsigned i = 0; i < SMS * OF_ROW; i++) {
        word[i % OF_ROW] |= i / OF_ROW == of ? s->read_word[i] : 0;
    }
#endif
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, sizeof *out);
    const struct work work = work_of(s);
    const int forced = forced_sm(s);
    const bool happens = !in->kernel_start, taken = in->out_ready && happens;
    const bool last = s->at == WORDS - 1;
    const bool synced = work.answer && taken && work.sync && last;
    out->in_ready = s->count < QUEUE_ENTRIES;
    out->ack_valid = work.answer;
    out->ack_sm = s->q_sm[0];
    out->ack_id = s->q_id[0];
    out->ack_race = s->race;
    out->ack_has_sig = work.sync;
    out->fsync_valid = forced != NOBODY;
    out->fsync_sm = forced != NOBODY ? (uint64_t)forced : 0;
    out->sig_valid = forced != NOBODY || (out->ack_valid && work.sync);
    out->sig_at = s->at;
    if (out->sig_valid) {
        show_word(s, forced != NOBODY ? (unsigned)forced : s->q_sm[0], out->sig);
    }
    out->insert = work.step && happens && stores(s);
    out->test = work.step && happens && checks(s);
    out->store_sync = synced && stores(s);
    out->race_sync = synced && !stores(s);
    out->forced_sync = forced != NOBODY && taken && last;
}

#if UNIT_SET_ONE_CYCLE

static void empty(struct state *s, unsigned of)
{
    for (unsigned word = 0; word < SMS * OF_SM; word++) {
        s->usig[word] = word / OF_SM == of ? 0 : s->usig[word];
    }
}

static bool found(const struct state *s, unsigned sm, uint32_t key)
{
    return bloom_found(&s->usig[sm * OF_SM], key, M);
}

static void add(struct state *s, unsigned writer, uint32_t key)
{
    uint64_t added[OF_SM] = {0};
    bloom_insert(added, key, M);
    for (unsigned word = 0; word < SMS * OF_SM; word++) {
        s->usig[word] |= word / OF_SM != writer ? added[word % OF_SM] : 0;
    }
}

#else

/* The memory does this: look_up. */
static void empty(struct state *s, unsigned of)
{
    (void)s, (void)of;
}

static bool found(const struct state *s, unsigned sm, uint32_t key)
{
    (void)key;
    return s->all_found[sm];
}

static void add(struct state *s, unsigned writer, uint32_t key)
{
    (void)s, (void)writer, (void)key;
}

/* One step of the memories and of the walk over a granule's bits; `emptied` SMs are bits. */
static void look_up(struct state *s, const struct in *in, const struct work *work, unsigned emptied,
                    unsigned next_at)
{
    const bool idle = s->walk_step == 0, tests = walk_tests(s);
    const unsigned others = ((1u << SMS) - 1) & ~(1u << s->q_sm[0]);
    struct memory_edge edge = {.clear = emptied,
                               .read_at = idle ? next_at : walk_word(s, 0),
                               .write = tests && stores(s) && !in->kernel_start ? others : 0,
                               .write_at = walk_word(s, BLOOM_HASHES - 1)};
    const bool ends = walk_ends(s), starts = work->left && !s->looked_up && !in->kernel_start;
    const uint32_t key = bloom_key(s->q_addr[0], work->granule, SHIFT);
    walk_data(s, edge.data);
    for (unsigned sm = 0; sm < SMS; sm++) {
        s->all_found[sm] = idle || (s->all_found[sm] && (!tests || walk_found(s, sm)));
    }
    memory_seq(s, s->usig, &edge);
    walk_seq(s, in->kernel_start, starts, key);
    s->looked_up = ends && !in->kernel_start;
}

#endif

static void sync_point(struct state *s, unsigned of)
{
    empty(s, of);
    s->ucnt[of] = 0;
}

/* The granule becomes an update that no SM but the writer has seen. */
static void insert(struct state *s, unsigned writer, uint32_t key)
{
    for (unsigned sm = 0; sm < SMS; sm++) {
        if (sm != writer) {
            const bool counted = !COUNT_UNIQUE || !found(s, sm, key);
            s->ucnt[sm] = (__typeof__(*s->ucnt))unit_bits(s->ucnt[sm] + counted, COUNT_W);
        }
    }
    add(s, writer, key);
}

/* Take the oldest message off. */
static void pop(struct state *s)
{
    const unsigned moved = QUEUE_ENTRIES - 1;
    memmove(s->q_type, s->q_type + 1, moved * sizeof *s->q_type);
    memmove(s->q_sm, s->q_sm + 1, moved * sizeof *s->q_sm);
    memmove(s->q_addr, s->q_addr + 1, moved * sizeof *s->q_addr);
    memmove(s->q_mask, s->q_mask + MASK_N, moved * MASK_N * sizeof *s->q_mask);
    memmove(s->q_nosync, s->q_nosync + 1, moved * sizeof *s->q_nosync);
    memmove(s->q_id, s->q_id + 1, moved * sizeof *s->q_id);
    s->q_type[moved] = 0;
    s->q_sm[moved] = 0;
    s->q_addr[moved] = 0;
    memset(&s->q_mask[moved * MASK_N], 0, MASK_N * sizeof *s->q_mask);
    s->q_nosync[moved] = 0;
    s->q_id[moved] = 0;
    s->count--;
}

static void push(struct state *s, const struct in *in)
{
    const unsigned at = s->count++;
    const bool whole = MISS_BLOCK && in->in_type == in_type_RCHK_MISS;
    s->q_type[at] = (uint8_t)in->in_type;
    s->q_sm[at] = (uint8_t)in->in_sm;
    s->q_addr[at] = (uint32_t)in->in_addr;
    s->q_nosync[at] = (uint8_t)in->in_nosync;
    s->q_id[at] = (uint8_t)in->in_id;
    for (unsigned g = 0; g < GRANULES; g++) {
        const uint64_t touched = whole || bloom_touches(in->in_mask, g, SHIFT);
        s->q_mask[at * MASK_N + g / MASK_W] |= (__typeof__(*s->q_mask))(touched << g % MASK_W);
    }
}

static void take_granule(struct state *s, unsigned g)
{
    const uint32_t key = bloom_key(s->q_addr[0], g, SHIFT);
    if (checks(s) && found(s, s->q_sm[0], key)) {
        s->race = 1;
    }
    if (stores(s)) {
        insert(s, s->q_sm[0], key);
    }
    s->q_mask[g / MASK_W] &= (__typeof__(*s->q_mask))~(UINT64_C(1) << g % MASK_W);
    s->started = 1;
    set_ticks(s, 0);
}

static void finish(struct state *s, const struct work *work)
{
    if (work->sync) {
        sync_point(s, s->q_sm[0]);
    }
    pop(s);
    s->started = 0;
    s->race = 0;
    set_ticks(s, 0);
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
#if !UNIT_SET_ONE_CYCLE
    memset(s->all_found, 1, sizeof s->all_found);
#endif
}

#if !UNIT_SET_ONE_CYCLE
/* A kernel boundary, after the memories were emptied; which bits were found so far goes on. */
static void forget(struct state *s)
{
    uint8_t found_so_far[SMS];
    memcpy(found_so_far, s->all_found, sizeof found_so_far);
    reset(s);
    memcpy(s->all_found, found_so_far, sizeof found_so_far);
}
#endif

/* A word goes out; true with the last one. */
static bool word_taken(struct state *s)
{
    s->at = s->at == WORDS - 1 ? 0 : (uint8_t)(s->at + 1);
    return s->at == 0;
}

/* What the unit does in this step, other than to take a message. */
static void serve(struct state *s, const struct in *in, const struct work *work, int forced)
{
    if (forced != NOBODY) {
        if (in->out_ready && word_taken(s)) {
            sync_point(s, (unsigned)forced);
        }
    } else if (work->step) {
        take_granule(s, work->granule);
    } else if (work->answer) {
        if (in->out_ready && (!work->sync || word_taken(s))) {
            finish(s, work);
        }
    } else if (s->count > 0 && (ONE_CYCLE || !work->left)) {
        set_ticks(s, ticks(s) + 1);
    }
}

static void seq(struct state *s, const struct in *in)
{
    const bool room = s->count < QUEUE_ENTRIES;
    const int forced = forced_sm(s);
    const struct work work = work_of(s);
#if !UNIT_SET_ONE_CYCLE
    const bool goes = in->out_ready && (forced != NOBODY || (work.answer && work.sync));
    const unsigned next_at = goes ? (s->at + 1u) % WORDS : s->at;
    const unsigned shown = forced != NOBODY ? (unsigned)forced : s->q_sm[0];
    const unsigned emptied = goes && next_at == 0 ? 1u << shown : 0;
#endif
    if (in->kernel_start) {
#if UNIT_SET_ONE_CYCLE
        reset(s);
#else
        const struct work none = {.step = false};
        look_up(s, in, &none, (1u << SMS) - 1, next_at);
        forget(s);
#endif
        return;
    }
    serve(s, in, &work, forced);
#if !UNIT_SET_ONE_CYCLE
    look_up(s, in, &work, emptied, next_at);
#endif
    if (in->in_valid && room) {
        push(s, in);
    }
}

static bool is_unused(const struct state *s, unsigned at)
{
    uint64_t mask = 0;
    for (unsigned n = 0; n < MASK_N; n++) {
        mask |= s->q_mask[at * MASK_N + n];
    }
    return !s->q_type[at] && !s->q_sm[at] && !s->q_addr[at] && !mask && !s->q_nosync[at] &&
           !s->q_id[at];
}

/* Messages come from SMs that there are and fit in the queue, whose other places are empty; the
 * granule or wait in work is not over. */
static bool in_bounds(const struct state *s)
{
    bool holds = s->count <= QUEUE_ENTRIES;
    for (unsigned at = 0; at < QUEUE_ENTRIES; at++) {
        holds &= s->q_sm[at] < SMS && (at < s->count || is_unused(s, at));
    }
    const unsigned end = next_granule(s) < GRANULES ? GRANULE_CYCLES : LAT;
    return holds && ticks(s) < (s->count > 0 ? end : 1);
}

MODEL_INVARIANT(in_bounds)
MODEL_SEQUENTIAL

/* There is no other SM. */
static bool from_an_sm(const struct state *s, const struct in *in)
{
    (void)s;
    return in->in_sm < SMS;
}

MODEL_ACCEPTS(from_an_sm)
