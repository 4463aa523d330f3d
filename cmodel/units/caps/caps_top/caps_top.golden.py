"""caps_top by caps-prefetch 3.2: a load teaches PerCTA and DIST at once; DIST starts walks, which
read PerCTA as it was before this cycle's load.  Without ONE_CYCLE PerCTA takes two cycles to look a
slot up, one after the other and the load's first, and DIST judges the load after its own."""

from types import SimpleNamespace

from golden_caps import Dist, Generator, PerCta, load_of

# The decisions of 3.2.7 that this unit has no parameter for.
DECIDED = dict(
    LOOP_UPDATE=1, TOUCH_ON_HIT=0, TRAIN_FAR=0, VERIFY_BYTES=0, OVER_VERIFY=1, STRIDE0_JOB=0,
    TOUCH_ON_VERIFY=1, DUP_FILTER=1,
)

LOOK_UP = 2  # cycles


class Golden:
    def __init__(self, p):
        self.p = p
        self.percta = PerCta(SimpleNamespace(**vars(p), **DECIDED, ENTRIES=p.PERCTA_ENTRIES))
        self.dist = Dist(SimpleNamespace(**vars(p), **DECIDED, ENTRIES=p.DIST_ENTRIES))
        self.gen = Generator(SimpleNamespace(**vars(p), **DECIDED))
        self.held = 0  # cycles that the load at hand has had
        self.reading = False  # the look-up for the walk is in its second cycle

    def flushes(self, i):
        return i.kernel_start or i.cta_flush_valid

    def ready(self, i):
        """A flush goes first; a load needs the cycles of both tables."""
        if self.p.ONE_CYCLE or self.flushes(i):
            return not self.flushes(i)
        load = load_of(self.p, i, ready=True)
        base = self.percta.find(load.cta, load.pc) if load else None
        return bool(i.ld_valid and self.held + 1 >= LOOK_UP + self.dist.cycles(load, base))

    def seen(self, i):
        """The load, what the tables say of it, and the walk that it starts."""
        load = load_of(self.p, i, ready=self.ready(i))
        base = self.percta.find(load.cta, load.pc) if load else None
        verdict = self.dist.judge(load, base)
        job = (load.pc, *verdict.job) if verdict.job else None
        return load, base, verdict, job

    def outputs(self, i):
        _, _, verdict, job = self.seen(i)
        line, wid = self.gen.requests[0] if self.gen.requests else (0, 0)
        return {
            "ld_ready": self.ready(i),
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
        read, taken = self.gen.read(), i.ld_valid and self.ready(i)
        answered = not self.flushes(i) and (self.p.ONE_CYCLE or self.reading)
        begins = i.ld_valid and self.held == 0
        self.reading = bool(read and not (self.reading or begins or taken or self.flushes(i)))
        self.held = self.held + 1 if i.ld_valid and not (taken or self.flushes(i)) else 0
        self.gen.clock(i, job, self.percta.find(*read) if read and answered else None, answered)
        self.dist.learn(load, base)
        self.percta.learn(load, verdict.unequal)
        if i.cta_flush_valid:
            self.percta.flush(i.cta_flush_slot)
            self.dist.flush(i.cta_flush_slot)
        if i.kernel_start:
            for part in self.percta, self.dist, self.gen:
                part.start()
