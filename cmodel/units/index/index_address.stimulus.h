/* index_address.h - addresses for the set-index units: what their stimuli share.
 *
 * Half of the steps walk from the last address by a power-of-two stride times 1, 31,
 * 33 or a prime's neighbour, so that carries run through the field borders and the
 * schemes' bad strides occur; others set one bit, or a few adjacent ones; the rest
 * stay as drawn.  Included after tb/stimulus.h by a unit with an input `addr`. */
#ifndef WARPLOCK_TB_STIMULUS_INDEX_ADDRESS_H
#define WARPLOCK_TB_STIMULUS_INDEX_ADDRESS_H

static inline uint64_t address_bits(uint64_t address)
{
    return address & (~UINT64_C(0) >> (64 - ADDR_W));
}

static void drive_address(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                          const uint64_t *last_out, uint64_t *in_slots)
{
    static const uint8_t steps[] = {1, 1, 1, 3, 31, 33, 61, 63};
    (void)step, (void)last_out;
    struct in *in = (struct in *)(void *)in_slots;
    const uint64_t last = ((const struct in *)(const void *)last_in)->addr;
    const unsigned choice = (unsigned)tb_random_below(random, 8);
    const unsigned bit = (unsigned)tb_random_below(random, ADDR_W);
    if (choice < 4) {
        const uint64_t multiple = steps[tb_random_below(random, sizeof steps)];
        in->addr = address_bits(last + (multiple << bit));
    } else if (choice == 4) {
        in->addr = UINT64_C(1) << bit;
    } else if (choice == 5) {
        in->addr = address_bits(tb_random_below(random, 32) << bit);
    }
}

#endif
