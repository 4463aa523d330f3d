"""bxor by wang2015 3.4, aci-iacm-blpp 3.3: the two lowest fields of the block address, XORed."""

from golden_index import block_address, fields, log2


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        x, t = fields(block_address(self.p, i.addr), [log2(self.p.SETS)] * 2)
        return {"set_index": x ^ t}
