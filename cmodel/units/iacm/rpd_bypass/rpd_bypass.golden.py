"""rpd_bypass by aci 3.13.2 and 3.13.3: a set's history since a line was loaded or accessed tells how far
its protection reaches."""

from collections import defaultdict

INVALID, RESERVED, VALID, DOOMED = range(4)


class Golden:
    def __init__(self, p):
        self.p = p
        self.age = defaultdict(int)  # accesses of the set that counted so far
        self.since = defaultdict(lambda: -p.PD)  # when a line of it was last loaded or accessed

    def left(self, i, where, way):
        """What is left of a line's protection, after this cycle's fill and invalidation."""
        since = self.since[where, way]
        if self.p.FROM_FILL and i.fill_valid and (i.fill_set, i.fill_way) == (where, way):
            since = self.age[where]
        if i.inv_valid and i.inv_set == where and i.inv_mask // 2**way % 2:
            return 0
        return max(0, self.p.PD - (self.age[where] - since))

    def choice(self, i):
        """None: no miss; else the ways that may be given away, the first one first."""
        if not i.req_valid or i.hit or i.hit_rsv or i.hit_pend:
            return None
        ways = range(self.p.WAYS)
        free = [w for w in ways if i.line_state[w] == INVALID]
        unprotected = [
            w for w in ways if i.line_state[w] == VALID and not self.left(i, i.req_set, w)
        ]
        return free + sorted(unprotected, key=lambda w: i.lru_rank[w])

    def outputs(self, i):
        choice = self.choice(i)
        return {
            "bypass": choice == [],
            "victim_valid": bool(choice),
            "victim_way": choice[0] if choice else 0,
        }

    def put(self, where, way, left):
        self.since[where, way] = self.age[where] - (self.p.PD - left)

    def clock(self, i):
        choice = self.choice(i)
        touched = {i.req_set, i.fill_set, i.inv_set}
        lines = {(at, w): self.left(i, at, w) for at in touched for w in range(self.p.WAYS)}
        if i.req_valid and i.req_accept and (choice != [] or self.p.BYPASS_AGES):
            before, here = dict(lines), i.req_set
            for w in range(self.p.WAYS):
                lines[here, w] = max(0, before[here, w] - 1)
            if choice:
                lines[here, choice[0]] = 0 if self.p.FROM_FILL else self.p.PD
            elif i.hit:
                lines[here, i.hit_way] = self.p.PD
            elif i.hit_rsv:
                lines[here, i.hit_way] = before.get((here, i.hit_way), 0)
            self.age[here] += 1
        for (where, way), left in lines.items():
            self.put(where, way, left)
