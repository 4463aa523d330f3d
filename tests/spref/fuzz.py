#!/usr/bin/env python3
"""fuzz.py LOOPS FIRST N [OPTIONS] - random loops in PTX, run with and without spref: the results must be
the same, each move must bring what is in memory, and what is read must be the same instructions, lanes and
addresses, each as often; loops that are left early may read more (lakshminarayana2014-graph 3.8).

A kernel is a function of its number: loops that nest, end early, run for no thread or for many
iterations, step by registers or immediates, up and down, to addresses made in several ways; loads that
are read-only and loads of what the loop writes; bodies under branches and predicates.  A loop that
advances a pointer under a branch may be refused while it runs (3.1.13), any other may not.
LOOPS is the program of loops.c, OPTIONS are appended to the mechanism `spref`; FIRST_DIFFERENCE=1 ends with
the first one, READS=0 looks at results alone.  Prints a line for each difference, and one with what there
was; exit status 1 if there was a difference, or if spref never acted."""

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

WORDS = 4096
REFUSAL = "does in some iteration what it did not in training"


class Kernel:
    def __init__(self, number):
        self.random = random.Random(number)
        self.rare = random.Random(f"rare {number}")  # a kernel without these is as it would be without them
        self.lines, self.registers, self.labels = [], {"r": 0, "rd": 0, "p": 0}, 0
        self.hazard = self.chance(0.04)  # a pointer may advance under a branch
        self.advances = False  # one does
        self.counted = True  # no iteration is missed of those that a loop's count says
        self.text = self.build()

    def chance(self, p):
        return self.random.random() < p

    def seldom(self, p):
        return self.rare.random() < p

    def pick(self, *these):
        return self.random.choice(these)

    def new(self, kind):
        self.registers[kind] += 1
        return f"%{kind}{self.registers[kind]}"

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def emit(self, line):
        self.lines.append(" " + line + ";")

    def place(self, label):
        self.lines.append(label + ":")

    def op(self, kind, text, *rest):
        to = self.new(kind)
        self.emit(f"{text} {to}, " + ", ".join(map(str, rest)))
        return to

    # ---- the kernel ----
    def build(self):
        e = self.emit
        self.arrays = {}
        for name in ("ro0", "ro1", "rw", "out"):
            self.arrays[name] = self.op("rd", "ld.param.u64", f"[{name}]")
        x, y, z = (self.op("r", "mov.u32", s) for s in ("%ctaid.x", "%ntid.x", "%tid.x"))
        self.tid = self.op("r", "mad.lo.s32", x, y, z)
        self.sum = self.op("r", "mov.u32", 0)
        self.far = False
        self.turning = None
        self.factor = self.op("r", "mov.u32", self.pick(1, 2, 3))
        if self.chance(0.35):
            self.outer()
        else:
            self.loop()
            if self.chance(0.2):
                self.loop()
        at = self.op("rd", "mul.wide.u32", self.tid, 4)
        at = self.op("rd", "add.s64", at, self.arrays["out"])
        e(f"st.global.u32 [{at}], {self.sum}")
        e("ret")
        declared = "".join(
            f" .reg .{kind} %{letter}<{self.registers[letter] + 1}>;\n"
            for letter, kind in (("p", "pred"), ("r", "b32"), ("rd", "b64"))
        )
        params = ", ".join(f".param .u64 {name}" for name in self.arrays)
        head = ".version 6.0\n.target sm_35\n.address_size 64\n"
        return f"{head}.visible .entry k({params})\n{{\n{declared}" + "\n".join(self.lines) + "\n}\n"

    def outer(self):
        times = self.op("r", "mov.u32", self.pick(2, 3, 4))
        top = self.label()
        self.place(top)
        self.loop()
        self.emit(f"add.s32 {times}, {times}, -1")
        again = self.op("p", "setp.ne.s32", times, 0)
        self.emit(f"@{again} bra {top}")

    def mixed(self, modulo):
        """A number that differs between threads."""
        r = self.op("r", "mul.lo.u32", self.tid, self.random.randrange(1, 999) * 2 + 1)
        r = self.op("r", "add.s32", r, self.sum)
        return self.op("r", "rem.u32", r, modulo)

    def between_warps(self, one, other):
        """A number that differs between the warps of a block."""
        part = self.op("r", "shr.u32", self.tid, 5)
        part = self.op("r", "and.b32", part, 1)
        return self.op("r", "mad.lo.s32", part, other - one, one)

    def loop(self):
        """Of some trips of each thread; a register with the index, one with the end."""
        e, r = self.emit, self.random
        self.step = self.pick(1, 1, 1, 2, 4)
        most = self.pick(1, 2, 5, 9, 24)
        trips = self.mixed(most)
        if self.chance(0.7):
            trips = self.op("r", "add.s32", trips, 1)
        first = self.mixed(200)
        span = self.op("r", "mul.lo.s32", trips, self.step)
        last = self.op("r", "add.s32", first, span)
        if self.chance(0.2):
            last = self.op("r", "add.s32", last, -r.randrange(self.step) if self.step > 1 else 0)
        down = self.chance(0.3)
        index = self.op("r", "mov.u32", last if down else first)
        end = first if down else last
        if down and self.chance(0.5) and self.step == 1:  # counts to zero
            index, end = self.op("r", "mov.u32", trips), 0
        by = -self.step if down else self.step
        # It ends at the end of the arrays, but its count goes on behind that.
        self.far = not down and self.seldom(0.05)
        if self.far:
            last = self.op("r", "sub.s32", WORDS, self.mixed(2))
            first = self.op("r", "sub.s32", last, span)
            index, end = self.op("r", "mov.u32", first), self.op("r", "add.s32", last, 1000)
            self.counted = False
        # One that grows by doubling.
        self.doubling = self.op("r", "mov.u32", 1) if most <= 9 and self.seldom(0.15) else None
        step = self.op("r", "mov.u32", by) if self.chance(0.25) else by
        self.exact = True  # the index comes to the end, not beyond it
        if self.chance(0.08):  # between warps, or between lanes
            part = self.op("r", "shr.u32", self.tid, self.pick(0, 5, 6))
            part = self.op("r", "and.b32", part, 1)
            step = self.op("r", "sub.s32" if down else "add.s32", by, part)
            self.exact = False
        skip, top, leave = self.label(), self.label(), self.label()
        self.turning = None
        if self.chance(0.08):  # two bases that change places
            self.turning = [self.op("rd", "mov.u64", self.arrays[name]) for name in ("ro0", "ro1")]
        none = self.op("p", *(("setp.le.s32", trips, 0) if self.chance(0.5) else ("setp.ge.s32", first, last)))
        e(f"@{none} bra {skip}")
        pointers = self.pointers(first)
        self.place(top)
        self.body(index, pointers, leave)
        for p, width in pointers:
            guard = ""
            if self.chance(0.06):  # in some iterations only
                low = self.op("r", "and.b32", self.sum, 3)
                guard = f"@{self.op('p', 'setp.ne.s32', low, 1)} "
            by_register = self.seldom(0.1)
            if by_register:
                amount = self.between_warps(self.step * width, 2 * self.step * width)
                amount = self.op("rd", "cvt.s64.s32", amount)
            e(f"{guard}add.s64 {p}, {p}, {amount if by_register else self.step * width}")
            if self.chance(0.06):
                e(f"add.s64 {p}, {p}, {self.step * width}")
        if self.turning:
            one, other = self.turning
            kept = self.op("rd", "mov.u64", one)
            e(f"mov.u64 {one}, {other}")
            e(f"mov.u64 {other}, {kept}")
        p = self.compare(index, end, down) if self.chance(0.05) else None  # before the advance
        if self.chance(0.07):  # the index goes through another register
            other = self.op("r", "add.s32", index, step)
            e(f"mov.u32 {index}, {other}")
        else:
            e(f"add.s32 {index}, {index}, {step}")
        if self.chance(0.05) and end != 0:  # an end that moves
            if self.chance(0.5):
                nearer = self.op("r", "and.b32", self.sum, 1)
                e(f"{'add' if down else 'sub'}.s32 {end}, {end}, {nearer}")
            else:
                e(f"xor.b32 {end}, {end}, 1")
            self.exact = False
        if self.doubling:
            e(f"shl.b32 {self.doubling}, {self.doubling}, 1")
        if self.far:
            e(f"@{self.op('p', 'setp.ge.s32', index, last)} bra {leave}")
        p, true = p or self.compare(index, end, down)
        if self.seldom(0.05):  # goes on from here, too
            low = self.op("r", "and.b32", self.sum, 3)
            low = self.op("r", "selp.b32", low if true else 1, 1 if true else low, p)
            e(f"@{self.op('p', 'setp.eq.s32', low, 0)} bra {top}")
            self.access(index, pointers)
            self.counted = False
        if self.chance(0.06):
            self.access(index, pointers)  # behind it
        e(f"@{'' if true else '!'}{p} bra {top}")
        self.place(leave)
        self.place(skip)

    def compare(self, index, end, down):
        """A predicate, and whether the loop goes on where it holds."""
        words = ["gt" if down else "lt"]
        if self.step == 1 and self.exact:
            words.append("ne")
        word = self.random.choice(words)
        true = not self.chance(0.25)
        if not true:
            word = {"lt": "ge", "gt": "le", "ne": "eq"}[word]
        return self.op("p", f"setp.{word}.s32", index, end), true

    def pointers(self, first):
        """Registers with addresses that the loop advances."""
        out = []
        for _ in range(self.pick(0, 0, 1, 2)):
            width = self.pick(4, 4, 2, 1)
            at = self.op("rd", "mul.wide.u32", first, width)
            out.append((self.op("rd", "add.s64", at, self.arrays[self.pick("ro0", "ro1")]), width))
        return out

    def body(self, index, pointers, leave):
        self.leave = leave
        for _ in range(self.pick(1, 1, 2, 3)):
            self.access(index, pointers)
        if self.chance(0.3):
            self.store(index)
        if self.chance(0.4):
            self.branch(index, pointers)
        if self.chance(0.25):  # break
            low = self.op("r", "and.b32", self.sum, self.pick(7, 15, 63))
            p = self.op("p", "setp.eq.s32", low, 3)
            self.emit(f"@{p} bra {leave}")
            self.counted = False
        if self.chance(0.1):
            self.access(index, pointers)

    def address(self, index, array, width):
        """array + index * width, made in one of several ways; indices are bounded."""
        base, form = self.arrays[array], self.random.randrange(5)
        if self.turning and array != "rw":
            base = self.turning[0]
        shift = {1: 0, 2: 1, 4: 2}[width]
        if form == 0:
            at = self.op("rd", "mul.wide.s32", index, width)
        elif form == 1:
            at = self.op("rd", "cvt.s64.s32", index)
            at = self.op("rd", "shl.b64", at, shift)
        elif form == 2:
            return self.op("rd", "mad.wide.s32", index, width, base)
        elif form == 3:
            at = self.op("r", "shl.b32", index, shift)
            at = self.op("rd", "cvt.u64.u32", at)
        else:
            at = self.op("rd", "mul.wide.u32", index, width)
        return self.op("rd", "add.s64", *((at, base) if self.chance(0.7) else (base, at)))

    def take(self, value):
        how = self.pick("add.s32", "xor.b32", "sub.s32")
        self.emit(f"{how} {self.sum}, {self.sum}, {value}")

    def load(self, at, width, array, guard="", offsets=("", "", "+4", "+64")):
        kind = {4: "u32", 2: self.pick("u16", "s16"), 1: self.pick("u8", "s8")}[width]
        cached = ".nc" if array != "rw" and self.chance(0.85) else ""
        offset = self.pick(*offsets)
        offset = "" if self.far else offset
        to = self.new("r")
        if guard:
            self.emit(f"mov.u32 {to}, 7")
        self.emit(f"{guard}ld.global{cached}.{kind} {to}, [{at}{offset}]")
        return to

    def access(self, index, pointers):
        """A load at a strided address, perhaps one at an address made of its value."""
        guard = ""
        if self.chance(0.08):
            low = self.op("r", "and.b32", self.pick(self.tid, index), 3)
            guard = f"@{self.op('p', 'setp.ne.s32', low, 1)} "
        if pointers and self.chance(0.6):
            at, width = self.random.choice(pointers)
            value = self.load(at, width, "ro0", guard)
        else:
            array, width = self.pick("ro0", "ro1", "ro0", "rw"), self.pick(4, 4, 4, 2, 1)
            if self.chance(0.06):
                index = self.op("r", "mul.lo.s32", index, self.factor)
            elif self.seldom(0.04):
                index = self.op("r", "add.s32", index, index)
            elif self.doubling and self.seldom(0.5):
                index = self.doubling
            value = self.load(self.address(index, array, width), width, array, guard)
        self.take(value)
        if self.chance(0.65):
            # Words of ro0 and ro1 are below 1024; bytes and halves of them, and words of rw, are not
            # all: most are cut, the others must not reach far.
            if self.chance(0.3):
                value = self.op("r", "and.b32", value, 1023)
            else:
                value = self.op("r", "min.u32", value, 1023) if self.chance(0.2) else value
            if self.chance(0.08):
                value = self.op("r", "add.s32", value, self.op("r", "and.b32", self.tid, 31))
            array, width = self.pick("ro1", "ro0", "rw"), self.pick(4, 4, 1)
            got = self.load(self.address(value, array, width), width, array)
            self.take(got)
            if self.chance(0.2):
                third = self.op("r", "and.b32", got, 1023)
                self.take(self.load(self.address(third, "ro1", 4), 4, "ro1"))

    def store(self, index):
        """To the thread's own words of rw, which loads of rw may read as well (its block's: the
        result does not depend on the order of warps)."""
        own = self.op("r", "mad.lo.s32", self.tid, 8, 2048)
        low = self.op("r", "and.b32", index, 7)
        own = self.op("r", "add.s32", own, low)
        at = self.address(own, "rw", 4)
        if self.chance(0.5):
            self.take(self.load(at, 4, "rw", offsets=("",)))
        self.emit(f"st.global.u32 [{at}], {self.sum}")

    def branch(self, index, pointers):
        skip = self.label()
        low = self.op("r", "and.b32", self.sum, self.pick(1, 3))
        p = self.op("p", "setp.ne.s32", low, 0)
        self.emit(f"@{p} bra {skip}")
        if self.hazard and pointers:
            at, width = pointers[0]
            self.emit(f"add.s64 {at}, {at}, {width}")
            self.advances = True
        else:
            self.hazard = False
            self.take(self.load(self.address(index, "ro1", 4), 4, "ro1") if self.chance(0.5) else 5)
        if self.chance(0.3):  # lanes part: both sides meet behind the loop
            low = self.op("r", "and.b32", self.sum, self.pick(8, 16, 24))
            p = self.op("p", "setp.eq.s32", low, 8)
            self.emit(f"@{p} bra {self.leave}")
            self.counted = False
        self.place(skip)


class Loops:
    """loops.c at work: kernels go in, what became of them comes out."""

    COUNTED = ("moves", "heads", "tails", "poisoned", "regrouped", "hinted")

    def __init__(self, program, folder):
        words = random.Random(7)
        small = b"".join(words.randrange(1024).to_bytes(4, "little") for _ in range(WORDS))
        (folder / "small.bin").write_bytes(small)
        self.process = subprocess.Popen([program, folder / "small.bin", folder / "k.ptx"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, number, form, text):
        text = text.encode()
        self.process.stdin.write(f"{number} {form} {len(text)}\n".encode() + text)
        self.process.stdin.flush()
        line = self.process.stdout.readline().decode()
        if not line:
            sys.exit(f"fuzz.py: kernel {number}: {self.process.args[0]} ended with status {self.process.wait()}")
        words = line.rstrip("\n").split(" ", 13)
        names = ("number", "plain", "other", "same", "missing", "extra", "wrong", *self.COUNTED)
        return dict(zip(names, map(int, words))), words[13]


def judge(kernel, form, got, error):
    """What is wrong, in words; empty when nothing is."""
    if got["plain"] != got["other"] or got["plain"] == 0 and not got["same"]:
        yield f"status {got['plain']} and {got['other']}: {error[-200:]}"
    if got["plain"] or os.environ.get("READS") == "0":
        return
    if got["wrong"]:
        yield f"{got['wrong']} lanes of moves with other bytes than memory's"
    if got["missing"] and not got["other"]:
        yield f"{got['missing']} reads of the plain run are missing"
    if got["extra"] and not got["other"] and kernel.counted and "cache" not in form:
        yield f"{got['extra']} reads are none of the plain run's"


def main():
    program, first, n, options = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    total = dict.fromkeys(("kernels", "differ", "refused", "fault", "counted", "extra") + Loops.COUNTED, 0)
    forms = ["spref", "spref:distance=1", "spref:distance=1:target=cache", "spref:spare=3",
             "spref:compiler=1", "spref:compiler=1:distance=1"]
    with tempfile.TemporaryDirectory() as name:
        loops = Loops(program, Path(name))
        for number in range(first, first + n):
            kernel = Kernel(number)
            form = "spref" + options[0] if options and options[0] else forms[number % len(forms)]
            got, error = loops.run(number, form, kernel.text)
            total["kernels"] += 1
            total["fault"] += got["plain"] != 0
            total["counted"] += kernel.counted and got["moves"] > 0
            total["extra"] += got["extra"]
            for name in Loops.COUNTED:
                total[name] += got[name]
            wrong = "; ".join(judge(kernel, form, got, error))
            if got["other"] and REFUSAL in error and kernel.advances:
                total["refused"] += 1
            elif wrong:
                total["differ"] += 1
                print(f"kernel {number}, {form}: {wrong}", flush=True)
                if os.environ.get("FIRST_DIFFERENCE"):
                    break
            if sys.stderr.isatty():
                print(f"\r{number}", end="", file=sys.stderr)
        loops.process.stdin.close()
        loops.process.wait()
    print(" ".join(f"{name} {count}" for name, count in total.items()))
    return 1 if total["differ"] or not total["moves"] else 0


sys.exit(main())
