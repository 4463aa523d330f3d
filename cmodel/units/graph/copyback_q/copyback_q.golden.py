"""copyback_q by lakshminarayana2014 3.3.4 and 3.3.5: a queue of packets, each a list of flits."""


class Golden:
    def __init__(self, p):
        self.p = p
        self.lines = []  # each as its address and its flits of data
        self.sent = 0  # flits of the first that have gone

    def ready(self):
        return len(self.lines) < self.p.DEPTH

    def outputs(self, i):
        flit = [0] * 4
        if self.lines:
            address, data = self.lines[0]
            head = [i.core * 2**self.p.ADDR_W + address, 0, 0, 0]
            flit = ([head] + data)[self.sent]
        comes = i.ev_valid and self.ready()
        return {
            "ev_ready": self.ready(),
            "flit_valid": bool(self.lines),
            "flit_head": self.sent == 0,
            "flit_tail": self.sent == self.p.WORDS // 4,
            "flit": flit,
            "queued": comes and i.ev_cb and not i.flush,
            "passed_by": comes and not i.ev_cb,
        }

    def clock(self, i):
        comes = self.outputs(i)["queued"]
        if self.lines and i.flit_ready:
            self.sent += 1
        if i.flush:
            self.lines = self.lines[:1] if self.sent else []
        if self.sent > self.p.WORDS // 4:
            self.lines, self.sent = self.lines[1:], 0
        if comes:
            words = list(i.ev_data)
            self.lines.append((i.ev_addr, [words[n : n + 4] for n in range(0, len(words), 4)]))
