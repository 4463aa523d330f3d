"""fup28 by wang2015 3.7 with its three cases: S1, S2, S3 of log2 nset bits each, S4 the rest of the
feature bits; where S4 is wider, its residue modulo a prime takes its place (D-FUP-2)."""

from golden_index import block_address, fields, largest_prime, log2


class Golden:
    def __init__(self, p):
        self.p = p
        self.width = log2(p.SETS)
        self.s4_width = max(p.FEATURE_BITS, 4 * self.width) - 3 * self.width
        self.prime = largest_prime(p.SETS)

    def groups(self, block):
        three = [self.width] * 3
        if self.p.S4_LOWEST:  # D-FUP-4
            s4, *rest = fields(block, [self.s4_width] + three)
        else:
            *rest, s4 = fields(block, three + [self.s4_width])
        return *rest, s4

    def outputs(self, i):
        s1, s2, s3, s4 = self.groups(block_address(self.p, i.addr))
        if self.s4_width > self.width:
            s4 %= self.prime
        r1, r2 = s1 ^ s2, s3 ^ s4
        return {"set_index": r1 ^ r2}
