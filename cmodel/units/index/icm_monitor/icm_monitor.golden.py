"""icm_monitor by wang2015 3.8 and Eq 3.1: of one load after the other, how many accesses it made
and how many distinct sets they touched; told in the cycle after its last access."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.sets = []  # of the accesses of the load so far, in order
        self.complete = False

    def outputs(self, i):
        return {
            "load_valid": self.complete,
            # Beyond the lanes the count is told up to its greatest value.
            "nacc": min(len(self.sets), 2 * self.p.LANES - 1),
            "nsets": len(set(self.sets)),
            "overrun": bool(i.acc_valid) and not self.complete and len(self.sets) >= self.p.LANES,
        }

    def clock(self, i):
        if self.complete:
            self.sets, self.complete = [], False
        if i.acc_valid:
            self.sets.append(i.set_index)
            self.complete = bool(i.last)
