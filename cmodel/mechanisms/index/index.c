/* index.c - static set indexing as a mechanism: an index unit behind the socket of
 * every L1D or L2 bank (wang2015 3.3-3.7, aci-iacm-blpp 3.1-3.6).
 *
 * Every unit of the family takes a byte address in `addr` and gives `set_index`;
 * this file knows no more of them than that, and PLI's polynomials. */
#include "mechanisms/index/index.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SLOTS = 16 };

/* One unit behind one socket. */
struct indexer {
    const struct unit_backend *backend;
    void *instance;
    uint64_t address_mask;
    unsigned address_slot, set_slot;
    uint64_t in[MAX_SLOTS], out[MAX_SLOTS];
};

static uint32_t set_of(void *self, uint64_t address)
{
    struct indexer *indexer = self;
    indexer->in[indexer->address_slot] = address & indexer->address_mask;
    indexer->backend->comb(indexer->instance, indexer->in, indexer->out);
    return (uint32_t)indexer->out[indexer->set_slot];
}

/* The irreducible polynomials of aci-iacm-blpp 3.5, by number of sets; 0: not given. */
static unsigned polynomial(uint32_t sets)
{
    switch (sets) {
    case 8: return 0xB;
    case 16: return 0x13;
    case 32: return 0x25;
    case 64: return 0x43;
    case 128: return 0x83;
    default: return 0;
    }
}

static int parameters(struct mechanism_context *context, const char *unit, uint32_t sets,
                      char *overrides, size_t n)
{
    snprintf(overrides, n, "SETS=%u", sets);
    if (strcmp(unit, "pli") != 0) {
        return 0;
    }
    if (polynomial(sets) == 0) {
        snprintf(context->error, context->n_error,
                 "pli: no polynomial is given for %u sets; use 8, 16, 32, 64 or 128 sets", sets);
        return -1;
    }
    snprintf(overrides, n, "SETS=%u,POLY=%u", sets, polynomial(sets));
    return 0;
}

static int plug(struct mechanism_context *context, const char *unit, uint32_t sets,
                const char *where, struct index_socket *socket)
{
    char overrides[64];
    struct indexer *indexer = mechanism_keep(context, sizeof *indexer);
    if (indexer == NULL || parameters(context, unit, sets, overrides, sizeof overrides) != 0) {
        return -1;
    }
    const struct mechanism_unit *opened = mechanism_open(context, unit, overrides, where);
    if (opened == NULL) {
        return -1;
    }
    const struct unit_desc *desc = opened->backend->desc;
    if (desc->in_slots > MAX_SLOTS || desc->out_slots > MAX_SLOTS ||
        strcmp(desc->in[0].name, "addr") != 0 || strcmp(desc->out[0].name, "set_index") != 0) {
        snprintf(context->error, context->n_error, "%s is not a set index unit", unit);
        return -1;
    }
    indexer->backend = opened->backend;
    indexer->instance = opened->instance;
    indexer->address_slot = desc->in[0].slot;
    indexer->set_slot = desc->out[0].slot;
    indexer->address_mask = desc->in[0].width >= 64 ? UINT64_MAX
                                                    : (UINT64_C(1) << desc->in[0].width) - 1;
    socket->self = indexer;
    socket->set = set_of;
    return 0;
}

int attach_l1d_index(struct mechanism_context *context, const char *unit)
{
    struct gpu *gpu = context->gpu;
    for (uint32_t i = 0; i < gpu->n_sms; i++) {
        char where[48];
        snprintf(where, sizeof where, "sm%u.l1d.index", i);
        if (plug(context, unit, gpu->config.l1d_sets, where, &gpu->sm[i].sockets.index) != 0) {
            return -1;
        }
    }
    return 0;
}

int attach_l2_index(struct mechanism_context *context, const char *unit)
{
    struct gpu *gpu = context->gpu;
    for (uint32_t i = 0; i < gpu->n_banks; i++) {
        char where[48];
        snprintf(where, sizeof where, "l2bank%u.index", i);
        if (plug(context, unit, gpu->config.l2_sets, where, &gpu->bank[i].sockets.index) != 0) {
            return -1;
        }
    }
    return 0;
}
