/* prefetch_mta.c - MTA: INTRA where a warp has a stride of its own, else INTER
 * (caps-prefetch 3.11, MTA_STYLE SIMPLE).  Both tables learn from every load. */
#include "mechanisms/prefetch/prefetch_stride.h"

struct mta {
    struct intra_table intra;
    struct inter_table inter;
};

static void reset(void *table)
{
    struct mta *mta = table;
    intra_reset(&mta->intra);
    inter_reset(&mta->inter);
}

static void flush(void *table, uint32_t warp)
{
    struct mta *mta = table;
    intra_flush(&mta->intra, warp);
}

static void on_load(void *table, const struct prefetch_reach *reach,
                    const struct prefetch_load *load, struct prefetch_burst *burst)
{
    struct mta *mta = table;
    const struct intra_entry *own = intra_train(&mta->intra, load);
    const struct inter_entry *others = inter_train(&mta->inter, load);
    if (intra_steady(own)) {
        issue_for_iterations(reach, own->stride, load, burst);
    } else if (others != NULL) {
        issue_for_warps(reach, others->stride, load, burst);
    }
}

const struct prefetch_kind prefetch_mta = {
    .table_bytes = sizeof(struct mta), .reset = reset, .load = on_load, .flush = flush};

static int attach(struct mechanism_context *context)
{
    const bool tables3 = mechanism_value(context, "tables3") != 0;
    return prefetch_attach(context, tables3 ? &prefetch_mta_tables : &prefetch_mta,
                           prefetch_reach_of(context));
}

static const struct mechanism_option options[] = {
    OPTION_SWITCH("tables3", "learn by the three tables of the cited work", "3.11"),
    PREFETCH_DEGREE("iterations or warps"), PREFETCH_DISTANCE("iterations or warps", "3.11")};

const struct mechanism mechanism_mta = {.name = "mta",
                                        .title = "many-thread-aware prefetcher: INTRA, else INTER "
                                                 "(MTA)",
                                        .document = "caps-prefetch",
                                        .section = "3.11",
                                        MECHANISM_OPTIONS(options),
                                        .promises = PLUG_LOCAL | PLUG_QUIET,
                                        .attach = attach};
