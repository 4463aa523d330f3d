"""flex_sdm by lakshminarayana2014 3.3.3: the misses of a cycle move PSEL by their net number."""

from golden_graph import leader


class Golden:
    def __init__(self, p):
        self.p = p
        self.most = 2**p.PSEL_W - 1
        self.psel = {0: self.most // 2, 1: 0, 2: self.most}[p.FREEZE]

    def after(self, i):
        if self.p.FREEZE:
            return self.psel
        missing = [leader(self.p, s) for n, s in enumerate(i.miss_set) if i.miss_valid // 2**n % 2]
        net = missing.count("NI") - missing.count("EX")
        return sorted((0, self.psel + net, self.most))[1]

    def exclusive(self, psel):
        return 2 * psel > self.most

    def outputs(self, i):
        now = self.exclusive(self.psel)
        return {"psel": self.psel, "mode_follow": now, "mode_changes": now != self.exclusive(self.after(i))}

    def clock(self, i):
        self.psel = self.after(i)
