"""rdu_signature by tabbakh2018 3.7.2: a Bloom filter with six hashes over its full range."""

from golden_rdu import Signature, hashes


class Golden:
    def __init__(self, p):
        self.signature = Signature(p.M)

    def outputs(self, i):
        found = self.signature.has(i.key)
        return {
            "found": found,
            "idx": hashes(i.key, self.signature.m),
            "fresh": i.insert and not i.clear and not found,
        }

    def clock(self, i):
        if i.clear:
            self.signature.clear()
        elif i.insert:
            self.signature.insert(i.key)
