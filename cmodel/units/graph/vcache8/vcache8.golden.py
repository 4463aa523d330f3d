"""vcache8 by lakshminarayana2014 3.3.2: lines by address in the order in which they came (a Python
dictionary keeps it), each with the place that it takes."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.lines = {}  # address: (place, copy-back bit, data)

    def left(self, i):
        gone = {i.probe_addr} if i.probe_valid else set()
        gone |= {i.inv_addr} if i.inv_valid else set()
        return {a: line for a, line in self.lines.items() if a not in gone}

    def oldest(self, i):
        """What an insertion drives out, by its address; None if nothing."""
        left = self.left(i)
        full = len(left) == self.p.ENTRIES and i.insert_addr not in left
        return next(iter(left)) if i.insert_valid and full and not i.flush else None

    def outputs(self, i):
        nothing = (0, 0, [0] * self.p.WORDS)
        found = self.lines.get(i.probe_addr) if i.probe_valid else None
        out = self.oldest(i)
        line = found or self.lines.get(out, nothing)
        return {
            "hit": found is not None,
            "evict_valid": out is not None,
            "evict_addr": out or 0,
            "leaves": found is not None or out is not None,
            "out_cb": line[1],
            "out_data": line[2],
            "invalidated": i.inv_valid and i.inv_addr in self.lines and not (found and i.inv_addr == i.probe_addr),
        }

    def clock(self, i):
        left = {} if i.flush else self.left(i)
        if i.insert_valid and not i.flush:
            place = left.pop(i.insert_addr, (None,))[0]
            if place is None and self.oldest(i) is not None:
                place = left.pop(self.oldest(i))[0]
            if place is None:
                taken = {line[0] for line in left.values()}
                place = min(set(range(self.p.ENTRIES)) - taken)
            left[i.insert_addr] = place, i.insert_cb, list(i.insert_data)
        self.lines = left
