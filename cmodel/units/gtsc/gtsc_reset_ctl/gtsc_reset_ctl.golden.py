"""gtsc_reset_ctl by tabbakh2018 3.6.8 and D-G3: an overflow stops all banks, drains them, and resets
them at once.  The next one waits until every SM has adopted this one, and probes those that have not."""


def members(word, n):
    return {k for k in range(n) if word >> k & 1}


def word(numbers):
    return sum(2**k for k in numbers)


class Golden:
    def __init__(self, p):
        self.p = p
        self.all_sms = set(range(p.SMS))
        self.doing = "run"
        self.epoch = 0
        self.behind = set()  # SMs that have not adopted the last reset

    def held_up(self, i):
        return self.doing == "run" and i.overflow and not self.p.RESET_MODE and self.behind

    def outputs(self, i):
        flash = self.doing == "flash"
        if self.p.RESET_MODE:
            probed = self.all_sms if flash else set()
        else:
            probed = self.behind if self.held_up(i) else set()
        return {
            "stop": self.doing != "run",
            "flash": flash,
            "probe": word(probed),
            "epoch": self.epoch,
            "held_up": bool(self.held_up(i)),
        }

    def clock(self, i):
        held_up = self.held_up(i)
        self.behind = self.behind - members(i.adopted, self.p.SMS)
        if self.doing == "flash":
            self.doing = "run"
            self.epoch = (self.epoch + 1) % 2**self.p.EPOCH_BITS
            self.behind = self.all_sms
        elif self.doing == "drain":
            all_drained = members(i.drained, self.p.BANKS) == set(range(self.p.BANKS))
            self.doing = "flash" if all_drained else "drain"
        elif i.overflow and not held_up:
            self.doing = "drain"
