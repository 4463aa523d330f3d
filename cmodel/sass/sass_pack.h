/* sass_pack.h - what a warp executes, in a few bytes an instruction.
 *
 * Resident blocks wait in this form: 4 bytes for an instruction whose mask is the last
 * one's, 16 more for strided addresses.  It must not know what an instruction does.
 */
#ifndef WARPLOCK_SASS_PACK_H
#define WARPLOCK_SASS_PACK_H

#include "sass/sass_line.h"

struct sass_packed {
    uint8_t *bytes;
    size_t n, max;
    uint32_t mask; /* of the record written last */
};

/* One record as taken out: address[] is set for the lanes of `mask` when `addressed`. */
struct sass_record {
    uint32_t entry, mask; /* which of the program */
    bool addressed;
    uint64_t address[ISA_LANES];
    bool has_aside;
    struct isa_async aside;
};

/* A warp begins: its first record states its mask. */
void sass_pack_begin(struct sass_packed *packed);
/* `addresses` and `aside` may be NULL.  0, or -1 when out of memory. */
int sass_pack(struct sass_packed *packed, uint32_t entry, uint32_t mask,
              const struct sass_addresses *addresses, const struct isa_async *aside);

/* Entry and mask of the record at `at`, the last mask being `mask`; takes nothing. */
uint32_t sass_pack_peek(const uint8_t *at, uint32_t *mask);
/* Take one record out; record->mask holds the last mask before (0 at first). */
const uint8_t *sass_unpack(const uint8_t *at, struct sass_record *record);

#endif
