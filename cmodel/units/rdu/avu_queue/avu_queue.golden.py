"""avu_queue by tabbakh2018 3.7.6: loads of one SM that are not yet known to be right, the oldest
first.

With ONE_CYCLE an operation takes a step, and a signature one for each granule.  Without, it is looked
in one step which entries are meant, and done in the next; the bits of a granule are looked at one after
the other."""

from types import SimpleNamespace as Entry

from golden_rdu import HASHES, Signature, granules, hashes

NONE, PUSH, ANSWER, SIGNATURE, FILL, STORE, TAKE, REDONE = range(8)


class Walk:
    """The bits of a key, in words that are asked for a step before."""

    def __init__(self, p):
        self.m, self.row = p.M, min(p.WORD, p.M)
        self.positions = [0] * HASHES
        self.step = 0
        self.dropped = self.known = False
        self.all_set = True

    def word(self):
        return self.positions[(self.step - 1) % HASHES] // self.row if self.step else 0

    def clock(self, key, sig):
        """A step in which `key` is wanted, or none."""
        known = self.step == HASHES + 1 and not self.dropped and key is not None
        if self.step == 0:
            self.all_set, self.dropped = True, False
            if key is not None and not self.known:
                self.positions, self.step = hashes(key, self.m), 1
        else:
            if self.step >= 2 and not self.dropped:
                bit = self.positions[self.step - 2] % self.row
                self.all_set &= bool(sig[bit // 64] >> bit % 64 & 1)
            self.dropped |= key is None
            self.step = (self.step + 1) % (HASHES + 2)
        self.known = known


class Golden:
    def __init__(self, p):
        self.p = p
        self.walk = Walk(p)
        self.forget()

    def forget(self):
        self.queue = []
        self.tests = None  # (entry, granule) that the signature in work is still to be tested on
        self.looked = self.moved = False
        self.seen = None, False  # the head a step before, and whether it had failed

    def acts(self):
        return self.p.ONE_CYCLE or self.looked

    def outputs(self, i):
        head, failed = self.head_seen()
        running = not i.kernel_start
        return {
            "ready": self.ready(i),
            "full": self.full(),
            "pending": any(e.warp == i.warp for e in self.queue),
            "sig_at": 0 if self.p.ONE_CYCLE else self.walk.word(),
            "head_valid": head is not None and not self.moved,
            "head_fail": failed,
            "head_warp": head.warp if head else 0,
            "head_pc": head.pc if head else 0,
            "head_id": head.id if head else 0,
            "entry_failed": running and self.found(i),
            "entry_committed": running and i.op == TAKE and self.acts() and head is not None and not failed,
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

    def head_seen(self):
        if not self.p.ONE_CYCLE:
            return self.seen
        head = self.head()
        return head, bool(head and head.failed)

    def tests_of(self, i):
        """What is left of the signature's tests: of entries with a value, each until it fails."""
        if i.op != SIGNATURE or (i.forced and not self.p.FORCED_FAILS):  # D-R17
            return []
        if self.tests is None:
            waiting = [e for e in self.queue if e.bound and not e.failed]
            # A load of no byte takes a step as well.
            return [(e, granule) for e in waiting for granule in e.granules or [None]]
        return self.tests

    def granule(self, i):
        return next((granule for _, granule in self.tests_of(i)), None)

    def judged(self, i):
        """Is it known whether the next one is in the signature?"""
        return self.acts() and (self.p.ONE_CYCLE or self.walk.known or self.granule(i) is None)

    def found(self, i):
        granule = self.granule(i)
        if granule is None or not self.judged(i):
            return False
        return Signature(self.p.M, i.sig).has(granule) if self.p.ONE_CYCLE else self.walk.all_set

    def after(self, i):
        """The tests that this step leaves."""
        tests = self.tests_of(i)
        if not self.judged(i):
            return tests
        if self.found(i):
            return [(e, granule) for e, granule in tests if e is not tests[0][0]]
        return tests[1:]

    def ready(self, i):
        if i.kernel_start:
            return False
        if i.op == PUSH:
            return not self.full()
        return i.op == NONE or (self.acts() and not self.after(i))

    def clock(self, i):
        ready, judged = self.ready(i), self.judged(i)
        seen = self.head()
        seen = seen, bool(seen and seen.failed)
        wanted = self.granule(i) if self.looked and not i.kernel_start else None
        acts = self.acts()
        if i.kernel_start:
            self.forget()
        elif acts or i.op == PUSH:
            self.operate(i)
        if self.p.ONE_CYCLE:
            return
        self.walk.clock(wanted, i.sig)
        if i.kernel_start:
            return
        self.seen = seen
        self.moved = ready and i.op != NONE
        if acts:
            self.looked = i.op == SIGNATURE and not ready and not judged
        else:
            self.looked = i.op not in (NONE, PUSH)

    def operate(self, i):
        if i.op == PUSH and not self.full():
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
        if not self.judged(i):
            return
        rest = self.after(i)
        if self.found(i):
            self.tests_of(i)[0][0].failed = True
        self.tests = rest or None

    def take(self, head):
        if head.failed:
            head.redo = True
        else:
            self.queue.remove(head)
