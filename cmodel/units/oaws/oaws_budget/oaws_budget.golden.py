"""oaws_budget by wang2015 3.16 and D-OAWS-3: what is left of the free MSHR entries when every load
in flight gets the misses predicted for it.  A load counts from its issue to its retirement."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.avail = self.held(p.MSHRS)
        self.inflight = 0

    def held(self, free):
        """A free count as Avail_mshr's bits hold it."""
        greatest = 2**self.p.AVAIL_W - 1
        return free % (greatest + 1) if self.p.AVAIL_WRAPS else min(free, greatest)

    def sum(self, i):
        """Miss_inflight after this cycle, if it had no limits."""
        issued = i.issue_pred if i.issue_valid else 0
        retired = i.retire_pred if i.retire_valid else 0
        return self.inflight + issued - retired

    def outputs(self, i):
        avail = self.avail if self.p.AVAIL_SAMPLED else self.held(i.free_cnt)
        return {
            "budget": (avail - self.inflight) % 256,
            "inflight": self.inflight,
            "avail": self.avail,
            "overflow": self.sum(i) >= 2**self.p.INFLIGHT_W,
            "underflow": self.sum(i) < 0,
        }

    def clock(self, i):
        self.inflight = sorted((0, self.sum(i), 2**self.p.INFLIGHT_W - 1))[1]
        self.avail = self.held(i.free_cnt)
