#!/usr/bin/env python3
"""Deterministic generator of the reference set: small SASS traces, one property each.

usage: gen_reference.py OUTDIR [case ...]    default: all cases
       gen_reference.py --list               names and what each isolates

Writes OUTDIR/<case>/kernelslist.g and kernel-N.traceg for every case, OUTDIR/index.csv (one line
a kernel) and OUTDIR/cases.csv (one line a case).  Standard library only, no random state but
splitmix64 below: the same output everywhere.

A case isolates one property; its kernels are the points of one sweep, each with a name that says
the point.  Unless the case is about the instruction cache or about launching, kernel 1 is called
"warmup": 240 blocks (a multiple of 15 and of 80 SMs) that run once over code addresses 0..0x7ff,
two instructions a 128 B line (a fetch brings two), so that later kernels find their code in the
L1I.  Data regions of different kernels are disjoint unless the case says otherwise: every kernel
finds them cold.
"""
import csv, os, sys

FULL = 0xFFFFFFFF
M64 = (1 << 64) - 1
BASE = 0x40000000


class Rng:
    """splitmix64"""
    def __init__(self, seed):
        self.s = seed & M64

    def below(self, n):
        self.s = (self.s + 0x9E3779B97F4A7C15) & M64
        z = self.s
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
        return ((z ^ (z >> 31)) >> 11) % n


def lanes(mask):
    return [i for i in range(32) if mask >> i & 1]


def enc_addrs(mask, addrs):
    """the tracer's choice: base and stride over one run of lanes, else base and deltas"""
    n = len(addrs)
    if n > 1:
        low = mask & -mask
        run = ((mask // low) & (mask // low + 1)) == 0
        stride = addrs[1] - addrs[0]
        if run and all(addrs[i] - addrs[i - 1] == stride for i in range(2, n)):
            return "1 0x%x %d" % (addrs[0], stride)
    return " ".join(["2 0x%x" % addrs[0]] + [str(addrs[i] - addrs[i - 1]) for i in range(1, n)])


class Warp:
    """the instructions of one warp; the code address counts up by itself and loop() winds it back"""
    def __init__(self):
        self.pc, self.lines, self.exited = 0, [], 0

    def i(self, op, dst=None, srcs=(), mask=FULL, addrs=None, width=4):
        s = "%04x %08x %s%s %d %s" % (self.pc, mask, "0 " if dst is None else "1 R%d " % dst, op,
                                      len(srcs), "".join("R%d " % r for r in srcs))
        if addrs is None:
            s += "0"
        else:
            assert len(addrs) == bin(mask).count("1")
            s += "%d %s" % (width, enc_addrs(mask, addrs))
        if op == "EXIT":
            assert not self.exited & mask
            self.exited |= mask
        self.lines.append(s)
        self.pc += 16

    def loop(self, n, body):
        """body(j) n times at the same code addresses; no branch instruction"""
        top = end = self.pc
        for j in range(n):
            self.pc = top
            body(j)
            end = max(end, self.pc)
        self.pc = end

    # loads and stores: one address a lane -------------------------------------------------------
    def ld(self, dst, areg, addrs, op="LDG.E.SYS", mask=FULL, width=4):
        self.i(op, dst, (areg,), mask, addrs, width)

    def st(self, areg, vreg, addrs, op="STG.E.SYS", mask=FULL, width=4):
        self.i(op, None, (areg, vreg), mask, addrs, width)

    def exit(self):
        self.i("EXIT")


def seq(base, step=4, mask=FULL):
    return [base + step * l for l in lanes(mask)]


class Case:
    def __init__(self, out, name, group, isolates, warm=True):
        self.out, self.name, self.group, self.isolates = out, name, group, isolates
        self.dir = os.path.join(out, name)
        os.makedirs(self.dir, exist_ok=True)
        for f in os.listdir(self.dir):
            if f.endswith(".traceg"):
                os.remove(os.path.join(self.dir, f))
        self.kernels, self.top = [], BASE
        if warm:
            def body(w, b, j):
                for l in range(16):
                    w.pc = 128 * l
                    w.i("MOV", 8)
                    w.i("MOV", 9)
                w.exit()
            self.kernel("warmup", 240, 1, body)

    def mem(self, nbytes, align=4096):
        """a region nobody else of this case uses"""
        a = (self.top + align - 1) // align * align
        self.top = a + nbytes
        return a

    def kernel(self, label, blocks, warps, body, regs=32, shmem=0):
        """body(warp, block number, warp number)"""
        n = len(self.kernels) + 1
        insts = 0
        with open(os.path.join(self.dir, "kernel-%d.traceg" % n), "w") as f:
            f.write("-kernel name = %s\n-kernel id = %d\n-grid dim = (%d,1,1)\n"
                    "-block dim = (%d,1,1)\n-shmem = %d\n-nregs = %d\n-binary version = 70\n"
                    "-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
                    "-local mem base_addr = 0x00007f1000000000\n-nvbit version = 1.5\n"
                    "-accelsim tracer version = 3\n\n#traces format = PC mask dest_num [reg_dests] "
                    "opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]\n"
                    % (label, n, blocks, 32 * warps, shmem, regs))
            for b in range(blocks):
                f.write("\n#BEGIN_TB\n\nthread block = %d,0,0\n" % b)
                for j in range(warps):
                    w = Warp()
                    body(w, b, j)
                    assert w.exited == FULL
                    insts += len(w.lines)
                    f.write("\nwarp = %d\ninsts = %d\n%s\n" % (j, len(w.lines), "\n".join(w.lines)))
                f.write("\n#END_TB\n")
        self.kernels.append((n, label, blocks, warps, regs, shmem, insts))

    def close(self):
        with open(os.path.join(self.dir, "kernelslist.g"), "w") as f:
            for k in self.kernels:
                f.write("kernel-%d.traceg\n" % k[0])


CASES = {}


def case(group, isolates, warm=True):
    def deco(fn):
        CASES[fn.__name__] = (fn, group, isolates, warm)
        return fn
    return deco


# 1. arithmetic --------------------------------------------------------------------------------
CLASSES = (("IADD3", (8, 4)), ("IMAD", (8, 4, 5)), ("MOV", (8,)), ("FADD", (8, 4)),
           ("FFMA", (8, 4, 5)), ("HFMA2", (8, 4, 5)), ("MUFU.RCP", (8,)), ("DADD", (8, 4)),
           ("DFMA", (8, 4, 6)), ("SHFL.IDX", (8,)), ("F2I", (8,)), ("LDC", (8,)))


def dotless(op):
    return op.replace(".", "_").lower()


@case("arithmetic", "issue-to-issue latency of a chain of dependent instructions, one warp, by opcode")
def alu_chain(c):
    for op, srcs in CLASSES:
        def body(w, b, j):
            w.loop(16, lambda k: [w.i(op, 8, srcs) for _ in range(16)])
            w.exit()
        c.kernel("chain256_" + dotless(op), 1, 1, body)


def throughput(c, op, srcs, total=256):
    for warps in (1, 2, 4, 8, 16, 32, 48):
        def body(w, b, j):
            w.loop(total // 16, lambda k: [w.i(op, 8 + m, srcs) for m in range(16)])
            w.exit()
        if warps == 48:
            # more than one block: fill 15 SMs with three blocks each (80 SMs get one or none)
            c.kernel("%s_45blocks_16warps" % dotless(op), 45, 16, body)
        else:
            c.kernel("%s_%02dwarps" % (dotless(op), warps), 1, warps, body)


@case("arithmetic", "throughput of independent FFMA against the number of warps on one SM")
def throughput_ffma(c):
    throughput(c, "FFMA", (4, 5, 6))


@case("arithmetic", "throughput of independent IADD3 against the number of warps on one SM")
def throughput_iadd3(c):
    throughput(c, "IADD3", (4, 5))


@case("arithmetic", "throughput of independent IMAD against the number of warps on one SM")
def throughput_imad(c):
    throughput(c, "IMAD", (4, 5, 6))


@case("arithmetic", "throughput of independent MUFU against the number of warps on one SM")
def throughput_mufu(c):
    throughput(c, "MUFU.RCP", (4,), 128)


@case("arithmetic", "throughput of independent DFMA against the number of warps on one SM")
def throughput_dfma(c):
    throughput(c, "DFMA", (4, 5, 6), 64)


@case("arithmetic", "throughput of independent HFMA2 against the number of warps on one SM")
def throughput_hfma2(c):
    throughput(c, "HFMA2", (4, 5, 6))


@case("arithmetic", "what one scheduler or several can issue together: alternating opcode classes")
def issue_mixed_pipes(c):
    mixes = (("ffma_iadd3", ("FFMA", "IADD3")), ("ffma_mufu", ("FFMA", "MUFU.RCP")),
             ("ffma_dfma", ("FFMA", "DFMA")), ("ffma_lds", ("FFMA", "LDS")),
             ("iadd3_mufu_lds", ("IADD3", "MUFU.RCP", "LDS")), ("ffma_7_mufu_1", ("FFMA",) * 7 + ("MUFU.RCP",)))
    for name, mix in mixes:
        for warps in (1, 2, 8, 16):
            def body(w, b, j):
                def it(k):
                    for m in range(24):
                        op = mix[m % len(mix)]
                        if op == "LDS":
                            w.ld(8 + m, 4, seq(0), "LDS")
                        else:
                            w.i(op, 8 + m, (4, 5, 6) if op in ("FFMA", "DFMA") else (4, 5) if op == "IADD3" else (4,))
                w.loop(8, it)
                w.exit()
            c.kernel("%s_%02dwarps" % (name, warps), 1, warps, body, 48, 4096)


@case("arithmetic", "operand reads: sources in one register bank against sources in different banks")
def register_banks(c):
    # every case also has its destination, R40..R55, in bank (R + warp) of 16
    pats = (("distinct", (1, 2, 3)), ("same_reg", (4, 4, 4)), ("stride2", (2, 4, 6)), ("stride4", (0, 4, 8)),
            ("stride8", (0, 8, 16)), ("stride16", (0, 16, 32)), ("two_of_16", (0, 16, 1)))
    for name, srcs in pats:
        for warps in (1, 8, 16):
            def body(w, b, j):
                w.loop(16, lambda k: [w.i("FFMA", 40 + m, srcs) for m in range(16)])
                w.exit()
            c.kernel("%s_%02dwarps" % (name, warps), 1, warps, body, 60)


@case("arithmetic", "operand collector: 0 to 3 source operands; 1, 8 or 16 warps")
def operand_count(c):
    for n in range(4):
        for warps in (1, 8, 16):
            def body(w, b, j):
                w.loop(16, lambda k: [w.i("FFMA", 16 + m, (1, 2, 3)[:n]) for m in range(16)])
                w.exit()
            c.kernel("%dsources_%02dwarps" % (n, warps), 1, warps, body, 40)


@case("arithmetic", "register hazards: write after write, write after read, and a destination bank shared by all")
def hazards(c):
    def waw(w, m):
        w.i("FFMA", 8, (4, 5, 6))

    def war(w, m):
        w.i("MUFU.RCP", 20 + m, (8,)) if m % 2 == 0 else w.i("IADD3", 8, (4, 5))

    def wbank(w, m):
        w.i("FFMA", 16 * (1 + m % 3), (4, 5, 6))

    def raw2(w, m):
        w.i("FFMA", 8 + m % 2, (8 + m % 2, 5, 6))

    def raw4(w, m):
        w.i("FFMA", 8 + m % 4, (8 + m % 4, 5, 6))
    for name, f in (("waw", waw), ("war", war), ("one_write_bank", wbank), ("raw_2_chains", raw2), ("raw_4_chains", raw4)):
        for warps in (1, 8):
            def body(w, b, j):
                w.loop(16, lambda k: [f(w, m) for m in range(16)])
                w.exit()
            c.kernel("%s_%02dwarps" % (name, warps), 1, warps, body, 64)


@case("arithmetic", "branch unit: a loop of 3 instructions and a branch, or of branches only")
def branch_loop(c):
    for name, n in (("bra_only", 0), ("3alu_1bra", 3), ("7alu_1bra", 7)):
        for warps in (1, 8, 32):
            def body(w, b, j):
                def it(k):
                    for m in range(n):
                        w.i("IADD3", 8 + m, (4, 5))
                    w.i("BRA")
                w.loop(64, it)
                w.exit()
            c.kernel("%s_%02dwarps" % (name, warps), 1, warps, body)


@case("fetch", "instruction cache: straight code of 1..16 KB run twice, one or eight warps (cold start)", warm=False)
def icache_footprint(c):
    for kb in (1, 2, 4, 16):
        for warps in (1, 8):
            def body(w, b, j):
                w.loop(2, lambda k: [w.i("IADD3", 8 + m % 16, (4, 5)) for m in range(64 * kb)])
                w.exit()
            c.kernel("code_%02dkB_twice_%dwarps" % (kb, warps), 1, warps, body)


@case("fetch", "instruction fetch: eight warps in eight different code regions, each loop fitting alone", warm=False)
def icache_thrash(c):
    for gap in (0, 256, 512, 2048):
        def body(w, b, j):
            w.pc = gap * j
            w.loop(16, lambda k: [w.i("IADD3", 8 + m, (4, 5)) for m in range(16)])
            w.exit()
        c.kernel("8warps_%dB_apart" % gap, 1, 8, body)


@case("divergence", "lane masks: arithmetic time does not depend on the number of active lanes")
def masks_alu(c):
    for name, mask in (("lane0", 1), ("low8", 0xFF), ("even", 0x55555555), ("all", FULL)):
        def body(w, b, j):
            w.loop(16, lambda k: [w.i("FFMA", 8 + m, (4, 5, 6), mask) for m in range(16)])
            w.exit()
        c.kernel("ffma_" + name, 1, 8, body)


# 2. shared memory -----------------------------------------------------------------------------
@case("shared", "latency of dependent shared loads and of a store followed by a load")
def shared_latency(c):
    def chain(w, b, j):
        w.loop(8, lambda k: [w.ld(8, 8, seq(0), "LDS") for _ in range(16)])
        w.exit()

    def pair(w, b, j):
        def it(k):
            for _ in range(8):
                w.st(4, 8, seq(0), "STS")
                w.ld(8, 4, seq(0), "LDS")
        w.loop(8, it)
        w.exit()

    def atom(w, b, j):
        w.loop(8, lambda k: [w.ld(8, 8, seq(0), "ATOMS.ADD") for _ in range(8)])
        w.exit()
    c.kernel("lds_chain128", 1, 1, chain, 32, 4096)
    c.kernel("sts_lds_pairs64", 1, 1, pair, 32, 4096)
    c.kernel("atoms_chain64", 1, 1, atom, 32, 4096)


def shared_conflicts(c, warps):
    pats = [("conflict_%02d" % d, "LDS", 4, [4 * (l % (32 // d) + 32 * (l // (32 // d))) for l in range(32)])
            for d in (1, 2, 4, 8, 16, 32)]
    pats += [("stride_%02d_words" % s, "LDS", 4, [4 * s * l for l in range(32)]) for s in (2, 3, 4, 8, 16, 32, 33)]
    pats += [("broadcast_1_word", "LDS", 4, [0] * 32), ("broadcast_2_words", "LDS", 4, [4 * (l // 16) for l in range(32)]),
             ("broadcast_2_words_1_bank", "LDS", 4, [128 * (l // 16) for l in range(32)]),
             ("width_64", "LDS.64", 8, [8 * l for l in range(32)]), ("width_128", "LDS.128", 16, [16 * l for l in range(32)]),
             ("store_conflict_01", "STS", 4, [4 * l for l in range(32)]), ("store_conflict_08", "STS", 4, [32 * l for l in range(32)]),
             ("store_same_word", "STS", 4, [0] * 32)]
    for name, op, width, addrs in pats:
        def body(w, b, j):
            def it(k):
                for m in range(8):
                    if op == "STS":
                        w.st(4, 5, addrs, op)
                    else:
                        w.ld(8 + 4 * m, 4, addrs, op, FULL, width)
            w.loop(8, it)
            w.exit()
        c.kernel(name, 1, warps, body, 48, 8192)


@case("shared", "shared-memory bank conflicts of degree 1..32, broadcasts and widths, one warp")
def shared_conflicts_1warp(c):
    shared_conflicts(c, 1)


@case("shared", "the same with eight warps: throughput instead of latency")
def shared_conflicts_8warps(c):
    shared_conflicts(c, 8)


@case("shared", "shared loads against the number of warps; loads and stores mixed")
def shared_throughput(c):
    for warps in (1, 2, 4, 8, 16, 32):
        def body(w, b, j):
            w.loop(8, lambda k: [w.ld(8 + m, 4, seq(0), "LDS") for m in range(8)])
            w.exit()
        c.kernel("lds_%02dwarps" % warps, 1, warps, body, 32, 8192)
    for warps in (2, 8, 32):
        def body(w, b, j):
            def it(k):
                for m in range(4):
                    w.ld(8 + m, 4, seq(0), "LDS")
                    w.st(4, 5, seq(0), "STS")
            w.loop(8, it)
            w.exit()
        c.kernel("lds_sts_%02dwarps" % warps, 1, warps, body, 32, 8192)


# 3. latency of memory -------------------------------------------------------------------------
@case("latency", "chains of dependent loads that hit in the L1 (after one miss)")
def latency_l1_hit(c):
    for name, op, width in (("word", "LDG.E.SYS", 4), ("64bit", "LDG.E.64.SYS", 8), ("128bit", "LDG.E.128.SYS", 16)):
        a = c.mem(4096)

        def body(w, b, j):
            w.loop(8, lambda k: [w.ld(8, 8, seq(a, width), op, FULL, width) for _ in range(16)])
            w.exit()
        c.kernel("l1_chain128_" + name, 1, 1, body)
    a = c.mem(4096)

    def one(w, b, j):
        w.loop(8, lambda k: [w.ld(8, 8, [a], mask=1) for _ in range(16)])
        w.exit()
    c.kernel("l1_chain128_one_lane", 1, 1, one)


@case("latency", "chains of dependent loads that bypass the L1 and hit in the L2, by number of sectors")
def latency_l2_hit(c):
    for n in (1, 2, 4):
        a = c.mem(4096)
        m = (1 << (8 * n)) - 1

        def body(w, b, j):
            w.loop(4, lambda k: [w.ld(8, 8, seq(a, 4, m), "LDG.E.STRONG.GPU", m) for _ in range(8)])
            w.exit()
        c.kernel("l2_chain32_%dsectors" % n, 1, 1, body)
    a = c.mem(4096)

    def two(w, b, j):
        w.loop(4, lambda k: [w.ld(8, 8, seq(a + 128 * (m % 2)), "LDG.E.STRONG.GPU") for m in range(8)])
        w.exit()
    c.kernel("l2_chain32_two_lines", 1, 1, two)


@case("latency", "chains of dependent loads from DRAM: same row, new rows, new partitions, by sectors")
def latency_dram(c):
    for name, stride, m in (("next_line", 128, FULL), ("stride_256", 256, FULL), ("stride_4k", 4096, FULL),
                            ("stride_64k", 65536, FULL), ("stride_1M", 1 << 20, FULL),
                            ("next_line_1sector", 128, 0xFF), ("next_sector", 32, 0xFF)):
        a = c.mem(stride * 64, 1 << 20)

        def body(w, b, j):
            w.loop(4, lambda k: [w.ld(8, 8, seq(a + stride * (8 * k + m2), 4, m), mask=m) for m2 in range(8)])
            w.exit()
        c.kernel("dram_chain32_" + name, 1, 1, body)


@case("latency", "local memory: store and load of one word a thread, dependent; and a reload from the L1")
def latency_local(c):
    def pair(w, b, j):
        def it(k):
            for m in range(4):
                w.st(1, 8, [4 * m] * 32, "STL")
                w.ld(8, 1, [4 * m] * 32, "LDL")
        w.loop(8, it)
        w.exit()

    def chain(w, b, j):
        w.loop(8, lambda k: [w.ld(8, 8, [4 * m] * 32, "LDL") for m in range(8)])
        w.exit()
    c.kernel("stl_ldl_pairs32", 1, 1, pair)
    c.kernel("ldl_chain64", 1, 1, chain)


@case("latency", "atomics: chains with a result, and reductions without, one warp, by number of addresses")
def latency_atomic(c):
    for name, f in (("same_word", lambda l: 0), ("one_line", lambda l: 4 * l), ("4_lines", lambda l: 16 * l), ("32_lines", lambda l: 128 * l)):
        a = c.mem(8192)

        def body(w, b, j):
            w.loop(4, lambda k: [w.ld(8, 8, [a + f(l) for l in range(32)], "ATOMG.E.ADD.STRONG.GPU") for _ in range(4)])
            w.exit()
        c.kernel("atomg_chain16_" + name, 1, 1, body)
    for name, f in (("same_word", lambda l: 0), ("one_line", lambda l: 4 * l), ("32_lines", lambda l: 128 * l)):
        a = c.mem(8192)

        def body(w, b, j):
            w.loop(4, lambda k: [w.st(4, 5, [a + f(l) for l in range(32)], "RED.E.ADD.STRONG.GPU") for _ in range(4)])
            w.exit()
        c.kernel("red16_" + name, 1, 1, body)


# 4. coalescing --------------------------------------------------------------------------------
def coalesce(c, pats, store=False):
    for name, op, width, mask, f, span in pats:
        warps, n = 4, 16
        a = c.mem(warps * n * span, 4096)

        def body(w, b, j):
            def it(k):
                for m in range(8):
                    base = a + span * (j * n + 8 * k + m)
                    ad = [base + f(l) for l in lanes(mask)]
                    if store:
                        w.st(4, 5, ad, op, mask, width)
                    else:
                        w.ld(8 + 4 * m, 4, ad, op, mask, width)
            w.loop(n // 8, it)
            w.exit()
        c.kernel(name, 1, warps, body, 48)


def stride_pats(op):
    return [("stride_%02d_words" % s, op, 4, FULL, lambda l, s=s: 4 * s * l, max(128, 128 * s)) for s in (1, 2, 4, 8, 16, 32)]


@case("coalescing", "cold loads, 4 warps x 16, word strides 1..32: transactions and time a load")
def coalesce_load_stride(c):
    coalesce(c, stride_pats("LDG.E.SYS"))


@case("coalescing", "cold stores, 4 warps x 16, word strides 1..32")
def coalesce_store_stride(c):
    coalesce(c, stride_pats("STG.E.SYS"), True)


@case("coalescing", "cold loads, unit stride, shifted by 4, 16, 32, 64, 124 bytes: two lines a load")
def coalesce_misaligned(c):
    coalesce(c, [("shift_%03d" % s, "LDG.E.SYS", 4, FULL, lambda l, s=s: s + 4 * l, 256) for s in (0, 4, 16, 32, 64, 124)])


@case("coalescing", "cold loads and stores of 8, 16, 32, 64, 128 bits a lane; 8 and 16 bits spread over a line")
def coalesce_width(c):
    w = (("u8", "U8", 1), ("u16", "U16", 2), ("32", "32", 4), ("64", "64", 8), ("128", "128", 16))
    coalesce(c, [("load_" + n, "LDG.E.%s.SYS" % t, b, FULL, lambda l, b=b: b * l, max(128, 32 * b)) for n, t, b in w])
    coalesce(c, [("store_" + n, "STG.E.%s.SYS" % t, b, FULL, lambda l, b=b: b * l, max(128, 32 * b)) for n, t, b in w], True)
    # narrow accesses spread over a line: segments of 1- and 2-byte accesses may be smaller than a line
    coalesce(c, [("load_%s_every_4_bytes" % n, "LDG.E.%s.SYS" % t, b, FULL, lambda l: 4 * l, 128) for n, t, b in w[:2]])
    coalesce(c, [("store_%s_every_4_bytes" % n, "STG.E.%s.SYS" % t, b, FULL, lambda l: 4 * l, 128) for n, t, b in w[:2]], True)


@case("coalescing", "cold loads under partial lane masks, a broadcast, and permuted or repeated lanes")
def coalesce_masks(c):
    pats = [("lane0", "LDG.E.SYS", 4, 1, lambda l: 4 * l, 128), ("low8", "LDG.E.SYS", 4, 0xFF, lambda l: 4 * l, 128),
            ("low16", "LDG.E.SYS", 4, 0xFFFF, lambda l: 4 * l, 128), ("even", "LDG.E.SYS", 4, 0x55555555, lambda l: 4 * l, 128),
            ("every8th", "LDG.E.SYS", 4, 0x01010101, lambda l: 4 * l, 128), ("every8th_32lines", "LDG.E.SYS", 4, 0x01010101, lambda l: 128 * l, 4096),
            ("broadcast", "LDG.E.SYS", 4, FULL, lambda l: 0, 128), ("reversed", "LDG.E.SYS", 4, FULL, lambda l: 4 * (31 - l), 128),
            ("two_halves_two_lines", "LDG.E.SYS", 4, FULL, lambda l: 4 * (l % 16) + 128 * (l // 16), 256)]
    coalesce(c, pats)
    coalesce(c, [("store_" + p[0],) + ("STG.E.SYS",) + p[2:] for p in pats[:5]], True)


# 5. L1 data cache -----------------------------------------------------------------------------
@case("l1", "L1 hit bandwidth: 16 lines warmed, then 32 hits a warp, by number of warps; 1 or 4 or 32 lines a load")
def l1_hit_stream(c):
    for lines in (1, 4, 32):
        for warps in (1, 4, 16, 32):
            a = c.mem(16 * 128 if lines < 32 else 4096)

            def body(w, b, j):
                if j == 0:
                    w.loop(16 if lines < 32 else 32, lambda k: w.ld(8, 4, seq(a + 128 * k)))
                    w.i("IADD3", 9, (8,))
                w.pc = 0x100
                w.i("BAR.SYNC")

                def it(k):
                    for m in range(8):
                        if lines == 1:
                            w.ld(10 + m, 4, seq(a + 128 * ((8 * k + m + j) % 16)))
                        else:
                            w.ld(10 + m, 4, [a + 128 * ((l * lines // 32 + 4 * m) % (32 if lines == 32 else 16)) + 4 * l for l in range(32)])
                w.loop(4 if lines < 32 else 1, it)
                w.exit()
            c.kernel("%02dlines_%02dwarps" % (lines, warps), 1, warps, body)


def walk(c, kbs, passes):
    for kb in kbs:
        a = c.mem(kb * 1024, 65536)
        n = kb * 8

        def body(w, b, j):
            # one warp; every load depends on the one 8 before: up to 8 in flight
            w.loop(passes * n // 8, lambda k: [w.ld(8 + m, 8 + m, seq(a + 128 * ((8 * k + m) % n))) for m in range(8)])
            w.exit()
        c.kernel("%03dkB_%dpasses" % (kb, passes), 1, 1, body)


@case("l1", "L1 capacity, small: one warp walks 8..64 KB four times, lines in order")
def l1_capacity_small(c):
    walk(c, (8, 12, 15, 16, 17, 20, 24, 32, 40, 64), 4)


@case("l1", "L1 capacity, large: one warp walks 48..192 KB twice")
def l1_capacity_large(c):
    walk(c, (48, 96, 120, 128, 136, 160), 2)


@case("l1", "L1 set conflicts: n lines a power of two apart, walked eight times")
def l1_set_conflicts(c):
    for stride in (512, 2048, 4096, 16384, 65536):
        for n in (4, 5, 8, 16):
            a = c.mem(stride * n, 1 << 20)

            def body(w, b, j):
                w.loop(n, lambda k: [w.ld(8 + m, 8 + m, seq(a + stride * ((8 * k + m) % n))) for m in range(8)])
                w.exit()
            c.kernel("%dlines_%dB_apart" % (n, stride), 1, 1, body)


@case("l1", "MSHR limit: n distinct cold lines asked for at once by one warp, all in one or in several loads")
def l1_mshr_burst(c):
    for n in (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128):
        a = c.mem(128 * n, 4096)

        def body(w, b, j):
            left, k = n, 0
            while left:
                d = min(left, 32)
                w.ld(8 + k, 4, [a + 128 * (32 * k + l % d) for l in range(32)])
                left, k = left - d, k + 1
            for m in range(k):
                w.i("IADD3", 20, (8 + m,))
            w.exit()
        c.kernel("%03dlines" % n, 1, 1, body)


@case("l1", "MSHR limit with coalesced loads: 32 warps x n loads, every one a distinct cold line")
def l1_mshr_burst_warps(c):
    for n in (1, 2, 4, 8):
        a = c.mem(32 * n * 128, 4096)

        def body(w, b, j):
            for k in range(n):
                w.ld(8 + k, 4, seq(a + 128 * (32 * k + j)))
            for k in range(n):
                w.i("IADD3", 20, (8 + k,))
            w.exit()
        c.kernel("32warps_%dloads" % n, 1, 32, body)


@case("l1", "MSHR merging: many warps ask for the same cold line, or for the sectors of one line")
def l1_mshr_merge(c):
    for warps in (2, 4, 8, 9, 16, 17, 32):
        a = c.mem(16 * 128)

        def body(w, b, j):
            w.loop(8, lambda k: w.ld(8 + k, 4, seq(a + 128 * k)))
            for k in range(8):
                w.i("IADD3", 20, (8 + k,))
            w.exit()
        c.kernel("same_8lines_%02dwarps" % warps, 1, warps, body)
    a = c.mem(16 * 128)

    def sectors(w, b, j):
        w.loop(8, lambda k: w.ld(8 + k, 4, seq(a + 128 * k + 32 * (j % 4), 4, 0xFF), mask=0xFF))
        for k in range(8):
            w.i("IADD3", 20, (8 + k,))
        w.exit()
    c.kernel("own_sector_of_8lines_08warps", 1, 8, sectors)


@case("l1", "write policy of the L1: load, store to the same line, load again; and load a line just stored")
def l1_write_then_read(c):
    def mk(kind):
        a = c.mem(64 * 128)

        def body(w, b, j):
            def it(k):
                x = seq(a + 128 * k)
                if kind != "store_load":
                    w.ld(8, 8, x)
                if kind != "load_load":
                    m = 0xFFFF if kind == "load_store_half_load" else FULL
                    w.st(4, 8, seq(a + 128 * k, 4, m), mask=m)
                w.ld(8, 8, x)
            w.loop(32, it)
            w.exit()
        return body
    for kind in ("load_load", "load_store_load", "store_load", "load_store_half_load"):
        c.kernel(kind + "_x32", 1, 1, mk(kind))


@case("l1", "store streams of one SM: coalesced, 4 lines, 32 lines a store; 1, 8, 32 warps")
def store_stream_1sm(c):
    for name, lines in (("1line", 1), ("4lines", 4), ("32lines", 32)):
        for warps in (1, 8, 32):
            n = 16 if lines < 32 else 4
            a = c.mem(warps * n * 128 * lines)

            def body(w, b, j):
                def it(k):
                    for m in range(4):
                        base = a + 128 * lines * (j * n + 4 * k + m)
                        w.st(4, 5, [base + 128 * (l * lines // 32) + 4 * l for l in range(32)])
                w.loop(n // 4, it)
                w.exit()
            c.kernel("%s_%02dwarps" % (name, warps), 1, warps, body)


@case("l1", "local memory: 16 words a thread spilled and reloaded twice, 1, 8, 32 warps")
def local_spill(c):
    for warps in (1, 8, 32):
        def body(w, b, j):
            w.loop(2, lambda k: [w.st(1, 8 + m % 8, [4 * m] * 32, "STL") for m in range(16)]
                   + [w.ld(8 + m, 1, [4 * m] * 32, "LDL") for m in range(16)])
            w.exit()
        c.kernel("spill16_%02dwarps" % warps, 1, warps, body)


# 6. L2 ----------------------------------------------------------------------------------------
def stream(c, label, blocks, warps, n, a, kind="r", gap=128, op="LDG.E.SYS", lanes_mask=FULL):
    """every warp n accesses; consecutive warps touch consecutive lines (gap apart)"""
    total = blocks * warps

    def body(w, b, j):
        t = b * warps + j

        def it(k):
            for m in range(4):
                q = (4 * k + m) * total + t
                x = seq(a + gap * q, 4, lanes_mask)
                if kind == "r" or kind == "m" and m % 2 == 0:
                    w.ld(8 + m, 4, x, op, lanes_mask)
                else:
                    w.st(4, 5, x, mask=lanes_mask)
        w.loop(n // 4, it)
        w.i("IADD3", 20, (8, 9))
        w.i("IADD3", 20, (10, 11))
        w.exit()
    c.kernel(label, blocks, warps, body)
    return 128 * total * n


@case("l2", "L2 bandwidth: every SM streams 240 KB that an earlier kernel brought into the L2; twice")
def l2_hit_bandwidth(c):
    a = c.mem(1 << 20)
    stream(c, "fill_240kB", 30, 8, 8, a)
    stream(c, "hit_240kB", 30, 8, 8, a)
    stream(c, "hit_240kB_bypass_l1", 30, 8, 8, a, op="LDG.E.STRONG.GPU")
    stream(c, "hit_1sector_a_line", 30, 8, 8, a, op="LDG.E.STRONG.GPU", lanes_mask=0xFF)


@case("l2", "L2 capacity: regions of 240..1920 KB streamed by all SMs, each twice (second time in _again)")
def l2_capacity(c):
    for kb, n in ((240, 4), (480, 8), (720, 12), (960, 16), (1920, 32)):
        a = c.mem(kb * 1024, 1 << 20)
        stream(c, "%04dkB" % kb, 60, 8, n, a)
        stream(c, "%04dkB_again" % kb, 60, 8, n, a)


@case("l2", "L2 sets and slices: 64 lines a power of two apart, walked by one warp, twice, past the L1")
def l2_set_conflicts(c):
    for lg in (8, 10, 11, 12, 13, 14, 16, 18):
        a = c.mem(64 << lg, 1 << 24)

        def body(w, b, j):
            w.loop(16, lambda k: [w.ld(8 + m, 8 + m, seq(a + (((8 * k + m) % 64) << lg)), "LDG.E.STRONG.GPU") for m in range(8)])
            w.exit()
        c.kernel("64lines_%dB_apart_twice" % (1 << lg), 1, 1, body)


@case("l2", "write-back: stores of 480 or 1920 KB by all SMs, then loads of another 960 KB push them out")
def l2_write_back(c):
    for kb, n in ((480, 8), (1920, 32)):
        a = c.mem(kb * 1024, 1 << 20)
        stream(c, "store_%04dkB" % kb, 60, 8, n, a, "w")
        b2 = c.mem(960 * 1024, 1 << 20)
        stream(c, "load_0960kB_after_%04dkB" % kb, 60, 8, 16, b2)


@case("l2", "partial stores: one sector, one word, or every other word of a line, then the line is read")
def l2_partial_store(c):
    for name, m in (("sector", 0xFF), ("word", 1), ("even_words", 0x55555555)):
        a = c.mem(1 << 19)

        def st(w, b, j):
            w.loop(4, lambda k: [w.st(4, 5, seq(a + 128 * (32 * (b * 4 + j) + 8 * k + q), 4, m), mask=m) for q in range(8)])
            w.exit()

        def ld(w, b, j):
            w.loop(4, lambda k: [w.ld(8 + q, 4, seq(a + 128 * (32 * (b * 4 + j) + 8 * k + q))) for q in range(8)])
            w.i("IADD3", 20, (8, 15))
            w.exit()
        c.kernel("store_" + name, 15, 4, st)
        c.kernel("read_after_store_" + name, 15, 4, ld)


@case("l2", "atomics of 15 SMs x 4 warps x 8: one word for all, one line, one line a warp, spread lanes")
def l2_atomics(c):
    pats = (("same_word", lambda t, k, l: 0), ("same_line", lambda t, k, l: 4 * l), ("line_a_warp", lambda t, k, l: 128 * t + 4 * l),
            ("4lines_a_warp", lambda t, k, l: 512 * t + 16 * l), ("32_lines_shared", lambda t, k, l: 128 * l))
    for op in ("ATOMG.E.ADD.STRONG.GPU", "RED.E.ADD.STRONG.GPU"):
        for name, f in pats:
            a = c.mem(1 << 16)

            def body(w, b, j):
                t = b * 4 + j

                def it(k):
                    x = [a + f(t, k, l) for l in range(32)]
                    if op[0] == "A":
                        w.ld(8 + k, 4, x, op)
                    else:
                        w.st(4, 5, x, op)
                w.loop(8, it)
                w.exit()
            c.kernel(op.split(".")[0].lower() + "_" + name, 15, 4, body)


@case("l2", "one line wanted by all SMs at once: merging and replies at the L2")
def l2_same_line(c):
    for name, n in (("cold_line", 1), ("8_cold_lines", 8)):
        a = c.mem(4096)

        def body(w, b, j):
            w.loop(n, lambda k: w.ld(8 + k, 4, seq(a + 128 * k)))
            w.i("IADD3", 20, (8,))
            w.exit()
        c.kernel(name + "_15blocks", 15, 1, body)
        c.kernel(name + "_again", 15, 1, body)


# 7. DRAM and address mapping ------------------------------------------------------------------
@case("dram", "DRAM streams of all SMs, 960 KB: reads, writes, reads and writes in turn; one SM alone")
def dram_stream(c):
    stream(c, "read_960kB", 60, 8, 16, c.mem(1 << 20))
    stream(c, "write_960kB", 60, 8, 16, c.mem(1 << 20), "w")
    stream(c, "mixed_960kB", 60, 8, 16, c.mem(1 << 20), "m")
    stream(c, "read_64kB_1sm", 1, 32, 16, c.mem(1 << 20))
    stream(c, "write_64kB_1sm", 1, 32, 16, c.mem(1 << 20), "w")


@case("dram", "one sector a line instead of four, all SMs: bursts and requests")
def dram_sectors(c):
    for name, m in (("4sectors", FULL), ("2sectors", 0xFFFF), ("1sector", 0xFF), ("1word", 1)):
        stream(c, name, 30, 8, 8, c.mem(1 << 20), lanes_mask=m)


def strided(c, lgs, blocks=15, warps=4, n=4):
    for lg in lgs:
        a = c.mem((blocks * warps * n) << lg, 1 << 24)
        stream(c, "stride_%dB" % (1 << lg), blocks, warps, n, a, gap=1 << lg)


@case("dram", "partition camping: 240 lines at strides of 256 B..32 KB, by 15 SMs")
def dram_partition_strides(c):
    strided(c, (8, 9, 10, 11, 12, 13, 14, 15))


@case("dram", "banks and rows: 240 lines at strides of 64 KB..1 MB, by 15 SMs")
def dram_row_strides(c):
    strided(c, (16, 17, 18, 19, 20), n=4)


@case("dram", "row conflicts: two streams that lie a power of two apart, line by line in turn, one warp each")
def dram_two_streams(c):
    for lg in (11, 13, 15, 17, 19, 21):
        a = c.mem(2 << lg if lg > 16 else 1 << 17, 1 << 24)

        def body(w, b, j):
            w.loop(8, lambda k: [w.ld(8 + m, 8 + m, seq(a + (j << lg) + 128 * (4 * k + m))) for m in range(4)])
            w.exit()
        c.kernel("2streams_%dB_apart" % (1 << lg), 1, 2, body)


@case("dram", "random lines of 8 MB, 15 SMs x 8 warps x 8, coalesced; and 8 lanes in 8 lines")
def dram_random(c):
    for name, div in (("coalesced", 1), ("8lines_a_load", 8)):
        a = c.mem(8 << 20, 1 << 20)
        r = Rng(7)

        def body(w, b, j):
            def it(k):
                for m in range(4):
                    base = [a + 128 * r.below(65536) for _ in range(div)]
                    w.ld(8 + m, 4, [base[l * div // 32] + 4 * (l % 32) for l in range(32)])
            w.loop(2 if div == 1 else 1, it)
            w.i("IADD3", 20, (8, 9))
            w.exit()
        c.kernel(name, 15, 8, body)


# 8. control -----------------------------------------------------------------------------------
@case("control", "barrier: 64 BAR in a row by 1..32 warps of a block; and 16 with one slow warp")
def barrier_loop(c):
    for warps in (1, 2, 8, 16, 32):
        def body(w, b, j):
            w.loop(8, lambda k: [w.i("BAR.SYNC") for _ in range(8)])
            w.exit()
        c.kernel("bar64_%02dwarps" % warps, 1, warps, body)

    def imbalance(w, b, j):
        def it(k):
            for m in range(8 if j == 0 else 1):
                w.i("MUFU.RCP", 8, (8,))
            w.i("BAR.SYNC")
        w.loop(16, it)
        w.exit()
    c.kernel("bar16_one_slow_warp_of_8", 1, 8, imbalance)


@case("control", "memory barrier: store and MEMBAR, load and MEMBAR, MEMBAR alone")
def membar(c):
    for kind in ("alone", "load", "store", "store4"):
        for warps in (1, 8):
            a = c.mem(1 << 16)

            def body(w, b, j):
                def it(k):
                    x = seq(a + 128 * (8 * k + j))
                    if kind == "load":
                        w.ld(8, 8, x)
                    for m in range({"store": 1, "store4": 4}.get(kind, 0)):
                        w.st(4, 5, x)
                    w.i("MEMBAR.SC.GPU")
                w.loop(8, it)
                w.exit()
            c.kernel("%s_%dwarps" % (kind, warps), 1, warps, body)


@case("control", "block dispatch: many blocks of one warp that only exits; of 8 warps; of 4 instructions")
def cta_dispatch(c):
    def empty(w, b, j):
        w.exit()

    def four(w, b, j):
        for m in range(4):
            w.i("IADD3", 8 + m, (4, 5))
        w.exit()
    for blocks in (1, 15, 80, 240, 960):
        c.kernel("empty_%04dblocks_1warp" % blocks, blocks, 1, empty)
    c.kernel("empty_0240blocks_8warps", 240, 8, empty)
    c.kernel("four_0240blocks_8warps", 240, 8, four)


@case("control", "residency: 240 blocks of equal work, limited by warps, registers, shared memory or block slots")
def cta_limits(c):
    def body(w, b, j):
        w.loop(4, lambda k: [w.i("MUFU.RCP", 8, (8,)) for m in range(4)])
        w.exit()
    for name, warps, regs, shmem in (("slots_1warp", 1, 16, 0), ("warps_16", 16, 16, 0), ("warps_32", 32, 16, 0),
                                     ("regs_63_8warps", 8, 63, 0), ("regs_128_8warps", 8, 128, 0), ("regs_21_8warps", 8, 21, 0),
                                     ("shmem_12k", 2, 16, 12288), ("shmem_20k", 2, 16, 20480), ("shmem_40k", 2, 16, 40960)):
        c.kernel(name, 240, warps, body, regs, shmem)


@case("control", "launch gap: eight kernels in sequence, one block of one warp that exits, then eight of 15 blocks", warm=False)
def kernel_sequence(c):
    def body(w, b, j):
        w.i("IADD3", 8, (4, 5))
        w.exit()
    for k in range(8):
        c.kernel("tiny_%d" % k, 1, 1, body)
    for k in range(8):
        c.kernel("15blocks_%d" % k, 15, 4, body)


@case("control", "what a kernel leaves behind: a 12 KB walk repeated in the next kernel (L1 flushed or not), L2 kept")
def kernel_cache_flush(c):
    a = c.mem(12288)

    def body(w, b, j):
        w.loop(12, lambda k: [w.ld(8 + m, 8 + m, seq(a + 128 * (8 * k + m))) for m in range(8)])
        w.exit()
    for k in range(3):
        c.kernel("walk_%d" % k, 15, 1, body)

    def dirty(w, b, j):
        w.loop(4, lambda k: [w.st(1, 8, [4 * (4 * k + m)] * 32, "STL") for m in range(4)])
        w.exit()
    c.kernel("local_stores_left_dirty", 15, 4, dirty)
    c.kernel("walk_after_dirty", 15, 1, body)


@case("control", "the tail: 120 blocks of equal work and one warp that has 8 times as much; idle machine with one warp")
def long_tail(c):
    a = c.mem(1 << 22)

    def body(w, b, j):
        slow = b == 0 and j == 0
        w.loop(64 if slow else 8, lambda k: [w.ld(8, 8, seq(a + 128 * (b * 64 + k))), w.i("FFMA", 9, (8, 9, 9))])
        w.exit()
    c.kernel("one_slow_warp", 120, 4, body)

    def alone(w, b, j):
        w.loop(64, lambda k: [w.ld(8, 8, seq(a + (1 << 21) + 128 * k)), w.i("FFMA", 9, (8, 9, 9))])
        w.exit()
    c.kernel("slow_warp_alone", 1, 1, alone)


@case("control", "warps that leave one after the other, lanes that leave in groups, and blocks that follow")
def warp_exit(c):
    def stair(w, b, j):
        w.loop(1 + j, lambda k: [w.i("FFMA", 8, (8, 4, 5)) for _ in range(8)])
        w.exit()

    def groups(w, b, j):
        for g in range(4):
            m = FULL & ~((1 << (8 * g)) - 1)
            w.loop(4, lambda k: [w.i("FFMA", 8, (8, 4, 5), m) for _ in range(8)])
            w.i("EXIT", None, (), 0xFF << (8 * g))
    c.kernel("stair_16warps", 1, 16, stair)
    c.kernel("stair_16warps_60blocks", 60, 16, stair)
    c.kernel("lane_groups_8warps", 1, 8, groups)

    def store_exit(w, b, j):
        w.st(4, 5, seq(BASE + (1 << 26) + 128 * (b * 4 + j)))
        w.exit()
    c.kernel("store_and_exit_120blocks", 120, 4, store_exit)

    def load_exit(w, b, j):
        w.ld(8, 4, seq(BASE + (1 << 27) + 128 * (b * 4 + j)))
        w.exit()
    c.kernel("unused_load_and_exit_120blocks", 120, 4, load_exit)


@case("scheduler", "warp scheduling order: loads then long arithmetic, 8 and 32 warps: who gets the slots")
def scheduler_order(c):
    for warps in (4, 16, 32):
        a = c.mem(warps * 8 * 128)

        def body(w, b, j):
            def it(k):
                w.ld(8, 4, seq(a + 128 * (8 * j + k)))
                for m in range(8):
                    w.i("FFMA", 10 + m, (4, 5, 6))
                w.i("FADD", 9, (8, 9))
            w.loop(8, it)
            w.exit()
        c.kernel("load_8ffma_use_%02dwarps" % warps, 1, warps, body)


def main(av):
    if av and av[0] == "--list":
        for n, (fn, g, t, w) in CASES.items():
            print("%-26s %-11s %s" % (n, g, t))
        return
    if not av or av[0].startswith("-"):
        sys.exit(__doc__)
    out, names = av[0], av[1:] or list(CASES)
    os.makedirs(out, exist_ok=True)
    rows, cases = [], []
    for n in names:
        fn, group, isolates, warm = CASES[n]
        c = Case(out, n, group, isolates, warm)
        fn(c)
        c.close()
        for k in c.kernels:
            rows.append((n,) + k)
        cases.append((n, group, len(c.kernels), sum(k[6] for k in c.kernels), isolates))
    with open(os.path.join(out, "index.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow("case,kernel,point,blocks,warps_per_block,registers,shared_bytes,warp_instructions".split(","))
        w.writerows(rows)
    with open(os.path.join(out, "cases.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow("case,group,kernels,warp_instructions,isolates".split(","))
        w.writerows(cases)


if __name__ == "__main__":
    main(sys.argv[1:])
