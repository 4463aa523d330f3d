"""idle_mon by aci 3.12: the instructions of every cycle since the phase was entered are a list, cut into
periods; the last two whole ones are compared."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.forget()

    def forget(self):
        self.cycles = []  # of the period under way
        self.level = None  # the period before; none yet

    def period(self, i):
        """The count of the period that ends now, or None."""
        if i.kernel_start or not i.phase_idle or len(self.cycles) + 1 < self.p.CP:
            return None
        return min(sum(self.cycles) + i.insn_inc, 2**self.p.IPC_W - 1)

    def changed(self, count):
        if count is None or self.level is None:
            return False
        return abs(count - self.level) * 8 > self.level * self.p.EPS_8THS

    def outputs(self, i):
        count = self.period(i)
        return {"sampled": count is not None, "retrigger": self.changed(count)}

    def clock(self, i):
        count = self.period(i)
        if i.kernel_start or not i.phase_idle:
            self.forget()
        elif count is not None:
            self.cycles, self.level = [], None if self.changed(count) else count
        else:
            self.cycles.append(i.insn_inc)
