"""mat by lakshminarayana2014 3.5.1: entries by index as (tag, count); what is under way is a list of
what is left of it, one element a cycle."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.table = {}
        self.to_do = []
        self.answer = None

    def split(self, address):
        block = address >> self.p.BLOCK_LOG2
        return block % self.p.ENTRIES, block // self.p.ENTRIES

    def count(self, address):
        index, tag = self.split(address)
        kept, count = self.table.get(index, (tag, 0))
        return count if kept == tag else 0

    def access(self, address):
        index, tag = self.split(address)
        self.table[index] = tag, min(self.count(address) + 1, 2**self.p.CTR_W - 1)

    def decide(self, missing, victim):
        return 100 * self.count(missing) < self.p.F_PERCENT * self.count(victim)

    def age(self, victim):
        index, tag = self.split(victim)
        self.table[index] = tag, self.count(victim) - 1

    def outputs(self, i):
        idle = not self.to_do
        what, *of = self.to_do[0] if self.to_do else (None,)
        byp = what == "decide" and self.decide(*of)
        replaced = False
        if what == "access":
            index, tag = self.split(of[0])
            replaced = index in self.table and self.table[index][0] != tag and self.table[index][1] > 0
        return {
            "acc_ready": idle,
            "q_ready": idle and not i.acc_valid,
            "q_done": what == "decide",
            "byp": byp,
            "replaced": replaced,
            "aged": byp and self.p.AGE,
        }

    def clock(self, i):
        if not self.to_do:
            if i.acc_valid:
                self.to_do = [("access", i.acc_addr)]
            elif i.q_valid:
                self.to_do = [("wait",), ("wait",), ("wait",), ("decide", i.q_miss_addr, i.q_vict_addr)]
            return
        what, *of = self.to_do.pop(0)
        if what == "access":
            self.access(*of)
        elif what == "decide" and self.p.AGE and self.decide(*of):
            self.age(of[1])
