/* Table of pdisp: prime-displacement set index. */
#include "units/index/largest_prime.h"
UNIT(pdisp, COMBINATIONAL, "prime-displacement set index", "wang2015 3.5 (pDisp), A.1")
PARAM(ADDR_W, 40, 16, 64, "byte address, bits")
PARAM_POW2(BLOCK_BYTES, 128, 4, 4096, "cache block")
PARAM_POW2(SETS, 32, 4, 4096, "sets of the cache")
PARAM(P, 9, 1, 4095, "displacement per tag; not given by the source (D-PD-1)")
DERIVED(OFFS, __builtin_ctz(BLOCK_BYTES))
DERIVED(LOGN, __builtin_ctz(SETS))
DERIVED(PRIME, LARGEST_PRIME(SETS))
DERIVED(TAG_W, ADDR_W > OFFS + LOGN ? ADDR_W - OFFS - LOGN : 1)
REQUIRE(ADDR_W > OFFS + LOGN, "ADDR_W must leave a tag: ADDR_W > log2(BLOCK_BYTES) + log2(SETS)")
REQUIRE(P % PRIME != 0,
        "P must not be a multiple of the largest prime not above SETS: the tag would have no "
        "effect")
IN(addr, ADDR_W, ANY, "byte address")
OUT(set_index, LOGN, COMB, ALWAYS, "set index, below the prime")
OUT(tag, TAG_W, COMB, ALWAYS, "address above the index field")
OUT(xalias, 1, COMB, ALWAYS, "index field is the prime or above: the tag's extra bit (D-PD-2)")
