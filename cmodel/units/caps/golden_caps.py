"""What the references of caps share, by caps-prefetch 3.2: a load as the tables see it, an
associative table in order of recency, PerCTA, DIST and the request generator.  A method that only
answers changes nothing; the others are the clock edge."""

from collections import deque
from copy import copy
from types import SimpleNamespace

LINE_BYTES = 128
MOST_REQUESTS = 4  # 3.2.3: a load of more is not targeted
MOST_COUNT = 255  # 3.2.5


def wrapped(value):
    return value % 2**32


def signed(value):
    return (value + 2**31) % 2**32 - 2**31


def load_of(p, i, ready):
    """The load event of this cycle: None where 3.2.3 returns at once, or where it has to wait."""
    if not (ready and i.ld_valid and i.ld_affine and i.ld_n):
        return None
    grain = LINE_BYTES if p.ADDR_LINE else 1
    over = i.ld_n > MOST_REQUESTS
    return SimpleNamespace(
        pc=i.ld_pc // p.PC_ALIGN,
        cta=i.ld_cta,
        wic=i.ld_wic,
        over=over,
        addr=[] if over else [a // grain * grain for a in i.ld_addr[: i.ld_n]],
    )


class Table:
    """Entries found by PC.  3.2.2: the lowest free place is filled, else the one whose update is
    longest ago; that a place becomes free changes nothing in the order."""

    def __init__(self, size):
        self.places = [None] * size
        self.recent = list(range(size))  # places, the most recently updated first

    def find(self, pc):
        return next((e for e in self.places if e is not None and e.pc == pc), None)

    def victim(self):
        return self.places.index(None) if self.has_free() else self.recent[-1]

    def has_free(self):
        return None in self.places

    def insert(self, entry):
        place = self.victim()
        self.places[place] = entry
        self.touch(entry)

    def touch(self, entry):
        place = self.places.index(entry)
        self.recent.remove(place)
        self.recent.insert(0, place)

    def drop(self, unwanted):
        self.places = [None if e is not None and unwanted(e) else e for e in self.places]


class ByteSums:
    """A number of four bytes.  A carry out of a byte waits until the next addition."""

    def __init__(self, value):
        self.bytes = [value >> 8 * n & 255 for n in range(4)]
        self.carries = [0] * 4  # into each byte

    def add(self, value):
        sums = [b + (value >> 8 * n & 255) + self.carries[n] for n, b in enumerate(self.bytes)]
        self.bytes = [total % 256 for total in sums]
        self.carries = [0] + [total // 256 for total in sums[:3]]

    def subtract(self, value):
        self.carries[0] = 1
        self.add(2**32 - 1 - value)

    def settle(self):
        """Cycles until no carry waits."""
        cycles = 0
        while any(self.carries):
            self.add(0)
            cycles += 1
        return cycles


class PerCta:
    """A table per CTA slot: who led a load there, and to which addresses."""

    def __init__(self, p):
        self.p = p
        self.start()

    def start(self):
        self.tables = [Table(self.p.ENTRIES) for _ in range(self.p.CTAS)]

    def find(self, cta, pc):
        return self.tables[cta].find(pc)

    def judge(self, load, invalidate):
        """What becomes of the load's entry: alloc, update, drop, or None."""
        if load is None:
            return None
        entry = self.find(load.cta, load.pc)
        if load.over:
            return None
        if entry is None:
            return "alloc"
        if load.wic == entry.lead:
            return "update" if self.p.LOOP_UPDATE else None
        return "drop" if invalidate else None

    def learn(self, load, invalidate):
        verdict = self.judge(load, invalidate)
        if load is None:
            return
        table, entry = self.tables[load.cta], self.find(load.cta, load.pc)
        if verdict == "alloc":
            table.insert(SimpleNamespace(pc=load.pc, lead=load.wic, addr=load.addr))
        if verdict == "update":
            entry.addr = load.addr
        if verdict == "update" or (entry and self.p.TOUCH_ON_HIT):
            table.touch(entry)
        if verdict == "drop":
            table.drop(lambda e: e is entry)

    def flush(self, cta):
        self.tables[cta].drop(lambda _: True)


class Dist:
    """One stride per load PC, taught by one CTA's neighbours and checked by all others."""

    def __init__(self, p):
        self.p = p
        self.start()

    def start(self):
        self.table = Table(self.p.ENTRIES)
        self.verified = 0

    def find(self, pc):
        return self.table.find(pc)

    def cycles(self, load, base):
        """How long a load is judged: three cycles; verified or training, what its sums take, and
        two to compare; training from afar, 33 for the quotient."""
        if load is None or load.over or base is None or load.wic == base.lead:
            return 3
        distance = load.wic - base.lead
        known = self.find(load.pc)
        if known:
            sums = ByteSums(0)
            for bit in range(abs(distance).bit_length()):
                if abs(distance) >> bit & 1:
                    step = wrapped(known.stride << bit)
                    sums.add(step) if distance > 0 else sums.subtract(step)
            return 3 + abs(distance).bit_length() + sums.settle() + 2
        if abs(distance) != 1 and not self.p.TRAIN_FAR:
            return 3
        sums = ByteSums(load.addr[0])
        sums.add(2**32 - 1 - base.addr[0])
        sums.carries[0] = 1
        cycles = 3 + sums.settle() + 2
        if distance < 0:  # its negative
            sums = ByteSums(wrapped(base.addr[0] - load.addr[0] - 1))
            sums.carries[0] = 1
            cycles += sums.settle() + 1
        return cycles if abs(distance) == 1 else cycles + 33

    def judge(self, load, base):
        """3.2.3 of a load whose PerCTA entry is `base`: is the prediction wrong (None: there is
        none), the stride that is learnt, whether strides differ, the walk, is it throttled."""
        v = SimpleNamespace(wrong=None, below=False, stride=None, unequal=False)
        v.job, v.throttled = None, False
        if load is None:
            return v
        known = self.find(load.pc)
        if base is not None and load.wic != base.lead:
            if known:
                self.verify(v, load, base, known)
            elif not load.over:
                self.train(v, load, base)
        elif known and not load.over and (base is None or self.p.LOOP_UPDATE):
            if self.p.SELF_PF or known.lead_cta != load.cta:
                self.walk(v, known.stride, known.count, {load.cta}, None)
        return v

    def train(self, v, load, base):
        distance = load.wic - base.lead
        if not self.p.TRAIN_FAR and abs(distance) != 1:
            return
        differences = {signed(a - b) for a, b in zip(load.addr, base.addr)}
        counts_differ = self.p.STRICT_CNT and len(load.addr) != len(base.addr)
        if counts_differ or len(differences) != 1 or min(differences) % distance:
            v.unequal = True
            return
        v.stride = wrapped(min(differences) // distance)
        self.walk(v, v.stride, 0, self.others(load.cta), load.wic)

    def verify(self, v, load, base, known):
        if load.over and not self.p.OVER_VERIFY:
            return
        grain = 1 if self.p.VERIFY_BYTES else LINE_BYTES
        ahead = (load.wic - base.lead) * known.stride
        v.wrong = load.over or any(
            wrapped(b + ahead) // grain != a // grain for a, b in zip(load.addr, base.addr)
        )
        v.below = v.wrong and load.wic < base.lead
        if not self.p.GEN_ALL and not load.over and known.lead_cta == load.cta:
            count = min(MOST_COUNT, known.count + v.wrong)
            self.walk(v, known.stride, count, self.others(load.cta), load.wic)

    def walk(self, v, stride, count, ctas, only):
        v.throttled = count > self.p.THR
        if not v.throttled and (stride != 0 or self.p.STRIDE0_JOB):
            v.job = (stride, ctas, only)

    def others(self, cta):
        return set(range(self.p.CTAS)) - {cta}

    def learn(self, load, base):
        v = self.judge(load, base)
        if v.stride is not None:
            new = SimpleNamespace(pc=load.pc, stride=v.stride, count=0, lead_cta=load.cta)
            self.table.insert(new)
        if v.wrong is not None:
            known = self.find(load.pc)
            known.count = min(MOST_COUNT, known.count + v.wrong)
            if self.p.TOUCH_ON_VERIFY:
                self.table.touch(known)
            self.decay()

    def decay(self):
        self.verified += 1
        if self.p.DECAY and self.verified % 2**self.p.DECAY == 0:
            for entry in filter(None, self.table.places):
                entry.count //= 2

    def flush(self, cta):
        if self.p.DIST_FLUSH_WITH_LEADCTA:
            self.table.drop(lambda e: e.lead_cta == cta)
        for entry in filter(None, self.table.places):
            if entry.lead_cta == cta:
                entry.lead_cta = None


class Generator:
    """3.2.4: jobs wait, one is walked: a cycle to look a slot up, then a cycle a request, or a
    cycle for a warp that gets none.  A job is (pc, stride, CTA slots, the warp of a case 1 walk
    or None).  Without ONE_CYCLE there is a cycle to choose a slot, one to aim upwards from the
    leading warp, one to turn, and four to move to a warp."""

    def __init__(self, p):
        self.p = p
        self.start()

    def start(self):
        self.jobs = deque()
        self.requests = deque()
        self.stop()

    def stop(self):
        self.job = None  # the one that is walked
        self.ctas = []  # slots that it has yet to visit
        self.base = None  # what PerCTA said of self.cta; None: a slot is looked up
        self.warp = None  # of self.cta, gets the next request ...
        self.sent = 0  # ... of which so many are out
        self.stage = None  # in steps: pick, look, aim, move, act

    def rests(self):
        return self.job is None and not self.jobs

    def idle(self):
        return self.rests() and not self.requests

    def read(self):
        """The slot and the PC that PerCTA is asked for."""
        if not self.p.ONE_CYCLE:
            return (self.cta, self.job[0]) if self.stage == "look" else None
        if self.job and self.base is None and self.ctas:
            return self.ctas[0], self.job[0]
        return None

    def next_warp(self, warp, i):
        """Upwards from the leading warp, then downwards from it; None at the end."""
        lead = self.base.lead
        if warp >= lead and warp + 1 < i.wpc:
            return warp + 1
        below = min(warp, lead) - 1
        return below if below >= 0 else None

    def wid(self, i):
        return (i.first_wid[self.cta] + self.warp) % 2 ** (self.p.WARPS - 1).bit_length()

    def passes_over(self, i, wid=None):
        only = None if self.p.GEN_ALL else self.job[3]
        alive = i.warp_alive >> (self.wid(i) if wid is None else wid) & 1
        return not alive or only not in (None, self.warp)

    def lines(self):
        """The lines of the warp; not the same twice running."""
        ahead = (self.warp - self.base.lead) * self.job[1]
        lines = [wrapped(a + ahead) // LINE_BYTES for a in self.base.addr]
        return [
            line for n, line in enumerate(lines)
            if n == 0 or not self.p.DUP_FILTER or line != lines[n - 1]
        ]

    def act(self, i):
        """What the walk does with the warp: skip, stall, emit, or None while there is none."""
        if self.base is None or i.kernel_start or self.stage not in (None, "act"):
            return None
        if self.passed if self.stage else self.passes_over(i):
            return "skip"
        return "stall" if len(self.requests) == self.p.PF_ENTRIES else "emit"

    def drops(self, job):
        return job is not None and len(self.jobs) == self.p.JOB_ENTRIES

    def clock(self, i, job, base, ready=True):
        """`job` comes in; `base` is what PerCTA answers to read(), if it is ready."""
        dropped, act = self.drops(job), self.act(i)
        line = self.lines()[self.sent] if act == "emit" else None
        wid = None if act != "emit" else self.slot if self.stage else self.wid(i)
        if self.requests and i.pf_ready:
            self.requests.popleft()
        if line is not None:
            self.requests.append((line, wid))
        (self.step if self.p.ONE_CYCLE else self.steps)(i, act, base, ready)
        if job is not None and not dropped:
            self.jobs.append(job)

    def take_job(self):
        if self.jobs:
            self.job = self.jobs.popleft()
            self.ctas = sorted(self.job[2])

    def step(self, i, act, base, ready):
        if self.job is None:
            self.take_job()
        elif self.base is None:
            if ready:
                self.look_up(i, base)
        elif act == "skip" or (act == "emit" and self.sent + 1 == len(self.lines())):
            self.go_to(self.next_warp(self.warp, i))
        elif act == "emit":
            self.sent += 1
        if self.base is None and not self.ctas:
            self.stop()

    def look_up(self, i, base):
        self.base, self.cta = copy(base), self.ctas.pop(0)
        if base is not None:
            self.go_to(self.next_warp(base.lead, i))

    def go_to(self, warp):
        self.warp, self.sent = warp, 0
        if warp is None:
            self.base = None

    def beyond(self, i):
        """The warp after this one, away from the leading warp."""
        if self.up:
            return self.warp + 1 if self.warp + 1 < i.wpc else None
        return self.warp - 1 if self.warp > 0 else None

    def steps(self, i, act, base, ready):
        """One cycle of a walk in stages."""
        if self.job is None:
            self.take_job()
            self.leave_slot()
        elif self.stage == "pick":
            self.cta, self.stage = self.ctas.pop(0), "look"
        elif self.stage == "look":
            if ready and base is None:
                self.leave_slot()
            elif ready:
                self.base, self.up, self.warp, self.stage = copy(base), True, base.lead, "aim"
        elif self.stage == "aim":
            self.move_or_turn(self.beyond(i))
        elif self.stage == "move":
            self.move(i)
        elif act == "skip" or (act == "emit" and self.sent + 1 == len(self.lines())):
            self.move_or_turn(self.further)
        elif act == "emit":
            self.sent += 1

    def leave_slot(self):
        self.base, self.stage = None, "pick"
        if not self.ctas:
            self.stop()

    def move_or_turn(self, warp):
        if warp is not None:
            self.warp, self.sent, self.stage, self.moved = warp, 0, "move", 0
        elif self.up:
            self.warp, self.up, self.stage = self.base.lead, False, "aim"
        else:
            self.leave_slot()

    def move(self, i):
        """The SM is looked at in the first cycle, for the slot, and in the last."""
        if self.moved == 0:
            self.slot = self.wid(i)
        self.moved += 1
        if self.moved == 4:
            self.stage = "act"
            self.passed, self.further = self.passes_over(i, self.slot), self.beyond(i)
