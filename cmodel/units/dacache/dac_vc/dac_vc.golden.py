"""dac_vc by wang2015 3.12.8: the places of the victim cache are filled in turn; a pair of PC and
block that is found again has locality, one that is displaced has not."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.places = [None] * p.ENTRIES
        self.next = 0

    def kept(self, i):
        """The places after the invalidation, which comes before the push."""
        return [pair if pair and not (i.inv_valid and pair[0] == i.inv_pc) else None
                for pair in self.places]

    def place(self, i):
        free = [n for n, pair in enumerate(self.kept(i)) if pair is None]
        return free[0] if free and self.p.FREE_FIRST else self.next

    def outputs(self, i):
        displaced = self.kept(i)[self.place(i)] if i.push else None
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
        place, self.places = self.place(i), self.kept(i)
        if i.push:
            self.places[place] = i.pc, i.tag
            if place == self.next:
                self.next = (self.next + 1) % self.p.ENTRIES
