"""dac_clp by wang2015 3.12.8: a dictionary of load PCs in the order in which they came; the oldest
gives way."""

UNKNOWN, LOCALITY, NO_LOCALITY = range(3)


class Golden:
    def __init__(self, p):
        self.p = p
        self.classes = {}
        self.answer = UNKNOWN

    def enters(self, i):
        return bool(i.ins_valid) and not i.kernel_start and i.ins_pc not in self.classes

    def outputs(self, i):
        full = len(self.classes) == self.p.ENTRIES
        return {
            "state": self.answer,
            "ins_new": self.enters(i),
            "evict": self.enters(i) and full,
        }

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
            return
        if i.lk_valid:
            self.answer = self.classes.get(i.lk_pc, UNKNOWN)
        if self.outputs(i)["evict"]:
            del self.classes[next(iter(self.classes))]
        if i.ins_valid and (i.ins_pc not in self.classes or self.p.INS_UPDATES):
            self.classes[i.ins_pc] = LOCALITY if i.ins_flag else NO_LOCALITY
