"""sa_cta_sched by the pseudo-code of tabbakh2018 3.1.3: launch, alloc, and one turn of the scan a
cycle.  The first round of alloc, a loop there, takes a cycle for each SM here, and one more."""

RR, GROUP, ADAPTIVE, BCS = range(4)
POOL = -1


class Golden:
    def __init__(self, p):
        self.p = p
        self.policy = RR
        self.T = self.next_cta = self.NG = self.next_grp = 0
        self.N = self.limit = 1
        self.mode_rr = False
        self.first_round = []  # cycles before the scan: None, then the SMs to be dealt a group
        self.groups = [range(0)] * p.NSM
        self.issue = (False, p.NSM - 1, 0)
        self.chosen = None
        self.passing = None  # what the CTA named in this cycle was taken from: an SM's group, or POOL

    def size(self, initial):
        """CTAs of the next group."""
        if self.policy != BCS:
            return self.N
        pair = min(2, max(1, self.limit))
        whole = max(1, self.limit - self.limit % 2)
        return whole if initial and self.p.BCS_INITIAL else pair

    def remaining(self):
        """What of the kernel is in no group."""
        return self.T - self.next_cta

    def too_few(self, initial):
        few = (self.NG - self.next_grp) % 2**self.p.CTAW < self.p.NSM
        return self.policy == ADAPTIVE and few and not (initial and self.p.EXEMPT)  # D-C5

    def alloc(self, sm, initial):
        """What it does: "group", "pool", or None when nothing is left."""
        if self.remaining() == 0:
            return None
        if self.mode_rr or self.too_few(initial):
            self.mode_rr = True
            return "pool"
        end = min(self.T, self.next_cta + self.size(initial))
        self.groups[sm] = range(self.next_cta, end)
        self.next_cta, self.next_grp = end, self.next_grp + 1
        return "group"

    def may_serve(self, i, sm):
        valid, last, _ = self.issue
        if not i.sm_free // 2**sm % 2 or (valid and sm == last):
            return False
        if self.groups[sm]:
            return True
        if self.policy == BCS and i.sm_free2 // 2**sm % 2 == 0:  # D-C6: one is left, or one fits
            return self.remaining() > 0 and (self.remaining() == 1 or self.size(False) == 1)
        return self.remaining() > 0

    def served(self, i):
        return self.scanned(i) if self.p.ONE_CYCLE else self.chosen

    def scanned(self, i):
        last = self.issue[1] if self.p.ROTATE else self.p.NSM - 1  # D-C3
        scan = [(last + n) % self.p.NSM for n in range(1, self.p.NSM + 1)]
        return next((sm for sm in scan if self.may_serve(i, sm)), None)

    def what_is_done(self, i):
        """alloc's answer in this cycle, if it is called: of a copy, nothing changes."""
        copy = Golden(self.p)
        copy.__dict__.update(self.__dict__)
        copy.groups = list(self.groups)
        return copy.edge(i)

    def edge(self, i):
        if self.first_round:
            sm = self.first_round[0]
            return None if sm is None else self.alloc(sm, True)
        sm = self.served(i)
        return None if sm is None or self.groups[sm] else self.alloc(sm, False)

    def outputs(self, i):
        was_pool = self.mode_rr
        done = None if i.launch_valid else self.what_is_done(i)
        valid, sm, cta = self.issue
        busy = bool(self.first_round)
        return {
            "issue_valid": valid,
            "issue_sm": sm,
            "issue_cta": cta,
            "busy": busy,
            "all_issued": not busy and self.remaining() == 0 and not any(self.groups),
            "group_taken": done == "group",
            "pool_opened": done == "pool" and not was_pool,
        }

    def clock(self, i):
        if i.launch_valid:
            return self.launch(i)
        if self.first_round:
            sm = self.first_round.pop(0)
            done = None if sm is None else self.alloc(sm, True)
            last = self.issue[1] if sm is None else sm
            if done == "pool":
                self.first_round, last = [], self.p.NSM - 1
            self.issue = (False, last, self.issue[2])
            return None
        sm = self.served(i)
        rests = self.p.ONE_CYCLE or sm is not None or self.issue[0]
        self.chosen = None if rests else self.scanned(i)
        self.take_away()
        if sm is None:
            self.issue = (False, *self.issue[1:])
            return None
        if not self.groups[sm] and self.alloc(sm, False) == "pool":
            self.issue = (True, sm, self.next_cta)
            self.passing = POOL
        else:
            self.issue = (True, sm, self.groups[sm][0])
            self.passing = sm
        if self.p.ONE_CYCLE:
            self.take_away()
        return None

    def take_away(self):
        """The CTA that was named is no longer there."""
        if self.passing == POOL:
            self.next_cta += 1
        elif self.passing is not None:
            self.groups[self.passing] = self.groups[self.passing][1:]
        self.passing = None

    def launch(self, i):
        p = self.p
        self.policy = i.launch_policy if i.launch_policy <= BCS else RR
        self.T, self.N, self.NG = i.launch_total, i.launch_group, i.launch_groups
        self.limit = i.launch_limit
        self.next_cta = self.next_grp = 0
        self.groups = [range(0)] * p.NSM
        few = self.policy == ADAPTIVE and self.NG < p.NSM and p.POOL_FIRST  # D-C4
        self.mode_rr = self.policy == RR or bool(few)
        self.first_round = [] if self.mode_rr else [None, *range(p.NSM)]
        self.issue = (False, p.NSM - 1, self.issue[2])
        self.chosen = self.passing = None
