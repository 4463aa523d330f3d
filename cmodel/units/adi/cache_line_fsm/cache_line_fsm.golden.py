"""cache_line_fsm by aci 3.8.2 and 3.8.3: the life of every line as transitions of its state.

The document leaves open what one cycle does to one line twice.  Here an operation meets the line
as it was; a reservation takes it over, still under the index of before the flush; and a line that
is flushed or stored to in the cycle of its fill is not kept."""

from collections import defaultdict

INVALID, RESERVED, VALID, DOOMED, MODIFIED = range(5)
NONE, EVICT, DIRTY, CLEAN = range(4)
PENDING = {RESERVED, DOOMED}

# What is not named stays.  A line that waits for data can only be doomed (3.8.6-5).
FLUSHED = {VALID: INVALID, MODIFIED: INVALID, RESERVED: DOOMED}
OPERATED = {NONE: {}, EVICT: FLUSHED, DIRTY: {VALID: MODIFIED}, CLEAN: {MODIFIED: VALID}}


class Golden:
    def __init__(self, p):
        self.p = p
        self.state = defaultdict(lambda: INVALID)  # by set and way; one that is not there stays so

    def states(self, of):
        return [self.state[of, way] for way in range(self.p.WAYS)]

    def changed(self, i):
        """Every line's state at the end of the cycle, and what became of the fill."""
        lines, fill = defaultdict(lambda: INVALID, self.state), None
        here = i.line_set, i.line_way
        if self.p.WRITE_BACK or i.line_op == EVICT:
            lines[here] = OPERATED[i.line_op].get(lines[here], lines[here])
        if self.reserves(i):
            lines[i.rsv_set, i.rsv_way] = RESERVED
        if i.flush_step:
            for way in range(self.p.WAYS):
                here = i.flush_set, way
                lines[here] = FLUSHED.get(lines[here], lines[here])
        if i.fill_valid:
            here = i.fill_set, i.fill_way
            if self.state[here] not in PENDING:
                fill = "stray"
            elif lines[here] == DOOMED:
                fill = "dropped"
                lines[here] = INVALID
            else:
                fill = "kept"
                lines[here] = MODIFIED if self.p.WRITE_BACK and i.fill_dirty else VALID
        return lines, fill

    def reserves(self, i):
        return bool(i.rsv_valid) and self.state[i.rsv_set, i.rsv_way] not in PENDING

    def outputs(self, i):
        _, fill = self.changed(i)
        return {
            "state_rd": self.states(i.rd_set),
            "all_reserved": set(self.states(i.rd_set)) <= PENDING,
            "flush_dirty": sum(
                2**way for way, s in enumerate(self.states(i.flush_set)) if s == MODIFIED
            ),
            "reserved": self.reserves(i),
            "rsv_refused": bool(i.rsv_valid) and not self.reserves(i),
            "fill_kept": fill == "kept",
            "fill_dropped": fill == "dropped",
            "fill_writeback": bool(fill == "dropped" and self.p.WRITE_BACK and i.fill_dirty),
            "fill_stray": fill == "stray",
        }

    def clock(self, i):
        lines, _ = self.changed(i)
        self.state.update({at: s for at, s in lines.items() if at[1] < self.p.WAYS})
