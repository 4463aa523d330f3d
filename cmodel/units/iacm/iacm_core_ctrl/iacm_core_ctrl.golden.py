"""iacm_core_ctrl by aci 3.14: a phase is the set of what runs in it; an adaptation is a list of such
sets, one after the other, that is gone through again while the warp count moves far."""

VIC, SEL, IDLE, BUSY = range(4)


class Golden:
    def __init__(self, p):
        on = {name for name, used in (("adi", p.ADI_ON), ("awl", p.AWL_ON)) if used}
        orders = ([{"adi"}, {"awl"}], [{"awl"}, {"adi"}], [{"adi", "awl"}])
        self.p = p
        self.rounds = [phase & on for phase in orders[p.ORDER] if phase & on]
        self.runs, self.ahead = self.start()
        self.far = False
        self.level = 0
        self.window = []
        self.in_vic = 0

    def start(self):
        return (set(self.rounds[0]), self.rounds[1:]) if self.rounds else (set(), [])

    def settled(self, i):
        """Has adaptive indexing ended in this cycle?"""
        if "adi" not in self.runs or i.kernel_start:
            return False
        limit = self.p.ADI_VIC_TIMEOUT
        if limit and i.adi_sub_phase == VIC and self.in_vic + 1 == limit:
            return True
        if not i.adi_idle_done:
            return False
        return 8 * abs(self.count(i) - self.level) <= self.p.EPS_8THS * self.level

    def count(self, i):
        return min(sum(self.window) + i.insn_inc, 2**self.p.IPC_W - 1)

    def following(self, i):
        """What runs in the next cycle, what is ahead then, and whether the count has moved far."""
        start = self.start()
        if i.kernel_start:
            return ((self.runs, self.ahead) if self.p.IACM_LAUNCH_PHASE else start), False
        if not self.runs:
            return (start if i.retrigger else (set(), [])), False
        ended = {"adi"} if self.settled(i) else set()
        far = self.far
        if "awl" in self.runs and i.awl_done:
            ended.add("awl")
            far = not i.awl_goto_idle
        left = self.runs - ended
        if left or not ended:
            return (left, self.ahead), far
        if self.ahead:
            return (set(self.ahead[0]), self.ahead[1:]), far
        return (start if far else (set(), [])), far

    def outputs(self, i):
        (to, _), _ = self.following(i)
        settled = self.settled(i)
        phase = 0 if "adi" in self.runs else 1 if self.runs else 2
        return {
            "adi_enable": "adi" in self.runs,
            "phase_awl": "awl" in self.runs,
            "phase_idle": not self.runs,
            "phase": phase,
            "settled": settled,
            "adi_stay": settled,
            "adi_restart": "adi" in to and ("adi" not in self.runs or settled),
            "adapts": not self.runs and bool(to),
        }

    def clock(self, i):
        (to, ahead), far = self.following(i)
        settled, indexing = self.settled(i), "adi" in self.runs
        ends = indexing and i.adi_idle_done
        if not indexing or settled or i.kernel_start:
            self.level = 0
        elif ends:
            self.level = self.count(i)
        if indexing and i.adi_sub_phase == IDLE and not ends and not i.kernel_start:
            self.window.append(i.insn_inc)
        else:
            self.window = []
        stays = indexing and i.adi_sub_phase == VIC and not i.kernel_start
        self.in_vic = self.in_vic + 1 if stays and self.in_vic + 1 != self.p.ADI_VIC_TIMEOUT else 0
        self.runs, self.ahead, self.far = to, ahead, far
