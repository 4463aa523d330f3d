"""caps_dist by caps-prefetch 3.2.2, 3.2.3 and 3.2.5: learns the stride of a load, checks it at
every later warp, and starts walks while it was wrong no more than THR times."""

from types import SimpleNamespace

from golden_caps import Dist, load_of


class Golden:
    def __init__(self, p):
        self.p = p
        self.dist = Dist(p)
        self.held = 0  # cycles that the load at hand has had

    def ready(self, i):
        """A flush goes first; a load needs its cycles."""
        base = self.base(i)
        if i.kernel_start or i.flush_valid:
            return False
        if self.p.ONE_CYCLE:
            return True
        load = load_of(self.p, i, ready=True)
        return i.ld_valid and self.held + 1 >= self.dist.cycles(load, base)

    def base(self, i):
        """The load's PerCTA entry."""
        base = SimpleNamespace(lead=i.percta_lead, addr=i.percta_base[: i.percta_last + 1])
        return base if i.percta_hit else None

    def seen(self, i):
        return load_of(self.p, i, ready=self.ready(i)), self.base(i)

    def outputs(self, i):
        load, base = self.seen(i)
        ready = self.ready(i)
        known = self.dist.find(i.ld_pc // self.p.PC_ALIGN) if i.ld_valid and ready else None
        v = self.dist.judge(load, base)
        stride, ctas, only = v.job or (0, (), None)
        return {
            "ld_ready": ready,
            "dist_hit": known is not None,
            "dist_stride": known.stride if known else 0,
            "dist_count": known.count if known else 0,
            "invalidate": v.unequal,
            "job_valid": v.job is not None,
            "job_pc": load.pc if load else 0,
            "job_stride": stride,
            "job_mask": sum(2**cta for cta in ctas),
            "job_filter": only is not None,
            "job_wic": load.wic if load else 0,
            "verify": v.wrong is not None,
            "mispredict": bool(v.wrong),
            "mispredict_below": v.below,
            "stride_new": v.stride is not None,
            "evict": v.stride is not None and not self.dist.table.has_free(),
            "throttled": v.throttled,
        }

    def clock(self, i):
        load, base = self.seen(i)
        waits = i.ld_valid and not (self.ready(i) or i.kernel_start or i.flush_valid)
        self.held = self.held + 1 if waits else 0
        if i.flush_valid:
            self.dist.flush(i.flush_slot)
        if i.kernel_start:
            self.dist.start()
        self.dist.learn(load, base)
