"""spref_itercnt by lakshminarayana2014-graph 3.1.5: counts the iterations that a loop would still run,
the sum a cycle behind the setp."""

from golden_spref import signed


class Golden:
    def __init__(self, p):
        self.warps = {}  # counts of 32 lanes, by warp slot
        self.p = p
        self.setp = None  # of the last cycle: warp slot, {lane: count}
        self.held = (0, {})

    @staticmethod
    def to_go(i, lane):
        way = signed(i.idx[lane] - i.last[lane]) if i.down else signed(i.last[lane] - i.idx[lane])
        stops = range(way + 1) if i.plus_one else range(max(way, 0))  # values of the index to come
        return min(15, len(range(0, len(stops), 2**i.step_log2)) if way >= 0 else 0)

    def outputs(self, i):
        warp, counts = self.held
        return {
            "sum_valid": self.setp is not None,
            "sum_wid": warp,
            "sum": sum(counts.values()),
            "n": len(counts),
            "p": self.warps.get(i.read_wid, [0] * 32),
        }

    def clock(self, i):
        if self.setp and self.setp[0] < self.p.WARPS:
            warp, counts = self.setp
            before = self.warps.get(warp, [0] * 32)
            self.warps[warp] = [counts.get(lane, before[lane]) for lane in range(32)]
        self.setp = None
        if i.setp_valid:
            lanes = [lane for lane in range(32) if i.mask >> lane & 1]
            self.setp = self.held = i.wid, {lane: self.to_go(i, lane) for lane in lanes}
