"""avu by tabbakh2018 3.7.5 and 3.7.7: whether a load may use the copy that the L1 has.

Epochs are counted without end here, so a line's age is a difference.  The hardware's short tags
(D-R10) give the same verdicts; TAGS=2, the number alone, does not, and is told as it is."""

from golden_rdu import Signature, granules

EXPIRED = -2  # the epoch of every line at reset and after a kernel boundary (D-R11)


class Golden:
    def __init__(self, p):
        self.p = p
        self.lep = [EXPIRED] * p.LINES  # epoch in which a line was fetched
        self.hits = [0] * p.LINES  # in a row
        self.mark = [EXPIRED] * p.MSHRS  # epoch in which the race check of a miss was served (D-R5)
        self.begin(0, Signature(p.M))

    def begin(self, epoch, signature):
        self.epoch, self.asig = epoch, signature
        self.tested = 0  # granules of the access so far

    def age(self, line):
        age = self.epoch - self.lep[line]
        return age % 2**self.p.EPOCH_W if self.p.TAGS == 2 else age

    def verdict(self, i):
        """hit, avu_miss, expired, need_rchk; None if there is none in this step."""
        if not i.chk_valid or i.sig_valid or i.kernel_start:
            return None
        age = self.age(i.chk_line)
        if age >= 2:
            return "expired"
        touched = self.granules(i)
        if age == 1 and touched:
            if self.asig.has(touched[self.tested]):
                return "avu_miss"
            if self.tested + 1 < len(touched):
                return None
        if self.hits[i.chk_line] == self.p.HITMAX and not i.chk_again:
            return "need_rchk"
        return "hit"

    def outputs(self, i):
        verdict = self.verdict(i)
        kinds = "hit", "avu_miss", "expired", "need_rchk"
        return {
            "chk_done": verdict is not None,
            **{kind: verdict == kind for kind in kinds},
            "epoch": self.epoch % 2**self.p.EPOCH_W,
        }

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
            return
        verdict = self.verdict(i)
        waits = i.chk_valid and verdict is None
        self.tested = self.tested + 1 if waits else 0
        self.judged(i, verdict)
        if i.sig_valid:
            self.begin(self.epoch + 1, Signature(self.p.M, i.sig))
        if i.rsp_valid:
            self.mark[i.rsp_mshr] = self.epoch
        if i.fill_valid:
            self.lep[i.fill_line] = self.mark[i.fill_mshr]
            self.hits[i.fill_line] = 0

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
