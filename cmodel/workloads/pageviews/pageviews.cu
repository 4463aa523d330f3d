/* pageviews.cu - how many views each page of a web log has, by two rounds of map and group.
 *
 * An entry of the log is "URL TAB address TAB cookie NEWLINE".  The first round hashes whole
 * entries, sorts them and keeps one of those that are the same; the second hashes URLs and sorts
 * by them, so that the views of a page stand together.  A thread reads its entry byte by byte.
 * Sorting is bitonic, in shared memory where the distance allows it; where hashes are equal the
 * texts decide, and then the place in the log. */
#include "cuda.h"

struct entry { unsigned start, length; };
struct pair { unsigned hash, entry; };

/* FNV-1a; `mask` has the bits of it that are used. */
#define HASH_START 2166136261u
#define HASH_PRIME 16777619u
/* The pairs behind the last one, up to a power of two: after all others. */
#define NOBODY 0xffffffffu
#define BLOCK 256

struct log { const unsigned char *text; const entry *entries; };

/* Texts are compared up to `end`, which both contain: -1, 0 or 1. */
static __device__ inline int compare(const log &in, unsigned a, unsigned b, unsigned end)
{
    const unsigned char *x = in.text + in.entries[a].start, *y = in.text + in.entries[b].start;
    ROLLED
    for (;; x++, y++) {
        const unsigned c = *x, d = *y;
        if (c != d)
            return c < d ? -1 : 1;
        if (c == end)
            return 0;
    }
}

static __device__ inline bool less(const log &in, pair a, pair b, unsigned end)
{
    if (a.hash != b.hash)
        return a.hash < b.hash;
    if (a.entry == NOBODY || b.entry == NOBODY)
        return a.entry < b.entry;
    const int order = compare(in, a.entry, b.entry, end);
    return order != 0 ? order < 0 : a.entry < b.entry;
}

KERNEL pageviews_entries(const unsigned char *text, const entry *entries, pair *pairs, unsigned n,
                         unsigned padded, unsigned mask)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= padded)
        return;
    if (i >= n) {
        pairs[i] = pair{NOBODY, NOBODY};
        return;
    }
    const unsigned start = entries[i].start, length = entries[i].length;
    unsigned hash = HASH_START;
    ROLLED
    for (unsigned j = 0; j < length; j++)
        hash = (hash ^ text[start + j]) * HASH_PRIME;
    pairs[i] = pair{hash & mask, i};
}

/* All steps of the sort by less than a CTA's threads: of sequences of first, 2 first ... last. */
KERNEL pageviews_sort_near(const unsigned char *text, const entry *entries, pair *pairs,
                           unsigned end, unsigned first, unsigned last)
{
    __shared__ pair here[BLOCK];
    const log in = {text, entries};
    const unsigned t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    here[t] = pairs[i];
    ROLLED
    for (unsigned sequence = first; sequence <= last; sequence *= 2) {
        ROLLED
        for (unsigned distance = sequence < BLOCK ? sequence / 2 : BLOCK / 2; distance > 0; distance /= 2) {
            __syncthreads();
            const unsigned other = t ^ distance;
            if (other > t) {
                const pair a = here[t], b = here[other];
                if (less(in, b, a, end) == ((i & sequence) == 0)) {
                    here[t] = b;
                    here[other] = a;
                }
            }
        }
    }
    __syncthreads();
    pairs[i] = here[t];
}

/* One step by a greater distance. */
KERNEL pageviews_sort_far(const unsigned char *text, const entry *entries, pair *pairs,
                          unsigned end, unsigned sequence, unsigned distance)
{
    const log in = {text, entries};
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x, other = i ^ distance;
    if (other <= i)
        return;
    const pair a = pairs[i], b = pairs[other];
    if (less(in, b, a, end) == ((i & sequence) == 0)) {
        pairs[i] = b;
        pairs[other] = a;
    }
}

/* Which of the sorted pairs is the first of its text. */
KERNEL pageviews_first(const unsigned char *text, const entry *entries, const pair *pairs,
                       unsigned *first, unsigned end, unsigned n)
{
    const log in = {text, entries};
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    const pair mine = pairs[i];
    first[i] = i == 0 || pairs[i - 1].hash != mine.hash ||
               compare(in, pairs[i - 1].entry, mine.entry, end) != 0;
}

/* Keeps the first ones, at places that were made from them. */
KERNEL pageviews_keep(const pair *pairs, const unsigned *first, const unsigned *places,
                      unsigned *kept, unsigned n)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && first[i])
        kept[places[i]] = pairs[i].entry;
}

/* The URL's hash, and where the address behind it begins. */
KERNEL pageviews_urls(const unsigned char *text, const entry *entries, const unsigned *kept,
                      pair *pairs, unsigned *addresses, unsigned n, unsigned padded,
                      unsigned mask)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= padded)
        return;
    if (i >= n) {
        pairs[i] = pair{NOBODY, NOBODY};
        return;
    }
    const unsigned mine = kept[i];
    unsigned at = entries[mine].start, hash = HASH_START;
    ROLLED
    for (unsigned c = text[at]; c != '\t'; c = text[++at])
        hash = (hash ^ c) * HASH_PRIME;
    pairs[i] = pair{hash & mask, mine};
    addresses[mine] = at + 1;
}
