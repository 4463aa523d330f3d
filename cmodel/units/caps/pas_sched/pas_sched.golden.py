"""pas_sched by caps-prefetch 3.3 to 3.5: three queues of warps, oldest first.  In a cycle one warp
exits, one is launched, blocked ones become pending, one is woken, others become ready, one issues:
as many as there are, or one of each kind.
"""


class Queues:
    """The warps of the SM; each step of 3.3 to 3.5 is a method, and says what it did."""

    def __init__(self, p, leading=(), trailing=(), pending=(), marked=()):
        self.p = p
        self.leading, self.trailing = list(leading), list(trailing)
        self.pending = list(pending)
        self.marked = set(marked)

    def copy(self):
        return type(self)(self.p, self.leading, self.trailing, self.pending, self.marked)

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

    def who_yields(self):
        return (self.trailing or self.leading)[0 if self.p.WAKE_VICTIM_OLDEST else -1]

    def make_way(self):
        evicted = self.who_yields()
        self.leading = [w for w in self.leading if w != evicted]
        self.trailing = [w for w in self.trailing if w != evicted]
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


class DocumentCycle(Queues):
    """All moves of a cycle, one after the other (ONE_CYCLE = 1)."""

    def cycle(self, i, blocked):
        done = dict.fromkeys(("demoted", "woken", "evicted", "promoted", "issues"))
        if i.warp_exit_valid:
            self.exit(i.warp_exit_wid)
        if i.base_valid and self.p.LEAD_CLEAR:
            self.marked.discard(i.base_wid)
        if i.warp_launch_valid:
            self.launch(i.warp_launch_wid, i.warp_launch_lead)
        done["demoted"] = self.demote(blocked)
        if not i.hold:
            if i.wake_valid and self.p.WAKE:
                done["woken"], done["evicted"] = self.wake(i.wake_wid, blocked)
            done["promoted"] = self.promote(blocked)
            done["issues"] = [w for w in self.ready() if i.issuable >> w & 1]
        return done


class MoveOfEachKind(Queues):
    """Events act one cycle after they came; then one demotion, one wake-up or promotion a cycle, and
    who has moved is left alone in the next, in which it gets its place (D-PAS-1)."""

    came = None  # the inputs of the last cycle
    moved = ()  # warps that changed their queue in it
    to_tail = ()  # of these, those that entered it at the tail
    must_yield = False  # a ready warp gives way
    has_yielded = None  # the warp that did so in the last cycle

    def copy(self):
        copy = super().copy()
        copy.came, copy.moved, copy.to_tail = self.came, self.moved, self.to_tail
        copy.must_yield, copy.has_yielded = self.must_yield, self.has_yielded
        return copy

    def unmark(self, warp):
        """It stands behind the marked warps of its queue, and before all others; or, if it has
        just come to the tail, behind these, too."""
        if warp in self.marked:
            self.marked.discard(warp)
            queue = self.pending if warp in self.pending else self.trailing
            if warp in self.ready() + self.pending:
                self.move(warp, queue, warp not in self.to_tail)

    def move(self, warp, queue, at_head=False):
        for other in self.leading, self.trailing, self.pending:
            if warp in other:
                other.remove(warp)
        queue.insert(0 if at_head else len(queue), warp)

    def choose(self, i, blocked):
        """From the queues without the warp that exits; only those that have their place."""
        standing = [w for w in self.ready() if w not in self.moved]
        waiting = [w for w in self.pending if w not in self.moved and not blocked(w)]
        demoted = [] if self.must_yield else [w for w in standing if blocked(w)][:1]
        asked = self.came.wake_valid and self.p.WAKE and self.came.wake_wid < self.p.WARPS
        woken = [w for w in self.pending if asked and not i.hold and w == self.came.wake_wid]
        if not self.p.WAKE_ALWAYS:
            woken = [w for w in woken if not blocked(w)]
        first = [w for w in waiting if w in self.marked] + waiting
        evicted = None
        if self.must_yield:
            trailing = [w for w in standing if w not in self.marked]
            evicted = (trailing or standing)[0 if self.p.WAKE_VICTIM_OLDEST else -1]
        issues = [w for w in standing if i.issuable >> w & 1 and not blocked(w) and not i.hold]
        return asked, demoted, woken, first[:1], evicted, issues

    def cycle(self, i, blocked):
        e = self.came
        was_full = len(self.ready()) >= self.p.RQ
        exits = e is not None and e.warp_exit_valid and e.warp_exit_wid in self.ready()
        if e is None:
            self.came = i
            return {"demoted": [], "woken": [], "evicted": None, "promoted": [], "issues": []}
        if e.warp_exit_valid:
            self.exit(e.warp_exit_wid)
        asked, demoted, woken, promoted, evicted, issues = self.choose(i, blocked)
        if was_full or i.hold or asked:
            promoted = []
        if e.base_valid and self.p.LEAD_CLEAR:
            self.unmark(e.base_wid)
        if e.warp_launch_valid:
            self.launch(e.warp_launch_wid, e.warp_launch_lead)
        self.must_yield = bool(woken) and was_full and not demoted and not exits
        gone = demoted + ([] if evicted is None else [evicted])
        for warp in gone:
            self.move(warp, self.pending)
        for warp in woken + promoted:
            self.move(warp, self.queue_of(warp), warp in woken and self.p.WAKE_FRONT)
        reported, self.has_yielded = self.has_yielded, evicted
        self.moved = gone + woken + promoted
        self.to_tail = gone + promoted + ([] if self.p.WAKE_FRONT else woken)
        self.came = i
        return {
            "demoted": demoted,
            "woken": woken,
            "evicted": reported,
            "promoted": promoted,
            "issues": issues,
        }


class Golden:
    def __init__(self, p):
        self.queues = (DocumentCycle if p.ONE_CYCLE else MoveOfEachKind)(p)

    def cycle(self, i):
        """The queues after the cycle, and what it did."""
        queues = self.queues.copy()
        return queues, queues.cycle(i, lambda warp: i.blocked >> warp & 1)

    def outputs(self, i):
        _, done = self.cycle(i)
        issues, evicted = done["issues"], done["evicted"]
        return {
            "issue_valid": bool(issues),
            "issue_wid": issues[0] if issues else 0,
            "rq_vec": sum(2**w for w in self.queues.ready()),
            "lead_vec": sum(2**w for w in self.queues.marked),
            "wake_evict_valid": evicted is not None,
            "wake_evict_wid": evicted or 0,
            "issued": bool(issues) and bool(i.issue_ready),
            "woken": bool(done["woken"]),
            "demoted": bool(done["demoted"]),
            "promoted": bool(done["promoted"]),
        }

    def clock(self, i):
        self.queues = self.cycle(i)[0]
