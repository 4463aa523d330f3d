"""golden_sched.py - the order of age that the schedulers' references share (wang2015 3.0, 3.2, A.5;
D-COM-1): the resident warps' slots, oldest first."""


class Ages:
    def __init__(self, slots):
        self.slots = slots
        self.oldest_first = []

    def resident(self):
        return sum(2**slot for slot in self.oldest_first)

    def ranks(self):
        """Of every slot how many resident warps are older; 0 where there is no warp."""
        rank = dict.fromkeys(range(self.slots), 0)
        rank |= {slot: older for older, slot in enumerate(self.oldest_first)}
        return list(rank.values())

    def after_exit(self, i):
        """Exit comes before launch (A.5); of a warp that is not there it is ignored."""
        leaves = {i.warp_exit_wid} if i.warp_exit_valid else set()
        return [slot for slot in self.oldest_first if slot not in leaves]

    def can_launch(self, i):
        return i.warp_launch_wid < self.slots and i.warp_launch_wid not in self.after_exit(i)

    def refused(self, i):
        no_warp = i.warp_exit_wid not in self.oldest_first
        return bool(i.warp_exit_valid and no_warp or i.warp_launch_valid and not self.can_launch(i))

    def clock(self, i):
        youngest = [i.warp_launch_wid] if i.warp_launch_valid and self.can_launch(i) else []
        self.oldest_first = self.after_exit(i) + youngest
