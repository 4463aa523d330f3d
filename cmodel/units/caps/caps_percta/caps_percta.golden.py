"""caps_percta by caps-prefetch 3.2.2 and 3.2.3: for each CTA slot, which warp led a load and to
which addresses; read by the load and, one slot at a time, by the generator."""

from golden_caps import MOST_REQUESTS, PerCta, load_of


def told(name, entry):
    addr = entry.addr if entry else []
    return {
        f"{name}_hit": entry is not None,
        f"{name}_lead": entry.lead if entry else 0,
        f"{name}_last": len(addr) - 1 if entry else 0,
        f"{name}_base": addr + [0] * (MOST_REQUESTS - len(addr)),
    }


class Golden:
    def __init__(self, p):
        self.p = p
        self.percta = PerCta(p)

    def load(self, i):
        return load_of(self.p, i, ready=not (i.kernel_start or i.flush_valid))

    def outputs(self, i):
        load = self.load(i)
        verdict = self.percta.judge(load, i.invalidate)
        return {
            "ld_ready": not (i.kernel_start or i.flush_valid),
            **told("ld", self.percta.find(i.ld_cta, i.ld_pc // self.p.PC_ALIGN)),
            **told("read", self.percta.find(i.read_cta, i.read_pc)),
            "alloc": verdict == "alloc",
            "evict": verdict == "alloc" and not self.percta.tables[load.cta].has_free(),
            "update": verdict == "update",
            "invalidated": verdict == "drop",
        }

    def clock(self, i):
        if i.flush_valid:
            self.percta.flush(i.flush_slot)
        if i.kernel_start:
            self.percta.start()
        self.percta.learn(self.load(i), i.invalidate)
