"""spref_loopdet by lakshminarayana2014-graph 3.1.4: a coroutine that is handed the cycles, one after
the other, and says what each is to the loop."""

from types import SimpleNamespace


class Loop(SimpleNamespace):
    """A tracked loop: start, end, and what is done with it."""

    stage = "wait"  # "wait" for an iteration, "pass" over it, "ready"
    tour = 1
    seen = 0  # branches of others while it waits


class Golden:
    def __init__(self, p):
        self.p = p
        self.start = self.end = self.train = 0
        self.loop = None
        self.rejects = []  # PCs of backward branches, the latest first

    def outputs(self, i):
        verdict = self.judge(i)
        member = verdict == "member"
        loop = self.loop
        return {
            "loop_valid": loop is not None and loop.stage == "ready",
            "loop_start": self.start,
            "loop_end": self.end,
            "pass": loop.tour if member else 0,
            "pass_begin": member and loop.stage == "wait",
            "pass_end": member and i.dec_pc == self.end,
            "train_wid": self.train,
            "detected": verdict == "new",
            "rejected": self.gives_cause(i, verdict),
            "inner": verdict == "inside",
            "gave_up": verdict == "tired",
            "abandoned": verdict == "left",
        }

    def gives_cause(self, i, verdict):
        if verdict in ("twice", "inside again"):
            return True
        last = verdict == "member" and self.loop.tour == 2 and i.dec_pc == self.end
        return last and not i.found

    def judge(self, i):
        if i.kernel_start:
            return None
        back = i.br_valid and i.br_taken and i.br_pc >= i.br_tgt
        if self.loop is None:
            return "new" if back and i.br_pc not in self.rejects else None
        loop = self.loop
        if back and i.br_pc != self.end:
            if i.br_tgt == self.start:
                return "twice"
            if loop.stage == "pass" and self.start < i.br_tgt and i.br_pc < self.end:
                return "inside again" if i.br_pc in self.rejects else "inside"
            if loop.stage == "wait" and loop.seen + 1 >= self.p.GIVE_UP:
                return "tired"
        if loop.stage == "pass":
            if i.exit_valid and i.exit_wid == self.train:
                return "left"
            if i.dec_valid and i.dec_wid == self.train:
                return "member" if i.dec_pc in range(self.start, self.end + 1) else "left"
        if loop.stage == "wait" and i.dec_valid and i.dec_pc == self.start:
            return "member"
        return None

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
            return
        verdict, loop = self.judge(i), self.loop
        cause = self.gives_cause(i, verdict)
        if verdict == "member" and loop.stage == "wait":
            self.train = i.dec_wid
        if cause:
            self.rejects = [self.end, *self.rejects][:2]
        if cause or verdict == "tired":
            self.loop = None
        elif verdict in ("new", "inside"):
            self.loop, self.start, self.end = Loop(), i.br_tgt, i.br_pc
        elif verdict == "left":
            self.loop = Loop()
        elif verdict == "member":
            self.move(loop, i.dec_pc == self.end)
        elif loop and loop.stage == "wait" and i.br_valid and i.br_taken:
            loop.seen += i.br_pc >= i.br_tgt and i.br_pc != self.end

    @staticmethod
    def move(loop, last):
        loop.seen = 0
        if not last:
            loop.stage = "pass"
        elif loop.tour == 2:
            loop.stage = "ready"
        else:
            loop.stage, loop.tour = "wait", 2
