"""spp by lakshminarayana2014 3.6.2: each set a list of entries, the most recent one last."""


class Entry:
    def __init__(self, way):
        self.way, self.tag, self.pattern = way, None, 0


class Golden:
    def __init__(self, p):
        self.p = p
        self.sets = [[Entry(way) for way in reversed(range(p.WAYS))] for _ in range(p.SETS)]
        self.miss = None

    def place(self, pc, off):
        key = pc // 4 * 4 + off
        row = key ^ key // 2**5 ^ key // 2**10
        tag = key // 2**5 ^ key // 2**17 ^ key // 2**29
        return row % self.p.SETS, tag % 2**self.p.TAG_W

    def answer(self):
        """Of the miss that was taken: entry, whether it is the load's, its pattern as it was read."""
        number, tag, _, patterns = self.miss
        row = self.sets[number]
        for entry in row:
            if entry.tag == tag:
                return entry, True, patterns[entry.way]
        unused = sorted((e for e in row if e.tag is None), key=lambda e: e.way)
        return (unused or row)[0], False, 15 * self.p.DEFAULT

    def outputs(self, i):
        if self.miss is None:
            return {"miss_ready": 1, "done": 0, "found": 0, "mask": 0, "ptr": 0}
        entry, found, pattern = self.answer()
        ptr = self.miss[0] * self.p.WAYS + entry.way
        return {"miss_ready": 0, "done": 1, "found": found, "mask": self.miss[2] | pattern, "ptr": ptr}

    def clock(self, i):
        if self.miss is None:
            if i.miss_valid:
                number, tag = self.place(i.miss_pc, i.miss_off)
                patterns = {e.way: e.pattern for e in self.sets[number]}
                self.miss = number, tag, i.miss_need, patterns
        else:
            entry, found, pattern = self.answer()
            number, tag = self.miss[:2]
            self.sets[number].remove(entry)
            self.sets[number].append(entry)
            if not found:
                entry.tag, entry.pattern = tag, pattern
            self.miss = None
        if i.evict_valid and self.p.LEARN:
            number, way = divmod(i.evict_ptr, self.p.WAYS)
            next(e for e in self.sets[number] if e.way == way).pattern = i.evict_used
