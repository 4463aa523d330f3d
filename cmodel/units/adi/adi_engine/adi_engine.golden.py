"""adi_engine by aci 3.7.4 and 3.7.5: the block addresses of a period are kept in a list, and each
decision is taken from that list by the formulas of the document; nothing is counted on the way."""

from itertools import combinations

VIC, SEL, IDLE, BUSY = range(4)  # as sub_phase shows them; BUSY is one of
VICTIM, NEW_BIT, FLUSH = "victim", "new bit", "flush"


def bit(number, k):
    return number // 2**k % 2


def fold(count, total):
    return min(count, total - count)


def victim_of(blocks, selectors):
    """The position of the index bit that is least useful (3.7.5, select_victim)."""
    rows = [[bit(block, k) for k in selectors] for block in blocks]
    columns, total = list(zip(*rows)), len(rows)
    entropy = [fold(sum(column), total) for column in columns]
    # Of equals min() takes the first: the lowest position, the first pair in order.
    useless = min(range(len(columns)), key=lambda i: entropy[i])
    useful = {
        (a, b): fold(sum(x != y for x, y in zip(columns[a], columns[b])), total)
        for a, b in combinations(range(len(columns)), 2)
    }
    pair = min(useful, key=useful.get)
    if entropy[useless] < useful[pair]:
        return useless
    return min(pair, key=lambda i: entropy[i])


def toggles(blocks, retained, k):
    """How often bit k changes from one block of a cluster to its next (3.7.7)."""
    last, changes = {}, 0
    for block in blocks:
        cluster = tuple(bit(block, r) for r in retained)
        changes += last.get(cluster, bit(block, k)) != bit(block, k)
        last[cluster] = bit(block, k)
    return changes


def new_bit_of(blocks, selectors, victim, candidates):
    """The candidate that changes most; the victim's own bit wins a tie, then the lowest."""
    own = selectors[victim]
    retained = [k for k in selectors if k != own]
    among = [own] + [k for k in candidates if k not in selectors]
    return max(among, key=lambda k: toggles(blocks, retained, k))


class Golden:
    def __init__(self, p):
        self.p = p
        self.conventional = list(range(p.S))
        self.candidates = range(p.ADI_CAND_HI - p.OFFS_W + 1)
        self.selectors = self.conventional
        self.victim = 0
        self.__dict__ |= self.enter(VIC)

    # A cycle is a pair: what happens in it, and what is different after it.

    def enter(self, phase, **more):
        return {"phase": phase, "blocks": [], "seen": 0, "again": False} | more

    def cycle(self, i):
        if self.p.ADI_RESET_ON_KERNEL and i.kernel_start:
            return self.launch(i)
        if self.phase == FLUSH:
            return self.flushing(i)
        return self.deciding(i) if self.phase in (VICTIM, NEW_BIT) else self.counting(i)

    def launch(self, i):
        """3.7.8-2: the conventional index comes back, by a flush if it is not there."""
        if self.selectors == self.conventional and self.phase != FLUSH:
            return set(), self.enter(VIC)
        if self.phase == FLUSH and i.flush_done:
            return set(), self.enter(VIC, selectors=self.conventional)
        return set(), self.enter(FLUSH, chosen=self.conventional, then=VIC)

    def flushing(self, i):
        if i.flush_done:
            then = VIC if i.restart or self.again else self.then
            return set(), self.enter(then, selectors=self.chosen)
        return set(), {"again": self.again or i.restart}

    def deciding(self, i):
        if self.seen + 1 < self.p.ADI_DEC_CYC:
            return set(), {"seen": self.seen + 1, "again": self.again or i.restart}
        return self.decide(self.phase, self.choice, self.again or i.restart)

    def counting(self, i):
        if i.restart:
            return set(), self.enter(VIC)
        if self.phase == IDLE and self.p.IDLE_IN_CYCLES and i.kernel_start:
            return set(), {"seen": 0}
        period = {VIC: self.p.NV, SEL: self.p.NS, IDLE: self.p.NI}[self.phase]
        closes_unsampled = bool(self.p.CLOSE_BY_NEXT) and self.seen == period
        if not self.visible(i, closes_unsampled):
            return set(), {}
        if closes_unsampled:
            return self.close(self.blocks, i)
        sampled = {VIC: {"vic_sample"}, SEL: {"sel_sample"}, IDLE: set()}[self.phase]
        blocks = self.blocks if self.phase == IDLE else self.blocks + [i.acc_blk]
        if self.seen + 1 < period + self.p.CLOSE_BY_NEXT:
            return sampled, {"blocks": blocks, "seen": self.seen + 1}
        events, after = self.close(blocks, i)
        return sampled | events, after

    def visible(self, i, closes_unsampled):
        """3.7.4, 3.11: VIC sees misses, SEL all, both but global writes; IDLE all or cycles."""
        if self.phase == IDLE and self.p.IDLE_IN_CYCLES:
            return bool(i.enable)
        hidden = self.phase != IDLE and i.acc_gwrite
        hit = self.phase == VIC and not i.acc_miss and not closes_unsampled
        return bool(i.enable and i.acc_valid and not hidden and not hit)

    def close(self, blocks, i):
        if self.phase == IDLE:
            return {"idle_done"}, self.enter(IDLE if i.stay_idle else VIC)
        if self.phase == VIC:
            decision, choice = VICTIM, victim_of(blocks, self.selectors)
        else:
            decision = NEW_BIT
            choice = new_bit_of(blocks, self.selectors, self.victim, self.candidates)
        if self.p.ADI_DEC_CYC == 0:
            return self.decide(decision, choice, False)
        return set(), self.enter(decision, choice=choice)

    def decide(self, decision, choice, again):
        if decision == VICTIM:
            return {"victim_chosen"}, self.enter(VIC if again else SEL, victim=choice)
        if choice == self.selectors[self.victim]:
            return {"bit_kept"}, self.enter(VIC if again else IDLE)
        chosen = list(self.selectors)
        chosen[self.victim] = choice
        return {"bit_changed"}, self.enter(FLUSH, chosen=chosen, then=VIC if again else IDLE)

    def outputs(self, i):
        events, _ = self.cycle(i)
        names = "vic_sample sel_sample victim_chosen bit_changed bit_kept idle_done".split()
        return {name: name in events for name in names} | {
            "idx_sel": self.selectors,
            "flush_req": self.phase == FLUSH,
            "sub_phase": self.phase if self.phase in (VIC, SEL, IDLE) else BUSY,
        }

    def clock(self, i):
        _, after = self.cycle(i)
        self.__dict__ |= after
