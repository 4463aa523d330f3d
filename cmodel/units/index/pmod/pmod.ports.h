/* Table of pmod: prime-modulo set index. */
#include "units/index/largest_prime.h"
UNIT(pmod, COMBINATIONAL, "prime-modulo set index",
     "wang2015 3.5 (pMOD), A.1; aci-iacm-blpp 3.6 (PRI)")
PARAM(ADDR_W, 40, 16, 64, "byte address, bits; 40 in wang2015, 32 in aci-iacm-blpp")
PARAM_POW2(BLOCK_BYTES, 128, 4, 4096, "cache block")
PARAM_POW2(SETS, 32, 4, 4096, "sets of the cache")
DERIVED(OFFS, __builtin_ctz(BLOCK_BYTES))
DERIVED(LOGN, __builtin_ctz(SETS))
DERIVED(PRIME, LARGEST_PRIME(SETS))
DERIVED(TAG_W, ADDR_W > OFFS + LOGN ? ADDR_W - OFFS - LOGN : 1)
REQUIRE(ADDR_W > OFFS + LOGN, "ADDR_W must leave a tag: ADDR_W > log2(BLOCK_BYTES) + log2(SETS)")
IN(addr, ADDR_W, ANY, "byte address")
OUT(set_index, LOGN, COMB, ALWAYS, "set index, below the prime")
OUT(tag, TAG_W, COMB, ALWAYS, "address above the index field")
OUT(xalias, 1, COMB, ALWAYS, "index field is the prime or above: the tag's extra bit (D-PD-2)")
