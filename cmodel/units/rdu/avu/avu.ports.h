/* Table of avu: the access validation unit of one SM, with the epochs of its L1 lines.
 *
 * The signature comes in words, with the last of which its epoch begins, and lies in a memory of one
 * word a row, where a granule is looked up in 9 steps.  ONE_CYCLE: in flip-flops, and in one.
 *
 * A load that finds its block in the L1 presents the line (chk_valid) and holds it until
 * chk_done, in the same step or, while the line is from the previous epoch, after the tests of
 * its granules.  A step that ends in a new epoch
 * (sig_valid) or clears answers no check and starts its tests anew.  need_rchk: the line
 * had HITMAX hits in a row; ask the race detection unit (RCHK at the hit limit), then
 * present the access again with chk_again.
 * At a step's edge, in this order: the signature of an acknowledgement, race answer or
 * FSYNC begins an epoch (sig_valid); the answer of a miss's race check marks its MSHR
 * with the epoch then reached (rsp_valid, D-R5); a fill gives its line the MSHR's mark.
 * The standard table is small; the document's is M=4096,LINES=128. */
UNIT(avu, SEQUENTIAL, "access validation unit: seen-update signature, epochs of the L1 lines, hit limit", "tabbakh2018 3.7.2, 3.7.5")
PARAM_POW2(M, 1024, 64, 16384, "bits of the signature; documents: 1024 .. 16384")
PARAM(SHIFT, 7, 0, 9, "log2 of the granule in bytes: 0 byte, 2 word, 7 block, 9 half page")
PARAM_POW2(LINES, 16, 2, 1024, "lines of the L1")
PARAM_POW2(MSHRS, 8, 2, 64, "fills in flight")
PARAM(EPOCH_W, 5, 2, 8, "bits of an epoch number")
PARAM(TAGS, 0, 0, 2, "D-R10: a line holds 0 its age, 2 bits that all move on at a new epoch, 1 the number of its epoch, and is dropped when that comes again, 2 the number alone, which is unsafe")
PARAM(HITMAX, 4, 1, 15, "D-R4: hits in a row of a line before one is checked")
PARAM(RETAG, 0, 0, 1, "1: a validated access of all granules moves its line to the current epoch")
PARAM_POW2(WORD, 256, 64, 512, "most bits of a word of the signature; 3.7.8: beats of 32 bytes")
PARAM(ONE_CYCLE, 0, 0, 1, "0 a granule is tested bit by bit, in a memory; 1 at once, in flip-flops")
DERIVED(BANKS, 1)
DERIVED(ROW, WORD < M ? WORD : M)
DERIVED(WORDS, M / ROW)
DERIVED(AT_W, WORDS > 1 ? __builtin_ctz(WORDS) : 1)
DERIVED(IDX_W, __builtin_ctz(M))
DERIVED(LINE_W, __builtin_ctz(LINES))
DERIVED(MSHR_W, __builtin_ctz(MSHRS))
DERIVED(GRANULES, SHIFT < 7 ? 1 << (7 - SHIFT) : 1)
DERIVED(POS_W, SHIFT < 7 ? 7 - SHIFT : 1)
DERIVED(TAG_W, TAGS == 0 ? 2 : TAGS == 1 ? EPOCH_W + 1 : EPOCH_W)
DERIVED(HIT_W, 32 - __builtin_clz(HITMAX))
IN(kernel_start, 1, RARE(3000), "kernel boundary (D-R11): epoch 0, empty signature, every line expired")
IN(sig_valid, 1, RARE(6), "a word of the signature of a WR_ACK, RCHK_RSP with a race, or FSYNC: with the last one a new epoch begins")
IN(sig_at, AT_W, BELOW(WORDS), "which word")
IN_ARRAY(sig, 64, ROW / 64, ANY, "the word")
IN(rsp_valid, 1, RARE(6), "the answer of a miss's race check, the last word of a signature with it if a race")
IN(rsp_mshr, MSHR_W, ANY, "the miss")
IN(fill_valid, 1, RARE(4), "a block is installed")
IN(fill_mshr, MSHR_W, ANY, "the miss")
IN(fill_line, LINE_W, ANY, "the line")
IN(chk_valid, 1, MOSTLY(8), "a load finds its block")
IN(chk_line, LINE_W, ANY, "in this line")
IN(chk_addr, 32, FEW(8), "the block")
IN_ARRAY(chk_mask, 64, 2, ANY, "the bytes it touches")
IN(chk_again, 1, RARE(8), "the check asked for by need_rchk was answered")
OUT(chk_done, 1, COMB, ALWAYS, "verdict: one of the next four is 1")
OUT(hit, 1, COMB, chk_done, "the copy may be used")
OUT(avu_miss, 1, COMB, chk_done, "of the previous epoch and written since: fetch anew")
OUT(expired, 1, COMB, chk_done, "two or more epochs old: fetch anew")
OUT(need_rchk, 1, COMB, chk_done, "hit limit: ask first")
OUT(epoch, EPOCH_W, REG, ALWAYS, "current epoch")
HELD(chk_line, chk_valid, chk_done)
HELD(chk_addr, chk_valid, chk_done)
HELD(chk_mask, chk_valid, chk_done)
HELD(chk_again, chk_valid, chk_done)
#if UNIT_SET_ONE_CYCLE
STATE_ARRAY(asig, 64, M / 64, AT(g_one_cycle, asig_q), CLAIMED, ALWAYS, "updates seen at the last synchronisation point")
#else
STATE_ARRAY(asig, 64, M / 64, AT(g_words__DOT__u_memory, word_q), CLAIMED, live, "updates seen at the last synchronisation point")
STATE_ARRAY(live, 1, WORDS, AT(g_words__DOT__u_memory, live_q), EXTRA, ALWAYS, "the word came since the kernel began; else it is 0")
STATE_ARRAY(read_word, 64, ROW / 64, AT(g_words__DOT__u_memory, read_q), EXTRA, ALWAYS, "the word read last")
STATE_ARRAY(walk_idx, IDX_W, 6, AT(g_words__DOT__u_lookup__DOT__u_walk, idx_q), EXTRA, ALWAYS, "hashes of the granule: the next to be read first, the one to be tested last")
STATE(walk_step, 3, AT(g_words__DOT__u_lookup__DOT__u_walk, step_q), EXTRA, "0 idle, 1 to 6 a word is read, 2 to 7 a bit is tested")
STATE(walk_kept, 1, AT(g_words__DOT__u_lookup__DOT__u_walk, kept_q), EXTRA, "the check goes on")
STATE(looked_up, 1, AT(g_words__DOT__u_lookup, known_q), EXTRA, "all bits of the granule were tested")
STATE(all_found, 1, AT(g_words__DOT__u_lookup, found_q), EXTRA, "all bits tested so far were set")
#endif
STATE(loading, 1, AT(loading_q), EXTRA, "words of a signature came, but not yet its last")
STATE(epoch_now, EPOCH_W, AT(epoch_q), CLAIMED, "current epoch")
STATE_ARRAY(tag, TAG_W, LINES, AT(u_line_epochs, tag_q), CLAIMED, ALWAYS, "when the line was fetched: TAGS 0 its age 0, 1, 2 or more; 1 and 2 the epoch; 1 with an expired bit on top")
STATE_ARRAY(mshr_tag, TAG_W, MSHRS, AT(u_mshr_epochs, tag_q), EXTRA, ALWAYS, "when the race check of the miss was served, likewise")
STATE_ARRAY(hcnt, HIT_W, LINES, AT(hcnt_q), EXTRA, ALWAYS, "hits in a row since the fill or the last check")
#if UNIT_SET_SHIFT < 7
STATE(granule, POS_W, AT(g_walk, granule_q), EXTRA, "granules of the access below this one were tested")
#endif
