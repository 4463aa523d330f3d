#!/usr/bin/env bash
# mechanisms_caps_lockstep.sh - every workload under CAPS with all four units in lockstep, and
# the variants that change a unit: no mismatch, statistics those of the C models.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
units=caps_percta=lockstep,caps_dist=lockstep,caps_prefetch_gen=lockstep,pas_sched=lockstep

compare() { # WORKLOAD MECHANISM
    local run="$w run -w $1 --size tiny -c caps -m $2"
    timeout 300 $run --json "$work/c" >"$work/out" 2>&1 &&
        timeout 300 $run --json "$work/lockstep" -b $units >"$work/out" 2>&1 ||
        { echo "mechanisms_caps_lockstep: $1 -m $2"; tail -n 5 "$work/out"; bad=1; return; }
    cmp -s "$work/c" "$work/lockstep" ||
        { echo "mechanisms_caps_lockstep: $1 -m $2: other statistics than on C"; bad=1; }
    [ "$(grep -c 'values compared, all equal' "$work/out")" = 4 ] ||
        { echo "mechanisms_caps_lockstep: $1 -m $2: not all four units were compared"; bad=1; }
}

workloads=$(all_workloads)
[ "$(wc -w <<<"$workloads")" -ge 50 ] || { echo "mechanisms_caps_lockstep: workloads are missing"; bad=1; }
for workload in $workloads; do
    together "$workload" || compare "$workload" caps
done
for mechanism in caps-nowake caps-clear caps-drop caps-same caps-self caps-flush caps-line; do
    compare laplace3d $mechanism
done
exit $bad
