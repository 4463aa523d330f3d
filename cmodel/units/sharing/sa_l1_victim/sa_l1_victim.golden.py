"""sa_l1_victim by tabbakh2018 3.2.3: L1 fill and L1_victim_private; PF is the class bit."""

from golden_sharing import Set, ways_of


class Golden:
    def __init__(self, p):
        self.p = p

    def choice(self, i, lines):
        """The way, or None; and the way declared dead, or None."""
        if lines.invalid:
            return min(lines.invalid), None
        shared = lines.with_flag(False)
        p1 = i.in_shared and (not self.p.DEAD_TO_SHARED or self.p.SHARED_ALWAYS_BYPASS)  # D-S7
        if p1 or not lines.lru_first:
            return next(iter(shared), None), None
        lru = lines.lru_first[0]
        if lru in shared or lru in ways_of(i.dbf, self.p.WAYS):
            return lru, None
        return next(iter(shared), None if i.in_shared else lru), lru

    def outputs(self, i):
        way, dead = self.choice(i, Set(i, self.p.WAYS))
        found = way is not None and not (i.in_shared and self.p.SHARED_ALWAYS_BYPASS)  # D-S5
        return {
            "victim": way or 0,
            "victim_ok": found,
            "bypass": bool(i.in_shared) and not found,
            "dbf_set": 0 if dead is None else 2**dead,
        }
