"""l1_cb by lakshminarayana2014 3.4.4: the blocks that an L1 holds, each with its request's bit."""


class Golden:
    def __init__(self, p):
        self.blocks = {}

    def outputs(self, i):
        held = dict(self.blocks)
        if i.inv_valid:
            held.pop(i.inv_line, None)
        leaves = held.get(i.fill_line) if i.fill_valid and not i.flush else None
        return {"evict_valid": leaves is not None, "evict_cb": leaves == 1}

    def clock(self, i):
        if i.inv_valid:
            self.blocks.pop(i.inv_line, None)
        if i.fill_valid:
            self.blocks[i.fill_line] = i.fill_excl
        if i.flush:
            self.blocks.clear()
