"""gtsc_l2 by tabbakh2018 3.6.5, 3.6.8-3.6.10, 3.6.13: the versions and leases of a bank's lines.  A read
extends the lease, a store begins a version after it, a block comes back at mem_ts."""

READ, WRITE, ATOMIC, FILL, EVICT = range(5)
NONE, RESP_FILL, RESP_RENEW, RESP_ACK = range(4)


class Golden:
    def __init__(self, p):
        self.p = p
        self.epoch = 0
        self.reset_stamps()

    def reset_stamps(self):
        self.stamps = {}  # line to (wts, rts), of the lines stamped since the last reset
        self.mem_ts = 1

    def line(self, i):
        return i.line if i.line < self.p.LINES else 0

    def memory_time(self, i):
        return max(self.mem_ts, i.ext_mem_ts) if self.p.MEMTS_GLOBAL else self.mem_ts

    def after(self, i, wts, rts):
        """The line's stamps when the operation is done."""
        lease = max(i.lease - self.p.LEASE_INCL, 0)
        foreign = i.req_epoch != self.epoch
        ts = 1 if foreign else i.req_ts
        if i.op == READ:
            rts = max(rts, ts + lease)
        elif i.op in (WRITE, ATOMIC):
            wts = max(rts + 1, ts)
            rts = wts + lease
        elif i.op == FILL:
            wts = self.memory_time(i)
            rts = wts + lease
        return wts, rts

    def outputs(self, i):
        old_wts, old_rts = self.stamps.get(self.line(i), (1, i.lease))
        wts, rts = self.after(i, old_wts, old_rts)
        foreign = i.req_epoch != self.epoch
        copy = 0 if foreign else i.req_wts  # what the requester has
        overflow = i.op <= FILL and rts >= 2**self.p.TS_BITS
        same = copy == old_wts
        resp = NONE
        if i.op <= ATOMIC and not overflow:
            resp = RESP_ACK if i.op != READ else RESP_RENEW if same else RESP_FILL
        happens = i.op_valid and not i.flash and not i.kernel_start
        stored = resp == RESP_ACK and i.op == WRITE and copy != 0
        return {
            "resp": resp,
            "resp_wts": wts if resp else 0,
            "resp_rts": rts if resp else 0,
            "resp_reset": bool(resp) and foreign,
            "merge_ok": stored and same,
            "overflow": overflow,
            "epoch": self.epoch,
            "mem_ts": self.mem_ts,
            "renewed": happens and resp == RESP_RENEW,
            "lease_extended": happens and i.op == READ and not overflow and rts > old_rts,
            "merge_lost": happens and stored and not same,
        }

    def clock(self, i):
        if i.flash or i.kernel_start:
            self.reset_stamps()
            self.epoch = (self.epoch + i.flash) % 2**self.p.EPOCH_BITS
            return
        self.mem_ts = self.memory_time(i)
        if not i.op_valid or i.op > EVICT or self.outputs(i)["overflow"]:
            return
        line = self.line(i)
        wts, rts = self.after(i, *self.stamps.get(line, (1, i.lease)))
        if i.op == EVICT:
            self.mem_ts = max(self.mem_ts, rts)
        else:
            self.stamps[line] = wts, rts
