/* invindex.cu - inverted index: which words occur in which record, in two passes.
 *
 * A thread reads its own record byte by byte.  Words are runs of letters between
 * spaces; a table of stop words (by hash) leaves the frequent ones out.  The
 * first pass counts, the second stores at places made from the counts.  The kernels
 * named _all leave no word out and read no table. */
#include "cuda.h"

struct record { unsigned start, length; };
struct pair { unsigned hash, record; };

/* FNV-1a; `TABLE` buckets of stop words. */
#define HASH_START 2166136261u
#define HASH_PRIME 16777619u
#define TABLE 4096

static __device__ inline void count(bool stops, const unsigned char *text, const record *records,
                                    const unsigned *stop, unsigned *counts, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned start = records[i].start, length = records[i].length;
    unsigned hash = HASH_START, letters = 0, words = 0;
    ROLLED
    for (unsigned j = 0; j < length; j++) {
        const unsigned c = text[start + j];
        if (c != ' ') {
            hash = (hash ^ c) * HASH_PRIME;
            letters++;
        } else if (letters > 0) {
            if (!stops || !stop[hash % TABLE])
                words++;
            hash = HASH_START;
            letters = 0;
        }
    }
    counts[i] = words;
}

static __device__ inline void emit(bool stops, const unsigned char *text, const record *records,
                                   const unsigned *stop, const unsigned *places, pair *pairs, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned start = records[i].start, length = records[i].length;
    unsigned hash = HASH_START, letters = 0, place = places[i];
    ROLLED
    for (unsigned j = 0; j < length; j++) {
        const unsigned c = text[start + j];
        if (c != ' ') {
            hash = (hash ^ c) * HASH_PRIME;
            letters++;
        } else if (letters > 0) {
            if (!stops || !stop[hash % TABLE])
                pairs[place++] = pair{hash, i};
            hash = HASH_START;
            letters = 0;
        }
    }
}

KERNEL invindex_count(const unsigned char *text, const record *records, const unsigned *stop,
                      unsigned *counts, unsigned n)
{
    count(true, text, records, stop, counts, n);
}

KERNEL invindex_count_all(const unsigned char *text, const record *records, const unsigned *stop,
                          unsigned *counts, unsigned n)
{
    count(false, text, records, stop, counts, n);
}

KERNEL invindex_emit(const unsigned char *text, const record *records, const unsigned *stop,
                     const unsigned *places, pair *pairs, unsigned n)
{
    emit(true, text, records, stop, places, pairs, n);
}

KERNEL invindex_emit_all(const unsigned char *text, const record *records, const unsigned *stop,
                         const unsigned *places, pair *pairs, unsigned n)
{
    emit(false, text, records, stop, places, pairs, n);
}
