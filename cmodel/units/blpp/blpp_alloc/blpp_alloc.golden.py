"""blpp_alloc by aci 3.17.6: algorithm 6 as it is written, its random number as a polynomial over GF(2) that
is divided by x."""


class Golden:
    TAPS = 1 << 16 | 1 << 14 | 1 << 13 | 1 << 11  # x^16 + x^14 + x^13 + x^11 + 1, without the 1

    def __init__(self, p):
        self.number, self.answer = p.SEED, None

    def outputs(self, i):
        node, replace = self.answer or (0, 0)
        return {"node_valid": self.answer is not None, "node": node, "need_replace": replace}

    def clock(self, i):
        self.answer = None
        if not i.alloc_req:
            return
        # Odd: the modulus is added, so that it can be divided.
        self.number = (self.number ^ (self.TAPS | 1 if self.number % 2 else 0)) // 2
        full = (i.gpu_full, i.cpu_full)
        node = 0 if self.number / 65536 < i.p_opt / 65536 else 1
        if full[node] and not full[1 - node]:
            node = 1 - node
        self.answer = (node, int(full == (1, 1)))
