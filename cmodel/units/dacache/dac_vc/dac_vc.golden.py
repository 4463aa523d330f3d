"""dac_vc by wang2015 3.12.8: the places of the victim cache are filled in turn; a pair of PC and
block that is found again has locality, one that is displaced has not."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.places = [None] * p.ENTRIES
        self.next = 0

    def kept(self, i):
        """The places after the invalidation, which comes before the push."""
        forgotten = {i.inv_pc} if i.inv_valid else set()
        return [None if pair is None or pair[0] in forgotten else pair for pair in self.places]

    def free(self, i):
        """The places that a push takes before the turn comes to any (FREE_FIRST)."""
        if not self.p.FREE_FIRST:
            return []
        return [n for n, pair in enumerate(self.kept(i)) if pair is None]

    def outputs(self, i):
        displaced = self.kept(i)[self.next] if i.push and not self.free(i) else None
        return {
            "hit": i.acc_valid and (i.pc, i.tag) in self.places,
            "disp_valid": displaced is not None,
            "disp_pc": displaced[0] if displaced else 0,
            "invalidated": self.kept(i) != self.places,
        }

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
            return
        free, self.places = self.free(i), self.kept(i)
        if i.push:
            self.places[free[0] if free else self.next] = i.pc, i.tag
            if not free:
                self.next = (self.next + 1) % self.p.ENTRIES
