/* Table of rdu_signature: a Bloom filter with six H3 hashes.
 * A key is taken in a step with key_valid and key_ready; found_valid says whether it was in, 7 steps
 * later.  Its bits are read one after the other from a memory of one word a row, which every key
 * that is to be inserted writes back with its bit set.  ONE_CYCLE: found_valid comes in the same
 * step, and insert takes effect at its edge. */
UNIT(rdu_signature, SEQUENTIAL, "signature: Bloom filter of M bits, six H3 hashes", "tabbakh2018 3.7.2")
PARAM_POW2(M, 1024, 64, 16384, "bits; documents: 1024 .. 16384")
PARAM_POW2(WORD, 256, 64, 512, "most bits of a row of the memory; beats of 3.7.8: 32 bytes")
PARAM(ONE_CYCLE, 0, 0, 1, "0 a bit at a time, from a memory; 1 all at once, from flip-flops")
DERIVED(IDX_W, __builtin_ctz(M))
DERIVED(BANKS, 1)
DERIVED(ROW, WORD < M ? WORD : M)
DERIVED(WORDS, M / ROW)
IN(clear, 1, RARE(60), "empty the filter; a key under way gets no answer; wins")
IN(key_valid, 1, MOSTLY(8), "a key")
IN(key, 32, FEW(24), "granule number")
IN(insert, 1, ANY, "put the key in")
OUT(key_ready, 1, COMB, ALWAYS, "the key is taken")
OUT(found_valid, 1, COMB, ALWAYS, "the answer to a key")
OUT(found, 1, COMB, found_valid, "all six bits of the key were set")
OUT_ARRAY(idx, IDX_W, 6, COMB, found_valid, "the six hashes")
EVENT(fresh, COMB, "an insertion sets a new bit")
HELD(key, key_valid, key_ready)
HELD(insert, key_valid, key_ready)
TIMING(key_valid, key_ready, found_valid, ONE_CYCLE ? 0 : 7, ONE_CYCLE ? 1 : 8)
#if UNIT_SET_ONE_CYCLE
STATE_ARRAY(sig, 64, M / 64, AT(g_one_cycle, sig_q), CLAIMED, ALWAYS, "the filter, bit 0 lowest")
#else
STATE_ARRAY(sig, 64, M / 64, AT(g_words__DOT__u_memory, word_q), CLAIMED, live, "the filter, bit 0 lowest")
STATE_ARRAY(live, 1, WORDS, AT(g_words__DOT__u_memory, live_q), EXTRA, ALWAYS, "the word was written since the filter was emptied; else it is 0")
STATE_ARRAY(read_word, 64, ROW / 64, AT(g_words__DOT__u_memory, read_q), EXTRA, ALWAYS, "the word read last")
STATE_ARRAY(walk_idx, IDX_W, 6, AT(g_words__DOT__u_walk, idx_q), EXTRA, ALWAYS, "hashes of the key: the next to be read first, the one to be tested last")
STATE(walk_step, 3, AT(g_words__DOT__u_walk, step_q), EXTRA, "0 idle, 1 to 6 a word is read, 2 to 7 a bit is tested")
STATE(walk_kept, 1, AT(g_words__DOT__u_walk, kept_q), EXTRA, "the filter was not emptied since the key was taken")
STATE(inserts, 1, AT(g_words, insert_q), EXTRA, "the key is put in")
STATE(all_found, 1, AT(g_words, found_q), EXTRA, "all bits tested so far were set")
#endif
