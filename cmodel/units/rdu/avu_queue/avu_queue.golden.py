"""avu_queue by tabbakh2018 3.7.6: loads of one SM that are not yet known to be right, the oldest
first."""

from types import SimpleNamespace as Entry

from golden_rdu import Signature, granules

NONE, PUSH, ANSWER, SIGNATURE, FILL, STORE, TAKE, REDONE = range(8)


class Golden:
    def __init__(self, p):
        self.p = p
        self.queue = []
        self.tests = None  # (entry, granule) that the signature in work is still to be tested on

    def outputs(self, i):
        head = self.head()
        running = not i.kernel_start
        return {
            "ready": self.ready(i),
            "full": self.full(),
            "pending": any(e.warp == i.warp for e in self.queue),
            "head_valid": head is not None,
            "head_fail": head.failed if head else 0,
            "head_warp": head.warp if head else 0,
            "head_pc": head.pc if head else 0,
            "head_id": head.id if head else 0,
            "entry_failed": running and self.found(i),
            "entry_committed": running and i.op == TAKE and head is not None and not head.failed,
        }

    def full(self):
        return len(self.queue) == self.p.ENTRIES

    def is_first_of_warp(self, entry):
        return entry is next(e for e in self.queue if e.warp == entry.warp)

    def head(self):
        """The entry that is to be taken."""
        for e in self.queue:
            if e.value and e.outstanding == 0 and not e.redo:
                if self.is_first_of_warp(e) or not self.p.IN_ORDER:  # D-R18
                    return e
        return None

    def tests_of(self, i):
        """What is left of the signature's tests: of entries with a value, each until it fails."""
        if i.op != SIGNATURE or (i.forced and not self.p.FORCED_FAILS):  # D-R17
            return []
        if self.tests is None:
            waiting = [e for e in self.queue if e.bound and not e.failed]
            # A load of no byte takes a step as well.
            return [(e, granule) for e in waiting for granule in e.granules or [None]]
        return self.tests

    def found(self, i):
        granule = next((granule for _, granule in self.tests_of(i)), None)
        return granule is not None and Signature(self.p.M, i.sig).has(granule)

    def after(self, i):
        """The tests that this step leaves."""
        tests = self.tests_of(i)
        if self.found(i):
            return [(e, granule) for e, granule in tests if e is not tests[0][0]]
        return tests[1:]

    def ready(self, i):
        waits = self.after(i) or (i.op == PUSH and self.full())
        return not waits and not i.kernel_start

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
        elif i.op == PUSH and not self.full():
            self.push(i)
        elif i.op == ANSWER:
            self.answer(i)
        elif i.op == SIGNATURE:
            self.test(i)
        elif i.op == FILL:
            for e in self.queue:
                if e.id == i.id:
                    e.value = e.bound = True
        elif i.op == STORE and self.p.OWN_STORE_FAILS:  # D-R21
            for e in self.queue:
                e.failed |= e.block == i.addr // 128 and not self.is_first_of_warp(e)
        elif i.op == TAKE and self.head():
            self.take(self.head())
        elif i.op == REDONE:
            for e in [e for e in self.queue if e.redo and e.id == i.id][:1]:
                self.queue.remove(e)

    def push(self, i):
        self.queue.append(
            Entry(
                id=i.id,
                warp=i.warp,
                pc=i.pc,
                block=i.addr // 128,
                granules=granules(i.addr, i.mask, self.p.SHIFT),
                outstanding=i.outstanding,
                value=i.has_value,
                bound=i.has_value,  # the value is that of a point already passed
                failed=False,
                redo=False,
            )
        )

    def answer(self, i):
        for e in self.queue:
            if i.binds and e.id == i.id:
                e.bound = True
            if not i.early and e.outstanding > 0:
                e.outstanding -= 1

    def test(self, i):
        rest = self.after(i)
        if self.found(i):
            self.tests_of(i)[0][0].failed = True
        self.tests = rest or None

    def take(self, head):
        if head.failed:
            head.redo = True
        else:
            self.queue.remove(head)
