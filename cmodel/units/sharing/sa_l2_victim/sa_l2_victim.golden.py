"""sa_l2_victim by tabbakh2018 3.2.3, L2_victim: invalid, LRU among SF=0, LRU among SF=1, stall."""

from golden_sharing import Set


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        lines = Set(i, self.p.WAYS)
        order = sorted(lines.invalid) or lines.with_flag(False) or lines.with_flag(True)
        shared = bool(order) and not lines.invalid and order[0] in lines.flagged
        return {"victim_ok": bool(order), "victim": (order or [0])[0], "takes_shared": shared}
