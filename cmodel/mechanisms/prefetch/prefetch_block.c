/* prefetch_block.c - NLP, the line after a miss, and LAP, the rest of a 512-byte macro block
 * of which two lines have missed (caps-prefetch 3.12, 3.13).  Know lines only. */
#include "mechanisms/prefetch/prefetch_block.h"
#include "units/caps/lru_rank.h"

/* ---- NLP ---- */

static void nlp_reset(void *table)
{
    (void)table; /* no storage */
}

static void nlp_miss(void *table, const struct prefetch_reach *reach, uint32_t line,
                     struct prefetch_burst *burst)
{
    (void)table;
    for (uint32_t k = 1; k <= reach->degree && line + k < PREFETCH_LINES; k++) {
        prefetch_add(burst, line + k, -1);
    }
}

const struct prefetch_kind prefetch_nlp = {.reset = nlp_reset, .miss = nlp_miss};

static int nlp_attach(struct mechanism_context *context)
{
    const struct prefetch_reach reach = {(uint32_t)mechanism_value(context, "degree"), 1};
    return prefetch_attach(context, &prefetch_nlp, reach);
}

static const struct mechanism_option nlp_options[] = {
    OPTION_COUNT("degree", 1, 1, PREFETCH_BURST, "lines fetched after a miss", "3.12")};

const struct mechanism mechanism_nlp = {.name = "nlp",
                                        .title = "next-line prefetcher (NLP)",
                                        .document = "caps-prefetch",
                                        .section = "3.12",
                                        MECHANISM_OPTIONS(nlp_options),
                                        .promises = PLUG_LOCAL | PLUG_QUIET,
                                        .attach = nlp_attach};

/* ---- LAP ---- */

enum { LAP_ENTRIES = 32, LAP_BLOCK_LINES = 4, LAP_WHOLE = 15, LAP_THRESHOLD = 2 };

struct lap {
    uint32_t tag[LAP_ENTRIES];
    uint8_t missed[LAP_ENTRIES]; /* a bit per line of the block */
    uint8_t valid[LAP_ENTRIES], age[LAP_ENTRIES];
};

static void lap_reset(void *table)
{
    struct lap *lap = table;
    for (unsigned i = 0; i < LAP_ENTRIES; i++) {
        lap->valid[i] = 0;
        lap->age[i] = (uint8_t)i;
    }
}

static unsigned lap_entry(struct lap *lap, uint32_t tag)
{
    for (unsigned i = 0; i < LAP_ENTRIES; i++) {
        if (lap->valid[i] && lap->tag[i] == tag) {
            return i;
        }
    }
    const unsigned i = lru_rank_victim(lap->age, lap->valid, LAP_ENTRIES);
    lap->valid[i] = 1;
    lap->tag[i] = tag;
    lap->missed[i] = 0;
    return i;
}

static void lap_miss(void *table, const struct prefetch_reach *reach, uint32_t line,
                     struct prefetch_burst *burst)
{
    struct lap *lap = table;
    const unsigned i = lap_entry(lap, line / LAP_BLOCK_LINES);
    const uint8_t bit = (uint8_t)(1u << line % LAP_BLOCK_LINES);
    (void)reach;
    lru_rank_touch(lap->age, LAP_ENTRIES, i);
    if (lap->missed[i] == LAP_WHOLE) {
        lap->missed[i] = bit; /* completed before, and evicted since */
        return;
    }
    if (lap->missed[i] & bit) {
        return;
    }
    lap->missed[i] |= bit;
    if (__builtin_popcount(lap->missed[i]) < LAP_THRESHOLD) {
        return;
    }
    for (uint32_t j = 0; j < LAP_BLOCK_LINES; j++) {
        if (!(lap->missed[i] >> j & 1)) {
            prefetch_add(burst, line / LAP_BLOCK_LINES * LAP_BLOCK_LINES + j, -1);
        }
    }
    lap->missed[i] = LAP_WHOLE;
}

const struct prefetch_kind prefetch_lap = {
    .table_bytes = sizeof(struct lap), .reset = lap_reset, .miss = lap_miss};

int lap_attach(struct mechanism_context *context)
{
    return prefetch_attach(context, &prefetch_lap, (struct prefetch_reach){1, 1});
}

const struct mechanism mechanism_lap = {.name = "lap",
                                        .title = "macro-block prefetcher (LAP)",
                                        .document = "caps-prefetch",
                                        .section = "3.13",
                                        .promises = PLUG_LOCAL | PLUG_QUIET,
                                        .attach = lap_attach};
