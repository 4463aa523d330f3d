"""pli by aci-iacm-blpp 3.5: the block address as a polynomial over GF(2), modulo P(x), by long
division.  A polynomial is the set of its exponents; its terms cancel in pairs."""

from golden_index import block_address


def exponents(number):
    return {k for k in range(number.bit_length()) if number // 2**k % 2}


def remainder(a, p):
    while a and max(a) >= max(p):
        shift = max(a) - max(p)
        a = a ^ {k + shift for k in p}
    return a


class Golden:
    def __init__(self, p):
        self.p = p
        self.modulus = exponents(p.POLY)

    def outputs(self, i):
        a = exponents(block_address(self.p, i.addr))
        return {"set_index": sum(2**k for k in remainder(a, self.modulus))}
