#!/usr/bin/env bash
# mechanisms_adi.sh - adaptive indexing inside the simulator: the bits ATAX needs are found,
# statistics are the same on every backend and however the machine is stepped, answers stay
# right, and every static index runs at both levels of the dissertation's machine.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
machine=aci
say() { echo "mechanisms_adi: $*"; bad=1; }
. tests/backends.inc

run() { # NAME OPTIONS... : statistics to NAME.json
    local name=$1; shift
    timeout 300 $w run -c aci --json "$work/$name.json" "$@" >"$work/$name.out" 2>&1 ||
        { say "$*"; cat "$work/$name.out"; }
}
same() { cmp -s "$work/$1.json" "$work/$2.json" || say "$3"; }
# Periods of 64 misses, 64 accesses and 4 accesses between, so that there are many flushes.
short=engine.nv=64:engine.ns=64:engine.ni=4:engine.m=6
small=adi:level=both:$short

# A row of 16 KB: the thread's number is in A14..A18 (aci 3.9.1).  The two SMs that run a CTA
# change A7..A11 for those, in whatever order.
run atax -w atax --size n=4096,threads=512,trip=128 -m adi
found=$(tr -d ' \n' <"$work/atax.json" | grep -o '"index_bits":\[[0-9,]*\]' | grep -o '[0-9,]*\]' |
    tr -d ']' | grep -v '^7,8,9,10,11$' | while read -r bits; do tr ',' '\n' <<<"$bits" | sort -n | paste -sd,; done | paste -sd' ')
[ "$found" = '14,15,16,17,18 14,15,16,17,18' ] || say "ATAX: index bits $found, not A14..A18"

# Every form of the units.
for workload in transpose syrk; do
    for backend in c rtl lockstep; do
        run $backend -w $workload --size tiny -m $small -b "$(all_on $backend $small)"
    done
    same c rtl "$workload: the units as RTL give other statistics"
    same c lockstep "$workload: the units in lockstep give other statistics"
    for unit in $(units_under $small); do
        grep -q "$unit x .* values compared, all equal" "$work/lockstep.out" || say "$workload: $unit was not compared"
    done
done

# However the machine is stepped.  nqueens has local memory: dirty lines in the L1D.
for workload in transpose nqueens bfs; do
    run c -w $workload --size tiny -m adi:level=both:$short
    run every -w $workload --size tiny -m adi:level=both:$short --every-cycle
    run threads -w $workload --size tiny -m adi:level=both:$short --threads 2
    same c every "$workload: other statistics with --every-cycle"
    same c threads "$workload: other statistics with two threads"
done
# Loads that stall for an MSHR entry or a line when a flush begins.
run c -w syrk --size tiny -m adi:$short
run every -w syrk --size tiny -m adi:$short --every-cycle
same c every "syrk: other statistics with --every-cycle"
iacm=engine.nv=250:engine.ns=250:engine.ni=6250:engine.m=8:engine.idle_in_cycles=1
for mechanism in adi:$iacm adi:engine.compact=0 adi:level=both:engine.adi_cand_hi=23; do
    run c -w syrk --size tiny -m $mechanism
    run every -w syrk --size tiny -m $mechanism --every-cycle
    same c every "$mechanism: other statistics with --every-cycle"
done

# The form for CPUs drains instead of dooming lines; on the same units, and in lockstep.
run c -w syrk --size tiny -m ascib:$short,ascib:level=l2
run every -w syrk --size tiny -m ascib:$short,ascib:level=l2 --every-cycle
run lockstep -w syrk --size tiny -m ascib:$short,ascib:level=l2 -b "$(all_on lockstep $small)"
same c every "ascib: other statistics with --every-cycle"
same c lockstep "ascib: the units in lockstep give other statistics"
grep -q '"drain_cycles": [1-9]' "$work/c.json" || say "ascib: no flush waited for misses"
grep -q '"lines_doomed": [1-9]' "$work/c.json" && say "ascib: a line was doomed"

# Both candidate layouts choose alike.
run compact -w syrk --size small -m adi
run full -w syrk --size small -m adi:engine.compact=0
same compact full "the compact and the full candidate layout choose differently"

for index in conv bxor rxi pmod pli adi; do
    for workload in syrk bfs histogram; do
        run static -w $workload --size tiny -m $index:level=both
    done
done
exit $bad
