"""gtsc_l1 by tabbakh2018 3.6.4, 3.6.6-3.6.9 and D-G3 to D-G17: an SM's copies with their leases, its
warps' logical times, its epoch.  One method for each operation; each returns what it tells, and
outputs() tries it on a copy of everything."""

from collections import Counter
from copy import deepcopy
from types import SimpleNamespace

MESSAGES = ("fill", "renew", "ack", "direct", "probe")
OPERATIONS = (
    "load volatile store atomic fill renew ack direct serve ask drop probe kernel_start"
).split()
HIT, MISS, RENEW, WAIT = 1, 2, 3, 4
TOLD = (
    "answer send req_wts req_ts stamps write_now write_late install serve load_ts loads drop flush"
    " lease_expired lock_wait lock_retry old_message adopted merge_failed self_incremented"
).split()
EVENTS = TOLD[TOLD.index("lease_expired") :]


class Golden:
    def __init__(self, p):
        self.p = p
        self.epoch = 0
        self.owed = Counter()  # line to acks to come of stores that locked it
        self.forget()

    def forget(self):
        self.copies = {}  # line to wts, rts, writer (of the lock, or None), pinned
        self.ts = [1] * self.p.WARPS
        self.hits = Counter()
        self.kept = []  # times of the waiters kept since the last ASK

    # What stands before the edge, and one operation.

    def outputs(self, i):
        line, warp = self.places(i)
        copy = self.copies.get(line)
        told = dict.fromkeys(TOLD, 0) | deepcopy(self).act(i)
        if not i.op_valid:
            told |= dict.fromkeys(EVENTS, 0)
        return told | {
            "epoch": self.epoch,
            "ts": self.ts[warp],
            "lock": copy is not None and copy.writer is not None,
            "pin": copy is not None and copy.pinned,
            "owes": self.owed[line] > 0,
        }

    def clock(self, i):
        if i.op_valid:
            self.act(i)

    def places(self, i):
        """Numbers of nothing that is there are 0."""
        return i.line if i.line < self.p.LINES else 0, i.warp if i.warp < self.p.WARPS else 0

    def act(self, i):
        if i.op >= len(OPERATIONS):
            return {}
        i = SimpleNamespace(**vars(i))
        i.line, i.warp = self.places(i)
        name = OPERATIONS[i.op]
        told = self.meet(i) if name in MESSAGES else {}
        i.old = "old_message" in told
        copy = self.copies.get(i.line) if i.present else None
        return told | getattr(self, name)(i, copy)

    def meet(self, i):
        """A message's epoch: one ahead is adopted, any other is old."""
        ahead = (i.msg_epoch - self.epoch) % 2**self.p.EPOCH_BITS
        if ahead == 1:
            self.epoch = i.msg_epoch
            self.forget()
            return {"flush": True, "adopted": True}
        return {"old_message": True} if ahead else {}

    # Accesses.

    def load(self, i, copy):
        now = self.ts[i.warp]
        if self.own_first(i):
            return {"answer": WAIT}
        if not copy:
            return {"answer": MISS, **self.request(i, None, now)}
        if self.readable(i, copy) and now <= copy.rts and not self.at_end(now):
            return {"answer": HIT, **self.read(i, copy.wts), **self.spin(i)}
        if copy.writer is not None:
            return {"answer": WAIT, "lock_wait": True}
        return {"answer": RENEW, "lease_expired": True, **self.request(i, copy, now)}

    def volatile(self, i, copy):
        if self.own_first(i):
            return {"answer": WAIT}
        return {"answer": MISS, "send": True, "req_ts": self.ts[i.warp]}

    def store(self, i, copy):
        locked = copy and copy.writer is not None
        full = self.owed[i.line] == 63 or not self.p.ST_UNDER_LOCK
        if self.own_first(i):
            return {"answer": WAIT}
        if locked and full:
            return {"answer": WAIT, "lock_wait": True}
        sent = {"send": True, "req_ts": self.ts[i.warp]}
        owed_by_the_past = self.owed[i.line] and not locked
        if not copy or self.p.WR_POLICY == 2 or owed_by_the_past:
            return {"answer": MISS, **sent, **self.lose(i.line, copy)}
        copy.writer, copy.pinned = i.warp, False
        self.owed[i.line] += 1
        return {
            "answer": HIT,
            **sent,
            "req_wts": copy.wts if self.p.WR_POLICY == 1 else 0,
            "stamps": True,
            "write_now": self.p.UPDATE_VISIBILITY == 1,
        }

    def atomic(self, i, copy):
        if self.own_first(i):
            return {"answer": WAIT}
        if copy and copy.writer is not None:
            return {"answer": WAIT, "lock_wait": True}
        sent = {"send": True, "req_ts": self.ts[i.warp]}
        return {"answer": MISS, **sent, **self.lose(i.line, copy)}

    # Messages.

    def fill(self, i, copy):
        if copy:
            copy.pinned = False
        if i.old or not i.present:
            return {}
        if copy and copy.writer is not None:
            return {"lock_retry": True}
        self.copies[i.line] = SimpleNamespace(
            wts=i.msg_wts, rts=i.msg_rts, writer=None, pinned=False
        )
        return {"install": True}

    def renew(self, i, copy):
        if copy:
            copy.pinned = False
        if i.old or not copy:
            return {}
        if copy.writer is not None:
            return {"lock_retry": True}
        copy.rts = max(copy.rts, i.msg_rts) if self.p.RENEW_MAX else i.msg_rts
        return {}

    def ack(self, i, present):
        if i.msg_stamps and self.owed[i.line]:
            self.owed[i.line] -= 1
        if not i.old:
            self.ts[i.warp] = max(self.ts[i.warp], i.msg_wts)
        copy = self.copies.get(i.line)
        locked = copy and copy.writer is not None
        literal = present and not locked and not i.msg_stamps and not i.old and self.p.STAMP_ANY
        if not (locked and i.msg_stamps) and not literal:
            return {}  # D-G17
        if i.old or (self.p.WR_POLICY == 1 and not i.msg_ok):  # no lock is older than its epoch
            return {"merge_failed": True, **self.lose(i.line, copy)}
        copy.wts, copy.rts = i.msg_wts, i.msg_rts
        if not self.owed[i.line]:
            copy.writer = None
        return {"write_late": bool(locked) and self.p.UPDATE_VISIBILITY == 2}

    def direct(self, i, _):
        return {} if i.old else {"serve": True, **self.read(i, i.msg_wts)}

    def serve(self, i, copy):
        now = self.ts[i.warp]
        source = SimpleNamespace(wts=i.msg_wts, rts=i.msg_rts) if i.from_msg else copy
        old = i.from_msg and i.msg_epoch != self.epoch  # a new one was adopted when it came
        locked = copy and copy.writer is not None  # a fill of before the store: D-G10
        if old or self.own_first(i) or locked or not source or now > source.rts:
            self.kept.append(now)
            return {}
        return {"serve": True, **self.read(i, source.wts)}

    def ask(self, i, copy):
        times = self.kept or [self.ts[i.warp]]
        self.kept = []
        if i.outstanding or (copy and copy.writer is not None):
            return {}
        return self.request(i, copy, max(times) if self.p.ASK_MAX else times[0])

    def probe(self, i, _):
        return {}

    # The owner's decisions.

    def drop(self, i, _):
        return self.lose(i.line, self.copies.get(i.line))

    def kernel_start(self, i, _):
        self.forget()
        return {"flush": True}

    # What they share.

    def own_first(self, i):
        """D-G15 and same-address order."""
        return self.p.RC and i.own_pending

    def readable(self, i, copy):
        """Option 1: a locked copy delivers nothing; option 2: its old bytes, but not to the writer."""
        return copy.writer is None or (self.p.UPDATE_VISIBILITY == 2 and copy.writer != i.warp)

    def at_end(self, now):
        return self.p.SELF_INC and now == 2**self.p.TS_BITS - 1

    def request(self, i, copy, ts):
        if i.outstanding and not self.p.FORWARD_ALL:
            return {}
        if copy and self.p.PIN:
            copy.pinned = True
        return {"send": True, "req_wts": copy.wts if copy else 0, "req_ts": ts}

    def read(self, i, wts):
        """The load is performed at the version's begin, or later."""
        self.ts[i.warp] = max(self.ts[i.warp], wts)
        return {"loads": True, "load_ts": self.ts[i.warp]}

    def spin(self, i):
        """D-G13: so many hits are one tick."""
        self.hits[i.warp] += 1
        if not self.p.SELF_INC or self.hits[i.warp] < self.p.SELF_INC:
            return {}
        self.hits[i.warp] = 0
        moves = self.ts[i.warp] < 2**self.p.TS_BITS - 1
        self.ts[i.warp] += moves
        return {"self_incremented": moves}

    def lose(self, line, copy):
        if copy:
            del self.copies[line]
        return {"drop": copy is not None}
