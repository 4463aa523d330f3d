/* test_caps_traces - closed-form load streams through the whole CTA-aware prefetcher:
 * TV-CAP-11 with its alternatives (caps-prefetch 3.2.6) and the traces of 6.3.  Counts are
 * the documents', which were made by sequential models of their own. */
#include "test_caps.h"

enum { WARP = 32, MAX_PCS = 10, PITCH = 3072 };
enum order { PC_MAJOR, WARP_MAJOR, SLOT_MAJOR };

struct trace {
    const char *name;
    unsigned wpc, ctas, slots, iterations, pcs, element_bytes;
    uint32_t origin; /* of the arrays */
    /* Byte address of thread `t`, false when its lane is off. */
    bool (*address)(const struct trace *trace, unsigned pc, unsigned cta, unsigned t, unsigned k,
                    uint32_t *address);
};

struct result {
    uint64_t prefetches, useful, distinct;
};

static bool word(const struct trace *trace, int64_t index, uint32_t *address)
{
    *address = trace->origin + (uint32_t)(index * trace->element_bytes);
    return true;
}

static bool lps(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                uint32_t *a)
{
    (void)pc;
    const unsigned x = b % 4 * 32 + t % 32, y = b / 4 * 4 + t / 32;
    return x < 100 && y < 100 && word(tr, x + y * 100 + k * 10000, a);
}

static bool lps_from_plane_1(const struct trace *tr, unsigned pc, unsigned b, unsigned t,
                             unsigned k, uint32_t *a)
{
    return lps(tr, pc, b, t, k + 1, a);
}

static bool jc1(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                uint32_t *a)
{
    (void)k;
    return word(tr, (int64_t)b * 256 + t + pc - 1, a);
}

static bool mm(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k, uint32_t *a)
{
    const unsigned bx = b % 8, by = b / 8, tx = t % 16, ty = t / 16;
    return pc == 0 ? word(tr, (by * 16 + ty) * 80 + k * 16 + tx, a)
                   : word(tr, 0x4000 + (k * 16 + ty) * 128 + bx * 16 + tx, a);
}

static bool linear(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                   uint32_t *a)
{
    (void)pc, (void)k;
    return word(tr, (int64_t)b * tr->wpc * WARP + t, a);
}

static int64_t clamp(int64_t v)
{
    return v < 0 ? 0 : v > 1023 ? 1023 : v;
}

static bool hsp(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                uint32_t *a)
{
    (void)k;
    const int64_t bx = b % 74, by = b / 74, tx = t % 16, ty = t / 16;
    const int64_t array = (int64_t)pc * 1024 * 1024;
    return word(tr, array + clamp(by * 12 - 2 + ty) * 1024 + clamp(bx * 12 - 2 + tx), a);
}

static bool bpr(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                uint32_t *a)
{
    (void)pc, (void)k;
    return word(tr, (int64_t)17 * 16 * b + 17 * (t / 16) + t % 16 + 18, a);
}

static bool km(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k, uint32_t *a)
{
    (void)pc;
    return word(tr, ((int64_t)b * 256 + t) * 34 + k, a);
}

static bool cnv(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                uint32_t *a)
{
    (void)k;
    const int64_t row = b / 24 * 4 + t / 16,
                  column = (int64_t)(b % 24) * 128 - 16 + t % 16 + 16 * pc;
    return column >= 0 && column < PITCH && word(tr, row * PITCH + column, a);
}

static bool fft(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                uint32_t *a)
{
    (void)k;
    return word(tr, (int64_t)b * 512 + t + 64 * pc, a);
}

static bool ste(const struct trace *tr, unsigned pc, unsigned b, unsigned t, unsigned k,
                uint32_t *a)
{
    static const struct {
        int x, y, z;
    } shift[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const int64_t x = (int64_t)(b % 16 * 32 + t % 32) + shift[pc].x;
    const int64_t y = (int64_t)(b / 16 * 4 + t / 32) + shift[pc].y;
    return x >= 0 && x < 512 && y >= 0 && y < 64 &&
           word(tr, x + y * 512 + ((int64_t)k + shift[pc].z) * 512 * 64, a);
}

/* ---- coalescing and replay ---- */

/* Insert an address into the ascending list of lines, keeping the lowest of each line. */
static unsigned insert(uint32_t *lowest, unsigned n, uint32_t address)
{
    unsigned i = 0;
    while (i < n && lowest[i] / CAPS_LINE_BYTES < address / CAPS_LINE_BYTES) {
        i++;
    }
    if (i < n && lowest[i] / CAPS_LINE_BYTES == address / CAPS_LINE_BYTES) {
        lowest[i] = address < lowest[i] ? address : lowest[i];
        return n;
    }
    memmove(lowest + i + 1, lowest + i, (n - i) * sizeof *lowest);
    lowest[i] = address;
    return n + 1;
}

/* The requests of one warp load, ascending; 0 when all lanes are off. */
static unsigned coalesce(const struct trace *trace, unsigned pc, unsigned cta, unsigned warp,
                         unsigned k, uint32_t lowest[WARP + 1])
{
    unsigned n = 0;
    for (unsigned lane = 0; lane < WARP; lane++) {
        uint32_t address;
        if (trace->address(trace, pc, cta, warp * WARP + lane, k, &address)) {
            n = insert(lowest, n, address);
        }
    }
    return n;
}

static unsigned cta_of(unsigned index)
{
    return 15 * index; /* round robin over 15 SMs, seen from the first */
}

/* The prefetches of the last load: which are of use to their warp in this iteration. */
static void judge(const struct caps *caps, const struct trace *trace, unsigned first, unsigned pc,
                  unsigned k, uint8_t *seen, struct result *result)
{
    for (size_t i = 0; i < caps->n_prefetches; i++) {
        const struct caps_prefetch *p = &caps->prefetches[i];
        uint32_t lowest[WARP + 1];
        const unsigned n = coalesce(trace, pc, cta_of(first + p->cta), p->warp, k, lowest);
        for (unsigned r = 0; r < n; r++) {
            uint8_t *mark = &seen[(p->cta * 64 + p->warp) * 8 + r % 8];
            const bool hit = lowest[r] / CAPS_LINE_BYTES == p->line;
            result->useful += hit;
            result->distinct += hit && !*mark;
            *mark |= hit;
        }
    }
    result->prefetches += caps->n_prefetches;
}

struct replay {
    struct caps *caps;
    const struct trace *trace;
    struct result result;
    uint8_t seen[MAX_PCS][CAPS_SLOTS * 64 * 8]; /* requests prefetched in this iteration */
};

static void one_load(struct replay *replay, unsigned first, unsigned slot, unsigned warp,
                     unsigned pc, unsigned k)
{
    uint32_t lowest[WARP + 1];
    const unsigned n = coalesce(replay->trace, pc, cta_of(first + slot), warp, k, lowest);
    if (n == 0 || first + slot >= replay->trace->ctas) {
        return;
    }
    struct caps_load load = {.pc = 0x100 + 8 * pc, .cta = slot, .warp = warp, .n = n > 4 ? 5 : n};
    memcpy(load.addr, lowest, sizeof load.addr);
    replay->caps->totals.requests += n;
    caps_load(replay->caps, &load);
    judge(replay->caps, replay->trace, first, pc, k, replay->seen[pc], &replay->result);
}

/* One iteration of one batch of CTAs. */
static void iteration(struct replay *replay, unsigned first, unsigned k, enum order order)
{
    const struct trace *t = replay->trace;
    const unsigned trailing = t->wpc - 1;
    memset(replay->seen, 0, sizeof replay->seen);
    for (unsigned outer = 0; outer < (order == PC_MAJOR ? t->pcs : 1); outer++) {
        const unsigned from = order == PC_MAJOR ? outer : 0,
                       to = order == PC_MAJOR ? outer + 1 : t->pcs;
        for (unsigned slot = 0; slot < t->slots; slot++) {
            for (unsigned pc = from; pc < to; pc++) {
                one_load(replay, first, slot, 0, pc, k);
            }
        }
        for (unsigned i = 0; i < trailing * t->slots; i++) {
            const unsigned slot = order == SLOT_MAJOR ? i / trailing : i % t->slots;
            const unsigned warp = 1 + (order == SLOT_MAJOR ? i % trailing : i / t->slots);
            for (unsigned pc = from; pc < to; pc++) {
                one_load(replay, first, slot, warp, pc, k);
            }
        }
    }
}

static void run(struct replay *replay, enum order order)
{
    const struct trace *t = replay->trace;
    for (unsigned first = 0; first < t->ctas; first += t->slots) {
        for (unsigned slot = 0; slot < CAPS_SLOTS; slot++) {
            caps_flush(replay->caps, slot);
        }
        for (unsigned k = 0; k < t->iterations; k++) {
            iteration(replay, first, k, order);
        }
    }
}

/* ---- expectations ---- */

struct row {
    struct trace trace;
    enum order order;
    struct caps_options options;
    uint64_t loads, requests, verifications, mispredictions, invalidations, prefetches, useful;
    uint32_t strides[4]; /* that must be known at the end, for the last PCs; 0s stop */
    bool no_stride;
    int count; /* of every known stride, -1: any */
};

/* The documents give no number here. */
#define NOT_GIVEN UINT64_MAX

static bool same(const struct row *row, const char *form, const char *what, uint64_t got,
                 uint64_t wanted)
{
    if (wanted == NOT_GIVEN || got == wanted) {
        return true;
    }
    print_error("%s on %s: %s %llu, not %llu\n", row->trace.name, form, what,
                (unsigned long long)got, (unsigned long long)wanted);
    return false;
}

static bool totals_match(const struct row *row, const char *form, const struct replay *replay)
{
    const struct caps_totals *t = &replay->caps->totals;
    bool ok = true;
    ok &= same(row, form, "warp loads", t->loads, row->loads);
    ok &= same(row, form, "demand requests", t->requests, row->requests);
    ok &= same(row, form, "verifications", t->verifications, row->verifications);
    ok &= same(row, form, "mispredictions", t->mispredictions, row->mispredictions);
    ok &= same(row, form, "invalidations", t->invalidations, row->invalidations);
    ok &= same(row, form, "prefetches", replay->result.prefetches, row->prefetches);
    ok &= same(row, form, "useful prefetches", replay->result.useful, row->useful);
    ok &= same(row, form, "dropped jobs", t->drops, 0);
    return ok;
}

static bool strides_match(const struct row *row, const char *form, struct caps *caps)
{
    bool ok = true;
    unsigned known = 0;
    for (unsigned pc = 0; pc < row->trace.pcs; pc++) {
        uint32_t stride;
        unsigned count;
        if (caps_stride(caps, 0x100 + 8 * pc, &stride, &count)) {
            const uint32_t wanted = row->trace.pcs <= 4 ? row->strides[pc] : row->strides[0];
            ok &= same(row, form, "stride", stride, wanted);
            if (row->count >= 0) {
                ok &= same(row, form, "counter", count, (unsigned)row->count);
            }
            known++;
        }
    }
    const unsigned all = row->trace.pcs < 4 ? row->trace.pcs : 4;
    ok &= same(row, form, "strides known", known, row->no_stride ? 0 : all);
    return ok;
}

static bool check(struct library *library, const struct row *row, uint64_t *distinct)
{
    bool ok = true;
    for (unsigned form = 0; form < CAPS_FORMS; form++) {
        struct replay *replay = calloc(1, sizeof *replay);
        assert_non_null(replay);
        replay->trace = &row->trace;
        replay->caps = caps_new(library, &row->options, caps_forms[form], row->trace.wpc);
        run(replay, row->order);
        ok = totals_match(row, caps_forms[form], replay) && ok;
        ok = strides_match(row, caps_forms[form], replay->caps) && ok;
        *distinct = replay->result.distinct;
        caps_free(replay->caps);
        free(replay);
    }
    return ok;
}

static void check_all(void **state, const struct row *rows, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        uint64_t distinct;
        ok = check(*state, &rows[i], &distinct) && ok;
    }
    assert_true(ok);
}

#define CHECK_ALL(state, rows) check_all(state, rows, sizeof(rows) / sizeof *(rows))

/* Columns of the rows: trace, order, options; below them loads, requests, verifications,
 * mispredictions, invalidations, prefetches, useful, strides, no stride, count. */
/* clang-format off */
#define STANDARD {"", "", ""}
#define LINES {"ADDR_LINE=1", "ADDR_LINE=1", ""}
#define STRICT {"", "STRICT_CNT=1", ""}
#define LPS(origin, address) {"LPS", 4, 7, 7, 99, 1, 4, origin, address}

static void tv_cap_11(void **state)
{
    static const struct row rows[] = {
        {LPS(0, lps), SLOT_MAJOR, STANDARD,
         2772, 4505, 2078, 0, 0, 2379, 2379, {400}, false, 0},
        {LPS(0, lps), WARP_MAJOR, STANDARD,
         2772, 4505, 2078, 0, 0, 2379, 2379, {400}, false, 0},
        {LPS(0, lps), SLOT_MAJOR, {"", "SELF_PF=1", ""},
         2772, 4505, 2078, 0, 0, 2820, 2820, {400}, false, 0},
    };
    CHECK_ALL(state, rows);
}

static void tv_cap_11_same(void **state)
{
    static const struct row row = {LPS(0, lps), SLOT_MAJOR, {"", "GEN_ALL=0", "GEN_ALL=0"},
                                   2772, 4505, 2078, 0, 0, 4731, 4731, {400}, false, 0};
    uint64_t distinct;
    assert_true(check(*state, &row, &distinct));
    assert_int_equal(distinct, 2379);
}


static void tv_cap_11_alternatives(void **state)
{
    static const struct row rows[] = {
        {LPS(0, lps), SLOT_MAJOR, {"", "VERIFY_BYTES=1", ""},
         2772,      4505,      2078, 744,         0,       411,       411, {400}, false, 255},
        {LPS(0, lps), SLOT_MAJOR, LINES,
         2772,      4505,      2078,   0,         0,      2379,      2379, {384}, false,   0},
        {LPS(0, lps), SLOT_MAJOR, {"ADDR_LINE=1", "ADDR_LINE=1,STRICT_CNT=1", ""},
         2772,      4505,      2076, 196,         1,      1563,      1563, {384}, false, 196},
        {LPS(0, lps), SLOT_MAJOR, STRICT,
         2772,      4505,      2075,   0,         2,      2523,      2523, {400}, false,   0},
        {LPS(0, lps), WARP_MAJOR, STRICT,
         2772,      4505, NOT_GIVEN, 196, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, {400}, false, 196},
        {LPS(96, lps), SLOT_MAJOR, STANDARD,
         2772, NOT_GIVEN,      2076, 393,         1,       860, NOT_GIVEN, {400}, false, 255},
        {LPS(96, lps), SLOT_MAJOR, LINES,
         2772, NOT_GIVEN,      2078, 692,         0,       570,       458, {384}, false, 255},
    };
    CHECK_ALL(state, rows);
}

static void tv_cap_11_planes_1_to_99(void **state)
{
    static const struct row rows[] = {
        {LPS(0, lps_from_plane_1), SLOT_MAJOR, STANDARD,
         2772, 4504, 2075,   0, 2, 2517, 2517, {400}, false,   0},
        {LPS(0, lps_from_plane_1), WARP_MAJOR, STANDARD,
         2772, 4504, 2076, 196, 1, 1622, 1622, {400}, false, 196},
        {LPS(0, lps_from_plane_1), SLOT_MAJOR, LINES,
         2772, 4504, 2078,   0, 0, 2373, 2373, {384}, false,   0},
        {LPS(0, lps_from_plane_1), WARP_MAJOR, LINES,
         2772, 4504, 2078,   0, 0, 2373, 2373, {384}, false,   0},
    };
    CHECK_ALL(state, rows);
}

static void one_load_each(void **state)
{
    static const struct row rows[] = {
        {{"JC1", 8, 34, 6, 1, 3, 4, 4096, jc1}, WARP_MAJOR, STANDARD,
          816,  1360,  711,    0,   0, 1155, 1155, {128, 128, 128}, false,   0},
        {{"JC1", 8, 34, 6, 1, 3, 4, 4096, jc1}, PC_MAJOR, STANDARD,
          816,  1360,  711,    0,   0, 1155, 1155, {128, 128, 128}, false,   0},
        {{"SCN", 8, 60, 6, 1, 1, 16, 0, linear}, PC_MAJOR, STANDARD,
          480,  1920,  419,    0,   0, 1652, 1652, {512}          , false,   0},
        {{"HSP", 8, 360, 6, 1, 2, 4, 0, hsp}, WARP_MAJOR, STANDARD,
         5760, 17138, 5038, 5030,   0,    0,    0, {0, 0}         , false, 255},
        {{"HSP", 8, 360, 6, 1, 2, 4, 0, hsp}, PC_MAJOR, STANDARD,
         5760, 17138, 5038, 5030,   0,    0,    0, {0, 0}         , false, 255},
        {{"BPR", 8, 240, 6, 1, 1, 4, 0, bpr}, PC_MAJOR, STANDARD,
         1920,  3840,    0,    0, 960,    0,    0, {0}            , true ,  -1},
        {{"BPR", 8, 240, 6, 1, 1, 4, 0, bpr}, PC_MAJOR, LINES,
         1920,  3840, 1679,  120,   0, 3346, 3227, {128}          , false, 120},
    };
    CHECK_ALL(state, rows);
}

static void loops(void **state)
{
    static const struct row rows[] = {
        {{"MM", 8, 3, 3, 5, 2, 4, 0x80000000, mm}, WARP_MAJOR, STANDARD,
          240,   480,  208, 0, 0,  280,  280, {640, 1024}             , false,  0},
        {{"MM", 8, 3, 3, 5, 2, 4, 0x80000000, mm}, PC_MAJOR, STANDARD,
          240,   480,  208, 0, 0,  280,  280, {640, 1024}             , false,  0},
        {{"KM", 8, 3, 6, 2, 1, 4, 0, km}, PC_MAJOR, STANDARD,
           48,  1536,    0, 0, 0,    0,    0, {0}                     , true , -1},
        {{"STE, 4 PCs", 4, 16, 8, 30, 4, 4, 0, ste}, PC_MAJOR, STANDARD,
         7680, 11280, 5756, 0, 0, 8010, 8010, {2048, 2048, 2048, 2048}, false,  0},
        {{"STE, 4 PCs", 4, 16, 8, 30, 4, 4, 0, ste}, WARP_MAJOR, STANDARD,
         7680, 11280, 5756, 0, 0, 8010, 8010, {2048, 2048, 2048, 2048}, false,  0},
    };
    CHECK_ALL(state, rows);
}

/* More load PCs than entries: everything depends on the order of warps. */
static void more_pcs_than_entries(void **state)
{
    static const struct row rows[] = {
        {{"CNV rows", 2, 150, 8, 1, 10, 4, 0, cnv}, PC_MAJOR, STANDARD,
         2962,  5924, 1291, 0, 0,  2582,  2582, {24576}, false,  0},
        {{"CNV rows", 2, 150, 8, 1, 10, 4, 0, cnv}, WARP_MAJOR, STANDARD,
         2962,  5924,    0, 0, 0,     0,     0, {0}    , true , -1},
        {{"FFT", 2, 32, 8, 1, 8, 8, 0, fft}, PC_MAJOR, STANDARD,
          512,  1024,  224, 0, 0,   448,   448, {256}  , false,  0},
        {{"FFT", 2, 32, 8, 1, 8, 8, 0, fft}, WARP_MAJOR, STANDARD,
          512,  1024,    0, 0, 0,     0,     0, {0}    , true , -1},
        {{"STE", 4, 16, 8, 30, 5, 4, 0, ste}, PC_MAJOR, STANDARD,
         9540, 13140, 6840, 0, 0,  8730,  8670, {2048} , false,  0},
        {{"STE", 4, 16, 8, 30, 5, 4, 0, ste}, WARP_MAJOR, STANDARD,
         9540, 13140,  236, 0, 0, 31572, 31572, {2048} , false,  0},
    };
    CHECK_ALL(state, rows);
}
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tv_cap_11),
        cmocka_unit_test(tv_cap_11_same),
        cmocka_unit_test(tv_cap_11_alternatives),
        cmocka_unit_test(tv_cap_11_planes_1_to_99),
        cmocka_unit_test(one_load_each),
        cmocka_unit_test(loops),
        cmocka_unit_test(more_pcs_than_entries),
    };
    return cmocka_run_group_tests(tests, caps_library_setup, caps_library_teardown);
}
