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
    uint32_t n = 0;

    for (uint32_t left = op->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t block = op->addr[lane] & ~(uint64_t)(BLOCK_BYTES - 1);
        uint32_t at = n;

        /* Neighbouring lanes most often share a block, so look from the newest. */
        while (at > 0 && inst->access[at - 1].block != block) {
            at--;
        }
        if (at == 0) {
            inst->access[n] = (struct mem_access){.block = block};
            at = ++n;
        }
        inst->access[at - 1].lanes |= UINT32_C(1) << lane;
        inst->access[at - 1].sectors |= sector_of(op->addr[lane]);
    }
    inst->n = (uint8_t)n;
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
