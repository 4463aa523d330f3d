/* invindex.c - inverted index of text records, map-reduce style.
 *
 * The records' headers are affine loads (8 bytes per lane: 2 requests).  The text
 * is read byte by byte at irregular offsets, a record's length (32 to `longest`
 * bytes) apart from lane to lane: up to 32 requests, each line used again for 128
 * iterations.  The stop table is an indirect load by hash, left away with stops=0.  Lanes
 * diverge with every word's end and every record's end.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { TABLE = 4096, BLOCK_THREADS = 256, SHORTEST = 32, STOP_PERCENT = 20, LONGEST_WORD = 12 };

static const struct workload_param params[] = {
    {"records", WORKLOAD_NUMBER, 1, 1 << 20, "records, one thread each"},
    {"longest", WORKLOAD_NUMBER, SHORTEST, 4096, "longest record, bytes; the shortest has 32"},
    {"stops", WORKLOAD_NUMBER, 0, 1,
     "1: frequent words are looked up and left out; 0: all are indexed"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "records=512,longest=96,stops=1"},
    {"small", "records=4096,longest=256,stops=1"},
    {"doc", "records=51200,longest=256,stops=1"},
    {0},
};

#define LOAD(pass, ordinal, expression) \
    { \
        .kernel = "invindex_" pass, .load = ordinal, .nreq = 2, .stride_bytes = 8, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD("count", 0, "records[i].length"),
    LOAD("count", 1, "records[i].start"),
    LOAD("emit", 0, "records[i].length"),
    LOAD("emit", 1, "records[i].start"),
    {0},
};

struct record {
    uint32_t start, length;
};
struct pair {
    uint32_t hash, record;
};

struct index {
    uint32_t n;
    bool stops;
    size_t n_text, n_pairs;
    struct record *records;
    uint8_t *text;
    uint32_t stop[TABLE];
    uint32_t *counts, *places; /* the reference's */
    struct pair *pairs;
};

/* Words of 1 to 12 letters; small words are likelier, as in a language. */
static void write_text(struct rng *rng, uint8_t *text, uint32_t length)
{
    uint32_t at = 0;
    while (at < length) {
        uint64_t letters = 1 + rng_below(rng, 1 + rng_below(rng, LONGEST_WORD));
        for (; letters > 0 && at < length; letters--) {
            text[at++] = (uint8_t)('a' + rng_below(rng, 1 + rng_below(rng, 26)));
        }
        if (at < length) {
            text[at++] = ' ';
        }
    }
    text[length - 1] = ' ';
}

static void make_input(struct run *run, struct index *index, uint32_t longest)
{
    index->records = RUN_ARRAY(run, struct record, index->n);
    for (uint32_t i = 0; !run->failed && i < index->n; i++) {
        const uint64_t length = SHORTEST + rng_below(&run->rng, longest - SHORTEST + 1);
        index->records[i] = (struct record){(uint32_t)index->n_text, (uint32_t)length};
        index->n_text += length;
    }
    index->text = RUN_ARRAY(run, uint8_t, index->n_text);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; i < index->n; i++) {
        write_text(&run->rng, index->text + index->records[i].start, index->records[i].length);
    }
    for (int i = 0; i < TABLE; i++) {
        index->stop[i] = rng_below(&run->rng, 100) < STOP_PERCENT;
    }
}

/* Hash of the word that starts at `word` and ends before a space. */
static uint32_t hash_word(const uint8_t *word, const uint8_t **end)
{
    uint32_t hash = 2166136261u;
    for (; *word != ' '; word++) {
        hash = (hash ^ *word) * 16777619u;
    }
    *end = word;
    return hash;
}

/* Words of record i that are indexed; stored to `out` unless NULL. */
static uint32_t record_reference(const struct index *index, uint32_t i, struct pair *out)
{
    const uint8_t *at = index->text + index->records[i].start;
    const uint8_t *past = at + index->records[i].length;
    uint32_t count = 0;
    while (at < past) {
        const uint8_t *end = at;
        const uint32_t hash = hash_word(at, &end);
        if (end > at && !(index->stops && index->stop[hash % TABLE])) {
            if (out) {
                out[count] = (struct pair){.hash = hash, .record = i};
            }
            count++;
        }
        at = end + 1;
    }
    return count;
}

static void reference(struct run *run, struct index *index)
{
    index->counts = RUN_ARRAY(run, uint32_t, index->n);
    index->places = RUN_ARRAY(run, uint32_t, index->n);
    for (uint32_t i = 0; !run->failed && i < index->n; i++) {
        index->places[i] = (uint32_t)index->n_pairs;
        index->counts[i] = record_reference(index, i, NULL);
        index->n_pairs += index->counts[i];
    }
    index->pairs = RUN_ARRAY(run, struct pair, index->n_pairs);
    for (uint32_t i = 0; !run->failed && i < index->n; i++) {
        record_reference(index, i, index->pairs + index->places[i]);
    }
}

static void launch_and_check(struct run *run, const struct index *index)
{
    const size_t n_bytes = index->n * sizeof(uint32_t);
    const size_t pairs_bytes = index->n_pairs * sizeof(struct pair);
    uint32_t *counts = RUN_ARRAY(run, uint32_t, index->n);
    struct pair *pairs = RUN_ARRAY(run, struct pair, index->n_pairs);
    if (run->failed) {
        return;
    }
    gpu_ptr text = run_upload(run, "text", index->text, index->n_text);
    gpu_ptr records = run_upload(run, "records", index->records, index->n * sizeof(struct record));
    gpu_ptr stop = run_upload(run, "stop", index->stop, sizeof index->stop);
    gpu_ptr dev_counts = run_alloc(run, "counts", n_bytes);
    gpu_ptr dev_places = run_upload(run, "places", index->places, n_bytes);
    gpu_ptr dev_pairs = run_alloc(run, "pairs", pairs_bytes);
    const struct isa_dim3 grid = dim1(cover(index->n, BLOCK_THREADS)), block = dim1(BLOCK_THREADS);

    RUN_LAUNCH(run, index->stops ? "invindex_count" : "invindex_count_all", grid, block,
               host_arg_u64(text), host_arg_u64(records), host_arg_u64(stop),
               host_arg_u64(dev_counts), host_arg_u32(index->n));
    run_download(run, counts, dev_counts, n_bytes);
    check_u32(run->result, "counts", counts, index->counts, index->n);

    RUN_LAUNCH(run, index->stops ? "invindex_emit" : "invindex_emit_all", grid, block,
               host_arg_u64(text), host_arg_u64(records), host_arg_u64(stop),
               host_arg_u64(dev_places), host_arg_u64(dev_pairs), host_arg_u32(index->n));
    run_download(run, pairs, dev_pairs, pairs_bytes);
    for (size_t i = 0; i < index->n_pairs; i++) {
        check_that(run->result, memcmp(&pairs[i], &index->pairs[i], sizeof *pairs) == 0,
                   "pairs[%zu] is (%u, %u); the reference is (%u, %u)", i, pairs[i].hash,
                   pairs[i].record, index->pairs[i].hash, index->pairs[i].record);
    }
}

static int run_invindex(struct host *host, const struct workload_size *size, uint64_t seed,
                        struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "invindex/invindex.ptx");
    struct index *index = RUN_ARRAY(&run, struct index, 1);
    if (!run.failed) {
        index->n = run_u32(&run, "records");
        index->stops = run_u32(&run, "stops") == 1;
        make_input(&run, index, run_u32(&run, "longest"));
    }
    if (!run.failed) {
        reference(&run, index);
    }
    if (!run.failed) {
        launch_and_check(&run, index);
    }
    return run_end(&run);
}

const struct workload workload_invindex = {
    .name = "invindex",
    .title = "inverted index of text records",
    .source = "wang2015-divergence section 6 (IIX), aci-iacm-blpp section 6.2 (II), "
              "caps-prefetch section 6.1 (PVR: 200 CTAs of 256 threads)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_invindex,
};
