/* l2_view.c - an L2 bank as a mechanism sees it: see machine/plug/view.h. */
#include "machine/l2/l2.h"
#include "machine/l2/l2_request.h"
#include "machine/plug/view.h"

static const struct l2_bank *l2_of(const struct bank *bank)
{
    return (const struct l2_bank *)bank;
}

static struct l2_bank *l2_to_change(struct bank *bank)
{
    return (struct l2_bank *)bank;
}

struct bank_sockets *bank_sockets(struct bank *bank)
{
    return &l2_to_change(bank)->sockets;
}

uint32_t bank_id(const struct bank *bank)
{
    return l2_of(bank)->id;
}

const struct gpu_config *bank_config(const struct bank *bank)
{
    return l2_of(bank)->config;
}

const struct cache *bank_cache(const struct bank *bank)
{
    return &l2_of(bank)->cache;
}

const struct mshr_file *bank_mshrs(const struct bank *bank)
{
    return &l2_of(bank)->mshr;
}

uint64_t bank_index_address(const struct bank *bank, uint64_t block)
{
    return l2_index_address(l2_of(bank)->config, block);
}

uint32_t bank_set_of(const struct bank *bank, uint64_t block)
{
    return l2_set_of(l2_of(bank), block);
}

uint32_t bank_miss_room(const struct bank *bank)
{
    return l2_miss_room(l2_of(bank));
}

bool bank_serving(const struct bank *bank)
{
    return l2_of(bank)->serving >= 0;
}

bool bank_in_service(const struct bank *bank, uint32_t set, uint32_t way)
{
    return l2_in_service(l2_of(bank), set, way);
}

void bank_write_back(struct bank *bank, uint32_t set, uint32_t way, uint64_t tick)
{
    l2_write_back(l2_to_change(bank), set, way, clock_core(&l2_of(bank)->clock, tick));
}

void bank_flush_set(struct bank *bank, uint32_t set)
{
    l2_flush_set(l2_to_change(bank), set);
}
