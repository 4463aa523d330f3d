"""rdu_signature by tabbakh2018 3.7.2: a Bloom filter with six hashes over its full range."""

from golden_rdu import Signature, hashes

STEPS = 7  # to the answer, when the bits of a key are read one after the other


class Golden:
    def __init__(self, p):
        self.one_cycle = p.ONE_CYCLE
        self.signature = Signature(p.M)
        self.key = None  # under way: its number, and whether it is put in; empty when dropped
        self.steps = 0

    def answered(self, i):
        """The key that is answered in this step, and whether it is put in; or None."""
        if i.clear:
            return None
        if self.one_cycle:
            return (i.key, i.insert) if i.key_valid else None
        return self.key or None if self.steps == STEPS else None

    def outputs(self, i):
        answered = self.answered(i)
        key, insert = answered or (0, False)
        found = answered is not None and self.signature.has(key)
        return {
            "key_ready": self.key is None and not i.clear,
            "found_valid": answered is not None,
            "found": found,
            "idx": hashes(key, self.signature.m),
            "fresh": insert and not found,
        }

    def clock(self, i):
        if self.answered(i):
            key, insert = self.answered(i)
            if insert:
                self.signature.insert(key)
        if i.clear:
            self.signature.clear()
            self.key = None if self.key is None else ()
        elif self.key is None and i.key_valid and not self.one_cycle:
            self.key, self.steps = (i.key, i.insert), 0
        if self.key is not None:
            self.steps += 1
            if self.steps > STEPS:
                self.key = None
