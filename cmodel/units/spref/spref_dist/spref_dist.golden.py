"""spref_dist by lakshminarayana2014-graph 3.1.6: the average itself, then the largest distance whose
registers there are."""

from fractions import Fraction


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        if i.n == 0:
            return {"d": 0, "clamped": 0}
        average = Fraction(i.sum, i.n)
        low, med, high = 1, 2, 3
        wanted = low if average < self.p.MID else med if average < self.p.HIGH else high
        wanted = low if i.fixed1 else wanted
        d = max(d for d in range(wanted + 1) if d * i.nloads <= i.spare)
        return {"d": d, "clamped": d < wanted}
