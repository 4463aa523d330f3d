"""oaws_store by wang2015 3.19 and D-OAWS-7: each buffered instruction has a prediction, made as it
enters; a walker has one slot's made anew every PRED_STEP cycles, so that ageing is seen."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.slots = 2 * p.WARPS
        self.preds = [0] * self.slots
        self.cycle = 0
        self.asked = 0  # the slot whose prediction is being made
        self.replaced = False  # its instruction came after the question

    def walk(self):
        """The slot that is asked for in this cycle, or None."""
        round_, rest = divmod(self.cycle, self.p.PRED_STEP)
        return None if rest else round_ % self.slots

    def outdated(self, i):
        return self.replaced or (i.enter_valid and i.enter_slot == self.asked)

    def outputs(self, i):
        slot = self.walk()
        return {
            "walk_start": slot is not None,
            "walk_slot": slot or 0,
            "pred": [self.preds[2 * w + (i.head >> w & 1)] for w in range(self.p.WARPS)],
            "refresh": i.walk_valid and not self.outdated(i),
            "outdated": i.walk_valid and self.outdated(i),
        }

    def clock(self, i):
        greatest = 2**self.p.PRED_W - 1
        if i.walk_valid and not self.outdated(i):
            self.preds[self.asked] = min(i.walk_pred, greatest)
        if i.enter_valid and i.enter_slot < self.slots:
            self.preds[i.enter_slot] = min(i.enter_pred, greatest)
        self.replaced = self.outdated(i)
        if self.walk() is not None:
            self.asked = self.walk()
            self.replaced = i.enter_valid and i.enter_slot == self.asked
        self.cycle += 1
