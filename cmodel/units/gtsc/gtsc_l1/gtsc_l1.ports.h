/* Table of gtsc_l1: the timestamp logic of one SM's L1D under G-TSC.
 *
 * The cache keeps tags, bytes, MSHRs and replacement; this unit keeps what the protocol
 * adds: wts, rts and lock of each line, warp_ts of each warp, the epoch.  One operation per
 * cycle, the L1D's one port: an access of the SM, a message from the L2, or a waiter's turn.
 * Every output is a function of state and this cycle's inputs, op_valid or not, so that an owner
 * may ask (op_valid = 0) and commit later (op_valid = 1 at the edge); only an edge with op_valid = 1
 * changes state.
 *
 * `line` is where the block sits or shall sit, `present` that its tag matches there; a line
 * whose stamps were dropped here (reset, failed merge) is treated as absent though its tag
 * still matches, and drop / flush tell the owner when that happens.
 *
 *   LOAD     warp, line, present, outstanding, own_pending
 *            answer HIT: bytes may be delivered; with UPDATE_VISIBILITY 2 and `lock`, the old
 *            ones.  MISS, RENEW: the reader waits in the MSHR; send: a BusRd goes out with
 *            req_*.  WAIT: join the MSHR without a request, or come again.
 *   VOLATILE as LOAD, for itself alone: always BusRd with wts 0, answered by DIRECT
 *   STORE    HIT: the copy is locked and takes the bytes (write_now; with
 *            UPDATE_VISIBILITY 2 the ack's write_late); MISS: no copy is kept (drop: the one
 *            there was goes); both send BusWr with req_ts and, as base wts, req_wts.  The
 *            owner's record of the store keeps `stamps` and `line` until the ack.  WAIT: come
 *            again.
 *   ATOMIC   MISS: sent, the copy goes; WAIT: come again.  Answered by ACK with msg_stamps 0
 *   FILL     BusFill to `line` (present: there is a place for it): install: take the bytes
 *   RENEW    BusRnw;  ACK: BusWrAck for `warp`, with msg_stamps and line of the store's record
 *   DIRECT   BusFill for one reader without a line (VOLATILE): serve, or it must ask again
 *   SERVE    the next waiter of an MSHR entry in order of arrival: serve, or it is kept.
 *            from_msg: from the fill's bytes and stamps (msg_*), else from the line's
 *   ASK      waiters were kept: send: BusRd with req_wts and the timestamp collected from
 *            them; no send: the line is locked, or a BusRd is in flight: they have their
 *            turn again after the answer
 *   DROP     the owner gave up the line;  PROBE: a reset message without data (msg_epoch)
 *   KERNEL_START    kernel start, nothing in flight: no lines, warp_ts 1
 *
 * msg_epoch is the epoch of the bank when it answered.  One ahead of the own (an SM is never
 * further behind): all lines are dropped and warp_ts are 1 first (flush), then the message is
 * used.  Any other difference is an old message: it completes a store, and nothing else.
 *
 * Each access uses the warp's timestamp as it stands when its turn comes, never less than at
 * the issue of its instruction ([D-M3]): with the one at issue a load could hit a copy older
 * than a store of its own warp that was acked meanwhile.
 *
 * Beyond [D-G15] a warp may not pass any earlier access of its own to the block that is not
 * performed (own_pending): a load kept past its fill would otherwise see its warp's later
 * store, or an older version than its warp's later load. */
UNIT(gtsc_l1, SEQUENTIAL, "G-TSC at the L1D: leases, warp timestamps, locks, epoch", "tabbakh2018 3.6.4, 3.6.6-3.6.10")
PARAM(LINES, 8, 2, 4096, "lines of the L1D")
PARAM(WARPS, 4, 2, 64, "warps of the SM")
PARAM(TS_BITS, 16, 3, 32, "TSW: timestamp, bits")
PARAM(EPOCH_BITS, 4, 2, 8, "D-G3 TS_EPW: reset epoch, bits")
PARAM(RC, 1, 0, 1, "1 release consistency: own_pending is obeyed, 0 sequential: it never happens")
PARAM(UPDATE_VISIBILITY, 1, 1, 2, "a line with a store in flight 1 delivers nothing, 2 delivers its old bytes to other warps")
PARAM(FORWARD_ALL, 0, 0, 1, "combining: 0 one BusRd for all readers of a block, 1 each reader sends one")
PARAM(WR_POLICY, 1, 0, 2, "D-G12: the ack 0 stamps the copy, 1 only if merge_ok, 2 stores keep no copy")
PARAM(ST_UNDER_LOCK, 0, 0, 1, "D-G7: a store to a locked line 0 waits, 1 goes out too")
PARAM(RENEW_MAX, 1, 0, 1, "D-G6: BusRnw 1 never shortens a lease, 0 assigns")
PARAM(ASK_MAX, 1, 0, 1, "D-G8: ASK carries 1 the greatest timestamp of the kept waiters, 0 the first's")
PARAM(SELF_INC, 0, 0, 256, "D-G13: so many hits of a warp add 1 to its timestamp, 0 none do")
PARAM(PIN, 0, 0, 1, "D-G9: a line with a renewal in flight 0 may be replaced, the readers ask again, 1 is pinned")
PARAM(STAMP_ANY, 0, 0, 1, "D-G17: an ack stamps 0 only what its store locked, 1 any copy (unsafe)")
DERIVED(LINE_W, 32 - __builtin_clz(LINES - 1))
DERIVED(WARP_W, 32 - __builtin_clz(WARPS - 1))
DERIVED(OWED_W, ST_UNDER_LOCK ? 6 : 1)
DERIVED(HITS_W, SELF_INC > 1 ? 32 - __builtin_clz((SELF_INC - 1) | 1) : 1)
REQUIRE(!(UPDATE_VISIBILITY == 2 && ST_UNDER_LOCK), "UPDATE_VISIBILITY 2 keeps the old bytes of one store: ST_UNDER_LOCK=0")
REQUIRE(!(UPDATE_VISIBILITY == 2 && WR_POLICY == 2), "WR_POLICY 2 keeps no copy, so none of before: UPDATE_VISIBILITY=1")
REQUIRE(!(PIN && FORWARD_ALL), "PIN knows one renewal in flight for each line: FORWARD_ALL=0")
ENUM(op, LOAD, 0)
ENUM(op, VOLATILE, 1)
ENUM(op, STORE, 2)
ENUM(op, ATOMIC, 3)
ENUM(op, FILL, 4)
ENUM(op, RENEW, 5)
ENUM(op, ACK, 6)
ENUM(op, DIRECT, 7)
ENUM(op, SERVE, 8)
ENUM(op, ASK, 9)
ENUM(op, DROP, 10)
ENUM(op, PROBE, 11)
ENUM(op, KERNEL_START, 12)
ENUM(answer, NONE, 0)
ENUM(answer, HIT, 1)
ENUM(answer, MISS, 2)
ENUM(answer, RENEW, 3)
ENUM(answer, WAIT, 4)
IN(op_valid, 1, MOSTLY(4), "the operation happens")
IN(op, 4, BELOW(13), "the operation; 13..15 none")
IN(warp, WARP_W, BELOW(WARPS), "its warp (LOAD .. ATOMIC, ACK, DIRECT, SERVE, ASK)")
IN(line, LINE_W, BELOW(LINES), "its line")
IN(present, 1, MOSTLY(4), "the block's tag is in `line`; FILL: `line` is free for it")
IN(outstanding, 1, ANY, "LOAD, ASK: a BusRd for the block is in flight")
IN(own_pending, 1, RARE(8), "LOAD .. ATOMIC, SERVE: the warp has an earlier access to the block, not performed")
IN(from_msg, 1, ANY, "SERVE: from the fill in msg_*, not from the line")
IN(msg_wts, TS_BITS, FEW(4), "FILL, ACK, DIRECT, SERVE: the message's wts")
IN(msg_rts, TS_BITS, FEW(4), "FILL, RENEW, ACK, SERVE: its rts")
IN(msg_epoch, EPOCH_BITS, ANY, "FILL .. SERVE, PROBE: its epoch")
IN(msg_ok, 1, ANY, "ACK: its merge_ok")
IN(msg_stamps, 1, ANY, "ACK: the store locked `line`")
OUT(answer, 3, COMB, ALWAYS, "of an access")
OUT(send, 1, COMB, ALWAYS, "a request leaves: BusRd (LOAD, VOLATILE, ASK), BusWr, BusAtom")
OUT(req_wts, TS_BITS, COMB, send, "its wts: of the copy, 0 for none; of a store the base wts (WR_POLICY 1)")
OUT(req_ts, TS_BITS, COMB, send, "its warp_ts")
OUT(epoch, EPOCH_BITS, REG, ALWAYS, "its epoch: the SM's")
OUT(stamps, 1, COMB, send, "STORE: it locks the line, its ack stamps it")
OUT(write_now, 1, COMB, ALWAYS, "STORE: its bytes go into the copy")
OUT(write_late, 1, COMB, ALWAYS, "ACK: the store's bytes go into the copy")
OUT(install, 1, COMB, ALWAYS, "FILL: its bytes go into the line")
OUT(serve, 1, COMB, ALWAYS, "SERVE, DIRECT: deliver")
OUT(load_ts, TS_BITS, COMB, loads, "the logical time of the load that is performed")
OUT(loads, 1, COMB, ALWAYS, "a load is performed: HIT, or serve")
OUT(ts, TS_BITS, COMB, ALWAYS, "the timestamp of `warp` as it stands")
OUT(lock, 1, COMB, ALWAYS, "`line` is locked as it stands: not to be replaced")
OUT(pin, 1, COMB, ALWAYS, "PIN 1: `line`, as it stands, has a renewal in flight and no store since: not to be replaced")
OUT(owes, 1, COMB, ALWAYS, "acks of stores that locked `line` are to come")
OUT(drop, 1, COMB, ALWAYS, "the copy in `line` goes")
OUT(flush, 1, COMB, ALWAYS, "all copies go, locked ones too")
EVENT(lease_expired, COMB, "a load found its copy's lease over")
EVENT(lock_wait, COMB, "an access waits for a locked line")
EVENT(lock_retry, COMB, "a fill or renewal came to a locked line: ignored")
EVENT(old_message, COMB, "a message of an earlier epoch came")
EVENT(adopted, COMB, "the SM takes up the next epoch")
EVENT(merge_failed, COMB, "an ack drops the copy that its store wrote")
EVENT(self_incremented, COMB, "hits of a warp moved its timestamp")
STATE_ARRAY(wts, TS_BITS, LINES, AT(wts_q), CLAIMED, live, "timestamp of the store that made the bytes")
STATE_ARRAY(rts, TS_BITS, LINES, AT(rts_q), CLAIMED, live, "end of the lease, inclusive")
STATE_ARRAY(live, 1, LINES, AT(live_q), EXTRA, ALWAYS, "the line's stamps count")
STATE_ARRAY(locked, 1, LINES, AT(locked_q), EXTRA, ALWAYS, "written, ack to come")
STATE_ARRAY(owed, OWED_W, LINES, AT(owed_q), EXTRA, ALWAYS, "acks to come of stores that locked the line, also after it was dropped")
#if UNIT_SET_UPDATE_VISIBILITY == 2
STATE_ARRAY(writer, WARP_W, LINES, AT(g_writer, writer_q), EXTRA, locked, "the warp whose store locked the line")
#endif
#if UNIT_SET_PIN
STATE_ARRAY(pinned, 1, LINES, AT(g_pin, pinned_q), EXTRA, ALWAYS, "a renewal of the line is in flight, and no store since")
#endif
STATE_ARRAY(warp_ts, TS_BITS, WARPS, AT(u_warps, warp_ts_q), CLAIMED, ALWAYS, "timestamp of the last memory operation of the warp")
#if UNIT_SET_SELF_INC > 1
STATE_ARRAY(hits, HITS_W, WARPS, AT(u_warps__DOT__g_hits, hits_q), EXTRA, ALWAYS, "hits of the warp since its timestamp moved by itself")
#endif
STATE(kept, 1, AT(kept_q), EXTRA, "waiters were kept since the last ASK")
STATE(kept_ts, TS_BITS, AT(kept_ts_q), EXTRA, "the timestamp they need")
STATE(own_epoch, EPOCH_BITS, AT(epoch_q), EXTRA, "resets the SM has adopted")
