"""l2_tagx by Listing 3 of lakshminarayana2014 3.4.3, a function for each of its events."""


def on_fill(line, core):
    return {"coreId": core, "SR": 0, "PR": 0, "CB": 0}


def on_copyback(line, core):
    return on_fill(line, core) | {"CB": 1}


def on_hit(line, core):
    return line | ({"SR": 1} if core != line["coreId"] else {"PR": 1})


def on_atomic(line, core):
    return on_hit(line, core) | {"CB": 0}


EVENTS = [on_fill, on_copyback, on_hit, on_atomic]


class Golden:
    def __init__(self, p):
        self.p = p

    def outputs(self, i):
        line = {"coreId": i.owner, "SR": i.sr, "PR": i.pr, "CB": i.cb}
        event = EVENTS[i.op]
        after = event(line, i.core)
        answered = i.op_valid and bool(after["SR"]), i.op_valid and bool(after["PR"])
        leaves = event is on_hit and line["CB"] and i.core == line["coreId"] and not i.dirty
        return {
            "we": i.op_valid,
            "owner_next": after["coreId"],
            "sr_next": after["SR"],
            "pr_next": after["PR"],
            "cb_next": after["CB"],
            "resp_sr": answered[0],
            "resp_pr": answered[1],
            "inval": i.op_valid and bool(leaves),
        }
