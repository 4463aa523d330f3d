"""ab_set by lakshminarayana2014 3.5.2: a probability and an episode for each set, the rules of its
listing in their words."""

from fractions import Fraction


class Set:
    def __init__(self, p):
        self.probability = Fraction(1, 2**p.E_INIT)
        self.episode = None  # (kind, line outside the cache, way of the line inside)

    def learn(self, effective, p):
        factor = 2 if effective else Fraction(1, 2)
        self.probability = min(max(self.probability * factor, Fraction(1, 2**p.E_MAX)), Fraction(1, 2**p.E_MIN))
        self.episode = None


class Golden:
    def __init__(self, p):
        self.p = p
        self.sets = {}
        self.lfsr = 0xACE1
        self.under_way = None
        self.flushed = False  # as it was taken

    def draw(self):
        self.lfsr = self.lfsr >> 1 ^ (0xB400 if self.lfsr & 1 else 0)
        return self.lfsr

    def judge(self, i, episode):
        """Of an access: was bypassing right, wrong, or is that not known?"""
        if episode is None:
            return None
        kind, outside, way = episode
        if not i.hit and i.tag == outside:
            return kind == "virtual"
        if i.hit and i.way == way:
            return kind == "real"
        return None

    def apply(self, i, change):
        """The answers to operation i; with `change` the state becomes that after it."""
        kept = self.lfsr
        s = self.sets.setdefault(i.set_index, Set(self.p))
        episode = s.episode
        answers = {"byp": False, "effective": False, "ineffective": False, "tracks": False}
        answers["exponent"] = s.probability.denominator.bit_length() - 1
        right, after = None, episode
        if i.op == 0:
            right = self.judge(i, episode)
            if right is not None:
                answers["effective" if right else "ineffective"] = True
        elif i.op == 1:
            byp = self.draw() % s.probability.denominator == 0 and self.p.BYPASS
            answers["byp"] = byp
            if episode is None:
                virtual = not byp and self.p.VIRTUAL and self.draw() % 2**self.p.VIRT_LOG2 == 0
                answers["tracks"] = byp or virtual
                after = ("real", i.tag, i.way) if byp else ("virtual", i.vict_tag, i.way) if virtual else None
            elif not byp and i.way == episode[2]:
                after = None
        elif i.op == 2 and episode and i.way == episode[2]:
            after = None
        if change:
            s.episode = after
            if right is not None:
                s.learn(right, self.p)
        else:
            self.lfsr = kept
        return answers

    def outputs(self, i):
        nothing = {"byp": False, "effective": False, "ineffective": False, "tracks": False, "exponent": 0}
        answers = nothing if self.under_way is None else self.apply(self.under_way, False)
        return answers | {"op_ready": self.under_way is None, "done": self.under_way is not None}

    def clock(self, i):
        if self.under_way is not None:
            self.apply(self.under_way, True)
            self.under_way = None
        elif i.op_valid:
            self.under_way = i
        if i.flush:
            for s in self.sets.values():
                s.episode = None
