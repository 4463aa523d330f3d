"""pmod by wang2015 3.5, A.1 and aci-iacm-blpp 3.6: the block address modulo the largest prime not
above the number of sets."""

from golden_index import block_address, largest_prime, prime_tag


class Golden:
    def __init__(self, p):
        self.p = p
        self.prime = largest_prime(p.SETS)

    def outputs(self, i):
        set_index = block_address(self.p, i.addr) % self.prime
        return {"set_index": set_index} | prime_tag(self.p, self.prime, i.addr)
