/* coalesce.c - see coalesce.h. */
#include "machine/sm/coalesce.h"

/* One sector: accesses are aligned to their size, which is at most half of one. */
static uint8_t sector_of(uint64_t address)
{
    return (uint8_t)(1u << (address / SECTOR_BYTES % SECTORS));
}

void coalesce(struct mem_inst *inst)
{
    const struct isa_memop *op = &inst->op;
    uint64_t lowest = UINT64_MAX, highest = 0;
    uint32_t n = 0;

    for (uint32_t left = op->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t block = op->addr[lane] & ~(uint64_t)(BLOCK_BYTES - 1);
        /* Lanes most often go up or down: outside of what there is, nothing need be looked for. */
        uint32_t at = block >= lowest && block <= highest ? n : 0;

        /* Neighbouring lanes most often share a block, so look from the newest. */
        while (at > 0 && inst->access[at - 1].block != block) {
            at--;
        }
        if (at == 0) {
            inst->access[n] = (struct mem_access){.block = block};
            at = ++n;
            lowest = block < lowest ? block : lowest;
            highest = block > highest ? block : highest;
        }
        inst->access[at - 1].lanes |= UINT32_C(1) << lane;
        inst->access[at - 1].sectors |= sector_of(op->addr[lane]);
    }
    inst->n = (uint8_t)n;
}

void coalesce_segments(struct mem_inst *inst, uint32_t bytes, bool apart)
{
    const struct isa_memop *op = &inst->op;
    uint64_t segment[ISA_LANES];
    uint32_t taken[ISA_LANES], n = 0; /* bytes of each request's sector */

    for (uint32_t left = op->mask; left; left &= left - 1) {
        const uint64_t address = op->addr[__builtin_ctz(left)];
        const uint32_t own = (uint32_t)((UINT64_C(1) << op->inst->bytes) - 1)
                             << address % SECTOR_BYTES;
        uint32_t at = 0;

        while (at < n && (segment[at] != address / bytes || (apart && (taken[at] & own)))) {
            at++;
        }
        if (at == n) {
            segment[n] = address / bytes;
            taken[n] = 0;
            inst->access[n++] = (struct mem_access){.block = address &
                                                             ~(uint64_t)(BLOCK_BYTES - 1)};
        }
        inst->access[at].lanes |= left & -left;
        inst->access[at].sectors |= sector_of(address);
        taken[at] |= own;
    }
    inst->n = (uint8_t)n;
}

static bool lies_below(const struct mem_access *a, const struct mem_access *b)
{
    return a->block < b->block || (a->block == b->block && a->sectors < b->sectors);
}

void coalesce_descending(struct mem_inst *inst)
{
    for (uint32_t n = 1; n < inst->n; n++) {
        const struct mem_access access = inst->access[n];
        uint32_t at = n;

        for (; at > 0 && lies_below(&inst->access[at - 1], &access); at--) {
            inst->access[at] = inst->access[at - 1];
        }
        inst->access[at] = access;
    }
}

/* Is `word` already among the n words listed? */
static bool listed(const uint64_t *words, uint32_t n, uint64_t word)
{
    while (n > 0) {
        if (words[--n] == word) {
            return true;
        }
    }
    return false;
}

uint32_t coalesce_shared_passes(const struct isa_memop *op, uint32_t banks)
{
    enum { MAX_BANKS = 64, MAX_WORDS = ISA_LANES * ISA_LANE_BYTES / 4 };
    bool atomic = op->inst->access == ISA_ACCESS_ATOMIC || op->inst->access == ISA_ACCESS_REDUCE;
    uint64_t words[MAX_WORDS];
    uint16_t load[MAX_BANKS] = {0};
    uint32_t n = 0, most = 1;

    for (uint32_t left = op->mask; left; left &= left - 1) {
        uint64_t address = op->addr[__builtin_ctz(left)];
        uint64_t last = (address + op->inst->bytes - 1) / 4;

        for (uint64_t word = address / 4; word <= last && n < MAX_WORDS; word++) {
            uint32_t bank = (uint32_t)(word % banks);

            /* Lanes of an atomic on one word go one after the other. */
            if (!atomic && load[bank] && listed(words, n, word)) {
                continue;
            }
            words[n++] = word;
            load[bank]++;
            most = load[bank] > most ? load[bank] : most;
        }
    }
    return most;
}

uint32_t coalesce_shared_first_words(const struct isa_memop *op, uint32_t banks)
{
    uint64_t words[ISA_LANES];
    uint8_t load[64] = {0};
    uint32_t n = 0, most = 1;

    for (uint32_t left = op->mask; left; left &= left - 1) {
        const uint64_t word = op->addr[__builtin_ctz(left)] / 4;
        uint8_t *of_bank = &load[word % banks];

        if (!listed(words, n, word)) {
            words[n++] = word;
            most = ++*of_bank > most ? *of_bank : most;
        }
    }
    return most;
}
