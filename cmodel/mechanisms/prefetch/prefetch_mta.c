/* prefetch_mta.c - MTA: INTRA where a warp has a stride of its own, else INTER
 * (caps-prefetch 3.11, MTA_STYLE SIMPLE).  Both tables learn from every load. */
#include "mechanisms/prefetch/prefetch_stride.h"

struct mta {
    struct intra_table intra;
    struct inter_table inter;
};

static int configure(void *table, const char *parameters, char *error, size_t n_error)
{
    struct mta *mta = table;
    const int status = prefetch_intra.configure(&mta->intra, parameters, error, n_error);
    return status != 0 ? status : prefetch_inter.configure(&mta->inter, parameters, error, n_error);
}

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

static void on_load(void *table, const struct prefetch_load *load, struct prefetch_burst *burst)
{
    struct mta *mta = table;
    const struct intra_entry *own = intra_train(&mta->intra, load);
    const struct inter_entry *others = inter_train(&mta->inter, load);
    if (intra_steady(own)) {
        issue_for_iterations(&mta->intra.reach, own->stride, load, burst);
    } else if (others != NULL) {
        issue_for_warps(&mta->inter.reach, others->stride, load, burst);
    }
}

const struct prefetch_kind prefetch_mta = {.table_bytes = sizeof(struct mta),
                                           .configure = configure,
                                           .reset = reset,
                                           .load = on_load,
                                           .flush = flush};

int attach_mta(struct mechanism_context *context, const char *argument)
{
    uint32_t tables = 0;
    prefetch_parameter(argument, "TABLES3", &tables);
    return prefetch_attach(context, tables != 0 ? &prefetch_mta_tables : &prefetch_mta, argument);
}
