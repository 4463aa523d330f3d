"""oaws_dlc by wang2015 3.16.1, A.9 and D-DLC-1..5: the loads once seen divergent, each with its
occurrences, accesses and misses.  In one cycle: ageing, the coalesced load, the access."""

from copy import deepcopy
from types import SimpleNamespace


class Golden:
    def __init__(self, p):
        self.p = p
        self.loads = {}  # PC to counts, the least recent first

    def age(self):
        for load in self.loads.values():
            halve(load)
        if self.p.AGE_FREES:
            self.loads = {pc: load for pc, load in self.loads.items() if load.inst}

    def occur(self, pc, nreq):
        """A load was coalesced; which events that is."""
        divergent = nreq > self.p.COH_MAX
        if pc in self.loads and (divergent or self.p.COUNT_COHERENT):
            load = self.loads[pc] = self.loads.pop(pc)
            return {"update"} | self.count(load, nreq)
        if pc in self.loads or not divergent:
            return set()
        return self.enter(pc, nreq)

    def count(self, load, nreq):
        most_inst, most_acc = 2**self.p.INST_W - 1, 2**self.p.ACC_W - 1
        overflows = load.inst == most_inst or load.acc + nreq > most_acc
        if overflows and not self.p.SATURATE:
            halve(load)
        load.inst = min(load.inst + 1, most_inst)
        load.acc = min(load.acc + nreq, most_acc)
        load.div = self.div(nreq)
        return {"halve"} if overflows else set()

    def enter(self, pc, nreq):
        full = len(self.loads) == self.p.ENTRIES
        if full and not self.p.EVICT_LRU:
            return set()
        if full:
            del self.loads[next(iter(self.loads))]
        self.loads[pc] = SimpleNamespace(inst=1, acc=nreq, miss=0, div=self.div(nreq))
        return {"alloc", "evict"} if full else {"alloc"}

    def div(self, nreq):
        """Five bits for 1 to 32 requests; more are not promised."""
        return (nreq - 1) % 32 if self.p.DIV_MINUS_1 else min(nreq, 31)

    def outputs(self, i):
        load = self.loads.get(i.lk_pc)
        events = deepcopy(self).clock(i)
        return {
            "lk_hit": load is not None,
            "lk_miss": load.miss if load else 0,
            "lk_acc": load.acc if load else 0,
            "lk_div": load.div if load else 0,
            **{name: name in events for name in ("update", "alloc", "evict", "halve")},
        }

    def clock(self, i):
        if i.kernel_start:
            self.loads = {}
            return set()
        if i.age_tick:
            self.age()
        events = self.occur(i.coal_pc, i.coal_nreq) if i.coal_valid else set()
        if i.acc_valid and i.acc_miss and i.acc_pc in self.loads:
            load = self.loads[i.acc_pc]
            load.miss = min(load.miss + 1, load.acc)
        return events


def halve(load):
    load.inst, load.acc, load.miss = load.inst // 2, load.acc // 2, load.miss // 2
