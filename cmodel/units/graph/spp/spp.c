/* spp - the sectors read when the same load last missed at the same place (lakshminarayana2014 3.6.2).
 * Knows nothing of lines but what they are handed back with. */
#define UNIT_TABLE "units/graph/spp/spp.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { START = DEFAULT ? 15 : 0 };

/* The way of the miss that is in its second cycle: the one that has its tag, else one to take. */
struct entry {
    bool found;
    unsigned way;
};

static struct entry entry_of(const struct state *s)
{
    struct entry entry = {false, 0};
    for (unsigned w = 0; w < WAYS; w++) {
        if (s->row_valid[w] && s->row_tag[w] == s->sought[0]) {
            return (struct entry){true, w};
        }
    }
    for (unsigned w = WAYS; w-- > 0;) {
        entry.way = s->row_rank[w] == WAYS - 1 ? w : entry.way;
    }
    for (unsigned w = WAYS; w-- > 0;) {
        entry.way = s->row_valid[w] ? entry.way : w;
    }
    return entry;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct entry entry = entry_of(s);
    (void)in;
    out->miss_ready = !s->busy;
    out->done = s->busy;
    out->found = entry.found;
    out->mask = s->need[0] | (uint64_t)(entry.found ? s->row_pattern[entry.way] : START);
    out->ptr = (uint64_t)s->set[0] * WAYS + entry.way;
}

static void finish(struct state *s)
{
    const struct entry entry = entry_of(s);
    const unsigned first = s->set[0] * (unsigned)WAYS, rank = s->row_rank[entry.way];
    for (unsigned w = 0; w < WAYS; w++) {
        s->rank[first + w] = (uint8_t)(s->row_rank[w] + (s->row_rank[w] < rank));
    }
    s->rank[first + entry.way] = 0;
    s->valid[first + entry.way] = 1;
    if (!entry.found) {
        s->tag[first + entry.way] = s->sought[0];
        s->pattern[first + entry.way] = START;
    }
}

static void read_set(struct state *s, const struct in *in)
{
    const uint64_t key = (in->miss_pc & ~UINT64_C(3)) | in->miss_off;
    const uint64_t tag = key >> 5 ^ key >> 17 ^ key >> 29;
    s->set[0] = (uint8_t)unit_bits(key ^ key >> 5 ^ key >> 10, SET_W);
    s->sought[0] = (__typeof__(*s->sought))unit_bits(tag, TAG_W);
    s->need[0] = (uint8_t)in->miss_need;
    for (unsigned w = 0; w < WAYS; w++) {
        const unsigned row = s->set[0] * (unsigned)WAYS + w;
        s->row_valid[w] = s->valid[row];
        s->row_rank[w] = s->rank[row];
        s->row_tag[w] = s->tag[row];
        s->row_pattern[w] = s->pattern[row];
    }
}

static void seq(struct state *s, const struct in *in)
{
    const bool takes = in->miss_valid && !s->busy;
    if (s->busy) {
        finish(s);
    }
    if (takes) {
        read_set(s, in);
    }
    s->busy = takes;
    if (LEARN && in->evict_valid) {
        s->pattern[in->evict_ptr] = (uint8_t)in->evict_used;
    }
}

static void reset(struct state *s)
{
    memset(s->valid, 0, sizeof s->valid);
    for (unsigned row = 0; row < ROWS; row++) {
        s->rank[row] = row % WAYS;
    }
    s->busy = 0;
    memset(s->row_valid, 0, sizeof s->row_valid);
    memset(s->row_rank, 0, sizeof s->row_rank);
}

/* The ranks of a set are a permutation. */
static bool is_permutation(const uint8_t *rank)
{
    unsigned seen = 0;
    for (unsigned w = 0; w < WAYS; w++) {
        seen |= 1u << rank[w];
    }
    return seen == (1u << WAYS) - 1;
}

/* No two entries of a set are of one pair. */
static bool has_no_twins(const struct state *s, unsigned first)
{
    bool differ = true;
    for (unsigned w = 0; w < WAYS; w++) {
        for (unsigned v = 0; v < w; v++) {
            differ &= !s->valid[first + w] || !s->valid[first + v] ||
                      s->tag[first + w] != s->tag[first + v];
        }
    }
    return differ;
}

/* What a miss has read is still what its set holds. */
static bool row_is_current(const struct state *s)
{
    bool is = s->set[0] < SETS;
    for (unsigned w = 0; is && w < WAYS; w++) {
        const unsigned row = s->set[0] * (unsigned)WAYS + w;
        is = s->row_valid[w] == s->valid[row] && s->row_rank[w] == s->rank[row] &&
             (!s->row_valid[w] || s->row_tag[w] == s->tag[row]);
    }
    return is;
}

static bool is_sound(const struct state *s)
{
    bool sound = !s->busy || row_is_current(s);
    for (unsigned set = 0; set < SETS; set++) {
        sound &= is_permutation(&s->rank[set * WAYS]) && has_no_twins(s, set * WAYS);
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
