"""avu by tabbakh2018 3.7.5 and 3.7.7: whether a load may use the copy that the L1 has.

Epochs are counted without end here, so a line's age is a difference.  The hardware's short tags
(D-R10) give the same verdicts; TAGS=2, the number alone, does not, and is told as it is."""

from golden_rdu import Signature, granules

STEPS = 8  # from the look-up of a granule to its answer; ONE_CYCLE: none

EXPIRED = -2  # the epoch of every line at reset and after a kernel boundary (D-R11)


class Golden:
    def __init__(self, p):
        self.p = p
        self.lep = [EXPIRED] * p.LINES  # epoch in which a line was fetched
        self.hits = [0] * p.LINES  # in a row
        self.mark = [EXPIRED] * p.MSHRS  # epoch in which the race check of a miss was served (D-R5)
        self.row = min(p.WORD, p.M) // 64  # a word of the signature, in 64 bits
        self.words = [0] * (p.M // 64)
        self.asig = Signature(p.M)
        self.epoch = 0
        self.loading = False  # a signature is on its way
        self.tested = 0  # granules of the access so far
        self.steps = 0  # of the look-up in work
        self.dropped = False  # its check was

    def age(self, line):
        age = self.epoch - self.lep[line]
        return age % 2**self.p.EPOCH_W if self.p.TAGS == 2 else age

    def verdict(self, i):
        """hit, avu_miss, expired, need_rchk; None if there is none in this step."""
        if not i.chk_valid or self.stopped(i):
            return None
        age = self.age(i.chk_line)
        if age >= 2:
            return "expired"
        touched = self.granules(i)
        if age == 1 and touched:
            if not self.looked_up():
                return None
            if self.asig.has(touched[self.tested]):
                return "avu_miss"
            if self.tested + 1 < len(touched):
                return None
        if self.hits[i.chk_line] == self.p.HITMAX and not i.chk_again:
            return "need_rchk"
        return "hit"

    def stopped(self, i):
        return i.sig_valid or self.loading or i.kernel_start

    def looked_up(self):
        return self.p.ONE_CYCLE or (self.steps == STEPS)

    def look_up(self, waits):
        """The time it takes: a look-up is begun when the last one is over, dropped or not."""
        if self.steps:
            self.dropped |= not waits
            over = self.steps >= (STEPS - 1 if self.dropped else STEPS)
            self.steps = 0 if over else self.steps + 1
        elif waits:
            self.steps, self.dropped = 1, False

    def outputs(self, i):
        verdict = self.verdict(i)
        kinds = "hit", "avu_miss", "expired", "need_rchk"
        return {
            "chk_done": verdict is not None,
            **{kind: verdict == kind for kind in kinds},
            "epoch": self.epoch % 2**self.p.EPOCH_W,
        }

    def clock(self, i):
        verdict = self.verdict(i)
        waits = i.chk_valid and not self.stopped(i) and verdict is None
        if not waits:
            self.tested = 0
        elif self.looked_up():
            self.tested += 1
        self.look_up(waits)
        if i.kernel_start:
            steps = self.steps
            self.__init__(self.p)
            self.steps, self.dropped = steps, True
            return
        self.judged(i, verdict)
        if i.sig_valid:
            self.word(i)
        if i.rsp_valid:
            self.mark[i.rsp_mshr] = self.epoch
        if i.fill_valid:
            self.lep[i.fill_line] = self.mark[i.fill_mshr]
            self.hits[i.fill_line] = 0

    def word(self, i):
        self.words[i.sig_at * self.row : (i.sig_at + 1) * self.row] = i.sig
        self.asig = Signature(self.p.M, self.words)
        self.loading = (i.sig_at + 1) * self.row < len(self.words)
        self.epoch += not self.loading

    def judged(self, i, verdict):
        if verdict == "need_rchk":
            self.hits[i.chk_line] = 0
        if verdict == "hit":
            # The access that was checked does not count (D-R4).
            self.hits[i.chk_line] += not i.chk_again
            if self.p.RETAG and self.granules(i) == self.granules(i, mask=[2**64 - 1] * 2):
                self.lep[i.chk_line] = self.epoch

    def granules(self, i, mask=None):
        return granules(i.chk_addr, mask or i.chk_mask, self.p.SHIFT)
