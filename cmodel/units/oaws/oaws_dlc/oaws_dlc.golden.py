"""oaws_dlc by wang2015 3.16.1, A.9 and D-DLC-1..5: the loads once seen divergent, each with its
occurrences, accesses and misses.  With ONE_CYCLE in one cycle: ageing, the coalesced load, the
access.  Else each is an operation: a look-up takes three cycles and answers in the last, an
occurrence four, its events in the third, ageing two for each entry and one; misses of one load
gather in a run that is an operation of four cycles, ahead of all others."""

from copy import deepcopy
from types import SimpleNamespace


class Loads:
    """The table."""

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

    def missed(self, pc, n):
        if pc in self.loads:
            load = self.loads[pc]
            load.miss = min(load.miss + n, load.acc)

    def look_up(self, pc):
        load = self.loads.get(pc)
        return {
            "lk_hit": load is not None,
            "lk_miss": load.miss if load else 0,
            "lk_acc": load.acc if load else 0,
            "lk_div": load.div if load else 0,
        }


EVENTS = ("update", "alloc", "evict", "halve")


class Once:
    """All in one cycle."""

    def __init__(self, p):
        self.table = Loads(p)

    def outputs(self, i):
        events = deepcopy(self).clock(i)
        ready = not i.kernel_start
        return {
            **{f"{who}_ready": ready for who in ("lk", "age", "coal", "acc")},
            "lk_done": i.lk_valid and ready,
            **self.table.look_up(i.lk_pc),
            **{name: name in events for name in EVENTS},
        }

    def clock(self, i):
        if i.kernel_start:
            self.table.loads = {}
            return set()
        if i.age_tick:
            self.table.age()
        events = self.table.occur(i.coal_pc, i.coal_nreq) if i.coal_valid else set()
        if i.acc_valid and i.acc_miss:
            self.table.missed(i.acc_pc, 1)
        return events


class Steps:
    """One operation at a time."""

    RUN_MAX = 63

    def __init__(self, p):
        self.p = p
        self.table = Loads(p)
        self.operation = None  # what it does, its load, a number; None: none is under way
        self.cycle = 0  # since it was taken
        self.run = (0, 0)  # a load and its misses

    def counts(self, i):
        return i.coal_nreq > self.p.COH_MAX or self.p.COUNT_COHERENT

    def ready(self, i):
        if i.kernel_start:
            return {"lk_ready": 0, "age_ready": 0, "coal_ready": 0, "acc_ready": 0}
        load, misses = self.run
        free = self.operation is None and misses == 0
        coal = not self.counts(i) or (free and not i.age_tick)
        waiting = (i.age_tick and not free) or (i.coal_valid and not coal)
        joins = misses < self.RUN_MAX and (misses == 0 or load == i.acc_pc) and not waiting
        return {
            "lk_ready": free and not i.age_tick and not (i.coal_valid and self.counts(i)),
            "age_ready": free,
            "coal_ready": coal,
            "acc_ready": not i.acc_miss or joins,
        }

    def effect(self, i):
        """What the operation does in the second cycle after it was taken."""
        if self.operation is None or self.cycle != 2 or i.kernel_start:
            return set(), None
        kind, load, n = self.operation
        events = deepcopy(self.table).occur(load, n) if kind == "occur" else set()
        return events, self.table.look_up(load) if kind == "look_up" else None

    def outputs(self, i):
        events, found = self.effect(i)
        return {
            **self.ready(i),
            "lk_done": found is not None,
            **(found or {"lk_hit": 0, "lk_miss": 0, "lk_acc": 0, "lk_div": 0}),
            **{name: name in events for name in EVENTS},
        }

    def take(self, i):
        ready = self.ready(i)
        load, misses = self.run
        if self.operation is None and misses:
            self.operation, self.run = ("misses", load, misses), (load, 0)
        elif i.age_tick and ready["age_ready"]:
            self.operation = ("age", 0, 0)
        elif i.coal_valid and ready["coal_ready"] and self.counts(i):
            self.operation = ("occur", i.coal_pc, i.coal_nreq)
        elif i.lk_valid and ready["lk_ready"]:
            self.operation = ("look_up", i.lk_pc, 0)
        if i.acc_valid and i.acc_miss and ready["acc_ready"]:
            self.run = (i.acc_pc, self.run[1] + 1)

    def finish(self):
        """The last cycle of the operation: what it does to the table."""
        kind, load, n = self.operation
        if kind == "age":
            self.table.age()
        elif kind == "occur":
            self.table.occur(load, n)
        elif kind == "misses":
            self.table.missed(load, n)
        self.operation = None

    def clock(self, i):
        if i.kernel_start:
            self.__init__(self.p)
            return
        had = self.operation
        self.take(i)
        if had is None:
            self.cycle = 1
            return
        last = {"look_up": 2, "age": 2 * self.p.ENTRIES}.get(had[0], 3)
        if self.cycle == last:
            self.finish()
        self.cycle += 1


def Golden(p):
    return Once(p) if p.ONE_CYCLE else Steps(p)


def halve(load):
    load.inst, load.acc, load.miss = load.inst // 2, load.acc // 2, load.miss // 2
