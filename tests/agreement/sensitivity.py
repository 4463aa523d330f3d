#!/usr/bin/env python3
"""sensitivity.py - does a kernel's time hang on who comes first?

usage: sensitivity.py [--machine gtx480|qv100] [case ...]

Runs every kernel of causes.csv again with one latency changed by a cycle or three, and after other kernels
than in its trace, and prints ours / theirs as it is and over those runs.  Where a cycle more or less
anywhere moves it as far as theirs is away, nothing is missing in the machine: an access, a warp or a fetch
comes before another one or behind it, and a whole latency follows.  It must not know why.
"""
import argparse, os, subprocess, sys, tempfile

import agreement as a


def cycles(options, folder, files, change, number):
    """of the kernel that is the number-th of those"""
    listed = os.path.join(folder, "kernelslist.g")
    with open(listed, "w") as f:
        f.writelines(name + "\n" for name in files)
    out = os.path.join(folder, "kernels.csv")
    done = subprocess.run([a.COMMAND, "run", "--trace", listed, "-c", options.config, "--kernels", out] +
                          (["--set", change] if change else []), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("sensitivity: " + (done.stderr or done.stdout).strip())
    return int(a.rows(out)[number]["cycles"])


def kernels_of(case):
    with open(os.path.join(a.WORK, "traces", case, "kernelslist.g")) as f:
        return [line.strip() for line in f if line.startswith("kernel")]


def around(options, keys):
    """the changes of one key each"""
    return ["%s=%d" % (key, keys[key] + by) for key in ("l2.latency", "dram.latency", "icnt.latency", "l1d.stages")
            for by in (-3, -1, 1, 3) if keys[key] + by > 0]


def look_at(options, keys, row, theirs):
    """ours / theirs as it is; over the changes; after other kernels"""
    files = kernels_of(row["case"])
    kernel = next(t for t in theirs if t["case"] == row["case"] and t["point"] == row["point"])
    number, launch = int(kernel["kernel"]) - 1, a.LAUNCH_CYCLES[options.machine]
    offset = keys["machine.launch_cycles"] - 1 if launch else 0
    with tempfile.TemporaryDirectory() as folder:
        for name in files:
            for end in ("", ".gz", ".xz", ".zst"):
                path = os.path.join(a.WORK, "traces", row["case"], name + end)
                if os.path.exists(path):
                    os.symlink(path, os.path.join(folder, name + end))
        ratio = lambda listed, change, at: (cycles(options, folder, listed, change, at) - offset) / (
            int(kernel["cycles"]) - launch)
        here = ratio(files, None, number)
        changed = [ratio(files, change, number) for change in around(options, keys)]
        # The warm-up, others or none of those before, and itself.
        orders = [[files[0], files[number]]] + [[files[0], files[other], files[number]]
                                                for other in range(1, min(len(files), 6)) if other != number]
        moved = [ratio(order, None, len(order) - 1) for order in orders if number > 0]
    return here, changed, moved


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--machine", choices=("gtx480", "qv100"), default="gtx480")
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    options.config = a.CONFIG[options.machine]
    wanted = [r for r in a.rows(os.path.join(a.HERE, "causes.csv"))
              if r["machine"] == options.machine and (not options.case or r["case"] in options.case)]
    a.make_traces(sorted({r["case"] for r in wanted}))
    theirs = a.rows(os.path.join(a.HERE, options.machine + ".csv"))
    keys = a.keys_of(options.config)
    print("%-50s %6s  %-15s %s" % ("ours / theirs", "", "latencies", "after others"))
    for row in wanted:
        here, changed, moved = look_at(options, keys, row, theirs)
        print("%-50s %6.3f  %.3f to %.3f  %s" % (
            row["case"] + "/" + row["point"], here, min(changed), max(changed),
            "%.3f to %.3f" % (min(moved), max(moved)) if moved else "-"), flush=True)


if __name__ == "__main__":
    main()
