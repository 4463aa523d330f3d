"""oaws_epoch by wang2015 3.16.1 and D-DLC-2: every EPOCH cycles the classifier ages; a cycle
without ageing begins the period anew."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.passed = 0  # cycles since the last ageing

    def outputs(self, i):
        return {"age_tick": bool(i.enable) and self.passed + 1 == self.p.EPOCH}

    def clock(self, i):
        ends = not i.enable or self.outputs(i)["age_tick"]
        self.passed = 0 if ends else self.passed + 1
