"""awl_ctrl by aci 3.10.4: nothing is stored but the instruction counts of the periods of a search;
the search is told from its beginning, with them as the answers to what it asks to be measured."""


def search(p, start, total):
    """Asks for an IPC by yielding the warp count to be measured; returns the one it chooses."""
    best, count, base, rising = 0, start, start, start == 1
    while True:  # by factors of two
        ipc = yield count
        if ipc > best:
            best = ipc
            ends = {True: total, False: 1} if not p.ENDS_AT_ONCE else None
            if (count == ends[rising]) if ends else count in (1, total):
                return count
            count = min(2 * count, total) if rising else max(count // 2, 1)
            continue
        best = 0
        if rising or count != base // 2:
            break
        rising, count = True, base
    base = count = count if rising else min(2 * count, total)
    rising = False
    while True:  # by one
        ipc = yield count
        onward = count + 1 if rising else count - 1
        if ipc > best:
            best = ipc
            if count in (base // 2, 2 * base) or not 1 <= onward <= total:
                return count
            count = onward
        elif not rising and count == base - 1:
            best, rising, count = 0, True, base
        else:
            return min(count + 1, total) if not rising else max(count - 1, 1)


def told(p, start, total, measured):
    """The count in force after those periods, and whether the search has ended."""
    asking = search(p, start, total)
    count = next(asking)
    for ipc in measured:
        try:
            count = asking.send(ipc)
        except StopIteration as chosen:
            return chosen.value, True
    return count, False


def best_of(measured):
    """The instructions that the next period has to exceed: the last period's, none after a worse."""
    best = 0
    for ipc in measured:
        best = ipc if ipc > best else 0
    return best


class Golden:
    def __init__(self, p):
        self.p = p
        self.period = p.CP + p.CP_LATE
        self.launch(2**p.WCW - 1)

    def launch(self, total):
        self.total = self.last = self.start = max(total, 1)
        self.measured, self.cycles, self.instructions = [], 0, 0

    def now(self):
        return told(self.p, self.start, self.total, self.measured)[0] if self.total > 1 else 1

    def ending(self, i):
        """Instructions of the period that ends with this cycle; None when none does."""
        if not i.phase_awl or i.kernel_start or self.total == 1:
            return None
        if self.cycles + 1 < self.period:
            return None
        return min(self.instructions + i.insn_inc, 2**self.p.IPC_W - 1)

    def outputs(self, i):
        out = {"nc": self.now(), "done": 0, "goto_idle": 0, "better": 0, "worse": 0}
        if i.phase_awl and not i.kernel_start and self.total == 1:
            return out | {"done": 1, "goto_idle": 1}
        ipc = self.ending(i)
        if ipc is not None:
            count, done = told(self.p, self.start, self.total, self.measured + [ipc])
            better = ipc > best_of(self.measured)
            moved = abs(count - self.last)
            close = 8 * moved <= self.p.EPS_8THS * self.last
            if self.p.EPS_WARPS:
                close = moved <= self.p.EPS_WARPS
            out |= {"better": better, "worse": not better, "done": done}
            out["goto_idle"] = done and close
        return out

    def clock(self, i):
        if i.kernel_start:
            return self.launch(i.nt)
        ipc = self.ending(i)
        if ipc is not None:
            self.cycles, self.instructions = 0, 0
            self.measured = self.measured + [ipc]
            count, done = told(self.p, self.start, self.total, self.measured)
            if done:
                self.start = self.last = count
                self.measured = []
        elif i.phase_awl and self.total > 1:
            self.cycles += 1
            self.instructions += i.insn_inc
