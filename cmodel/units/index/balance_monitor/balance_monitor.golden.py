"""balance_monitor by wang2015 3.8 (BAL, Eq 3.2): b_j accesses to set j, of which the numerator is
the sum of b_j (b_j + 1) / 2 and m is the total.  An access beyond what a counter holds is not
counted."""

from collections import Counter


class Golden:
    def __init__(self, p):
        self.most = 2**p.COUNT_W - 1
        self.accesses = Counter()  # set: b

    def before_access(self, i):
        return Counter() if i.clear else self.accesses

    def outputs(self, i):
        full = self.before_access(i)[i.set_index] == self.most
        return {
            "total": sum(self.accesses.values()),
            "sum": sum(b * (b + 1) // 2 for b in self.accesses.values()),
            "overflow": bool(i.acc_valid) and full,
        }

    def clock(self, i):
        overflow = self.outputs(i)["overflow"]
        self.accesses = self.before_access(i)
        if i.acc_valid and not overflow:
            self.accesses[i.set_index] += 1
