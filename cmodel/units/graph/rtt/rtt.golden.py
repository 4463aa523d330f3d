"""rtt by lakshminarayana2014 3.4.4, Listing 4, entry by entry: UPDATE is a list of what is still to
be done, one element a cycle."""


class Entry:
    def __init__(self):
        self.accesses = self.shared = self.private = 0
        self.flags = set()

    def fill(self, i, most):
        self.accesses = min(self.accesses + 1, most)
        self.shared = min(self.shared + i.fill_sr, most)
        self.private = min(self.private + i.fill_pr, most)

    def update(self, p):
        if self.accesses:
            self.accesses, self.shared, self.private = self.accesses // 2, self.shared // 2, self.private // 2
            hits = {"SharedReuse": self.shared, "PvtReuse": self.private}
            now = {flag for flag, n in hits.items() if n > self.accesses // 2**p.THR_SHIFT}
            self.flags = now | {"Trained"} | (set() if p.RECOMPUTE else self.flags)


class Golden:
    def __init__(self, p):
        self.p, self.most = p, 2**p.CTR_W - 1
        self.entries = {}
        self.untracked = 0
        self.to_do = []
        self.seen = []  # entries that UPDATE has looked at: (accesses, number), at that time

    def accesses(self, number):
        return self.entries[number].accesses if number in self.entries else 0

    def to_free(self, i):
        """The entry that this cycle frees, or None."""
        if i.kernel_start or self.to_do[:1] != [("free", None)]:
            return None
        accesses, number = min(self.seen)
        full = len(self.entries) == self.p.ENTRIES
        return number if full and self.untracked > accesses else None

    def outputs(self, i):
        flags = self.entries[i.lk_rid].flags if i.lk_rid in self.entries else set()
        freed = self.to_free(i)
        return {
            "lk_known": "Trained" in flags,
            "lk_shared": "SharedReuse" in flags,
            "lk_private": "PvtReuse" in flags,
            "lk_excl": flags == {"Trained", "PvtReuse"},
            "busy": bool(self.to_do),
            "freed": freed is not None,
            "freed_rid": freed or 0,
        }

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
            return
        freed = self.to_free(i)
        if self.to_do:
            what, number = self.to_do.pop(0)
            if what == "seek":
                self.seen.append((self.accesses(number), number))
            elif what == "halve" and number in self.entries:
                self.entries[number].update(self.p)
            if not self.to_do:
                self.untracked = 0
        elif i.tick:
            seek = [("seek", n) for n in range(self.p.ENTRIES)] + [("free", None)]
            halve = [("halve", n) for n in range(self.p.ENTRIES)]
            self.to_do = (seek if self.p.REPLACE else []) + halve
            self.seen = []
        if freed is not None:
            del self.entries[freed]
        if i.fill_valid and i.fill_rid in self.entries:
            self.entries[i.fill_rid].fill(i, self.most)
        elif i.fill_valid:
            self.untracked = min(self.untracked + 1, self.most)
        if i.open_valid and i.open_rid != self.p.ENTRIES:
            self.entries[i.open_rid] = Entry()
