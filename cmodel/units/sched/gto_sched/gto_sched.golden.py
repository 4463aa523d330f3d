"""gto_sched by wang2015 3.2, A.5: of the warps that qualify, the one that issued last; else the
oldest."""

from golden_sched import Ages


class Golden:
    def __init__(self, p):
        self.p = p
        self.ages = Ages(p.WARPS)
        self.last = None  # slot of the warp that issued last, while it is resident

    def grant(self, i):
        def has(mask, slot):
            return mask // 2**slot % 2

        walk = [
            slot
            for slot in self.ages.oldest_first
            if has(i.ready, slot)
            and not has(i.mask_dis, slot)
            and not (i.mem_block and has(i.is_mem, slot))  # D-GTO-2
        ]
        return self.last if self.last in walk else next(iter(walk), None)

    def outputs(self, i):
        grant = self.grant(i)
        return {
            "grant_valid": grant is not None,
            "grant_wid": grant or 0,
            "rank": self.ages.ranks(),
            "greedy": grant is not None and grant == self.last,
        }

    def clock(self, i):
        grant = self.grant(i)
        if grant is not None or not self.p.KEEP_LAST:  # D-GTO-1
            self.last = grant
        if self.last not in self.ages.after_exit(i):
            self.last = None
        self.ages.clock(i)
