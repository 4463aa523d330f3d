"""rxi by the equations of aci-iacm-blpp 3.4 (at 32 and 64 sets also wang2015 3.6)."""

# Index bit: the address bits whose sum modulo 2 it is.  Bits 5 and 6 are of 64 and of 128 sets.
EQUATIONS = {
    0: (13, 7),
    1: (14, 8),
    2: (15, 9),
    3: (17, 10),
    4: (19, 11),
    5: (12,),
    6: (16,),
}


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        def index_bit(number):
            return sum(i.addr // 2**a for a in EQUATIONS[number]) % 2

        return {"set_index": sum(2**b * index_bit(b) for b in EQUATIONS if 2**b < self.p.SETS)}
