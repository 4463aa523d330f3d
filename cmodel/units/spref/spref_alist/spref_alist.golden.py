"""spref_alist by lakshminarayana2014-graph 3.1.7: circular lists of three, in terms of how much was
written and read since the warp's lists were reset."""


class List:
    def __init__(self):
        self.places = [0, 0, 0]
        self.restart()

    def restart(self):
        self.written = self.moved = self.followed = 0


class Golden:
    def __init__(self, p):
        self.lists = {(warp, kind): List() for warp in range(p.WARPS) for kind in range(4)}

    def outputs(self, i):
        mine = self.lists.get((i.wid, i.sel))
        if mine is None:
            return {"mov_id": 0, "tail_id": 0}
        head = self.lists[i.wid, i.sel - i.sel % 2]
        return {
            "mov_id": mine.places[0 if i.reset else mine.moved % 3],
            "tail_id": head.places[0 if i.reset else head.followed % 3],
        }

    def clock(self, i):
        mine = self.lists.get((i.wid, i.sel))
        if mine is None:
            return
        if i.reset:
            for kind in range(4):
                self.lists[i.wid, kind].restart()
        if i.push:
            mine.places[mine.written % 3] = i.push_id
            mine.written += 1
        mine.moved += i.pop_mov
        self.lists[i.wid, i.sel - i.sel % 2].followed += i.pop_tail
