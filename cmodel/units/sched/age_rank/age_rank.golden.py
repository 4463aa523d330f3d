"""age_rank by wang2015 A.6, D-COM-1: a warp's rank is the number of resident warps that came
earlier."""

from golden_sched import Ages


class Golden:
    def __init__(self, p):
        self.ages = Ages(p.WARPS)

    def outputs(self, i):
        return {
            "gprio": self.ages.ranks(),
            "resident": self.ages.resident(),
            "refused": self.ages.refused(i),
        }

    def clock(self, i):
        self.ages.clock(i)
