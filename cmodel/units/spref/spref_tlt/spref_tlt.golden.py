"""spref_tlt by lakshminarayana2014-graph 3.1.4: which loads become heads and tails, conditions (i) to
(iii), and how the loop ends."""

from types import SimpleNamespace

from golden_spref import LD, NO_REG, SETP, STRIDE, RANDOM, log2_of, signed

WORDS = ("lt", "le", "gt", "ge", "ne", "eq")
CONTRARY = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "ne": "eq", "eq": "ne"}


class Golden:
    def __init__(self, p):
        self.p = p
        self.heads, self.tails = [], {}  # heads in order; tail of a head
        self.ends_by = (NO_REG, False)  # predicate of the backward branch, negated
        self.end = SimpleNamespace(pc=0, log2=0, down=False, plus_one=False)
        self.branched, self.setps = False, []  # in this pass; of each, whether it fits

    def state(self, i):
        return (False, []) if i.pass_begin else (self.branched, self.setps)

    def load(self, i):
        """("head" or "tail" or "over", which), or None."""
        branched, setps = self.state(i)
        if i.__dict__["pass"] != 2 or i.op != LD or not i.ro:
            return None
        if i.pred or branched or setps:  # conditions (i), (iii)
            return None
        if i.addr_tag == STRIDE:
            return ("head", len(self.heads)) if len(self.heads) < 2 else None
        if i.addr_lid in (1, 2) and i.addr_base != NO_REG:  # condition (ii)
            which = i.addr_lid - 1
            return ("over" if which in self.tails else "tail", which)
        return None

    def setp(self, i):
        """The loop's end as this setp makes it, and whether it is understood; or None."""
        predicate, negated = self.ends_by
        if i.__dict__["pass"] != 2 or i.op != SETP or i.pdst != predicate or predicate == NO_REG:
            return None
        step = signed(i.addr_delta)
        word = WORDS[i.cmp] if i.cmp < len(WORDS) else None
        word = CONTRARY[word] if word and negated else word
        k = log2_of(abs(step))
        direction = ("gt", "ge") if step < 0 else ("lt", "le")
        fits = (
            not i.pred and i.addr_tag == STRIDE and i.addr_done
            and i.end_tag not in (STRIDE, RANDOM) and k is not None and k < 8
            and (word in direction or (word == "ne" and abs(step) == 1))
        )
        low = abs(step) % 256
        end = SimpleNamespace(pc=i.dec_pc, log2=low.bit_length() - 1 if low else 0, down=step < 0,
                              plus_one=word in ("le", "ge"))
        return end, fits

    def all_setps(self, i):
        _, setps = self.state(i)
        this = self.setp(i)
        return setps + [this[1]] if this else setps

    def look_up(self, pc):
        found = dict(is_head=0, is_tail=0, idx=0, stride=0, shift=0, base=0, imm=0)
        for which, (at, stride) in enumerate(self.heads):
            if at == pc:
                found["is_head"] = 1
                found["idx"] |= which
                found["stride"] |= stride
        for which, (at, shift, base, imm) in self.tails.items():
            if at == pc:
                found["is_tail"] = 1
                found["idx"] |= which
                found["shift"] |= shift
                found["base"] |= base
                found["imm"] |= imm
        return found

    def outputs(self, i):
        load = self.load(i)
        ports = [self.look_up(pc) for pc in i.pc]
        last = i.__dict__["pass"] == 2 and i.pass_end
        return {
            "head_id": load[1] + 1 if load and load[0] == "head" else 0,
            "found": last and bool(self.heads) and self.all_setps(i) == [True],
            **{name: [port[name] for port in ports] for name in ports[0]},
            "has": sum(4**n for n in range(len(self.heads))) + sum(2 * 4**n for n in self.tails),
            "setp_pc": self.end.pc,
            "step_log2": self.end.log2,
            "down": self.end.down,
            "plus_one": self.end.plus_one,
            "tail_over": bool(load) and load[0] == "over",
        }

    def clock(self, i):
        load, setp, setps = self.load(i), self.setp(i), self.all_setps(i)
        branched, _ = self.state(i)
        if load and load[0] == "head":
            self.heads = [*self.heads, (i.dec_pc, i.addr_delta)]
        if load and load[0] == "tail":
            self.tails[load[1]] = (i.dec_pc, i.addr_shift, i.addr_base, i.offset)
        if setp:
            self.end = setp[0]
        if i.__dict__["pass"]:
            self.branched, self.setps = branched or bool(i.is_branch), setps
        if i.__dict__["pass"] == 1 and i.pass_end:
            self.ends_by = (i.psrc if i.is_branch else NO_REG, bool(i.psrc_not))
        if i.kernel_start or (i.__dict__["pass"] == 1 and i.pass_begin):
            self.heads, self.tails = [], {}
