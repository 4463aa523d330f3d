"""blpp_monitor by aci 3.17.5: sums without bounds since the last sample, cut to their width when asked."""


class Golden:
    NAMES = ("l1_access", "l1_miss", "l2_access", "l2_miss", "bytes")

    def __init__(self, p):
        self.p, self.sums = p, [0] * 5

    def outputs(self, i):
        most = [2**self.p.CW - 1] * 4 + [2**self.p.BW - 1]
        counts = [min(pair) for pair in zip(self.sums, most)]
        names = [name + "es" for name in self.NAMES[:4]] + ["byte_count"]
        full = any(count == end for count, end in zip(counts, most))
        return {**dict(zip(names, counts)), "saturated": full}

    def clock(self, i):
        before = [0] * 5 if i.sample else self.sums
        self.sums = [was + getattr(i, name) for was, name in zip(before, self.NAMES)]
