"""warp_limit by aci 3.10.5: the warps sorted oldest first, those that wait last, and the first `limit`
of them."""


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        warps = [w for w in range(self.p.WARPS) if i.resident // 2**w % 2]
        warps.sort(key=lambda w: (i.waiting // 2**w % 2, i.age_rank[w]))
        first = [w for w in warps[: i.limit] if not i.waiting // 2**w % 2]
        return {"eligible": sum(2**w for w in first)}
