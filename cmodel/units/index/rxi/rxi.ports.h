/* Table of rxi: the XOR index found in Fermi's L1D.  Blocks are 128 bytes: the
 * source defines no other. */
UNIT(rxi, COMBINATIONAL, "Fermi pseudo-random set index",
     "aci-iacm-blpp 3.4 (RXI), wang2015 3.6 (PRH)")
PARAM(ADDR_W, 40, 20, 64, "byte address, bits")
PARAM_POW2(SETS, 32, 8, 128, "sets of the cache; printed by the source for 32 only")
DERIVED(LOGN, __builtin_ctz(SETS))
IN(addr, ADDR_W, ANY, "byte address")
OUT(set_index, LOGN, COMB, ALWAYS, "set index")
