"""sect_tag by lakshminarayana2014 3.6.1: lines as sets of sectors that are there, and were read."""


def sectors(mask):
    return {j for j in range(4) if mask // 2**j % 2}


def mask(some):
    return sum(2**j for j in some)


class Golden:
    def __init__(self, p):
        self.there, self.used = {}, {}
        self.answer = None

    def outputs(self, i):
        kind, missing = self.answer or (None, 0)
        here = self.there.get(i.fill_line, set())
        used = self.used.get(i.fill_line, set())
        stored_to = i.inv_valid and i.inv_line == i.fill_line
        return {
            "done": self.answer is not None,
            "hit": kind == "hit",
            "sec_miss": kind == "sector",
            "blk_miss": kind == "block",
            "miss_mask": missing,
            "evict_valid": bool(i.fill_valid and i.fill_new and here and not stored_to and not i.flush),
            "evict_used": mask(used),
            "evict_unused": mask(here - used),
        }

    def look_up(self, i):
        if not i.lk_present:
            return "block", i.lk_need
        missing = mask(sectors(i.lk_need) - self.there.get(i.lk_line, set()))
        return "sector" if missing else "hit", missing

    def clock(self, i):
        self.answer = self.look_up(i) if i.lk_valid else None
        if i.flush:
            self.there, self.used = {}, {}
            return
        for valid, line in (i.inv_valid, i.inv_line), (i.fill_valid and i.fill_new, i.fill_line):
            if valid:
                self.there.pop(line, None)
                self.used.pop(line, None)
        if i.fill_valid:
            self.there[i.fill_line] = self.there.get(i.fill_line, set()) | sectors(i.fill_mask)
        if i.read_valid:
            self.used[i.read_line] = self.used.get(i.read_line, set()) | sectors(i.read_mask)
