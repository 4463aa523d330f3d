"""pas_sched by caps-prefetch 3.3 to 3.5: three queues of warps, oldest first.  In a cycle one warp
exits, one is launched, blocked ones become pending, one is woken, others become ready, one issues.
"""


class Queues:
    """The warps of the SM; each step of 3.3 to 3.5 is a method, and says what it did."""

    def __init__(self, p, leading=(), trailing=(), pending=(), marked=()):
        self.p = p
        self.leading, self.trailing = list(leading), list(trailing)
        self.pending = list(pending)
        self.marked = set(marked)

    def copy(self):
        return Queues(self.p, self.leading, self.trailing, self.pending, self.marked)

    def ready(self):
        return self.leading + self.trailing

    def is_full(self):
        return len(self.ready()) == self.p.RQ

    def queue_of(self, warp):
        return self.leading if warp in self.marked else self.trailing

    def exit(self, warp):
        for queue in self.leading, self.trailing, self.pending:
            if warp in queue:
                queue.remove(warp)
        self.marked.discard(warp)

    def launch(self, warp, leads):
        if warp < self.p.WARPS and warp not in self.ready() + self.pending:
            self.pending.append(warp)
            if leads:
                self.marked.add(warp)

    def demote(self, blocked):
        gone = [w for w in self.ready() if blocked(w)]
        self.leading = [w for w in self.leading if w not in gone]
        self.trailing = [w for w in self.trailing if w not in gone]
        self.pending += gone
        return gone

    def wake(self, warp, blocked):
        """Is it woken, and the warp that gives way."""
        if warp not in self.pending or (blocked(warp) and not self.p.WAKE_ALWAYS):
            return False, None
        evicted = self.make_way() if self.is_full() else None
        self.pending.remove(warp)
        queue = self.queue_of(warp)
        queue.insert(0 if self.p.WAKE_FRONT else len(queue), warp)
        return True, evicted

    def make_way(self):
        evicted = (self.trailing or self.leading).pop(0 if self.p.WAKE_VICTIM_OLDEST else -1)
        self.pending.append(evicted)
        return evicted

    def promote(self, blocked):
        promoted = []
        while not self.is_full():
            able = [w for w in self.pending if not blocked(w)]
            first = [w for w in able if w in self.marked] or able
            if not first:
                break
            self.pending.remove(first[0])
            self.queue_of(first[0]).append(first[0])
            promoted.append(first[0])
        return promoted


class Golden:
    def __init__(self, p):
        self.p = p
        self.queues = Queues(p)

    def cycle(self, i):
        """The queues after the cycle, and what it did."""
        q = self.queues.copy()

        def blocked(warp):
            return i.blocked >> warp & 1

        if i.warp_exit_valid:
            q.exit(i.warp_exit_wid)
        if i.base_valid and self.p.LEAD_CLEAR:
            q.marked.discard(i.base_wid)
        if i.warp_launch_valid:
            q.launch(i.warp_launch_wid, i.warp_launch_lead)
        demoted = q.demote(blocked)
        woken, evicted, promoted, issues = False, None, [], []
        if not i.hold:
            if i.wake_valid and self.p.WAKE:
                woken, evicted = q.wake(i.wake_wid, blocked)
            promoted = q.promote(blocked)
            issues = [w for w in q.ready() if i.issuable >> w & 1]
        return q, demoted, woken, evicted, promoted, issues

    def outputs(self, i):
        _, demoted, woken, evicted, promoted, issues = self.cycle(i)
        return {
            "issue_valid": bool(issues),
            "issue_wid": issues[0] if issues else 0,
            "rq_vec": sum(2**w for w in self.queues.ready()),
            "lead_vec": sum(2**w for w in self.queues.marked),
            "wake_evict_valid": evicted is not None,
            "wake_evict_wid": evicted or 0,
            "issued": bool(issues) and bool(i.issue_ready),
            "woken": woken,
            "demoted": bool(demoted),
            "promoted": bool(promoted),
        }

    def clock(self, i):
        self.queues = self.cycle(i)[0]
