"""oaws_pred by wang2015 3.17, 3.19, A.9: the misses a load is predicted to make.  Div * HMR and
Div * SMR take PRED_STEP cycles, all other predictions one; with ONE_CYCLE Div * SMR does, too."""

from fractions import Fraction
from math import ceil, floor


def rounded(misses, up):
    return ceil(misses) if up else floor(misses)


class Golden:
    def __init__(self, p):
        self.p = p
        self.pred, self.wait = 0, None  # the last prediction; cycles until it is there

    def predicted(self, i):
        """Before the clamp."""
        if not i.is_div:
            return 1
        if not i.dyn:
            return rounded(i.div * Fraction(i.smr_k, 20), self.p.STATIC_UP)  # Eq 5.2
        if i.gprio >= i.fcw:
            return i.div + (i.gprio if self.p.THRASH_ADDS_AGE else 0)
        history = Fraction(i.num, i.den) if i.den else 0
        return rounded(i.div * history, self.p.DYN_UP) + i.gprio  # Eq 5.3, 5.4

    def divides(self, i):
        """With ONE_CYCLE a quotient of more than six bits, for which a load needs more misses than
        accesses, is known to be beyond every clamp and takes no division."""
        local = i.is_div and i.dyn and i.gprio < i.fcw and i.den
        if self.p.ONE_CYCLE:
            return local and i.div * Fraction(i.num, i.den) < 2**6
        return local or (i.is_div and not i.dyn)

    def outputs(self, i):
        return {"done": self.wait == 0, "pred": self.pred}

    def clock(self, i):
        if i.start:
            self.wait = self.p.PRED_STEP if self.divides(i) else 1
            self.pred = min(self.predicted(i), self.p.MSHRS - self.p.CLAIM5)  # D-OAWS-4
        if self.wait is not None:
            self.wait = self.wait - 1 if self.wait else None
