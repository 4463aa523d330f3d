"""spref_top by lakshminarayana2014-graph 3.1: the references of its parts, and what the text says that
one hands to another."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

from golden_spref import ADD, SUB, wrap


def part(name, **parameters):
    path = Path(__file__).parent.parent / f"spref_{name}" / f"spref_{name}.golden.py"
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Golden(SimpleNamespace(**parameters))


class Golden:
    def __init__(self, p):
        self.p = p
        self.loop = part("loopdet", GIVE_UP=p.GIVE_UP)
        self.tags, self.targets = part("tagtrk"), part("tlt", PORTS=1)
        self.counts = part("itercnt", WARPS=p.WARPS)
        self.distance = part("dist", MID=p.MID, HIGH=p.HIGH)
        self.lists = part("alist", WARPS=p.WARPS)
        self.steps = part("inject", WARPS=p.WARPS, CACHE_ONLY=p.CACHE_ONLY)
        self.needs = self.gets = 0

    def cycle(self, i):
        """Inputs and outputs of every part in this cycle."""
        told = {}

        def ask(name, **inputs):
            ports = SimpleNamespace(**{**vars(i), **inputs})
            answer = SimpleNamespace(**getattr(self, name).outputs(ports))
            told[name] = ports
            return answer

        loop = ask("loop", found=0)
        ahead = dict(vars(loop))  # pass, pass_begin, pass_end do not depend on found
        passes = {k: ahead[k] for k in ("pass", "pass_begin", "pass_end")}
        init = passes["pass_begin"] and passes["pass"] == 1
        tags = ask("tags", **passes, tag_init=init, head_id=0)
        targets = ask("targets", **passes, **vars(tags), pc=[i.dec_pc])
        ask("tags", **passes, tag_init=init, head_id=targets.head_id)
        loop = ask("loop", found=targets.found)
        ready = loop.loop_valid
        end = self.targets.end
        counts = ask(
            "counts", wid=i.exec_wid, mask=i.exec_mask, read_wid=i.dec_wid,
            setp_valid=i.exec_valid and ready and not i.kernel_start and i.exec_pc == end.pc,
            step_log2=end.log2, down=end.down, plus_one=end.plus_one,
        )
        common = dict(
            clear=i.kernel_start or not ready, ready=ready, maxreg_s=self.needs, has=targets.has,
            dec_start=i.dec_pc == loop.loop_start, is_head=targets.is_head[0],
            is_tail=targets.is_tail[0], idx=targets.idx[0], p=counts.p,
            br_valid=i.br_valid and i.br_pc == loop.loop_end, sum_valid=counts.sum_valid,
            sum_wid=counts.sum_wid, block_valid=self.strays(i, loop), block_wid=i.dec_wid,
        )
        first = ask("steps", **common, mov_id=0, tail_id=0, d=0)
        d = ask("distance", sum=counts.sum, n=counts.n, fixed1=self.p.FIXED1, nloads=first.nloads,
                spare=wrap(self.gets - self.needs, 6))
        where = dict(wid=i.dec_wid, sel=first.list_sel, reset=first.list_reset)
        ids = SimpleNamespace(**self.lists.outputs(SimpleNamespace(**where)))
        steps = ask("steps", **common, mov_id=ids.mov_id, tail_id=ids.tail_id, d=d.d)
        told["lists"] = SimpleNamespace(
            **where, push=steps.push, push_id=steps.out_dst, pop_mov=steps.pop_mov,
            pop_tail=steps.pop_tail,
        )
        del told["distance"]
        return told, loop, targets, counts, d, steps

    def strays(self, i, loop):
        within = loop.loop_start <= i.dec_pc <= loop.loop_end
        steps = i.op in (ADD, SUB) and i.raw_upd and not i.imm_valid and i.dst == self.tags.index
        if not (i.dec_valid and loop.loop_valid and within and steps):
            return False
        step = wrap(-i.step_val if i.op == SUB else i.step_val)
        return not i.step_ok or step != self.tags.index_step

    def outputs(self, i):
        _, loop, targets, counts, d, steps = self.cycle(i)
        own = steps.out_addr_mode == 1
        return {
            **{k: v for k, v in vars(steps).items() if k.startswith("out_") and k != "out_dist"},
            "out_ahead": wrap(steps.out_dist * targets.stride[0]) if own else 0,
            "out_shift": targets.shift[0],
            "out_base": targets.base[0],
            "out_imm": targets.imm[0],
            "stall_decode": steps.stall_decode,
            "pass": vars(loop)["pass"],
            "loop_valid": loop.loop_valid,
            "loop_start": loop.loop_start,
            "loop_end": loop.loop_end,
            "setp_pc": targets.setp_pc,
            "sum_valid": counts.sum_valid,
            "distance": d.d,
            "found": targets.found,
            "rejected": loop.rejected,
            "enters": steps.enters,
            "blocked": steps.blocked,
            "clamped": counts.sum_valid and d.clamped,
        }

    def clock(self, i):
        told = self.cycle(i)[0]
        for name, ports in told.items():
            getattr(self, name).clock(ports)
        if i.kernel_start:
            self.needs, self.gets = i.kernel_regs, i.kernel_room
