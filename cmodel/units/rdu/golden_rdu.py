"""What the references of race detection share, by tabbakh2018 3.7.2: the Bloom signature and the
granules of an access."""

from functools import lru_cache

HASHES = 6


def xorshift32(s=0x2545F491):
    while True:
        s ^= s << 13 & 0xFFFFFFFF
        s ^= s >> 17
        s ^= s << 5 & 0xFFFFFFFF
        yield s & 0x3FFF


DRAWN = xorshift32()
Q = [[next(DRAWN) for _ in range(32)] for _ in range(HASHES)]
C = [next(DRAWN) for _ in range(HASHES)]


@lru_cache(maxsize=65536)
def hashes(key, m):
    """The six positions of a granule in a signature of m bits (D-R1)."""
    positions = []
    for q, h in zip(Q, C):
        for i in range(32):
            if key >> i & 1:
                h ^= q[i]
        positions.append(h % m)
    return positions


def granules(addr, mask, shift):
    """The numbers of the granules that hold the masked bytes of the block of addr, ascending."""
    block = addr // 128 * 128
    touched = {byte for byte in range(128) if mask[byte // 64] >> byte % 64 & 1}
    return sorted({(block + byte) >> shift for byte in touched})


class Signature(set):
    """The positions of the bits that are 1."""

    def __init__(self, m, words=()):
        self.m = m
        super().__init__(64 * w + b for w, word in enumerate(words) for b in ones(word))

    def insert(self, key):
        self.update(hashes(key, self.m))

    def has(self, key):
        return self.issuperset(hashes(key, self.m))

    def words(self):
        words = [0] * (self.m // 64)
        for position in self:
            words[position // 64] += 1 << position % 64
        return words


def ones(word):
    return [b for b, digit in enumerate(reversed(f"{word:b}")) if digit == "1"]
