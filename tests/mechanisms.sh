#!/usr/bin/env bash
# mechanisms.sh - a unit inside the simulator gives the same statistics as C model, as
# RTL, as netlist and in lockstep; wrong names are refused.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
say() { echo "mechanisms: $*"; bad=1; }

for unit in conv bxor rxi pmod pdisp pli fup20 fup28; do
    for workload in atax bfs; do
        for backend in c rtl lockstep; do
            timeout 300 $w run -w $workload --size tiny -c wang2015-fup -m $unit -b $unit=$backend \
                --json "$work/$backend.json" >"$work/out" 2>&1 || { say "$workload -m $unit -b $backend"; cat "$work/out"; }
        done
        cmp -s "$work/c.json" "$work/rtl.json" || say "$workload: $unit=rtl gives other statistics than c"
        cmp -s "$work/c.json" "$work/lockstep.json" || say "$workload: $unit=lockstep gives other statistics than c"
        grep -q "$unit x .* values compared, all equal" "$work/out" || say "$workload: nothing was compared"
    done
done
for unit in conv pli pmod; do
    timeout 300 $w run -w bfs --size tiny -c aci -m $unit:level=l2 -b $unit=c+netlist >"$work/out" 2>&1 || { say "$unit:level=l2"; cat "$work/out"; }
done

refuse() { # PATTERN OPTIONS...
    local pattern=$1; shift
    $w run -w vecadd --size tiny "$@" >"$work/out" 2>&1
    [ $? = 2 ] && grep -qE "$pattern" "$work/out" || { say "$* was not refused as /$pattern/"; cat "$work/out"; }
}
refuse "no mechanism named 'nope'" -m nope
refuse 'write UNIT=BACKEND' -m fup20 -b fup28=rtl
refuse 'write UNIT=BACKEND' -b fup20=rtl
refuse "no backend 'vhdl'" -m fup20 -b fup20=vhdl
refuse 'no workload' -w nope
refuse 'line|:[0-9]+:|key' --set no.such_key=3
exit $bad
