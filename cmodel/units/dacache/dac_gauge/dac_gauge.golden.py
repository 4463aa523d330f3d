"""dac_gauge by wang2015 3.12.2, 3.12.3 and 3.12.5: where a load's blocks enter the LRU stack.  Its
age is taken in exact fractions, and rounded once (D-DAC-2)."""

from fractions import Fraction
from math import ceil, floor

UNKNOWN, LOCALITY, NO_LOCALITY = range(3)  # and 3, which acts as LOCALITY


class Golden:
    def __init__(self, p):
        self.p = p

    def thrashing(self, i):
        warps_before = i.prio * self.p.N_SCHED
        return warps_before > i.fcw or (warps_before == i.fcw and not self.p.THRASH_STRICT)

    def gauged(self, i):
        """Eq 4.1."""
        way = Fraction(i.prio * self.p.N_SCHED * self.p.WIDTH, self.p.SETS)
        return min(ceil(way) if self.p.ROUND_UP else floor(way), self.p.WAYS - 1)

    def position(self, i):
        mru, lru = 0, self.p.WAYS - 1
        if i.nreq <= self.p.COH_MAX:
            unknown = mru if self.p.UNKNOWN_MRU else lru
            return {UNKNOWN: unknown, NO_LOCALITY: lru}.get(i.clp, mru)
        if i.nreq <= self.p.SMALL_MAX and (self.p.SMALL_THRASH_MRU or not self.thrashing(i)):
            return mru
        return lru if self.thrashing(i) else self.gauged(i)

    def outputs(self, i):
        if not i.enable:
            return {"insert_pos": 0, "thrash": 0}
        return {"insert_pos": self.position(i), "thrash": self.thrashing(i)}
