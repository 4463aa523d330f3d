"""rdu by tabbakh2018 3.7.3 and 3.7.4: what each SM has not seen of the others' stores, and who is
told when."""

from types import SimpleNamespace as Message

from golden_rdu import Signature, granules

WR, RCHK_MISS, RCHK_HIT, ATOMIC = range(4)
STEPS = 9  # of a granule, when its bits are looked at one after the other
WHOLE_BLOCK = [2**64 - 1] * 2


class Golden:
    def __init__(self, p):
        self.p = p
        self.unseen = [Signature(p.M) for _ in range(p.SMS)]
        self.count = [0] * p.SMS  # insertions since the SM's last point
        self.queue = []  # messages in order of arrival, the first in work
        self.forced = []  # SMs whose forced points are due
        self.at = 0  # words of a signature that were taken
        self.words = p.M // min(p.WORD, p.M)
        self.steps_of_granule = p.GRANULE_CYCLES if p.ONE_CYCLE else STEPS
        self.steps = 0  # that the granule, or after the last one the answer, has had

    def answering(self):
        """The message that is answered, or None."""
        if not self.queue or self.forced or self.queue[0].granules:
            return None
        return self.queue[0] if self.steps == self.p.LAT - 1 else None

    def is_point(self, message):
        """Whether its answer is a synchronisation point of its SM."""
        if message.type == WR:
            return not message.nosync  # D-R16
        return message.type == ATOMIC or message.race

    def granule_done(self, i):
        """The message whose granule is done in this step, or None."""
        works = self.queue and self.queue[0].granules and not self.forced
        last = self.steps == self.steps_of_granule - 1
        return self.queue[0] if works and last and not i.kernel_start else None

    def outputs(self, i):
        message, worked = self.answering(), self.granule_done(i)
        point = message is not None and self.is_point(message)
        to = self.forced[0] if self.forced else message.sm if point else None
        taken = i.out_ready and not i.kernel_start and self.at == self.words - 1
        return {
            "in_ready": self.accepts(),
            "ack_valid": message is not None,
            "ack_sm": message.sm if message else 0,
            "ack_id": message.id if message else 0,
            "ack_race": message.race if message else 0,
            "ack_has_sig": point,
            "fsync_valid": bool(self.forced),
            "fsync_sm": self.forced[0] if self.forced else 0,
            "sig_valid": to is not None,
            "sig_at": self.at,
            "sig": self.word(Signature(self.p.M) if to is None else self.unseen[to]),
            "insert": worked is not None and worked.type in (WR, ATOMIC),
            "test": worked is not None and worked.type != WR,
            "store_sync": taken and point and message.type in (WR, ATOMIC),
            "race_sync": taken and point and message.type in (RCHK_MISS, RCHK_HIT),
            "forced_sync": taken and bool(self.forced),
        }

    def word(self, signature):
        words = signature.words()
        n = len(words) // self.words
        return words[self.at * n : (self.at + 1) * n]

    def word_taken(self):
        """A word goes out; true with the last."""
        self.at = (self.at + 1) % self.words
        return self.at == 0

    def accepts(self):
        return len(self.queue) < self.p.QUEUE_ENTRIES

    def clock(self, i):
        if i.kernel_start:  # D-R11
            self.__init__(self.p)
            return
        accepted = i.in_valid and self.accepts()
        if self.forced:
            if i.out_ready and self.word_taken():
                self.point(self.forced.pop(0))
        elif self.answering():
            if i.out_ready and (not self.is_point(self.queue[0]) or self.word_taken()):
                self.answer(self.queue.pop(0))
        elif self.granule_done(i):
            self.granule(self.queue[0])
        elif self.queue:
            self.steps += 1
        if accepted:
            self.queue.append(self.message(i))

    def message(self, i):
        whole = i.in_type == RCHK_MISS and self.p.MISS_BLOCK  # D-R15
        return Message(
            type=i.in_type,
            sm=i.in_sm,
            granules=granules(i.in_addr, WHOLE_BLOCK if whole else i.in_mask, self.p.SHIFT),
            nosync=i.in_nosync,
            id=i.in_id,
            race=False,
        )

    def granule(self, message):
        self.steps = 0
        granule = message.granules.pop(0)
        if message.type != WR:
            message.race |= self.unseen[message.sm].has(granule)
        if message.type in (WR, ATOMIC):
            self.insert(message.sm, granule)
            if self.p.FULL_AT_ONCE:  # D-R2
                self.force()

    def insert(self, writer, granule):
        for sm in set(range(self.p.SMS)) - {writer}:
            if not (self.p.COUNT_UNIQUE and self.unseen[sm].has(granule)):
                self.count[sm] += 1
            self.unseen[sm].insert(granule)

    def answer(self, message):
        self.steps = 0
        if self.is_point(message):
            self.point(message.sm)
        self.force()

    def force(self):
        full = self.p.M // self.p.M_PER_N
        self.forced = [sm for sm in range(self.p.SMS) if self.count[sm] >= full]

    def point(self, sm):
        self.unseen[sm].clear()
        self.count[sm] = 0
