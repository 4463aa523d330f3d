"""What the references of spare-register prefetching share: numbers and tags of
lakshminarayana2014-graph 3.1.3 and 3.1.4."""

CONST, STRIDE, RANDOM, FRESH = range(4)  # FRESH: constant, but written in the first pass
NO_REG = 63
NO_ID, NO_FORM = 0, 3  # load-ids: none; of a head, but in no form that a tail's address has
OTHER, ADD, SUB, MUL, SHL, MOV, MAD, LD, SETP, NONE = range(10)
WRITES = {OTHER, ADD, SUB, MUL, SHL, MOV, MAD, LD}


def wrap(value, bits=32):
    return value % 2**bits


def signed(value, bits=32):
    value = wrap(value, bits)
    return value - 2**bits if value >= 2 ** (bits - 1) else value


def log2_of(value):
    """k of 2**k, or None."""
    return value.bit_length() - 1 if value and value & (value - 1) == 0 else None
