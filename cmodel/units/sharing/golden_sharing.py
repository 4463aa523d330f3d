"""What the references of the victim units share: tabbakh2018 3.2.3."""


def ways_of(mask, n):
    return {way for way in range(n) if mask // 2**way % 2}


class Set:
    """The lines of a set: what is invalid, what may be replaced, in LRU order."""

    def __init__(self, i, n):
        kept = ways_of(i.reserved, n) | ways_of(i.held, n)
        self.invalid = set(range(n)) - ways_of(i.valid, n) - ways_of(i.reserved, n)
        candidates = ways_of(i.valid, n) - kept
        self.lru_first = sorted(candidates, key=lambda way: i.lru_rank[way])
        self.flagged = ways_of(i.cls, n)

    def with_flag(self, flag):
        """Candidates whose class bit is `flag`, LRU first."""
        return [way for way in self.lru_first if (way in self.flagged) == flag]
