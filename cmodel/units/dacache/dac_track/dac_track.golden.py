"""dac_track by wang2015 3.12.9: of the load in service, whether it is divergent, and what became of
its accesses."""

HIT, HIT_RESERVED, MISS, BYPASS = range(4)


class Golden:
    def __init__(self, p):
        self.p = p
        self.misses = {MISS}
        self.misses |= {HIT_RESERVED} if p.RESERVED_IS_MISS else set()
        self.misses |= {BYPASS} if p.BYPASS_IS_MISS else set()
        self.nreq, self.results = 0, set()

    def so_far(self, i):
        return self.results | ({i.acc_result} if i.acc_valid else set())

    def outputs(self, i):
        return {
            "retire_valid": i.acc_valid and i.acc_last,
            "divergent": self.nreq > self.p.COH_MAX,
            "miss_seen": bool(self.so_far(i) & self.misses),
        }

    def clock(self, i):
        self.results = self.so_far(i)
        if i.start_valid:
            self.nreq, self.results = i.start_nreq, set()
