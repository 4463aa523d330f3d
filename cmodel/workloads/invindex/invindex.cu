/* invindex.cu - inverted index: which words occur in which record, in two passes.
 *
 * A thread reads its own record byte by byte.  Words are runs of letters between
 * spaces; a table of stop words (by hash) leaves the frequent ones out.  The
 * first pass counts, the second stores at places made from the counts. */
#include "cuda.h"

struct record { unsigned start, length; };
struct pair { unsigned hash, record; };

/* FNV-1a; `TABLE` buckets of stop words. */
#define HASH_START 2166136261u
#define HASH_PRIME 16777619u
#define TABLE 4096

KERNEL invindex_count(const unsigned char *text, const record *records, const unsigned *stop,
                      unsigned *counts, unsigned n)
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
            if (!stop[hash % TABLE])
                words++;
            hash = HASH_START;
            letters = 0;
        }
    }
    counts[i] = words;
}

KERNEL invindex_emit(const unsigned char *text, const record *records, const unsigned *stop,
                     const unsigned *places, pair *pairs, unsigned n)
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
            if (!stop[hash % TABLE])
                pairs[place++] = pair{hash, i};
            hash = HASH_START;
            letters = 0;
        }
    }
}
