"""dac_victim by wang2015 3.12.6: the lowest invalid way wherever it stands (D-LRU-1), else the
last line of the stack that is not reserved, behind the locality region if there is one."""


class Golden:
    def __init__(self, p):
        self.p = p

    def victim(self, i):
        """Its position in the stack, or None."""
        p = self.p
        ways = range(p.WAYS)
        reserved = {way for way in ways if i.reserved // 2**way % 2}
        valid = {way for way in ways if i.valid // 2**way % 2}
        invalid = set(ways) - valid - reserved
        if invalid and p.PREF_INVALID:
            return i.lru_stack.index(min(invalid))
        codes = 2 * 2 ** (p.WAYS - 1).bit_length()
        last = i.p_eff if i.p_eff < codes / 2 else i.p_eff - codes
        first = 0 if i.uncon else max(last + 1, 0)
        replaceable = [pos for pos in range(first, p.WAYS) if i.lru_stack[pos] not in reserved]
        return max(replaceable, default=None)

    def outputs(self, i):
        pos = self.victim(i)
        if pos is None:
            return {"found": 0, "vpos": 0, "vway": 0}
        return {"found": 1, "vpos": pos, "vway": i.lru_stack[pos]}
