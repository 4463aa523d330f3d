/* checker_sync.c - order between warps that meet at no barrier: by fences, atomics and mbarriers.
 *
 * A fence makes all that a warp has done and seen ready to be handed on.  A strong write to a word of
 * memory hands on what was ready at the warp's last fence; who reads the word with a strong access
 * takes it when the value is there: an atomic at once, another load with the fence behind it.  So a lock that is taken by an atomic
 * and given back behind a fence orders what it guards; one given back without a fence does not.  An
 * arrival at an mbarrier hands on, a test of its phase takes, as they release and acquire by themselves.  A fence of CTA scope hands on to warps of the CTA only.  After the PTX ISA manual,
 * "Memory Consistency Model"; more lenient than it with atomics that no fence follows.  See
 * checker_private.h.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/checker/checker_private.h"

/* Words whose accesses order: of all blocks, or of the shared memory of one. */
struct checker_word {
    uint64_t address;
    struct checker_clocks grid, cta; /* handed on to all; to warps of the CTA that did it */
    UT_hash_handle hh;
};

/* ---- clocks ---- */

static bool reserve(struct checker_clocks *clocks, uint32_t n)
{
    struct checker_clock *more;

    if (n <= clocks->max) {
        return true;
    }
    more = realloc(clocks->at, 2 * n * sizeof *more);
    if (!more) {
        return false;
    }
    clocks->at = more;
    clocks->max = 2 * n;
    return true;
}

/* Merge from behind, in place: both ascend by warp. */
static bool join(struct checker_clocks *to, const struct checker_clocks *from)
{
    uint32_t i = to->n, k = from->n, both = 0, at;

    for (uint32_t a = 0, b = 0; a < to->n && b < from->n;) {
        const uint64_t x = to->at[a].warp, y = from->at[b].warp;

        both += x == y;
        a += x <= y;
        b += y <= x;
    }
    if (!reserve(to, to->n + from->n)) {
        return false;
    }
    at = to->n + from->n - both;
    to->n = at;
    while (k > 0) {
        const struct checker_clock *y = &from->at[k - 1];

        if (i > 0 && to->at[i - 1].warp > y->warp) {
            to->at[--at] = to->at[--i];
        } else {
            struct checker_clock next = *y;

            if (i > 0 && to->at[i - 1].warp == y->warp) {
                i--;
                next.clock = to->at[i].clock > y->clock ? to->at[i].clock : y->clock;
            }
            to->at[--at] = next;
            k--;
        }
    }
    return true;
}

uint32_t checker_clock_of(const struct checker_clocks *clocks, uint64_t warp)
{
    uint32_t low = 0, high = clocks->n;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (clocks->at[middle].warp < warp) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < clocks->n && clocks->at[low].warp == warp ? clocks->at[low].clock : 0;
}

void checker_clocks_free(struct checker_clocks *clocks)
{
    free(clocks->at);
    *clocks = (struct checker_clocks){0};
}

/* ---- warps ---- */

static uint64_t first_warp(const struct checker_block *block)
{
    return block->number * block->n_warps;
}

/* All that the warp has seen, itself included, in `to`; it goes on with another clock. */
static bool make_ready(struct checker_block *block, uint32_t n, struct checker_clocks *to)
{
    struct checker_warp *warp = &block->warp[n];
    struct checker_clock own[CHECKER_WARPS];
    struct checker_clocks mine = {own, 0, CHECKER_WARPS};

    warp->seen[n] = warp->clock++;
    warp->epoch++;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        if (warp->seen[w]) {
            own[mine.n++] = (struct checker_clock){first_warp(block) + w, warp->seen[w]};
        }
    }
    return join(to, &warp->foreign) && join(to, &mine);
}

/* What others handed on counts as seen. */
static bool take(struct checker_block *block, uint32_t n, const struct checker_clocks *from,
                 bool of_cta)
{
    struct checker_warp *warp = &block->warp[n];
    const uint64_t first = first_warp(block), end = first + block->n_warps;

    for (uint32_t i = 0; i < from->n; i++) {
        const struct checker_clock *c = &from->at[i];

        if (c->warp >= first && c->warp < end) {
            uint32_t *seen = &warp->seen[c->warp - first];

            *seen = *seen > c->clock ? *seen : c->clock;
        }
    }
    return of_cta || from->n == 0 || join(&warp->foreign, from);
}

bool checker_fence(struct checker_block *block, uint32_t n, bool cta_scope)
{
    struct checker_warp *warp = &block->warp[n];
    bool good = take(block, n, &warp->acquired, false) && take(block, n, &warp->acquired_cta, true);

    warp->acquired.n = warp->acquired_cta.n = 0;
    warp->fenced_loads = warp->strong_loads;
    if (!cta_scope) {
        good &= make_ready(block, n, &warp->ready);
    }
    return good && make_ready(block, n, &warp->ready_cta);
}

/* ---- words ---- */

static struct checker_word *word_at(struct checker_word **words, uint64_t address, bool make)
{
    struct checker_word *word;

    HASH_FIND(hh, *words, &address, sizeof address, word);
    if (!word && make && (word = calloc(1, sizeof *word))) {
        word->address = address;
        HASH_ADD(hh, *words, address, sizeof address, word);
    }
    return word;
}

void checker_words_free(struct checker_word **words)
{
    struct checker_word *word, *next;

    HASH_ITER(hh, *words, word, next)
    {
        HASH_DEL(*words, word);
        checker_clocks_free(&word->grid);
        checker_clocks_free(&word->cta);
        free(word);
    }
}

static bool take_word(struct checker_block *block, uint32_t n, const struct checker_word *word,
                      bool at_once)
{
    if (!word) {
        return true;
    }
    if (at_once) {
        return take(block, n, &word->grid, false) && take(block, n, &word->cta, true);
    }
    return join(&block->warp[n].acquired, &word->grid) &&
           join(&block->warp[n].acquired_cta, &word->cta);
}

bool checker_acquire(struct checker_word **words, struct checker_block *block, uint32_t n,
                     bool at_once, const struct isa_memop *memop)
{
    uint64_t last = UINT64_MAX;
    bool good = true;

    for (uint32_t rest = memop->mask; rest && good; rest &= rest - 1) {
        uint64_t address = memop->addr[__builtin_ctz(rest)];

        if (address != last) {
            good = take_word(block, n, word_at(words, address, false), at_once);
        }
        last = address;
    }
    return good;
}

bool checker_returns(struct checker_word **words, struct checker_block *block, uint32_t n,
                     struct checker_order order, const struct isa_memop *memop)
{
    struct checker_warp *warp = &block->warp[n];
    bool fenced = warp->fenced_loads > 0;

    warp->fenced_loads -= fenced;
    warp->strong_loads -= warp->strong_loads > 0;
    return checker_acquire(words, block, n, order.acquires || fenced, memop);
}

bool checker_release(struct checker_word **words, struct checker_block *block, uint32_t n,
                     struct checker_order order, const struct isa_memop *memop)
{
    struct checker_warp *warp = &block->warp[n];
    uint64_t last = UINT64_MAX;
    bool good = !order.releases || (make_ready(block, n, &warp->ready_cta));

    if (warp->ready.n == 0 && warp->ready_cta.n == 0) {
        return good;
    }
    for (uint32_t rest = memop->mask; rest && good; rest &= rest - 1) {
        uint64_t address = memop->addr[__builtin_ctz(rest)];
        struct checker_word *word = address == last ? NULL : word_at(words, address, true);

        if (address != last) {
            good = word && join(&word->grid, &warp->ready) && join(&word->cta, &warp->ready_cta);
        }
        last = address;
    }
    return good;
}
