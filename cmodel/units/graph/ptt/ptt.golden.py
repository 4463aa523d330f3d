"""ptt by lakshminarayana2014 3.5.4, Listings 5 and 6: entries by number; UPDATE is a list of what is
still to be done, one element a cycle."""


def h(pc):
    return (pc // 4 % 16) ^ (pc // 64 % 16)


class Entry:
    def __init__(self, pc):
        self.pc = pc
        self.accesses = self.hits = 0
        self.trained = self.reuse = False

    def update(self, p):
        if self.accesses:
            self.accesses, self.hits = self.accesses // 2, self.hits // 2
            above = self.hits > self.accesses // 2**p.THR_SHIFT
            self.reuse = above or (self.reuse and not p.RECOMPUTE)
            self.trained = True


class Golden:
    def __init__(self, p):
        self.p, self.most = p, 2**p.CTR_W - 1
        self.entries = {}
        self.to_do = []
        self.seen = []  # entries that UPDATE has looked at: (accesses, number), at that time
        self.answer = None

    def find(self, i):
        """The number for lk_pc, and whether the entry is new."""
        for number, entry in self.entries.items():
            if entry.pc == i.lk_pc:
                return number, False
        for number in range(self.p.ENTRIES):
            kept = i.res_valid and i.res_id == number and i.res_idx != h(i.lk_pc)
            if number not in self.entries and not kept:
                return number, bool(i.lk_valid and not i.kernel_start)
        return self.p.ENTRIES, False

    def updates(self, i):
        return not i.kernel_start and self.to_do[:1] == [("free", None)]

    def to_free(self, i):
        """The entry that this cycle frees, or None."""
        if not self.updates(i) or len(self.entries) < self.p.ENTRIES:
            return None
        accesses, number = min(self.seen)
        return number if i.max_val > accesses else None

    def outputs(self, i):
        entry = self.entries.get(i.rd_id)
        number, new = self.find(i)
        freed = self.to_free(i)
        return {
            "lk_done": self.answer is not None,
            "lk_id": self.answer[0] if self.answer else 0,
            "lk_hash": self.answer[1] if self.answer else 0,
            "alloc": new,
            "take": new and i.res_valid and i.res_id == number,
            "rd_known": entry is not None and entry.trained,
            "rd_reuse": entry is not None and entry.reuse,
            "update": self.updates(i),
            "busy": bool(self.to_do),
            "freed": freed is not None,
            "freed_id": freed or 0,
        }

    def step_update(self, i):
        if not self.to_do:
            if i.tick:
                seek = [("seek", n) for n in range(self.p.ENTRIES)] + [("free", None)]
                halve = [("halve", n) for n in range(self.p.ENTRIES)]
                self.to_do = (seek if self.p.REPLACE else []) + halve
                self.seen = []
            return
        what, number = self.to_do.pop(0)
        if what == "seek":
            self.seen.append((self.entries[number].accesses if number in self.entries else 0, number))
        elif what == "halve" and number in self.entries:
            self.entries[number].update(self.p)

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
            return
        number, new = self.find(i)
        freed = self.to_free(i)
        self.step_update(i)
        if i.acc_valid and i.acc_id in self.entries:
            self.entries[i.acc_id].accesses = min(self.entries[i.acc_id].accesses + 1, self.most)
        if i.hit_valid and i.hit_id in self.entries:
            self.entries[i.hit_id].hits = min(self.entries[i.hit_id].hits + 1, self.most)
        if freed is not None:
            del self.entries[freed]
        if new:
            self.entries[number] = Entry(i.lk_pc)
        self.answer = (number, h(i.lk_pc)) if i.lk_valid else None
