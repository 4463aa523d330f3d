/* pageviews.c - views of each page of a web log, without what was logged twice.
 *
 * Works after Wang 2015 section 6 (PVC) and the program of that name in its suite: two rounds of
 * map and group.  Text is read byte by byte, an entry's length (43 to 105 bytes) apart from lane
 * to lane in the first map, anywhere in the second and where equal hashes are compared; lanes
 * diverge with every entry's end.  The sorts between them, most of the instructions, are coherent.
 * Left out: the suite's reduction of one entry a thread, which copies what pageviews_keep keeps.
 *
 * Results are checked without a second sort: pairs must be in strict order, which only one
 * arrangement is, and the views of a page must be those that the log was made with.
 */
#include <stdio.h>
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 256, LONGEST_ENTRY = 105, COPY_PERCENT = 20 };
static const uint32_t nobody = UINT32_MAX;

static const struct workload_param params[] = {
    {"entries", WORKLOAD_NUMBER, 1, 1 << 20, "entries of the log, one thread each"},
    {"pages", WORKLOAD_NUMBER, 1, 1 << 20, "different URLs; those of small numbers are likelier"},
    {"hash_bits", WORKLOAD_NUMBER, 1, 32,
     "of texts; with few of them texts are compared more often"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "entries=260,pages=500,hash_bits=32"},
    {"small", "entries=8192,pages=800,hash_bits=32"},
    /* Wang's 100 K entries */
    {"doc", "entries=100000,pages=10000,hash_bits=32"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "pageviews_entries",
     .load = 0,
     .nreq = 2,
     .stride_bytes = 8,
     .what = "entries[i].length"},
    {.kernel = "pageviews_entries",
     .load = 2,
     .nreq = 12,
     .nreq_max = 28,
     .stride_bytes = WORKLOAD_STRIDE_VARIES,
     .what = "text[start + j]; lines of 32 entries, one after the other"},
    {0},
};

struct entry {
    uint32_t start, length;
};
struct pair {
    uint32_t hash, entry;
};

struct views {
    uint32_t n, n_pages, mask; /* mask: the bits of a hash that are used */
    uint32_t n_text;
    uint8_t *text;
    struct entry *entries;
    uint32_t *page_of; /* of an entry */
    bool *is_copy;     /* of an earlier entry, to the letter */
    gpu_ptr dev_text, dev_entries, dev_pairs, dev_first, dev_kept;
    struct pair *pairs; /* as they come from the device */
    uint32_t *first;
};

/* ---- the log ---- */

static uint32_t write_letters(struct rng *rng, uint8_t *to, uint32_t least, uint32_t most)
{
    const uint32_t n = least + (uint32_t)rng_below(rng, most - least + 1);
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (uint8_t)('a' + rng_below(rng, 26));
    }
    return n;
}

/* A page's URL is the same each time: its letters are drawn from its number. */
static uint32_t write_entry(struct run *run, uint32_t page, uint8_t *to)
{
    struct rng of_page = rng_seeded(run->seed ^ (uint64_t)page << 32);
    char address[16], number[16];
    uint32_t at = 7;
    memcpy(to, "http://", 7);
    at += write_letters(&of_page, to + at, 8, 40);
    const int digits = snprintf(number, sizeof number, "/%u\t", page);
    memcpy(to + at, number, (size_t)digits);
    at += (uint32_t)digits;
    const uint32_t bytes = rng_u32(&run->rng);
    const int length = snprintf(address, sizeof address, "%u.%u.%u.%u", bytes >> 24,
                                bytes >> 16 & 255, bytes >> 8 & 255, bytes & 255);
    memcpy(to + at, address, (size_t)length);
    at += (uint32_t)length;
    to[at++] = '\t';
    at += write_letters(&run->rng, to + at, 16, 32);
    to[at++] = '\n';
    return at;
}

static void make_log(struct run *run, struct views *v)
{
    v->text = RUN_ARRAY(run, uint8_t, (size_t)v->n * LONGEST_ENTRY);
    v->entries = RUN_ARRAY(run, struct entry, v->n);
    v->page_of = RUN_ARRAY(run, uint32_t, v->n);
    v->is_copy = RUN_ARRAY(run, bool, v->n);
    for (uint32_t i = 0; !run->failed && i < v->n; i++) {
        const uint32_t start = v->n_text;
        v->is_copy[i] = i > 0 && rng_below(&run->rng, 100) < COPY_PERCENT;
        if (v->is_copy[i]) {
            const uint32_t of = (uint32_t)rng_below(&run->rng, i);
            v->page_of[i] = v->page_of[of];
            v->entries[i] = (struct entry){start, v->entries[of].length};
            memcpy(v->text + start, v->text + v->entries[of].start, v->entries[of].length);
        } else {
            const uint64_t most = 1 + rng_below(&run->rng, v->n_pages);
            v->page_of[i] = (uint32_t)rng_below(&run->rng, most);
            v->entries[i] = (struct entry){start, write_entry(run, v->page_of[i], v->text + start)};
        }
        v->n_text += v->entries[i].length;
    }
}

/* ---- what must come out ---- */

static uint32_t hash_until(const struct views *v, uint32_t entry, uint8_t end)
{
    uint32_t hash = 2166136261u;
    for (const uint8_t *at = v->text + v->entries[entry].start; *at != end; at++) {
        hash = (hash ^ *at) * 16777619u;
    }
    /* a whole entry's hash has the newline in it, a URL's has no tab */
    return (end == '\n' ? (hash ^ end) * 16777619u : hash) & v->mask;
}

static int compare_until(const struct views *v, uint32_t a, uint32_t b, uint8_t end)
{
    const uint8_t *x = v->text + v->entries[a].start, *y = v->text + v->entries[b].start;
    for (; *x == *y && *x != end; x++, y++) {
    }
    return *x - *y;
}

static bool less(const struct views *v, struct pair a, struct pair b, uint8_t end)
{
    const int order = compare_until(v, a.entry, b.entry, end);
    return a.hash != b.hash ? a.hash < b.hash : order != 0 ? order < 0 : a.entry < b.entry;
}

/* The n pairs and which of them are the first of their text; false: no further. */
static bool check_sorted(struct run *run, const struct views *v, uint32_t n, uint8_t end)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct pair p = v->pairs[i];
        check_that(run->result, p.entry < v->n, "pairs[%u] is of entry %u of %u", i, p.entry, v->n);
        if (p.entry >= v->n) {
            return false;
        }
        const uint32_t hash = hash_until(v, p.entry, end);
        check_that(run->result, p.hash == hash, "pairs[%u]: the hash of entry %u is %u, not %u", i,
                   p.entry, hash, p.hash);
        check_that(run->result, i == 0 || less(v, v->pairs[i - 1], p, end),
                   "pairs[%u] (entry %u) stands after one that it must precede", i, p.entry);
        const uint32_t first = i == 0 || compare_until(v, v->pairs[i - 1].entry, p.entry, end) != 0;
        check_that(run->result, v->first[i] == first, "first[%u] is %u; it must be %u", i,
                   v->first[i], first);
    }
    return run->result->wrong == 0;
}

/* Groups of the n pairs sorted by URL against the pages that the log was made of. */
static void check_views(struct run *run, const struct views *v, uint32_t n)
{
    uint32_t *want = RUN_ARRAY(run, uint32_t, v->n_pages);
    uint32_t *got = RUN_ARRAY(run, uint32_t, v->n_pages);
    uint32_t page = 0;
    for (uint32_t i = 0; !run->failed && i < v->n; i++) {
        want[v->page_of[i]] += !v->is_copy[i];
    }
    for (uint32_t i = 0; !run->failed && i < n; i++) {
        page = v->first[i] ? v->page_of[v->pairs[i].entry] : page;
        got[page]++;
    }
    if (!run->failed) {
        check_u32(run->result, "views", got, want, v->n_pages);
    }
}

/* ---- the launches ---- */

static struct isa_dim3 ctas(uint32_t n)
{
    return dim1(cover(n, BLOCK_THREADS));
}

static void sort(struct run *run, const struct views *v, uint32_t n, uint32_t end)
{
    const struct isa_dim3 grid = ctas(n), block = dim1(BLOCK_THREADS);
    RUN_LAUNCH(run, "pageviews_sort_near", grid, block, host_arg_u64(v->dev_text),
               host_arg_u64(v->dev_entries), host_arg_u64(v->dev_pairs), host_arg_u32(end),
               host_arg_u32(2), host_arg_u32(BLOCK_THREADS));
    for (uint32_t sequence = 2 * BLOCK_THREADS; sequence <= n; sequence *= 2) {
        for (uint32_t distance = sequence / 2; distance >= BLOCK_THREADS; distance /= 2) {
            RUN_LAUNCH(run, "pageviews_sort_far", grid, block, host_arg_u64(v->dev_text),
                       host_arg_u64(v->dev_entries), host_arg_u64(v->dev_pairs), host_arg_u32(end),
                       host_arg_u32(sequence), host_arg_u32(distance));
        }
        RUN_LAUNCH(run, "pageviews_sort_near", grid, block, host_arg_u64(v->dev_text),
                   host_arg_u64(v->dev_entries), host_arg_u64(v->dev_pairs), host_arg_u32(end),
                   host_arg_u32(sequence), host_arg_u32(sequence));
    }
}

/* Sort, find the first of each text, and look at both. */
static bool group(struct run *run, const struct views *v, uint32_t n, uint32_t padded, uint8_t end)
{
    sort(run, v, padded, end);
    RUN_LAUNCH(run, "pageviews_first", ctas(n), dim1(BLOCK_THREADS), host_arg_u64(v->dev_text),
               host_arg_u64(v->dev_entries), host_arg_u64(v->dev_pairs), host_arg_u64(v->dev_first),
               host_arg_u32(end), host_arg_u32(n));
    run_download(run, v->pairs, v->dev_pairs, n * sizeof *v->pairs);
    run_download(run, v->first, v->dev_first, n * sizeof *v->first);
    return check_sorted(run, v, n, end);
}

static uint32_t padded_to(uint32_t n)
{
    uint32_t padded = BLOCK_THREADS;
    while (padded < n) {
        padded *= 2;
    }
    return padded;
}

/* Where the first ones go, and how many they are. */
static uint32_t make_places(const struct views *v, uint32_t *places)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        places[i] = n;
        n += v->first[i];
    }
    return n;
}

static void check_addresses(struct run *run, const struct views *v, const uint32_t *addresses,
                            uint32_t n_kept)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        const uint8_t *tab = memchr(v->text + v->entries[i].start, '\t', v->entries[i].length);
        const uint32_t want = (uint32_t)(tab + 1 - v->text);
        check_that(run->result, addresses[i] == want || addresses[i] == nobody,
                   "addresses[%u] is %u; it must be %u", i, addresses[i], want);
        n += addresses[i] != nobody;
    }
    check_that(run->result, n == n_kept, "%u addresses were found; %u entries are kept", n, n_kept);
}

/* The first round: entries that are the same are kept once.  How many are left; 0: no further. */
static uint32_t keep_one_each(struct run *run, struct views *v)
{
    const size_t words_bytes = v->n * sizeof(uint32_t);
    const uint32_t padded = padded_to(v->n);
    uint32_t *places = RUN_ARRAY(run, uint32_t, v->n);
    RUN_LAUNCH(run, "pageviews_entries", ctas(padded), dim1(BLOCK_THREADS),
               host_arg_u64(v->dev_text), host_arg_u64(v->dev_entries), host_arg_u64(v->dev_pairs),
               host_arg_u32(v->n), host_arg_u32(padded), host_arg_u32(v->mask));
    if (run->failed || !group(run, v, v->n, padded, '\n')) {
        return 0;
    }
    const uint32_t n_kept = make_places(v, places);
    gpu_ptr dev_places = run_upload(run, "places", places, words_bytes);
    v->dev_kept = run_alloc(run, "kept", words_bytes);
    RUN_LAUNCH(run, "pageviews_keep", ctas(v->n), dim1(BLOCK_THREADS), host_arg_u64(v->dev_pairs),
               host_arg_u64(v->dev_first), host_arg_u64(dev_places), host_arg_u64(v->dev_kept),
               host_arg_u32(v->n));
    return n_kept;
}

/* The second round: those of a page stand together. */
static void count_by_page(struct run *run, struct views *v, uint32_t n_kept)
{
    const size_t words_bytes = v->n * sizeof(uint32_t);
    const uint32_t padded = padded_to(n_kept);
    uint32_t *addresses = RUN_ARRAY(run, uint32_t, v->n);
    if (run->failed) {
        return;
    }
    memset(addresses, 0xff, words_bytes);
    gpu_ptr dev_addresses = run_upload(run, "addresses", addresses, words_bytes);
    RUN_LAUNCH(run, "pageviews_urls", ctas(padded), dim1(BLOCK_THREADS), host_arg_u64(v->dev_text),
               host_arg_u64(v->dev_entries), host_arg_u64(v->dev_kept), host_arg_u64(v->dev_pairs),
               host_arg_u64(dev_addresses), host_arg_u32(n_kept), host_arg_u32(padded),
               host_arg_u32(v->mask));
    if (group(run, v, n_kept, padded, '\t')) {
        run_download(run, addresses, dev_addresses, words_bytes);
        check_addresses(run, v, addresses, n_kept);
        check_views(run, v, n_kept);
    }
}

static void launch_and_check(struct run *run, struct views *v)
{
    const size_t words_bytes = v->n * sizeof(uint32_t);
    v->pairs = RUN_ARRAY(run, struct pair, v->n);
    v->first = RUN_ARRAY(run, uint32_t, v->n);
    if (run->failed) {
        return;
    }
    v->dev_text = run_upload(run, "text", v->text, v->n_text);
    v->dev_entries = run_upload(run, "entries", v->entries, v->n * sizeof *v->entries);
    v->dev_pairs = run_alloc(run, "pairs", padded_to(v->n) * sizeof *v->pairs);
    v->dev_first = run_alloc(run, "first", words_bytes);
    const uint32_t n_kept = keep_one_each(run, v);
    if (n_kept > 0) {
        count_by_page(run, v, n_kept);
    }
}

static int run_pageviews(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "pageviews/pageviews.ptx");
    struct views *v = RUN_ARRAY(&run, struct views, 1);
    if (!run.failed) {
        v->n = run_u32(&run, "entries");
        v->n_pages = run_u32(&run, "pages");
        v->mask = UINT32_MAX >> (32 - run_u32(&run, "hash_bits"));
        make_log(&run, v);
    }
    if (!run.failed) {
        launch_and_check(&run, v);
    }
    return run_end(&run);
}

const struct workload workload_pageviews = {
    .name = "pageviews",
    .title = "views of each page of a web log",
    .source = "wang2015-divergence section 6 (PVC)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_pageviews,
};
