"""caps_top by caps-prefetch 3.2: a load teaches PerCTA and DIST at once; DIST starts walks, which
read PerCTA as it was before this cycle's load."""

from types import SimpleNamespace

from golden_caps import Dist, Generator, PerCta, load_of

# The decisions of 3.2.7 that this unit has no parameter for.
DECIDED = dict(
    LOOP_UPDATE=1, TOUCH_ON_HIT=0, TRAIN_FAR=0, VERIFY_BYTES=0, OVER_VERIFY=1, STRIDE0_JOB=0,
    TOUCH_ON_VERIFY=1, DUP_FILTER=1, ONE_CYCLE=1,
)


class Golden:
    def __init__(self, p):
        self.p = p
        self.percta = PerCta(SimpleNamespace(**vars(p), **DECIDED, ENTRIES=p.PERCTA_ENTRIES))
        self.dist = Dist(SimpleNamespace(**vars(p), **DECIDED, ENTRIES=p.DIST_ENTRIES))
        self.gen = Generator(SimpleNamespace(**vars(p), **DECIDED))

    def seen(self, i):
        """The load, what the tables say of it, and the walk that it starts."""
        load = load_of(self.p, i, ready=not (i.kernel_start or i.cta_flush_valid))
        base = self.percta.find(load.cta, load.pc) if load else None
        verdict = self.dist.judge(load, base)
        job = (load.pc, *verdict.job) if verdict.job else None
        return load, base, verdict, job

    def outputs(self, i):
        _, _, verdict, job = self.seen(i)
        line, wid = self.gen.requests[0] if self.gen.requests else (0, 0)
        return {
            "ld_ready": not (i.kernel_start or i.cta_flush_valid),
            "pf_valid": bool(self.gen.requests),
            "pf_line": line,
            "pf_wid": wid,
            "idle": self.gen.idle(),
            "verify": verdict.wrong is not None,
            "mispredict": bool(verdict.wrong),
            "stride_new": verdict.stride is not None,
            "invalidated": verdict.unequal,
            "job_drop": self.gen.drops(job),
        }

    def clock(self, i):
        load, base, verdict, job = self.seen(i)
        read = self.gen.read()
        self.gen.clock(i, job, self.percta.find(*read) if read else None, not i.cta_flush_valid)
        self.dist.learn(load, base)
        self.percta.learn(load, verdict.unequal)
        if i.cta_flush_valid:
            self.percta.flush(i.cta_flush_slot)
            self.dist.flush(i.cta_flush_slot)
        if i.kernel_start:
            for part in self.percta, self.dist, self.gen:
                part.start()
