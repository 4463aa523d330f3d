"""spref_inject by lakshminarayana2014-graph 3.1.7 and 3.1.9: each warp's way through a loop, in terms of
the iterations that it has run."""

from types import SimpleNamespace

ORIG, MOV, LD, PREF = range(4)
NAMES = ("off", "count", "run", "blocked")


class Warp:
    def __init__(self):
        self.doing, self.went_back = "off", False
        self.d, self.ran = 0, 0  # distance; iterations of RUN in this invocation


class Golden:
    def __init__(self, p):
        self.p = p
        self.warps = [Warp() for _ in range(p.WARPS)]

    def warp(self, wid):
        return self.warps[wid] if wid < self.p.WARPS else None

    def registers(self, i):
        """Loads that get registers, in order."""
        there = [load for load in range(4) if i.has >> load & 1]
        if self.p.CACHE_ONLY:
            return [load for load in there if load % 2 == 0 and load + 1 in there]
        return there

    def starts(self, i):
        """An iteration begins, unless the warp's branch is of this cycle."""
        own = i.br_valid and i.br_wid == i.dec_wid
        ready = i.dec_valid and i.ready and not i.clear and self.warp(i.dec_wid)
        return bool(ready and i.dec_start and not own)

    def step(self, i):
        """What Step D makes of the decoded instruction."""
        load = i.idx * 2 + int(i.is_tail and not i.is_head)
        s = SimpleNamespace(load=load, enters=False, moves=False, lanes=[], dst=63, d=0)
        warp = self.warp(i.dec_wid)
        if not (i.dec_valid and i.ready and warp) or i.clear:
            return s
        s.enters = self.starts(i) and (not warp.went_back or warp.doing == "off")
        if s.enters or warp.doing != "run" or not (i.is_head or i.is_tail):
            return s
        if not i.has >> load & 1:
            return s
        order = self.registers(i)
        s.d = warp.d
        s.moves = load in order and warp.ran >= warp.d
        s.lanes = [n for n in range(32) if i.dec_mask >> n & 1 and i.p[n] > warp.d]
        if s.lanes and load in order:
            s.dst = (i.maxreg_s + order.index(load) * warp.d + warp.ran % warp.d) % 64
        return s

    def outputs(self, i):
        s = self.step(i)
        tail, injects = s.load % 2 == 1, bool(s.lanes)
        to_reg = s.dst != 63 or (injects and s.load in self.registers(i))
        return {
            "out_valid": [i.dec_valid, injects],
            "out_op": [MOV if s.moves else ORIG, (LD if to_reg else PREF) if injects else ORIG],
            "out_dst": s.dst,
            "out_src": [i.mov_id if s.moves else 63, i.tail_id if injects and tail else 63],
            "out_mask": [i.dec_mask if i.dec_valid else 0, sum(2**n for n in s.lanes)],
            "out_addr_mode": (2 if tail else 1) if injects else 0,
            "out_dist": s.d if injects else 0,
            "stall_decode": injects,
            "nloads": len(self.registers(i)),
            "list_sel": s.load,
            "list_reset": s.enters,
            "push": injects and to_reg,
            "pop_mov": s.moves,
            "pop_tail": injects and tail,
            "enters": s.enters,
            "blocked": self.blocks(i),
        }

    def counts(self, i):
        warp = self.warp(i.sum_wid)
        return bool(i.sum_valid and not i.clear and warp and warp.doing == "count")

    def chosen(self, i):
        return i.d if self.counts(i) and i.sum_wid == i.br_wid else self.warps[i.br_wid].d

    def branches(self, i):
        return bool(i.br_valid and i.ready and not i.clear and self.warp(i.br_wid))

    def blocks(self, i):
        refused = self.warp(i.block_wid)
        by_step = i.block_valid and refused and refused.doing in ("count", "run") and not i.clear
        without = self.branches(i) and i.br_taken and self.warps[i.br_wid].doing == "count"
        return bool(by_step) or bool(without and self.chosen(i) == 0)

    def clock(self, i):
        later = []  # what is done to warps, all judged by the state before
        if self.counts(i):
            later.append((i.sum_wid, dict(d=i.d)))
        if self.starts(i):
            later.append((i.dec_wid, dict(went_back=False)))
            if self.step(i).enters:
                later.append((i.dec_wid, dict(doing="count", ran=0)))
        if self.branches(i):
            later.append((i.br_wid, self.after_branch(i, self.warps[i.br_wid])))
        refused = self.warp(i.block_wid)
        if i.block_valid and refused and refused.doing in ("count", "run"):
            later.append((i.block_wid, dict(doing="blocked")))
        launched = range(self.p.WARPS) if i.clear else [i.launch_wid] * bool(i.launch_valid)
        later += [(w, dict(doing="off", went_back=False)) for w in launched if self.warp(w)]
        for wid, change in later:
            self.warps[wid].__dict__.update(change)

    def after_branch(self, i, warp):
        if not i.br_taken:
            return dict(doing="off", went_back=False)
        if warp.doing == "count":
            return dict(doing="run" if self.chosen(i) else "blocked", went_back=True)
        return dict(ran=warp.ran + (warp.doing == "run"), went_back=True)
