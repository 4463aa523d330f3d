"""avu_rename by tabbakh2018 3.7.6 and 3.7.8: which physical register holds the speculative result
of a warp's register."""

NONE, KERNEL_START, RENAME, COMMIT, SQUASH, RETIRE = range(6)


class Golden:
    def __init__(self, p, used=0):
        self.p = p
        self.renamed = {}  # (warp, register): (physical register, is its value temporary)
        self.free = set(range(used, p.PHYS))

    def renames(self, i):
        """A register that is not there can be named, and never is renamed."""
        return i.op == RENAME and i.warp < self.p.WARPS and i.areg < self.p.REGS

    def target(self, i):
        """Where a result goes: the register that it has, else the lowest free one, else None."""
        if not self.renames(i):
            return None
        if (i.warp, i.areg) in self.renamed:
            return self.renamed[i.warp, i.areg][0]
        return min(self.free, default=None)

    def leaving(self, i):
        """The registers that the operation takes out of the table, one a step."""
        if i.op in (COMMIT, SQUASH):
            return sorted(name for name in self.renamed if name[0] == i.warp)
        return [name for name in self.renamed if i.op == RETIRE and name == (i.warp, i.areg)]

    def outputs(self, i):
        target, leaving = self.target(i), self.leaving(i)
        moved = leaving[0] if leaving else (0, 0)
        was_at, temporary = self.renamed.get(moved, (0, False))
        found = self.renamed.get((i.lk_warp, i.lk_reg))
        waits = self.renames(i) and target is None
        return {
            "lk_hit": found is not None,
            "lk_phys": found[0] if found else 0,
            "lk_temp": found[1] if found else 0,
            "ready": not waits and len(leaving) <= 1,
            "none_free": not self.free,
            "new_valid": target is not None,
            "new_phys": target or 0,
            "move_valid": bool(leaving),
            "move_reg": moved[1],
            "move_phys": was_at,
            # A squash drops what is speculative itself.
            "move_copy": i.op != SQUASH or temporary,
            "stall": waits,
        }

    def clock(self, i):
        if i.op == KERNEL_START:
            self.__init__(self.p, i.used)
        target = self.target(i)
        if target is not None:
            self.free.discard(target)
            self.renamed[i.warp, i.areg] = target, i.temp
        for name in self.leaving(i)[:1]:
            self.free.add(self.renamed.pop(name)[0])
