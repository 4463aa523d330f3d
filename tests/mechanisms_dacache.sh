#!/usr/bin/env bash
# mechanisms_dacache.sh - DaCache and the L1D policies it is compared with: same statistics
# on every backend and however the machine is stepped, answers right, machines that do not
# fit refused.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
machine=wang2015-dacache
say() { echo "mechanisms_dacache: $*"; bad=1; }
. tests/backends.inc

for workload in atax syr2k spmv bfs; do
    # shellcheck disable=SC2046
    same dacache $workload $(units_under dacache)
done
# Static partitions have no dac_part.
# shellcheck disable=SC2046
same dacache:partition=2:none=stall kmeans $(units_under dacache | sed 's/ dac_part\b//')
same gto atax gto_sched

for mechanism in dacache dacache:none=stall dacache:none=uncon dacache:partition=0 dacache:promote=0 dip rrip; do
    for workload in bicg gesummv kmeans invindex srad; do
        stepped $mechanism $workload
    done
done

# The scheduler as a unit is the machine's own.
for workload in atax bfs srad; do
    $w run -w $workload --size tiny -c $machine --json "$work/own.json" >/dev/null 2>&1
    $w run -w $workload --size tiny -c $machine -m gto --json "$work/unit.json" >/dev/null 2>&1
    cmp -s "$work/own.json" "$work/unit.json" || say "$workload: the unit is not the machine's GTO"
done

stepped dacache:none=class syr2k
stepped dacache:rank=scheduler kmeans
stepped dip:insert=lru bicg

refuse() { # PATTERN OPTIONS...
    local pattern=$1; shift
    $w run -w vecadd --size tiny "$@" >"$work/out" 2>&1
    [ $? = 2 ] && grep -qE "$pattern" "$work/out" || { say "$* was not refused as /$pattern/"; cat "$work/out"; }
}
refuse 'set l1d.allocate=on-miss' -c wang2015-oaws -m dacache
refuse 'power of two of sets' -c $machine --set l1d.index=linear --set l1d.sets=31 -m dacache
refuse 'set sm.warps' -c $machine --set sm.warps=64 --set sm.threads=2048 -m dacache
refuse "dacache and dip both replace the L1D's replacement policy" -c $machine -m dacache,dip
refuse "rrip replaces the L1D's replacement policy behind ccws; name it before" -c $machine -m ccws,rrip
refuse 'gto replaces the warp scheduler behind swl; name it before' -c $machine -m swl,gto
refuse 'a scheduler has 24 warps; give partition=-1 to 24' -c $machine -m dacache:partition=25
exit $bad
