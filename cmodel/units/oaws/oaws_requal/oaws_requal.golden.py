"""oaws_requal by wang2015 3.16, Eq 5.1: a divergent load may issue while its predicted misses are
at most Avail_mshr - Miss_inflight; everything else is always qualified."""


def lanes(word, n):
    return {lane for lane in range(n) if word >> lane & 1}


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        budget = i.budget - 256 if i.budget >= 128 else i.budget
        divergent = lanes(i.is_div_load, self.p.WARPS)
        held = {warp for warp in divergent if not i.pred[warp] <= budget}
        return {
            "occlude": sum(2**warp for warp in held),
            "blocked": bool(held & lanes(i.ready, self.p.WARPS)),
        }
