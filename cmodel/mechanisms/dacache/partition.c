/* partition.c - see partition.h. */
#include "mechanisms/dacache/partition.h"

#include <stdio.h>

enum { COHERENT_MOST = 2 };

int partition_open(struct mechanism_context *context, struct partition *p, const struct core *core,
                   const char *what, uint32_t counter_bits)
{
    const struct pin_name in[] = {{&p->retire_valid, "retire_valid"},
                                  {&p->nreq, "nreq"},
                                  {&p->miss_seen, "miss_seen"},
                                  {&p->gprio, "gprio"},
                                  {&p->kernel_start, "kernel_start"}};
    const struct pin_name out[] = {{&p->fcw_out, "fcw"}};
    char where[48], overrides[32];
    const int used = snprintf(overrides, sizeof overrides, "W_MAX=%u", core_config(core)->sm_warps);
    if (counter_bits > 0) {
        snprintf(overrides + used, sizeof overrides - (size_t)used, ",CNT_W=%u", counter_bits);
    }
    snprintf(where, sizeof where, "sm%u.%s.part", core_id(core), what);
    if (pins_open(context, &p->unit, "dac_part", overrides, where) != 0 ||
        pins_wire(context, &p->unit, PINS(in), PINS(out)) != 0) {
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
    *p->retire_valid = *p->kernel_start = 0;
    pins_comb(&p->unit);
}

void partition_start(struct partition *p)
{
    *p->kernel_start = 1;
    edge(p);
    p->fcw = (uint32_t)*p->fcw_out;
}

void partition_retire(struct partition *p, uint32_t nreq, bool miss_seen, uint32_t gprio)
{
    if (nreq <= COHERENT_MOST) {
        return; /* trains nothing */
    }
    p->loads++;
    p->fcw_sum += p->fcw;
    *p->retire_valid = 1;
    *p->nreq = nreq;
    *p->miss_seen = miss_seen;
    *p->gprio = gprio;
    edge(p);
    p->grown += *p->fcw_out > p->fcw;
    p->shrunk += *p->fcw_out < p->fcw;
    p->fcw = (uint32_t)*p->fcw_out;
}

void partition_statistics(const struct instances *all, size_t offset, json_t *into)
{
    const struct counter counters[] = {
        {"partition_grown", offset + offsetof(struct partition, grown)},
        {"partition_shrunk", offset + offsetof(struct partition, shrunk)}};
    const uint64_t loads = instances_sum(all, offset + offsetof(struct partition, loads));
    const uint64_t fcw_sum = instances_sum(all, offset + offsetof(struct partition, fcw_sum));
    instances_put(all, counters, sizeof counters / sizeof *counters, into);
    json_object_set_new(into, "mean_fcw", json_real(loads ? (double)fcw_sum / (double)loads : 0));
}
