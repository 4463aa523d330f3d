/* Table of gtsc_l2: the timestamp logic of one L2 bank under G-TSC.
 *
 * The bank keeps tags, bytes, MSHRs and the queue to DRAM; this unit keeps wts and rts of
 * each line, mem_ts and the epoch.  One operation per cycle, on a line whose block is valid.
 * Every output is a function of state and this cycle's inputs, op_valid or not; only an edge
 * with op_valid = 1 (or flash, or kernel_start) changes state; but with MEMTS_GLOBAL mem_ts
 * follows ext_mem_ts at every edge.
 *
 *   READ   BusRd: extends the lease; resp RENEW (no bytes) if the reader has this version,
 *          else FILL
 *   WRITE  BusWr, ATOMIC: the new version begins after the lease; resp ACK; merge_ok: the
 *          writer's copy was of the version before it
 *   FILL   the block came from DRAM
 *   EVICT  the block leaves the bank
 *
 * overflow: a stamp would not fit.  Nothing was done; the owner parks the request, raises
 * its line to the reset controller (gtsc_reset_ctl) and repeats it after flash.  A line that
 * was not stamped since the last flash, kernel_start or reset reads as wts 1, rts `lease`.
 * A request of another epoch than the bank's counts as warp_ts 1, wts 0 and is answered
 * with resp_reset.  `lease` must be 1 at least and change only while the bank is idle;
 * 2 * lease + 2 must fit a timestamp, else a reset does not help. */
UNIT(gtsc_l2, SEQUENTIAL, "G-TSC at an L2 bank: leases, mem_ts, overflow, epoch", "tabbakh2018 3.6.5-3.6.10")
PARAM(LINES, 8, 2, 16384, "lines of the bank")
PARAM(TS_BITS, 16, 3, 32, "TSW: timestamp, bits")
PARAM(EPOCH_BITS, 4, 2, 8, "D-G3 TS_EPW: reset epoch, bits")
PARAM(LEASE_BITS, 5, 1, 16, "D-G2: lease, bits")
PARAM(LEASE_INCL, 0, 0, 1, "3.6.13: a lease ends at 0 base + lease, 1 base + lease - 1")
PARAM(MEMTS_GLOBAL, 0, 0, 1, "D-G1: mem_ts is 0 the bank's own, 1 at least ext_mem_ts of the other banks")
DERIVED(LINE_W, 32 - __builtin_clz(LINES - 1))
REQUIRE(LEASE_BITS <= TS_BITS, "a lease fits a timestamp: LEASE_BITS <= TS_BITS")
ENUM(op, READ, 0)
ENUM(op, WRITE, 1)
ENUM(op, ATOMIC, 2)
ENUM(op, FILL, 3)
ENUM(op, EVICT, 4)
ENUM(resp, NONE, 0)
ENUM(resp, FILL, 1)
ENUM(resp, RENEW, 2)
ENUM(resp, ACK, 3)
IN(op_valid, 1, MOSTLY(4), "the operation happens")
IN(op, 3, BELOW(5), "the operation; 5..7 none")
IN(line, LINE_W, BELOW(LINES), "its line")
IN(req_wts, TS_BITS, FEW(4), "READ: wts of the reader's copy, 0 for none; WRITE: base wts")
IN(req_ts, TS_BITS, FEW(4), "READ, WRITE, ATOMIC: warp_ts, 1 at least")
IN(req_epoch, EPOCH_BITS, ANY, "READ, WRITE, ATOMIC: epoch of the requester")
IN(lease, LEASE_BITS, FEW(2), "length of a lease; a request may have its own (tests)")
IN(ext_mem_ts, TS_BITS, FEW(2), "MEMTS_GLOBAL: the greatest mem_ts of the other banks")
IN(flash, 1, RARE(64), "reset: lines 1 .. lease, mem_ts 1, next epoch; `op` does not happen")
IN(kernel_start, 1, RARE(256), "kernel start: as flash in the same epoch; flash wins")
OUT(resp, 2, COMB, ALWAYS, "message that answers")
OUT(resp_wts, TS_BITS, COMB, resp, "its wts")
OUT(resp_rts, TS_BITS, COMB, resp, "its rts")
OUT(resp_reset, 1, COMB, resp, "its reset flag: the requester is in another epoch")
OUT(merge_ok, 1, COMB, resp, "ACK of WRITE: base wts was the version written over")
OUT(overflow, 1, COMB, ALWAYS, "a stamp would not fit: not done, park it until flash")
OUT(epoch, EPOCH_BITS, REG, ALWAYS, "the bank's epoch, in every answer")
OUT(mem_ts, TS_BITS, REG, ALWAYS, "greatest rts of the blocks evicted")
EVENT(renewed, COMB, "a lease was renewed without bytes")
EVENT(lease_extended, COMB, "a read moved rts")
EVENT(merge_lost, COMB, "a store with a copy met another version")
STATE_ARRAY(wts, TS_BITS, LINES, AT(wts_q), CLAIMED, stamped, "timestamp of the store that made the bytes")
STATE_ARRAY(rts, TS_BITS, LINES, AT(rts_q), CLAIMED, stamped, "end of the longest lease given")
STATE_ARRAY(stamped, 1, LINES, AT(stamped_q), EXTRA, ALWAYS, "stamps given since the last reset")
STATE(mem, TS_BITS, AT(mem_ts_q), EXTRA, "mem_ts")
STATE(own_epoch, EPOCH_BITS, AT(epoch_q), EXTRA, "resets so far")
