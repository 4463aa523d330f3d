"""dac_stack by wang2015 3.12.4 and 3.12.6: a set is a list of its ways, MRU first; a line is taken
out at its position and put in again at another."""

NONE, PROMOTE, INSERT = range(3)


class Golden:
    def __init__(self, p):
        self.p = p
        self.straight = 2 ** (p.WAYS - 1).bit_length() - 1
        self.stacks = {s: list(range(p.WAYS)) for s in range(p.SETS)}

    def target(self, i):
        """The line's new position; there is none past the last way."""
        if i.op == PROMOTE and i.pos < self.p.WAYS:
            return 0 if i.climb == self.straight else max(0, i.pos - i.climb)
        if i.op == INSERT and max(i.pos, i.insert_pos) < self.p.WAYS:
            return i.insert_pos
        return i.pos

    def outputs(self, i):
        return {"lru_stack": self.stacks[i.set_index], "moved": self.target(i) != i.pos}

    def clock(self, i):
        stack = self.stacks[i.set_index]
        if self.target(i) != i.pos:
            stack.insert(self.target(i), stack.pop(i.pos))
