"""flush_ctrl by aci 3.8.3: a flush walks the sets, one a cycle; a set with dirty lines waits until
a miss-queue slot has taken each of them."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.left = list(range(p.SETS))  # sets still to be flushed

    def outputs(self, i):
        dirty = [way for way in range(self.p.WAYS) if i.dirty // 2**way % 2]
        overlapped = self.p.WB_OVERLAP and i.wb_ready and len(dirty) == 1
        step = bool(i.flush_req and (not dirty or overlapped))
        return {
            "flush_busy": i.flush_req,
            "flush_set": self.left[0],
            "flush_step": step,
            "flush_done": step and len(self.left) == 1,
            "wb_valid": bool(i.flush_req and dirty),
            "wb_way": min(dirty, default=0),
        }

    def clock(self, i):
        if self.outputs(i)["flush_step"]:
            self.left = self.left[1:] or list(range(self.p.SETS))
