/* Table of avu_queue: loads of one SM that are not yet known to be right.
 *
 * One operation at a time, held until ready: PUSH in its step, the others in two (in the first it
 * is found which entries are meant), SIGNATURE in more; ONE_CYCLE: each in one, SIGNATURE in one a
 * granule.  Entries are kept in order of age.
 *   PUSH       a load that hit under a race check (has_value), or any load younger than an
 *              entry of its warp; `outstanding` answers are to come, its own included
 *   ANSWER     a race answer or store acknowledgement: one less to come for every entry; with
 *              `binds`, it is that of the queued miss `id`, whose value is bound from here on.
 *              Answers count in the order of their requests: one that overtakes another is
 *              `early`, and counts in a second ANSWER after that one's
 *   SIGNATURE  test every bound entry, one granule after the other, of the words that sig_at asks
 *              for; before the ANSWER it came with
 *   FILL       the value of queued miss `id` is there, and bound
 *   STORE      a store of this SM to addr issues (D-R21)
 *   TAKE       what head_* shows is done: a good entry leaves, a failed one waits for REDONE
 *   REDONE     the failed load `id` has its new value and leaves
 * head_* shows the oldest entry that has its value, no answers to come and (IN_ORDER) no
 * older entry of its warp; but nothing in the step behind an operation (ONE_CYCLE: in it, too). */
UNIT(avu_queue, SEQUENTIAL, "speculative loads that wait for their validation", "tabbakh2018 3.7.6, 3.7.8")
PARAM_POW2(M, 1024, 64, 16384, "bits of a signature; documents: 1024 .. 16384")
PARAM(SHIFT, 7, 0, 9, "log2 of the granule in bytes: 0 byte, 2 word, 7 block, 9 half page")
PARAM(ENTRIES, 8, 2, 64, "D-R8: entries; of the specification 32")
PARAM(OUT_W, 6, 2, 8, "answers to come, bits")
PARAM(FORCED_FAILS, 1, 0, 1, "D-R17: 1 forced signatures are tested as well, 0 they are not")
PARAM(IN_ORDER, 1, 0, 1, "D-R18: 1 the entries of a warp leave in program order, 0 each by its own count")
PARAM(OWN_STORE_FAILS, 1, 0, 1, "D-R21: 1 an own store fails the younger entries of its block, 0 it does not")
PARAM_POW2(WORD, 256, 64, 512, "most bits of a word of a signature; 3.7.8: beats of 32 bytes")
PARAM(ONE_CYCLE, 0, 0, 1, "0 a granule is looked for bit by bit, in words; 1 in one step, in the whole signature")
DERIVED(ROW, WORD < M ? WORD : M)
DERIVED(WORDS, M / ROW)
DERIVED(WORD_AT_W, WORDS > 1 ? __builtin_ctz(WORDS) : 1)
DERIVED(SIG_W, ONE_CYCLE ? M : ROW)
DERIVED(IDX_W, __builtin_ctz(M))
DERIVED(KEY_W, SHIFT < 7 ? 32 : 32 - SHIFT)
DERIVED(GRANULES, SHIFT < 7 ? 1 << (7 - SHIFT) : 1)
DERIVED(POS_W, SHIFT < 7 ? 7 - SHIFT : 1)
DERIVED(MASK_W, GRANULES < 64 ? GRANULES : 64)
DERIVED(MASK_N, GRANULES / MASK_W)
DERIVED(AT_W, 32 - __builtin_clz(ENTRIES - 1))
DERIVED(COUNT_W, 32 - __builtin_clz(ENTRIES))
ENUM(op, NONE, 0)
ENUM(op, PUSH, 1)
ENUM(op, ANSWER, 2)
ENUM(op, SIGNATURE, 3)
ENUM(op, FILL, 4)
ENUM(op, STORE, 5)
ENUM(op, TAKE, 6)
ENUM(op, REDONE, 7)
IN(kernel_start, 1, RARE(2000), "kernel boundary: forget everything; wins")
IN(op, 3, ANY, "what happens")
IN(addr, 32, FEW(6), "PUSH, STORE: its block")
IN_ARRAY(mask, 64, 2, ANY, "PUSH: the bytes it touches")
IN(warp, 6, FEW(4), "PUSH: its warp; also the warp of `pending`")
IN(pc, 32, ANY, "PUSH: where to re-execute")
IN(id, 8, FEW(6), "PUSH, ANSWER, FILL, REDONE: the load")
IN(outstanding, OUT_W, BELOW(4), "PUSH: answers to come")
IN(has_value, 1, ANY, "PUSH: it hit")
IN(binds, 1, ANY, "ANSWER: it is a race answer for queued miss id")
IN(early, 1, RARE(3), "ANSWER: an older request has none yet; it binds, and counts in another ANSWER when its turn has come")
IN(forced, 1, RARE(4), "SIGNATURE: it came with an FSYNC")
IN_ARRAY(sig, 64, SIG_W / 64, ANY, "SIGNATURE: its word sig_at of the step before; ONE_CYCLE: all of it")
OUT(sig_at, WORD_AT_W, REG, ALWAYS, "SIGNATURE: which word is read")
OUT(ready, 1, COMB, ALWAYS, "the operation is done at this edge")
OUT(full, 1, REG, ALWAYS, "ENTRIES entries: PUSH waits")
OUT(pending, 1, COMB, ALWAYS, "an entry of `warp` waits: its stores must (D-R7)")
OUT(head_valid, 1, REG, ALWAYS, "an entry is to be taken")
OUT(head_fail, 1, REG, head_valid, "re-execute it; 0: commit its results")
OUT(head_warp, 6, REG, head_valid, "its warp")
OUT(head_pc, 32, REG, head_valid, "its instruction")
OUT(head_id, 8, REG, head_valid, "its id")
EVENT(entry_failed, COMB, "a signature fails an entry")
EVENT(entry_committed, COMB, "an entry that passed leaves")
HELD(op, op, ready)
HELD(addr, op, ready)
HELD(mask, op, ready)
HELD(warp, op, ready)
HELD(pc, op, ready)
HELD(id, op, ready)
HELD(outstanding, op, ready)
HELD(has_value, op, ready)
HELD(binds, op, ready)
HELD(early, op, ready)
HELD(forced, op, ready)
#if UNIT_SET_ONE_CYCLE
HELD(sig, op, ready)
#endif
STATE(count, COUNT_W, AT(count_q), EXTRA, "entries")
STATE_ARRAY(block, 25, ENTRIES, AT(block_q), EXTRA, ALWAYS, "block, 0 the oldest; unused ones 0")
STATE_ARRAY(granules, MASK_W, ENTRIES * MASK_N, AT(granules_q), EXTRA, ALWAYS, "granules")
STATE_ARRAY(entry_warp, 6, ENTRIES, AT(warp_q), EXTRA, ALWAYS, "warp")
STATE_ARRAY(entry_pc, 32, ENTRIES, AT(pc_q), EXTRA, ALWAYS, "instruction")
STATE_ARRAY(entry_id, 8, ENTRIES, AT(id_q), EXTRA, ALWAYS, "id")
STATE_ARRAY(left, OUT_W, ENTRIES, AT(left_q), EXTRA, ALWAYS, "answers to come")
STATE_ARRAY(value, 1, ENTRIES, AT(value_q), EXTRA, ALWAYS, "has its value")
STATE_ARRAY(bound, 1, ENTRIES, AT(bound_q), EXTRA, ALWAYS, "its value is that of a point already passed")
STATE_ARRAY(failed, 1, ENTRIES, AT(failed_q), EXTRA, ALWAYS, "must be re-executed")
STATE_ARRAY(redo, 1, ENTRIES, AT(redo_q), EXTRA, ALWAYS, "is being re-executed")
STATE(from, AT_W, AT(from_q), EXTRA, "entries below have had the signature under test")
#if !UNIT_SET_ONE_CYCLE
STATE(acts, 1, AT(g_steps, acts_q), EXTRA, "it is known which entries the operation means")
STATE(moved, 1, AT(g_steps, moved_q), EXTRA, "an operation was done in the step before: head is of before")
STATE(sel, ENTRIES, AT(g_steps, sel_q), EXTRA, "these entries are meant")
STATE(head, ENTRIES, AT(g_steps, head_q), EXTRA, "what is to be taken")
STATE(head_failed, 1, AT(g_steps, head_fail_q), EXTRA, "it failed")
STATE(key, KEY_W, AT(g_steps, key_q), EXTRA, "the granule to be looked for")
STATE(any, 1, AT(g_steps, any_q), EXTRA, "there is one")
STATE(last, 1, AT(g_steps, last_q), EXTRA, "it is the entry's last")
STATE(others, 1, AT(g_steps, others_q), EXTRA, "entries behind this one are to be tested")
STATE(known, 1, AT(g_steps__DOT__u_lookup, known_q), EXTRA, "all bits of the granule were looked at")
STATE(all_found, 1, AT(g_steps__DOT__u_lookup, found_q), EXTRA, "all bits looked at so far were set")
STATE_ARRAY(walk_idx, IDX_W, 6, AT(g_steps__DOT__u_lookup__DOT__u_walk, idx_q), EXTRA, ALWAYS, "hashes of the granule: the next to be read first, the one to be looked at last")
STATE(walk_step, 3, AT(g_steps__DOT__u_lookup__DOT__u_walk, step_q), EXTRA, "0 idle, 1 to 6 a word is read, 2 to 7 a bit is looked at")
STATE(walk_kept, 1, AT(g_steps__DOT__u_lookup__DOT__u_walk, kept_q), EXTRA, "the signature is still tested")
#if UNIT_SET_SHIFT < 7
STATE(after, POS_W, AT(g_steps__DOT__g_after, after_q), EXTRA, "the granule behind it")
#endif
#endif
#if UNIT_SET_SHIFT < 7
STATE(granule, POS_W, AT(g_walk, granule_q), EXTRA, "granules of the entry under test below this one were tested")
#endif
