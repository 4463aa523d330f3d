"""l2_policy by the table of lakshminarayana2014 3.3.2, a row for each event, and 3.3.3."""

from golden_graph import leader

KINDS = {0: "read", 1: "store", 2: "atomic", 3: "store"}


class Golden:
    def __init__(self, p):
        self.p = p

    def mode(self, i):
        fixed = {0: "NI", 1: "EX"}.get(self.p.POLICY)
        return fixed or leader(self.p, i.set_index) or ("EX" if i.mode_follow else "NI")

    def outputs(self, i):
        kind = "copy-back" if i.cb_hdr else KINDS[i.req_type]
        event = (kind, "hit" if i.hit else "miss", self.mode(i))
        stale = i.written and self.p.CB_FILTER
        lost = kind == "copy-back" and not i.hit and not i.pending
        return {
            "exclusive": kind == "read" and event[2] == "EX",
            "insert_on_fill": event in {("read", "miss", "NI"), ("atomic", "miss", "NI"), ("atomic", "miss", "EX")},
            "inval_on_hit": event == ("read", "hit", "EX") and not i.dirty,
            "accept_cb": lost and not stale,
            "stale_dropped": lost and bool(stale),
        }
