"""dac_part by wang2015 3.12.9: fully cached loads vote for a larger partition, all others against
it, the older their warp the stronger."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.c_max = 2**p.CNT_W
        self.cnt, self.fcw = self.c_max // 2, p.FCW_INIT

    def trained(self, i):
        """Counter and partition after this cycle."""
        p, cnt, fcw = self.p, self.cnt, self.fcw
        if i.kernel_start and p.KERNEL_START_CLEARS:
            return self.c_max // 2, p.FCW_INIT
        if not i.retire_valid or i.nreq <= p.COH_MAX:
            return cnt, fcw
        if not i.miss_seen:
            if cnt + 1 >= self.c_max and fcw < p.W_MAX:
                return self.c_max // 2, fcw + 1
            return min(cnt + 1, self.c_max if p.CNT_HOLDS_CMAX else self.c_max - 1), fcw
        cnt = max(cnt - max(fcw - i.gprio, 1), 0)
        if cnt == 0 and fcw > p.W_MIN:
            return self.c_max // 2 if p.RELOAD_DOWN else 0, fcw - 1
        return cnt, fcw

    def outputs(self, i):
        _, fcw = self.trained(i)
        launch = i.kernel_start and self.p.KERNEL_START_CLEARS
        return {
            "fcw": self.fcw,
            "cnt": self.cnt,
            "grow": fcw > self.fcw and not launch,
            "shrink": fcw < self.fcw and not launch,
        }

    def clock(self, i):
        self.cnt, self.fcw = self.trained(i)
