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

# The warp limit over time, on what thrashes and on what conflicts as well: it adds up, begins with the
# warps of a launch (C17: a CTA of 8 on an SM of two schedulers), and moves by steps of 3.10.4 a period apart.
limit_over_time() { # PERIOD
    judge 'the warp limit over time does not add up' '$a.statistics.cycles as $all | $a.mechanisms.iacm
        | ([.warp_counts[] | . as $l | range(length) as $i | (($l[$i + 1][0] // $all) - $l[$i][0]) * $l[$i][1]] | add) == .warp_limit_cycles
        and ([.warp_counts[] | length - 1] | add) == .warp_count_moves'
    judge 'a launch does not begin with all its warps' '[$a.statistics.launches[].start_cycle + 1] as $starts | $a.mechanisms.iacm.warp_counts
        | all(.[]; . as $l | all($starts[]; . as $at | [$l[] | select(.[0] <= $at)][-1][1] == 4))'
    judge 'the warp limit moves otherwise than 3.10.4 says' '[$a.statistics.launches[].start_cycle + 1] as $starts | $a.mechanisms.iacm.warp_counts
        | [.[] | . as $l | range(2; length) as $i | $l[$i] as $to | $l[$i - 1] as $from | select($starts | index($to[0]) | not)
           | ($to[0] - $from[0] >= '"$1"') and ($from[1] as $n | [($n / 2 | floor), 2 * $n, 2 * $n + 1, $n - 1, $n + 1] | index($to[1])) != null]
        | length > 10 and all'
}
limit_over_time 500
run a kmeans iacm:idle-period=2000:awl-period=2000
limit_over_time 2000

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

# What the document leaves open is a parameter of a part; each makes another run of this one.
wide=adi-eps=8:idle-eps=8:awl-eps=8
run a kmeans iacm:$short:$wide
for other in control.iacm_launch_phase=1 control.adi_vic_timeout=100 search.cp_late=1 search.ends_at_once=1 \
    search.eps_warps=1 bypass.pd=2 bypass.bypass_ages=0 bypass.from_fill=0; do
    run b kmeans iacm:$short:$wide:$other
    judge "$other changes nothing" '$a.statistics != $b.statistics'
done
run b kmeans dwt-pric:window=1000,rpd

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
