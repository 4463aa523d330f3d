"""obm by lakshminarayana2014 3.5.3: what the listing does at once is a list of what is still to be done,
one element a cycle; the pairs stand in a list by place."""


class Golden:
    def __init__(self, p):
        self.p, self.most = p, 2**p.CTR_W - 1
        self.pairs = [None] * p.ENTRIES  # (IB, VB, sigI, sigV)
        self.place = 0
        self.counters = [p.INIT] * 2**p.SIG_W
        self.lfsr = 0xACE1
        self.to_do = []

    def draw(self):
        return self.lfsr >> 1 ^ (0xB400 if self.lfsr & 1 else 0)

    def learn(self, signature, by):
        if not self.p.FREEZE:
            self.counters[signature] = max(0, min(self.most, self.counters[signature] + by))

    def judgements(self, op, line):
        """Places with what their IB's load learns, in the order of the passes."""
        ib = [n for n, pair in enumerate(self.pairs) if pair and pair[0] == line]
        vb = [n for n, pair in enumerate(self.pairs) if pair and pair[1] == line and n not in ib]
        if op == 2:
            return [(n, 1) for n in ib]
        return [(n, -1) for n in ib] + [(n, 1) for n in vb]

    def begin(self, i):
        if i.op == 1:
            self.to_do = [("decide", i)]
            return
        self.to_do = [("match",)]
        for place, by in self.judgements(i.op, i.line):
            _, _, sigi, sigv = self.pairs[place]
            self.to_do += [("judge", place), ("read",), ("learn", sigi, by)]
            if i.op == 0 and self.p.UPD_VB:
                self.to_do.append(("learn", sigv, -by))
        self.to_do.append(("end",))

    def outputs(self, i):
        what, *of = self.to_do[0] if self.to_do else (None,)
        decides = what == "decide"
        return {
            "op_ready": what is None,
            "done": decides or what == "end",
            "byp": decides and self.counters[of[0].sig] > self.most // 2,
            "remembers": decides and self.draw() % 2**self.p.PROB_LOG2 == 0,
            "judges": what == "judge",
        }

    def clock(self, i):
        if not self.to_do:
            if i.op_valid:
                self.begin(i)
            return
        what, *of = self.to_do.pop(0)
        if what == "judge":
            self.pairs[of[0]] = None
        elif what == "learn":
            self.learn(*of)
        elif what == "decide":
            self.lfsr = self.draw()
            if self.lfsr % 2**self.p.PROB_LOG2 == 0:
                self.pairs[self.place] = of[0].line, of[0].vict, of[0].sig, of[0].vict_sig
                self.place = (self.place + 1) % self.p.ENTRIES
