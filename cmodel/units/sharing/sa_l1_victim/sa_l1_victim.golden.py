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
        if i.in_shared:
            return next(iter(shared), None), None
        if not lines.lru_first:
            return None, None
        lru = lines.lru_first[0]
        if lru in shared or lru in ways_of(i.dbf, self.p.WAYS):
            return lru, None
        return (shared or [lru])[0], lru

    def outputs(self, i):
        way, dead = self.choice(i, Set(i, self.p.WAYS))
        found = way is not None and not (i.in_shared and self.p.SHARED_ALWAYS_BYPASS)  # D-S5
        return {
            "victim": way or 0,
            "victim_ok": found,
            "bypass": bool(i.in_shared) and not found,
            "dbf_set": 0 if dead is None else 2**dead,
        }
