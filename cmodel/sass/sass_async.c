/* sass_async.c - see sass_async.h. */
#include "sass/sass_async.h"

#include <stdlib.h>
#include <string.h>

enum { RANK_SHIFT = 24, OFFSET_MASK = (1 << RANK_SHIFT) - 1, MAX_RANK = 15, BARRIERS = 16 };

bool sass_async_class(enum sass_class class)
{
    switch (class) {
    case SASS_BARRIER:
    case SASS_COMMIT_LOADS:
    case SASS_WAIT_GROUPS:
    case SASS_GMMA:
    case SASS_BULK_LOAD:
    case SASS_BULK_STORE:
    case SASS_BULK_COPY:
    case SASS_BULK_REDUCE:
    case SASS_BULK_PREFETCH:
    case SASS_COMMIT_BULK:
    case SASS_MBARRIER:
    case SASS_ARRIVE_LOADS:
    case SASS_WARPGROUP:
    case SASS_CLUSTER_ARRIVE:
    case SASS_CLUSTER_WAIT:
    case SASS_STORE_REMOTE:
    case SASS_REDUCE_REMOTE: return true;
    default: return false;
    }
}

bool sass_async_starts(enum sass_class class)
{
    switch (class) {
    case SASS_BARRIER:
    case SASS_COMMIT_LOADS:
    case SASS_WAIT_GROUPS:
    case SASS_COMMIT_BULK:
    case SASS_WARPGROUP: return false;
    default: return class == SASS_LOAD_ASYNC || sass_async_class(class);
    }
}

static bool has(const char *opcode, const char *part)
{
    return strstr(opcode, part) != NULL;
}

/* ---- barriers ---- */

/* Two forms: the barrier's number in a register and its threads in the first immediate, or both
 * in immediates. */
static int take_barrier(const struct sass_entry *entry, const struct sass_executed *executed,
                        const char *opcode, struct isa_async *out)
{
    const struct sass_tail *tail = &executed->tail;
    const bool in_register = entry->results && tail->n_values && tail->imm[1] == 0;
    const uint64_t number = in_register ? tail->value[0] : (uint64_t)tail->imm[0];
    const int64_t threads = in_register ? tail->imm[0] : tail->imm[1];

    if (executed->mask == 0 || (tail->n_imm == 0 && tail->n_values == 0)) {
        return 0;
    }
    if (number >= BARRIERS || threads < 0 || threads > UINT16_MAX) {
        return -1;
    }
    out->units = (uint8_t)number;
    out->count = (uint32_t)threads;
    out->commits = has(opcode, "ARV");
    return 1;
}

/* ---- copies ---- */

static uint8_t direction(const struct sass_entry *entry, const char *opcode)
{
    switch (entry->class) {
    case SASS_BULK_LOAD: return ISA_ACCESS_LOAD;
    case SASS_BULK_STORE: return ISA_ACCESS_STORE;
    case SASS_BULK_REDUCE: return ISA_ACCESS_REDUCE;
    case SASS_BULK_COPY:
        return has(opcode, ".S.G")   ? ISA_ACCESS_LOAD
               : has(opcode, ".G.S") ? ISA_ACCESS_STORE
                                     : ISA_ACCESS_NONE;
    default: return ISA_ACCESS_NONE;
    }
}

static int take_copy(const struct sass_entry *entry, const struct sass_executed *executed,
                     const char *opcode, struct isa_async *out, struct sass_oddities *odd)
{
    const struct sass_bulk *bulk = &executed->bulk;
    const uint32_t rank = bulk->mbarrier >> RANK_SHIFT;
    const bool inside_only = bulk->bytes == (uint64_t)bulk->n * bulk->width;

    if (executed->mask == 0) {
        return 0;
    }
    out->kind = ISA_ASYNC_COPY;
    out->units = ISA_ASYNC_BULK;
    out->access = direction(entry, opcode);
    out->mbarrier = bulk->mbarrier & OFFSET_MASK;
    out->ranks = bulk->multicast ? bulk->ranks : rank && rank <= MAX_RANK ? 1u << rank : 0;
    out->bytes = bulk->bytes + (inside_only ? bulk->outside : 0);
    out->width = bulk->width;
    out->n = out->access == ISA_ACCESS_NONE || !bulk->width ? 0 : bulk->n;
    out->address = bulk->address;
    if (odd && bulk->old_form && out->access == ISA_ACCESS_LOAD) {
        odd->no_mbarrier++;
    }
    return 1;
}

/* ---- mbarriers ---- */

/* Arrivals that end a phase, out of the word that the initialisation stores: it counts up. */
static uint32_t expected(uint64_t word)
{
    return UINT32_C(0) - (((uint32_t)word >> 1) - UINT32_C(0x100000));
}

static void take_arrival(const char *opcode, uint64_t value, uint32_t lanes, struct isa_async *out)
{
    const bool counted = has(opcode, "ART0"), one = has(opcode, "A1T0");
    const bool transaction = has(opcode, "A0TR"), came = has(opcode, "A0TX");
    const bool plain = !counted && !one && !transaction && !came && !has(opcode, "A0T1");

    out->kind = came ? ISA_ASYNC_BYTES : ISA_ASYNC_ARRIVE;
    if (counted) {
        out->count = (uint32_t)value * lanes;
    } else if (one || plain) {
        out->count = lanes;
    }
    if (transaction || came || plain) {
        out->bytes = (value & UINT32_MAX) * lanes;
    } else if (has(opcode, "A0T1")) {
        out->bytes = lanes;
    }
}

static int take_mbarrier(const struct sass_entry *entry, const struct sass_executed *executed,
                         const char *opcode, struct isa_async *out, struct sass_oddities *odd)
{
    const struct sass_tail *tail = &executed->tail;
    const uint32_t sources = (uint32_t)entry->registers - entry->results;
    const uint32_t second = entry->results + (sources > 1 ? 1u : 0u);
    const uint32_t lanes = (uint32_t)__builtin_popcount(executed->mask);
    uint64_t address, value;

    if (executed->mask == 0 || !executed->addressed) {
        return 0;
    }
    address = executed->addresses.lane[__builtin_ctz(executed->mask)];
    out->mbarrier = (uint32_t)address & OFFSET_MASK;
    out->ranks = address >> RANK_SHIFT && address >> RANK_SHIFT <= MAX_RANK
                     ? 1u << (address >> RANK_SHIFT)
                     : 0;
    if (entry->class == SASS_ARRIVE_LOADS) {
        out->kind = ISA_ASYNC_ARRIVE_LOADS;
        out->count = lanes;
        return 1;
    }
    if (tail->n_values == 0 || sources == 0) {
        if (odd) {
            odd->no_values++;
        }
        return 0;
    }
    value = tail->value[second];
    if (has(opcode, ".EXCH")) {
        out->kind = ISA_ASYNC_INIT;
        out->count = expected(value);
    } else if (has(opcode, ".PHASECHK")) {
        out->kind = has(opcode, "TRYWAIT") ? ISA_ASYNC_TRY_WAIT : ISA_ASYNC_TEST;
        out->count = value & 1;
    } else if (has(opcode, ".ARRIVE")) {
        take_arrival(opcode, value, lanes, out);
    } else {
        return 0; /* its word is read or invalidated: a shared access */
    }
    return 1;
}

/* ---- remote stores ---- */

static int take_remote(const struct sass_entry *entry, const struct sass_executed *executed,
                       struct isa_async *out)
{
    if (executed->mask == 0 || !executed->addressed) {
        return 0;
    }
    out->kind = ISA_ASYNC_STORE;
    for (uint32_t left = executed->mask; left; left &= left - 1) {
        const uint64_t rank = executed->addresses.lane[__builtin_ctz(left)] >> RANK_SHIFT;

        out->ranks |= rank <= MAX_RANK ? UINT32_C(1) << rank : 0;
    }
    /* Divided evenly when lanes go to several blocks, as multicasts do. */
    out->bytes = (uint64_t)__builtin_popcount(executed->mask) * entry->inst.bytes;
    if (__builtin_popcount(out->ranks) > 1) {
        out->bytes /= (uint32_t)__builtin_popcount(out->ranks);
    }
    return 1;
}

/* ---- matrices ---- */

/* Cycles of a warp-group multiplication, by the N of its tile MxNxK. */
static uint32_t matrix_cycles(const char *opcode)
{
    static const uint32_t ODD[][2] = {{56, 56}, {32, 24}, {16, 20}, {8, 18}};
    const char *tile = strchr(opcode, '.'), *n = tile ? strchr(tile, 'x') : NULL;
    const unsigned long columns = n ? strtoul(n + 1, NULL, 10) : 0;

    for (size_t o = 0; o < sizeof ODD / sizeof ODD[0]; o++) {
        if (ODD[o][0] == columns) {
            return ODD[o][1];
        }
    }
    return columns >= 2 && columns <= 1024 ? (uint32_t)columns / 2 : 1;
}

static int take_groups(const struct sass_entry *entry, const struct sass_executed *executed,
                       const char *opcode, struct isa_async *out)
{
    const int64_t left = executed->tail.imm[0];

    switch (entry->class) {
    case SASS_COMMIT_LOADS:
    case SASS_COMMIT_BULK:
        out->kind = ISA_ASYNC_COMMIT;
        out->units = entry->class == SASS_COMMIT_LOADS ? ISA_ASYNC_LOADS : ISA_ASYNC_BULK;
        return 1;
    case SASS_WAIT_GROUPS: out->units = ISA_ASYNC_LOADS | ISA_ASYNC_BULK; break;
    case SASS_WARPGROUP:
        if (!has(opcode, ".DEPBAR")) {
            return 0;
        }
        out->units = ISA_ASYNC_MATRICES;
        break;
    default:
        out->kind = ISA_ASYNC_MATRIX;
        out->units = ISA_ASYNC_MATRICES;
        out->cycles = matrix_cycles(opcode);
        out->commits = entry->commit;
        return executed->mask != 0;
    }
    out->kind = ISA_ASYNC_WAIT;
    out->count = left < 0 ? 0 : left > UINT16_MAX ? UINT16_MAX : (uint32_t)left;
    return 1; /* without an immediate: for all */
}

int sass_async_of(const struct sass_kernel *kernel, const struct sass_entry *entry,
                  const struct sass_executed *executed, struct isa_async *out,
                  struct sass_oddities *odd)
{
    const char *opcode = sass_program_opcode(&kernel->program, entry);

    *out = (struct isa_async){0};
    switch (entry->class) {
    case SASS_BARRIER: return take_barrier(entry, executed, opcode, out);
    case SASS_BULK_LOAD:
    case SASS_BULK_STORE:
    case SASS_BULK_COPY:
    case SASS_BULK_REDUCE:
    case SASS_BULK_PREFETCH: return entry->bulk ? take_copy(entry, executed, opcode, out, odd) : 0;
    case SASS_MBARRIER:
    case SASS_ARRIVE_LOADS: return take_mbarrier(entry, executed, opcode, out, odd);
    case SASS_CLUSTER_ARRIVE:
    case SASS_CLUSTER_WAIT:
        out->kind = entry->class == SASS_CLUSTER_WAIT ? ISA_ASYNC_CLUSTER_WAIT
                                                      : ISA_ASYNC_CLUSTER_ARRIVE;
        return executed->mask != 0;
    case SASS_STORE_REMOTE:
    case SASS_REDUCE_REMOTE: return take_remote(entry, executed, out);
    default: return take_groups(entry, executed, opcode, out);
    }
}
