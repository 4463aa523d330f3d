#!/usr/bin/env python3
"""agreement.py - kernel by kernel, how near the machine comes to another simulator's figures.

usage: agreement.py [--machine gtx480|qv100] [--config NAME] [--jobs N] [--list] [--csv FILE]
                    [--keep] [case ...]

Makes the traces of gen_reference.py (build/agreement/traces), runs them on a configuration and
compares every kernel with what <machine>.csv says.  Prints a line a group, "warmup" (the kernels that
only load the instruction cache) by itself and no part of "all": kernels, those
within 5 % and 15 % of the cycles, the geometric mean of ours / theirs, the worst; then for each
counter how many kernels have the same value.  Fails when a group is worse than its line in `bounds`
(--keep writes the present figures there).  Every kernel beyond 5 % is printed with its row of causes.csv:
"known" is a cause that the reference itself names, "shown" one that sensitivity.py shows, "supposed" one that
fits and was not shown, "open" none.
Fails when one has no row, or a row is of a kernel that is within.  With case names only those are run, and no bound holds.
It must not know how the machine counts beyond the names in COUNTERS.
"""
import argparse, concurrent.futures, csv, math, os, subprocess, sys, textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WORK = os.path.join(ROOT, "build", "agreement")
COMMAND = os.path.join(ROOT, "build", "warplock")
CONFIG = {"gtx480": "gtx480-trace", "qv100": "qv100-trace"}
LAUNCH_CYCLES = {"gtx480": 0, "qv100": 5000}  # of the figures, before a kernel begins

LOADS = ("coherent", "divergent")


def loads(kernel, what):
    return sum(kernel["load_%s_%s" % (what, l)] for l in LOADS)


def stalls(k, m):
    return k["slot.pipe_ldst"] + k["slot.pipe_alu"] + k["slot.pipe_both"]


def column_bytes(m):
    """that a column command moves"""
    return m["dram.bus_bytes"] * m["dram.burst_cycles"]


def scoreboard(k, m):
    return k["slot.score_load"] + k["slot.score_alu"] + k["slot.score_both"]


# Theirs, and the same in the names of `run --counters`, of a kernel k on the machine of keys m.
COUNTERS = {
    "warp_instructions": lambda k, m: k["warp_instructions"],
    "l1d_accesses": lambda k, m: loads(k, "accesses") - loads(k, "bypasses") + k["store_accesses"],
    "l1d_hits": lambda k, m: loads(k, "hits") + k["store_kept"],
    "l1d_misses": lambda k, m: loads(k, "misses") + k["store_accesses"] - k["store_kept"],
    "l1d_merges": lambda k, m: loads(k, "merges"),
    "l1d_fails": lambda k, m: k["fail_line"] + k["fail_mshr"] + k["fail_port"],
    "l1i_accesses": lambda k, m: k["l1i_accesses"],
    "l1i_misses": lambda k, m: k["l1i_misses"],
    "l2_accesses": lambda k, m: k["l2.reads"] + k["l2.writes"] + k["l2.atomics"] + k["l2.copy_backs"],
    "dram_reads": lambda k, m: k["dram.read_bytes"] // column_bytes(m),
    "dram_writes": lambda k, m: k["dram.write_bytes"] // column_bytes(m),
    "dram_activates": lambda k, m: k["dram.activates"],
    "flits_to_mem": lambda k, m: k["request_flits"],
    "flits_to_sm": lambda k, m: k["reply_flits"],
    "slots_stall": stalls,
    "slots_scoreboard": scoreboard,
    # Of SMs with work: ours are idle without, too.
    "slots_idle": lambda k, m: m["sm.schedulers"] * k["active_cycles"] - k["slot.issued"] - stalls(k, m) - scoreboard(k, m),
}


def rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def make_traces(cases):
    missing = [c for c in cases if not os.path.exists(os.path.join(WORK, "traces", c, "kernelslist.g"))]
    if missing:
        out = os.path.join(WORK, "traces")
        subprocess.run([sys.executable, os.path.join(HERE, "gen_reference.py"), out] + missing,
                       check=True, stdout=subprocess.DEVNULL)


def run_case(case, config):
    """the kernels of a case, in order, or what the command said"""
    out = os.path.join(WORK, config, case + ".csv")
    trace = os.path.join(WORK, "traces", case, "kernelslist.g")
    done = subprocess.run([COMMAND, "run", "--trace", trace, "-c", config, "--kernels", out],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return case, None, (done.stderr or done.stdout).strip().splitlines()[-1:]
    return case, [{k: v if k == "kernel_name" else int(v) for k, v in r.items()} for r in rows(out)], None


def compare(theirs, ours, offset, keys):
    """of one kernel: the ratio of cycles, and the counters that are the same"""
    ratio = (ours["cycles"] - offset[1]) / (int(theirs["cycles"]) - offset[0])
    same = {c for c, of in COUNTERS.items() if of(ours, keys) == int(theirs[c])}
    return ratio, same


def within(ratios, percent):
    return sum(abs(r - 1) <= percent / 100 + 1e-9 for r in ratios)


def summary(name, results):
    ratios = [r["ratio"] for r in results]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    worst = max(results, key=lambda r: abs(math.log(r["ratio"])))
    return "%-14s %4d %4d %4d   %6.3f   %7.3f  %s/%s" % (
        name, len(ratios), within(ratios, 5), within(ratios, 15), mean, worst["ratio"],
        worst["case"], worst["point"])


def read_bounds(machine, config):
    bounds = {}
    with open(os.path.join(HERE, "bounds")) as f:
        for line in f:
            words = line.split("#")[0].split()
            if words[:2] == [machine, config]:
                bounds[words[2]] = (int(words[3]), int(words[4]))
    return bounds


def write_bounds(machine, config, groups):
    path = os.path.join(HERE, "bounds")
    with open(path) as f:
        kept = [l for l in f if l.split()[:2] != [machine, config]]
    for name, results in groups.items():
        ratios = [r["ratio"] for r in results]
        kept.append("%-7s %-14s %-14s %4d %4d\n" % (machine, config, name, within(ratios, 5), within(ratios, 15)))
    with open(path, "w") as f:
        f.writelines(kept)


def check_causes(machine, results):
    """print every kernel beyond 5 % with its cause; how many rows of causes.csv are missing or too many"""
    causes = {(r["case"], r["point"]): r for r in rows(os.path.join(HERE, "causes.csv")) if r["machine"] == machine}
    beyond = [r for r in results if not within([r["ratio"]], 5)]
    bad = 0
    for r in beyond:
        cause = causes.pop((r["case"], r["point"]), None)
        print("%6.3f  %s/%s" % (r["ratio"], r["case"], r["point"]))
        words = "%s: %s" % (cause["how"], cause["cause"]) if cause else "agreement: no row in causes.csv"
        print(textwrap.fill(words, 96, initial_indent=" " * 8, subsequent_indent=" " * 8))
        r["how"] = cause["how"] if cause else "none"
        bad += not cause
    for case, point in causes:
        print("agreement: causes.csv: %s %s/%s is within 5 %%, or does not exist; remove the row" % (machine, case, point))
    print("beyond 5 %%: %d; " % len(beyond) + ", ".join(
        "%s %d" % (how, sum(r["how"] == how for r in beyond)) for how in ("known", "shown", "supposed", "open", "none")))
    return bad + len(causes)


def keys_of(config):
    """the numbers among the keys of a configuration"""
    keys = subprocess.run([COMMAND, "run", "-c", config, "--keys"], capture_output=True, text=True, check=True)
    pairs = [line.split()[:3] for line in keys.stdout.splitlines() if " = " in line]
    return {name: int(value) for name, _, value in pairs if value.isdigit()}


def gather(options, cases, theirs, offset, keys):
    groups, bad = {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, kernels, why in pool.map(lambda c: run_case(c["case"], options.config), cases):
            group = next(c["group"] for c in cases if c["case"] == case)
            wanted = [t for t in theirs if t["case"] == case and t["kernel"] != "all"]
            if kernels is None:
                print("%s: %s" % (case, " ".join(why)))
                bad += 1
                continue
            for t in wanted:
                ratio, same = compare(t, kernels[int(t["kernel"]) - 1], offset, keys)
                groups.setdefault("warmup" if t["point"] == "warmup" else group, []).append(
                    {"group": group, "case": case, "point": t["point"], "ratio": ratio, "same": same,
                     "theirs": int(t["cycles"]), "ours": kernels[int(t["kernel"]) - 1]["cycles"]})
    return groups, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--machine", choices=("gtx480", "qv100"), default="gtx480")
    parser.add_argument("--config")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="every kernel, not only groups")
    parser.add_argument("--csv", help="write every kernel there")
    parser.add_argument("--keep", action="store_true", help="the present figures become the bounds")
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    options.config = options.config or CONFIG[options.machine]
    cases = [c for c in rows(os.path.join(HERE, "cases.csv")) if not options.case or c["case"] in options.case]
    theirs = rows(os.path.join(HERE, options.machine + ".csv"))
    with_figures = {t["case"] for t in theirs}
    cases = [c for c in cases if c["case"] in with_figures]
    if not cases:
        sys.exit("agreement: no such case; gen_reference.py --list names them")
    make_traces([c["case"] for c in cases])
    os.makedirs(os.path.join(WORK, options.config), exist_ok=True)
    keys = keys_of(options.config)
    launch = LAUNCH_CYCLES[options.machine]
    # Theirs without the latency of a launch, ours as well; the cycle of the first block is work.
    offset = (launch, keys["machine.launch_cycles"] - 1 if launch else 0)
    groups, bad = gather(options, cases, theirs, offset, keys)
    if not any(groups.values()):
        sys.exit("agreement: nothing has run")
    groups["warmup"] = groups.pop("warmup", [])
    everything = [r for name, results in groups.items() for r in results if name != "warmup"]
    if options.list:
        for r in everything:
            print("%-24s %-28s %8d %8d  %6.3f" % (r["case"], r["point"], r["ours"], r["theirs"], r["ratio"]))
    if options.csv:
        with open(options.csv, "w") as f:
            f.write("group,case,point,ours,theirs,ratio\n")
            for r in everything:
                f.write("%s,%s,%s,%d,%d,%.4f\n" % (r["group"], r["case"], r["point"], r["ours"], r["theirs"], r["ratio"]))
    print("%s against the figures of %s" % (options.config, options.machine))
    print("%-14s %4s %4s %4s   %6s   %7s" % ("group", "all", "5 %", "15 %", "mean", "worst"))
    for name, results in groups.items():
        if results:
            print(summary(name, results))
    print(summary("all", everything))
    print("equal counters: " + ", ".join("%s %d" % (c, sum(c in r["same"] for r in everything)) for c in COUNTERS))
    if not options.case and options.config == CONFIG[options.machine]:
        bad += check_causes(options.machine, everything)
    if options.keep:
        write_bounds(options.machine, options.config, groups)
    elif not options.case:
        for name, (five, fifteen) in read_bounds(options.machine, options.config).items():
            ratios = [r["ratio"] for r in groups.get(name, [])]
            if within(ratios, 5) < five or within(ratios, 15) < fifteen:
                print("agreement: %s: %d and %d kernels within 5 and 15 %%, the bounds are %d and %d" %
                      (name, within(ratios, 5), within(ratios, 15), five, fifteen))
                bad += 1
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
