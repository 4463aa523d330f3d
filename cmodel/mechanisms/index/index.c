/* index.c - static set indexing as a mechanism: an index unit in front of every L1D, of every L2
 * bank, or of both (wang2015 3.3-3.7, aci-iacm-blpp 3.1-3.6).
 *
 * Every unit of the family takes a byte address in `addr` and gives `set_index`;
 * this file knows no more of them than that, and PLI's polynomials. */
#include <stdio.h>
#include <string.h>

#include "mechanisms/index/index_l1d.h"

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
        return mechanism_fail(
            context, "pli: no polynomial is given for %u sets; use 8, 16, 32, 64 or 128 sets",
            sets);
    }
    snprintf(overrides, n, "SETS=%u,POLY=%u", sets, polynomial(sets));
    return 0;
}

/* A new unit for a cache of `sets` sets; false with the context's error. */
static bool open_index(struct mechanism_context *context, uint32_t sets, const char *where,
                       struct index_socket *socket)
{
    const char *unit = context->mechanism->parts[0].unit;
    char overrides[64];
    struct indexer *indexer = mechanism_keep(context, sizeof *indexer);
    if (indexer == NULL || parameters(context, unit, sets, overrides, sizeof overrides) != 0) {
        return false;
    }
    const struct mechanism_unit *opened = mechanism_open(context, unit, overrides, where);
    if (opened == NULL) {
        return false;
    }
    const struct unit_desc *desc = opened->backend->desc;
    if (desc->in_slots > MAX_SLOTS || desc->out_slots > MAX_SLOTS ||
        strcmp(desc->in[0].name, "addr") != 0 || strcmp(desc->out[0].name, "set_index") != 0) {
        mechanism_fail(context, "%s is not a set index unit", unit);
        return false;
    }
    indexer->backend = opened->backend;
    indexer->instance = opened->instance;
    indexer->address_slot = desc->in[0].slot;
    indexer->set_slot = desc->out[0].slot;
    indexer->address_mask = desc->in[0].width >= 64 ? UINT64_MAX
                                                    : (UINT64_C(1) << desc->in[0].width) - 1;
    *socket = (struct index_socket){indexer, set_of};
    return true;
}

int index_attach_l1d(struct mechanism_context *context)
{
    struct machine *machine = context->machine;
    for (uint32_t i = 0; i < machine_cores(machine); i++) {
        struct index_socket socket;
        char where[48];
        snprintf(where, sizeof where, "sm%u.l1d.index", i);
        if (!open_index(context, machine_config(machine)->l1d_sets, where, &socket) ||
            plug_index(machine_core(machine, i), &context->plug, &socket) != 0) {
            return -1;
        }
    }
    return 0;
}

static int attach_l2(struct mechanism_context *context)
{
    struct machine *machine = context->machine;
    for (uint32_t i = 0; i < machine_banks(machine); i++) {
        struct index_socket socket;
        char where[48];
        snprintf(where, sizeof where, "l2bank%u.index", i);
        if (!open_index(context, machine_config(machine)->l2_sets, where, &socket) ||
            plug_bank_index(machine_bank(machine, i), &context->plug, &socket) != 0) {
            return -1;
        }
    }
    return 0;
}

enum level { LEVEL_L1D, LEVEL_L2, LEVEL_BOTH };

static int attach(struct mechanism_context *context)
{
    const enum level level = (enum level)mechanism_value(context, "level");
    if (level != LEVEL_L2 && index_attach_l1d(context) != 0) {
        return -1;
    }
    return level != LEVEL_L1D ? attach_l2(context) : 0;
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE("level", LEVEL_L1D, "l1d|l2|both", "the caches whose sets are chosen", NULL)};

/* A unit of the family as a mechanism of the same name. */
#define INDEX(unit_, title_, document_, section_) \
    static const struct mechanism_part parts_##unit_[] = {{"index", #unit_}}; \
    const struct mechanism mechanism_##unit_ = {.name = #unit_, \
                                                .title = "set index: " title_, \
                                                .document = document_, \
                                                .section = section_, \
                                                MECHANISM_OPTIONS(options), \
                                                MECHANISM_PARTS(parts_##unit_), \
                                                .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL, \
                                                .attach = attach};
INDEX(conv, "conventional (CONV, CVI)", "wang2015", "3.3")
INDEX(bxor, "bitwise XOR (BXOR, BXI)", "wang2015", "3.4")
INDEX(rxi, "Fermi pseudo-random hash (PRH, RXI)", "wang2015", "3.6")
INDEX(pmod, "prime modulo (pMOD, PRI)", "wang2015", "3.5")
INDEX(pdisp, "prime displacement (pDisp)", "wang2015", "3.5")
INDEX(pli, "polynomial modulus (PLI)", "aci-iacm-blpp", "3.5")
INDEX(fup20, "full permutation, four groups (FUP)", "wang2015", "3.7")
INDEX(fup28, "full permutation, all feature bits (FUP)", "wang2015", "3.7")
