/* Table of bxor: bitwise-XOR set index. */
UNIT(bxor, COMBINATIONAL, "bitwise-XOR set index", "wang2015 3.4 (BXOR), aci-iacm-blpp 3.3 (BXI)")
PARAM(ADDR_W, 40, 16, 64, "byte address, bits")
PARAM_POW2(BLOCK_BYTES, 128, 4, 4096, "cache block")
PARAM_POW2(SETS, 32, 2, 4096, "sets of the cache")
DERIVED(OFFS, __builtin_ctz(BLOCK_BYTES))
DERIVED(LOGN, __builtin_ctz(SETS))
REQUIRE(ADDR_W >= OFFS + LOGN,
        "ADDR_W must cover block offset and index: ADDR_W >= log2(BLOCK_BYTES) + log2(SETS)")
IN(addr, ADDR_W, ANY, "byte address")
OUT(set_index, LOGN, COMB, ALWAYS, "set index")
