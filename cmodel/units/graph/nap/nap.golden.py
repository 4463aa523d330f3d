"""nap by lakshminarayana2014 3.6.4: counters by row and relative offset, -3 to 3."""

LINE = range(4)


class Golden:
    def __init__(self, p):
        self.p = p
        self.counters = {(row, offset): p.INIT for row in range(p.ENTRIES) for offset in range(-3, 4)}
        self.answer = None

    def outputs(self, i):
        mask, row, first = self.answer or (0, 0, 0)
        return {"done": self.answer is not None, "mask": mask, "idx": row, "f": first}

    def predict(self, i):
        number = i.miss_pc // 4
        row = number % self.p.ENTRIES ^ number // self.p.ENTRIES % self.p.ENTRIES
        wanted = {j for j in LINE if j != i.miss_f and self.counters[row, j - i.miss_f] > self.p.THRESHOLD}
        wanted |= {j for j in LINE if i.miss_need // 2**j % 2}
        return sum(2**j for j in wanted), row, i.miss_f

    def clock(self, i):
        self.answer = self.predict(i) if i.miss_valid else None
        for j in LINE if i.evict_valid else ():
            if j != i.evict_f:
                place = i.evict_idx, j - i.evict_f
                step = 1 if i.evict_used // 2**j % 2 else -1
                self.counters[place] = min(max(self.counters[place] + step, 0), 2**self.p.CTR_W - 1)
