"""caps_prefetch_gen by caps-prefetch 3.2.4: a walk over CTA slots becomes one request a cycle for
each line of each warp but the leading one, or takes several for a slot and a warp."""

from types import SimpleNamespace

from golden_caps import Generator


class Golden:
    def __init__(self, p):
        self.p = p
        self.gen = Generator(p)

    def job(self, i):
        if i.kernel_start or not i.job_valid:
            return None
        ctas = {cta for cta in range(self.p.CTAS) if i.job_mask >> cta & 1}
        return i.job_pc, i.job_stride, ctas, i.job_wic if i.job_filter else None

    def outputs(self, i):
        gen = self.gen
        read, act = gen.read(), gen.act(i)
        line, wid = gen.requests[0] if gen.requests else (0, 0)
        return {
            "read_valid": read is not None,
            "read_cta": read[0] if read else 0,
            "read_pc": read[1] if read else 0,
            "pf_valid": bool(gen.requests),
            "pf_line": line,
            "pf_wid": wid,
            "rests": gen.rests(),
            "idle": gen.idle(),
            "job_drop": gen.drops(self.job(i)),
            "miss": read is not None and i.read_ready and not i.read_hit and not i.kernel_start,
            "emit": act == "emit",
            "skip": act == "skip",
            "stall": act == "stall",
        }

    def clock(self, i):
        base = SimpleNamespace(lead=i.read_lead, addr=i.read_base[: i.read_last + 1])
        answered = self.gen.read() is not None and i.read_hit
        self.gen.clock(i, self.job(i), base if answered else None, i.read_ready)
        if i.kernel_start:
            self.gen.start()
