"""pdisp by wang2015 3.5, A.1: (p T + x) modulo the largest prime not above the number of sets; x is
the index field, T what is above it (D-PD-1)."""

from golden_index import block_address, largest_prime, prime_tag


class Golden:
    def __init__(self, p):
        self.p = p
        self.prime = largest_prime(p.SETS)

    def outputs(self, i):
        t, x = divmod(block_address(self.p, i.addr), self.p.SETS)
        set_index = (self.p.P * t + x) % self.prime
        return {"set_index": set_index} | prime_tag(self.p, self.prime, i.addr)
