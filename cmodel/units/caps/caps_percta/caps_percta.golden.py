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
        self.load_cycles = 0  # that the look-up of the load at hand has had
        self.reading = False  # the read's look-up is in its second cycle

    def flushes(self, i):
        return i.kernel_start or i.flush_valid

    def found(self):
        return bool(self.p.ONE_CYCLE or self.load_cycles == 2)

    def ready(self, i):
        return bool(self.found() and i.ld_judged and not self.flushes(i))

    def taken(self, i):
        return bool(i.ld_valid and self.ready(i))

    def load(self, i):
        return load_of(self.p, i, ready=self.taken(i))

    def outputs(self, i):
        load = self.load(i)
        verdict = self.percta.judge(load, i.invalidate)
        found = bool(i.ld_valid and self.found())
        read = bool(i.read_valid and (self.p.ONE_CYCLE or self.reading) and not self.flushes(i))
        return {
            "ld_found": found,
            "ld_ready": self.ready(i),
            **told("ld", self.percta.find(i.ld_cta, i.ld_pc // self.p.PC_ALIGN) if found else None),
            "read_ready": read,
            **told("read", self.percta.find(i.read_cta, i.read_pc) if read else None),
            "alloc": verdict == "alloc",
            "evict": verdict == "alloc" and not self.percta.tables[load.cta].has_free(),
            "update": verdict == "update",
            "invalidated": verdict == "drop",
        }

    def clock(self, i):
        taken, load = self.taken(i), self.load(i)
        begins = i.ld_valid and self.load_cycles == 0
        self.reading = bool(
            i.read_valid and not (self.reading or begins or taken or self.flushes(i))
        )
        held = i.ld_valid and not taken and not self.flushes(i)
        self.load_cycles = min(2, self.load_cycles + 1) if held else 0
        if i.flush_valid:
            self.percta.flush(i.flush_slot)
        if i.kernel_start:
            self.percta.start()
        self.percta.learn(load, i.invalidate)
