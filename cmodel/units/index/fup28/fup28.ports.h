/* Table of fup28: full-permutation set index over all feature bits. */
#include "units/index/largest_prime.h"
UNIT(fup28, COMBINATIONAL, "full-permutation set index, all feature bits", "wang2015 3.7, A.1")
PARAM(ADDR_W, 40, 16, 64, "byte address, bits")
PARAM_POW2(BLOCK_BYTES, 128, 4, 4096, "cache block")
PARAM_POW2(SETS, 32, 4, 4096, "sets of the cache")
PARAM(FEATURE_BITS, 28, 4, 52,
      "address bits that must reach the index (D-FUP-1: 27 suffice for 16 GB)")
PARAM(S4_LOWEST, 0, 0, 1, "order of the groups (D-FUP-4): 0 S4 above S1, S2, S3; 1 below")
DERIVED(OFFS, __builtin_ctz(BLOCK_BYTES))
DERIVED(LOGN, __builtin_ctz(SETS))
DERIVED(PRIME, LARGEST_PRIME(SETS))
DERIVED(S4_WIDE, FEATURE_BITS > 4 * LOGN)
DERIVED(S4_W, S4_WIDE ? FEATURE_BITS - 3 * LOGN : LOGN)
REQUIRE(ADDR_W >= OFFS + LOGN,
        "ADDR_W must cover block offset and index: ADDR_W >= log2(BLOCK_BYTES) + log2(SETS)")
IN(addr, ADDR_W, ANY, "byte address")
OUT(set_index, LOGN, COMB, ALWAYS, "set index")
