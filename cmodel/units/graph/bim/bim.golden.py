"""bim by lakshminarayana2014 3.6.3: the arrays as sets of bits, a line that left as a note to do."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.width = p.BITS.bit_length() - 1
        self.default = "fine" if p.START else "coarse"
        self.arrays = [set(), set()]  # the first is the active one
        self.evictions = self.notes = self.round = 0
        self.left = None
        self.answer = None

    def bits(self, line):
        n, w = self.p.BITS, self.width
        low, middle = line % n, line // n % n
        shifted = [line // n % 8 << (w - 3), line // n**2 % 8 << (w - 3)]
        return {low ^ shifted[0], middle ^ shifted[1], low ^ middle}

    def evict(self, line, used):
        """What a line that leaves does to a copy of the tables; the copy."""
        after = Golden(self.p)
        after.__dict__.update(self.__dict__, arrays=[set(a) for a in self.arrays])
        kind = "fine" if bin(used).count("1") <= self.p.FINE else "coarse"
        after.evictions += 1
        if kind != self.default:
            for array in after.arrays:
                array |= self.bits(line)
            after.notes += 1
            after.round += 1
            if after.round == self.p.PERIOD:
                after.round, after.arrays = 0, [after.arrays[1], set()]
        if after.evictions == self.p.PERIOD:
            if after.notes > self.p.SKEW / 10 * self.p.PERIOD:
                after.default = {"fine": "coarse", "coarse": "fine"}[self.default]
                after.arrays, after.round = [set(), set()], 0
            after.evictions = after.notes = 0
        return after

    def outputs(self, i):
        after = self.evict(*self.left) if self.left else self
        return {
            "done": self.answer is not None,
            "coarse": self.answer == "coarse",
            "default_fine": self.default == "fine",
            "flipped": after.default != self.default,
        }

    def clock(self, i):
        answer = None
        if i.miss_valid:
            other = {"fine": "coarse", "coarse": "fine"}[self.default]
            answer = other if self.bits(i.miss_line) <= self.arrays[0] else self.default
        if self.left:
            self.__dict__.update(self.evict(*self.left).__dict__)
        self.answer = answer
        self.left = (i.evict_line, i.evict_used) if i.evict_valid else None
