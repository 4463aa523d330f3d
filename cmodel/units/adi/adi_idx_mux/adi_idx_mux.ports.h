/* Table of adi_idx_mux: the set index of adaptive cache indexing. */
UNIT(adi_idx_mux, COMBINATIONAL, "set index from selected block-address bits", "aci 3.7.9")
PARAM(S, 5, 1, 16, "index bits: log2 of the sets")
PARAM(NB, 25, 2, 64, "block-address bits")
DERIVED(SEL_W, 32 - __builtin_clz(NB - 1))
IN(blk, NB, ANY, "block address")
IN_ARRAY(sel, SEL_W, S, BELOW(NB), "selectors: value k selects blk[k]")
OUT(idx, S, COMB, ALWAYS, "set index")
