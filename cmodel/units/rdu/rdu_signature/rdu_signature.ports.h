/* Table of rdu_signature: a Bloom filter with six H3 hashes.
 * One key per step: found and idx in the same step, insert and clear at its edge. */
UNIT(rdu_signature, SEQUENTIAL, "signature: Bloom filter of M bits, six H3 hashes", "tabbakh2018 3.7.2")
PARAM_POW2(M, 1024, 64, 16384, "bits; documents: 1024 .. 16384")
DERIVED(IDX_W, __builtin_ctz(M))
IN(key, 32, FEW(24), "granule number")
IN(insert, 1, ANY, "put the key in")
IN(clear, 1, RARE(60), "empty the filter; wins over insert")
OUT(found, 1, COMB, ALWAYS, "all six bits of the key are set")
OUT_ARRAY(idx, IDX_W, 6, COMB, ALWAYS, "the six hashes")
EVENT(fresh, COMB, "an insertion sets a new bit")
STATE_ARRAY(sig, 64, M / 64, AT(sig_q), CLAIMED, ALWAYS, "the filter, bit 0 lowest")
