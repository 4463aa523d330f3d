"""dac_region by wang2015 3.12.5: so many ways hold the blocks of the fully cached warps."""

from fractions import Fraction
from math import ceil, floor


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        ways = Fraction(i.fcw * self.p.WIDTH, self.p.SETS)
        last = (ceil(ways) if self.p.ROUND_UP else floor(ways)) - 1
        last = min(last, self.p.WAYS - 2 if self.p.KEEP_VICTIM else self.p.WAYS - 1)
        codes = 2 * 2 ** (self.p.WAYS - 1).bit_length()
        return {"p_eff": last % codes}  # two's complement
