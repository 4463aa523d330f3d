#!/usr/bin/env bash
# mechanisms_gtsc.sh - coherence protocols on workloads whose CTAs communicate inside a launch:
# answers right under every coherent protocol and wrong without one, no violation, the G-TSC
# units in lockstep, the same statistics on every backend and however the machine is stepped.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
machine=tabbakh2018-ch3
say() { echo "mechanisms_gtsc: $*"; bad=1; }
. tests/backends.inc

sharing="wave steal place bhtree cudacuts bfs components mst"
for workload in $sharing; do
    for protocol in no-l1 tc-strong,check-coherence tc-weak,check-coherence gtsc-sc,check-coherence \
                    gtsc-rc,check-coherence gtsc-rc:ts_bits=8,check-coherence gtsc-sc:ts_bits=5,check-coherence; do
        timeout 200 $w run -w $workload --size tiny -c $machine -m $protocol >"$work/out" 2>&1 ||
            { say "$workload -m $protocol"; tail -3 "$work/out"; }
    done
done
for workload in wave place steal,leaf=8; do
    size=tiny${workload#"${workload%%,*}"}
    timeout 200 $w run -w "${workload%%,*}" --size "$size" -c $machine -m l1-noncoherent >"$work/out" 2>&1
    [ $? = 1 ] || say "$workload is right without coherence"
done
timeout 200 $w run -w bhtree --size small -c $machine -m l1-noncoherent >"$work/out" 2>&1
[ $? = 1 ] || say "bhtree is right without coherence"

for protocol in gtsc-sc gtsc-rc; do
    for workload in $sharing; do
        # shellcheck disable=SC2046
        same $protocol $workload $(units_under gtsc-rc)
    done
done
# The other choices: a line with a renewal in flight pinned, stores under the lock, hits that
# move the warp.  Pinned, no renewal finds its line replaced; else some do.
for choice in sc:l1.pin=1 rc:l1.pin=1 rc:l1.st_under_lock=1 rc:l1.self_inc=256; do
    for workload in wave place bfs; do
        timeout 200 $w run -w $workload --size tiny -c $machine -m gtsc-$choice,check-coherence >"$work/out" 2>&1 ||
            { say "$workload -m gtsc-$choice"; tail -3 "$work/out"; }
    done
    same gtsc-$choice place gtsc_l1
done
for protocol in gtsc-rc=='[1-9]' gtsc-rc:l1.pin=1==0; do
    timeout 200 $w run -w bfs --size tiny -c $machine -m ${protocol%==*} --set l1d.sets=2 >"$work/out" 2>&1 ||
        say "bfs -m ${protocol%==*} in a small L1D"
    grep -qE "renewals_orphaned ${protocol#*==}" "$work/out" || { say "orphans of $protocol"; tail -30 "$work/out"; }
done
# Resets: timestamps of 8 bits overflow.
# shellcheck disable=SC2046
same gtsc-rc:ts_bits=8 components $(units_under gtsc-rc)
grep -q 'resets [1-9]' "$work/out" || say "no timestamp overflowed"

for protocol in no-l1 tc-strong tc-weak gtsc-sc gtsc-rc gtsc-rc:ts_bits=5; do
    for workload in wave place lavamd; do
        stepped $protocol $workload
    done
done

refuse() { # PATTERN OPTIONS...
    local pattern=$1; shift
    $w run -w vecadd --size tiny "$@" >"$work/out" 2>&1
    [ $? = 2 ] && grep -qE "$pattern" "$work/out" || { say "$* was not refused as /$pattern/"; cat "$work/out"; }
}
refuse 'set l2.write=back-fetch' -c fermi15 -m gtsc-rc
refuse 'gtsc-rc and tc-weak both replace the coherence protocol' -c $machine -m gtsc-rc,tc-weak
refuse 'no-l1 and tc-weak both replace the coherence protocol' -c $machine -m no-l1,tc-weak
refuse 'two leases do not fit' -c $machine -m gtsc-rc:lease=20:ts_bits=5
refuse "'lease=32'.*give 1 to 31" -c $machine -m gtsc-sc:lease=32
refuse 'l1.UPDATE_VISIBILITY=2 follows' -c $machine -m gtsc-rc:l1.update_visibility=2
refuse 'at most 4096 lines an L1D' -c $machine --set l1d.sets=1024 --set l1d.ways=8 -m gtsc-rc
refuse 'would lose leases' -c $machine --set l2.write=evict -m tc-weak
exit $bad
