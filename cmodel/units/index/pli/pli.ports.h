/* Table of pli: polynomial-modulus set index. */
UNIT(pli, COMBINATIONAL, "polynomial-modulus set index", "aci-iacm-blpp 3.5 (PLI)")
PARAM(ADDR_W, 32, 16, 64, "byte address, bits")
PARAM_POW2(BLOCK_BYTES, 128, 4, 4096, "cache block")
PARAM_POW2(SETS, 32, 2, 4096, "sets of the cache")
PARAM(POLY, 37, 2, 8191,
      "modulus with its leading term; printed by the source for 64 sets only (67)")
DERIVED(OFFS, __builtin_ctz(BLOCK_BYTES))
DERIVED(LOGN, __builtin_ctz(SETS))
REQUIRE(ADDR_W >= OFFS + LOGN,
        "ADDR_W must cover block offset and index: ADDR_W >= log2(BLOCK_BYTES) + log2(SETS)")
REQUIRE(POLY / SETS == 1,
        "POLY must have the order of the index: 11 for 8 sets, 19 for 16, 37 for 32, 67 for 64, "
        "131 for 128")
IN(addr, ADDR_W, ANY, "byte address")
OUT(set_index, LOGN, COMB, ALWAYS, "set index")
