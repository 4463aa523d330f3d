"""golden_index.py - what the references of the set indices share: a byte address read as a row of
fields, and the prime moduli (wang2015 3.5, 3.7; aci-iacm-blpp 3.1, 3.6).  Address bits that an
address does not have are 0 (wang2015 A.1)."""


def log2(power):
    return power.bit_length() - 1


def block_address(p, addr):
    return addr // p.BLOCK_BYTES


def fields(number, widths):
    """The number cut into fields of so many bits, from the lowest; what is left over is dropped."""
    cut = []
    for width in widths:
        number, field = divmod(number, 2**width)
        cut.append(field)
    return cut


def largest_prime(most):
    """Not above `most`."""
    return max(n for n in range(2, most + 1) if all(n % d for d in range(2, int(n**0.5) + 1)))


def prime_tag(p, prime, addr):
    """The tag of a prime index, and the bit that tells apart the index fields which the modulus
    cannot (D-PD-2)."""
    tag, field = divmod(block_address(p, addr), p.SETS)
    return {"tag": tag, "xalias": field >= prime}
