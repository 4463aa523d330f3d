"""adi_idx_mux by aci 3.7.9: bit i of the set index is the block-address bit that selector i names."""


class Golden:
    def __init__(self, p):
        pass

    def outputs(self, i):
        # A bit past the address is 0: it is above the integer.
        return {"idx": sum(2**n for n, k in enumerate(i.sel) if i.blk // 2**k % 2)}
