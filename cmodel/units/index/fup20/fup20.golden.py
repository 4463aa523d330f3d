"""fup20 by wang2015 3.7 (FUP20): four groups of log2 nset bits of the block address, XORed."""

from golden_index import block_address, fields, log2


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        s1, s2, s3, s4 = fields(block_address(self.p, i.addr), [log2(self.p.SETS)] * 4)
        r1, r2 = s1 ^ s2, s3 ^ s4
        return {"set_index": r1 ^ r2}
