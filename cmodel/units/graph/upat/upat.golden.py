"""upat by lakshminarayana2014 3.5.4: counts in a dictionary, the greatest looked for each time."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.forget()

    def forget(self):
        self.counts = {}
        self.reserved = None

    def greatest(self):
        return max(((n, -idx) for idx, n in self.counts.items()), default=(0, 0))

    def outputs(self, i):
        most, at = self.greatest()
        return {
            "max_val": most,
            "max_idx": -at,
            "res_valid": self.reserved is not None,
            "res_id": self.reserved[0] if self.reserved else 0,
            "res_idx": self.reserved[1] if self.reserved else 0,
        }

    def clock(self, i):
        if i.kernel_start:
            self.forget()
            return
        if i.update:
            self.reserved = (i.reserve_id, -self.greatest()[1]) if i.reserve else None
            self.counts = {}
        elif i.take:
            self.reserved = None
        if i.inc_valid:
            self.counts[i.inc_idx] = min(self.counts.get(i.inc_idx, 0) + 1, 2**self.p.CTR_W - 1)
