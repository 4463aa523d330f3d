"""bc_decide by Table 12 of lakshminarayana2014 3.5.4, row by row: (L1 reuse, L2 shared, L2 private) to
(bypass L1, bypass L2, copy back).  The last rows complete it (D-BC-1)."""

TABLE = {
    ("no", "no", "no"): (1, 1, 0),
    ("no", "no", "yes"): (0, 1, 1),
    ("no", "yes", "no"): (1, 0, 0),
    ("no", "yes", "yes"): (1, 0, 0),
    ("yes", "no", "no"): (0, 1, 0),
    ("yes", "no", "yes"): (0, 1, 1),
    ("no", "?", "?"): (1, 0, 0),
    ("?", "no", "yes"): (0, 1, 1),
    ("?", "no", "no"): (0, 1, 0),
}


def word(known, value):
    return "?" if not known else "yes" if value else "no"


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        key = word(i.l1_known, i.l1_reuse), word(i.rg_known, i.rg_shared), word(i.rg_known, i.rg_private)
        l1, l2, cb = TABLE.get(key, (0, 0, 0))
        if key == ("?", "no", "no") and not self.p.UNKNOWN_PASSES:
            l2 = 0
        if self.p.LEVELS == 1:
            l2 = cb = 0
        elif self.p.LEVELS == 2:
            l1 = 0
        sampled = bool(self.p.SAMPLE and i.draw == 0 and (l1 or l2))
        return {"byp_l1": l1 and not sampled, "byp_l2": l2 and not sampled, "cb": cb, "sampled": sampled}
