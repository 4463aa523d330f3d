/* partition.c - see partition.h. */
#include "mechanisms/dacache/partition.h"

#include <stdio.h>

enum { COHERENT_MOST = 2 };

int partition_open(struct mechanism_context *context, struct partition *p, const struct sm *sm,
                   const char *what, uint32_t cnt_bits)
{
    const struct pin_name in[] = {{&p->retire_v, "retire_v"},
                                  {&p->nreq, "nreq"},
                                  {&p->miss_seen, "miss_seen"},
                                  {&p->g, "g"},
                                  {&p->kstart, "kstart"}};
    const struct pin_name out[] = {{&p->fcw_out, "fcw"}};
    char where[48], overrides[32];
    snprintf(where, sizeof where, "sm%u.%s.part", sm->id, what);
    snprintf(overrides, sizeof overrides, "CNT_W=%u,W_MAX=%u", cnt_bits, sm->config->sm_warps);
    if (pins_open(context, &p->unit, "dac_part", overrides, where) != 0 ||
        pins_in(context, &p->unit, in, sizeof in / sizeof *in) != 0 ||
        pins_out(context, &p->unit, out, sizeof out / sizeof *out) != 0) {
        return -1;
    }
    pins_comb(&p->unit);
    p->fcw = (uint32_t)*p->fcw_out;
    return 0;
}

static void edge(struct partition *p)
{
    pins_comb(&p->unit);
    pins_seq(&p->unit);
    *p->retire_v = *p->kstart = 0;
    pins_comb(&p->unit);
}

void partition_start(struct partition *p)
{
    *p->kstart = 1;
    edge(p);
    p->fcw = (uint32_t)*p->fcw_out;
}

void partition_retire(struct partition *p, uint32_t nreq, bool miss_seen, uint32_t g)
{
    if (nreq <= COHERENT_MOST) {
        return; /* trains nothing */
    }
    p->loads++;
    p->fcw_sum += p->fcw;
    *p->retire_v = 1;
    *p->nreq = nreq;
    *p->miss_seen = miss_seen;
    *p->g = g;
    edge(p);
    p->grown += *p->fcw_out > p->fcw;
    p->shrunk += *p->fcw_out < p->fcw;
    p->fcw = (uint32_t)*p->fcw_out;
}

void partition_statistics(const struct partition *const *partitions, uint32_t n, json_t *into)
{
    uint64_t loads = 0, fcw_sum = 0, grown = 0, shrunk = 0;
    if (n == 0) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        loads += partitions[i]->loads;
        fcw_sum += partitions[i]->fcw_sum;
        grown += partitions[i]->grown;
        shrunk += partitions[i]->shrunk;
    }
    json_object_set_new(into, "partition_grown", json_integer((json_int_t)grown));
    json_object_set_new(into, "partition_shrunk", json_integer((json_int_t)shrunk));
    json_object_set_new(into, "mean_fcw", json_real(loads ? (double)fcw_sum / (double)loads : 0));
}
