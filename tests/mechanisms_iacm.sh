#!/usr/bin/env bash
# mechanisms_iacm.sh - IACM in the simulator (aci 3.10 to 3.14): units in lockstep and the way the machine
# is stepped change nothing, every order and every pair of techniques gives right answers, what is off does
# nothing, phases account for every cycle, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "mechanisms_iacm: $*"; bad=1; }

run() { # JSON WORKLOAD MECHANISMS OPTIONS...
    local json=$1 workload=$2 mechanisms=$3; shift 3
    timeout 300 build/warplock run -w "$workload" --size tiny -c iacm ${mechanisms:+-m "$mechanisms"} \
        --json "$work/$json" "$@" >"$work/out" 2>&1 || { say "$workload -m $mechanisms $*"; tail -n 3 "$work/out"; }
}
judge() { # WORDS JQ: $a and $b are what the two runs told; the expression must be true
    jq -ne --slurpfile one "$work/a" --slurpfile other "$work/b" "\$one[0] as \$a | \$other[0] as \$b | $2" >/dev/null || say "$1"
}
# Periods so short that a tiny kernel goes through all phases.
short=adi-period=20:idle-period=500:awl-period=500
units=awl_ctrl=lockstep,idle_mon=lockstep,iacm_core_ctrl=lockstep,warp_limit=lockstep,rpd_bypass=lockstep,adi_engine=lockstep

run a atax iacm:$short
for how in "-b $units" --every-cycle '--threads 2'; do
    # shellcheck disable=SC2086
    run b atax iacm:$short $how
    judge "$how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
done
judge 'a phase never comes' '$a.mechanisms.iacm | .adi_settled > 0 and .searches > 0 and .idle_cycles > 0 and .retriggers > 0'
judge 'nothing bypasses' '$a.mechanisms.iacm.bypasses_protected > 0 and $a.mechanisms.iacm.bypasses_reserved > 0'

# Every order, every pair and none of the techniques.
for order in adi-awl awl-adi parallel; do
    for kind in adi=1:awl=1:rpd=0 adi=1:awl=0:rpd=1 adi=0:awl=1:rpd=1 adi=0:awl=0:rpd=0; do
        run b spmv iacm:order=$order:$kind:$short
    done
done
run a spmv ''
judge 'without any technique it is another machine' '$a.statistics == $b.statistics'

# The parts alone, and beside a static index, are IACM without the others.
run a spmv iacm:adi=0:rpd=0:idle-period=500:awl-period=500
run b spmv awl:idle-period=500:awl-period=500
judge 'awl is not IACM with warp limiting alone' '$a.statistics == $b.statistics'
run a spmv rxi,iacm:adi=0:awl=0
run b spmv rxi,rpd
judge 'rpd is not IACM with bypassing alone' '$a.statistics == $b.statistics'

# DWT-like throttling: the same however it is stepped, decided in every kernel, no limit where misses are few.
run a kmeans dwt-pric:window=1000
for how in '-b pli=lockstep,warp_limit=lockstep' --every-cycle '--threads 2'; do
    # shellcheck disable=SC2086
    run b kmeans dwt-pric:window=1000 $how
    judge "dwt-pric, $how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
done
judge 'nobody is throttled' '$a.mechanisms["dwt-pric"] | .decisions_to_throttle > 0 and .held_back > 0'
run b kmeans dwt-pric:window=1000:mpki=1000
judge 'few misses, and a limit' '$b.mechanisms["dwt-pric"] | .decisions > 0 and .decisions_to_throttle == 0'
# A window longer than every kernel decides nothing.
run b kmeans dwt-pric:window=16777216
judge 'a decision without a whole window' '$b.mechanisms["dwt-pric"].decisions == 0'

refused() { # WORDS OPTIONS...
    local words=$1 said status; shift
    said=$(build/warplock run -w vecadd --size tiny -c iacm "$@" 2>&1 >/dev/null)
    status=$?
    [ $status = 2 ] && [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == *"$words"* ]] || say "$*: status $status, '$said'"
}
refused 'at most three schedulers' -m awl --set sm.schedulers=4
refused 'l1d.allocate=on-miss' -m rpd --set l1d.allocate=on-fill
refused 'order' -m iacm:order=awl
exit $bad
