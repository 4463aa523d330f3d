#!/usr/bin/env bash
# mechanisms_sharing.sh - CTA dispatch and sharing-aware caches (tabbakh2018 3.1 to 3.3): round robin
# by the unit is the machine's own, units in lockstep change nothing, every reading of a decision
# runs, no CTA is lost, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "mechanisms_sharing: $*"; bad=1; }

run() { # JSON WORKLOAD MECHANISMS OPTIONS...
    local json=$1 workload=$2 mechanisms=$3; shift 3
    timeout 300 build/warplock run -w "$workload" --size tiny -c tabbakh2018-ch2 ${mechanisms:+-m "$mechanisms"} \
        --json "$work/$json" "$@" >"$work/out" 2>&1 || { say "$workload -m $mechanisms $*"; tail -n 3 "$work/out"; }
}
judge() { # WORDS JQ: $a and $b are what the two runs told; the expression must be true
    jq -ne --slurpfile one "$work/a" --slurpfile other "$work/b" "\$one[0] as \$a | \$other[0] as \$b | $2" >/dev/null || say "$1"
}
all=sa_cta_sched=lockstep,sa_l2_track=lockstep,sa_l2_victim=lockstep,sa_l1_victim=lockstep

for workload in backprop digits hotspot; do
    run a $workload ''
    run b $workload cta:policy=rr:sched.ROTATE=0,sharing # as machine.dispatch=first
    judge "$workload: round robin is not the machine's" '$a.statistics == $b.statistics'
    run a $workload cta,sa-mgt
    for how in "-b $all" '--every-cycle' '--threads 2'; do
        # shellcheck disable=SC2086
        run b $workload cta,sa-mgt $how
        judge "$workload $how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
    done
    judge "$workload: no fill is private" '$a.mechanisms["sa-mgt"].private_fills > 0'
done

# Each decision on and off, and what of the run it changes: S of sa-mgt, C of cta or bcs.  (D-S3: in one
# launch a thread's local memory is of one SM, so nothing; the vectors of sa_l2_track tell the two apart.)
read -r -d '' readings <<'END'
D-S1 mum sa-mgt sa-mgt:hit-clears=0 0 < $a.S.reused and $a.S.reused < $b.S.reused and $a.S.declared > $b.S.declared
D-S2 backprop sa-mgt sa-mgt:mshr=0 $a.past == 0 and $b.past > 0
D-S3 lib sa-mgt sa-mgt:track.LOCAL_SHARES=1 $a == $b
D-S4 backprop sa-mgt sa-mgt:answer=asked $a.S.shared_answers > $b.S.shared_answers and $a.S.shared_lines == $b.S.shared_lines
D-S5 backprop sa-mgt sa-mgt:l1.SHARED_ALWAYS_BYPASS=1 $a.S.shared_fills > 0 and $b.S.shared_fills == 0 and $b.S.bypasses > $a.S.bypasses
D-S6 backprop sa-mgt sa-mgt:track.STORE_SHARES=0 $a.S.shared_answers > $b.S.shared_answers
D-S7 mum sa-mgt sa-mgt:l1.DEAD_TO_SHARED=1 $b.S.bypasses < $a.S.bypasses and $b.S.shared_fills > $a.S.shared_fills and $b.cycles < $a.cycles
D-C3 vecadd cta cta:scan=one $a.C == $b.C and $a.cycles < $b.cycles
D-C3 conv2d cta cta:sched.ROTATE=0 $a.C[:15] == $b.C[:15] and $a.C != $b.C
D-C4 vecadd cta cta:adaptive=0 $a.C == [[0,0],[1,1],[2,2],[3,3]] and $b.C == [[0,0],[0,1],[0,2],[0,3]]
D-C4 vecadd cta cta:sched.POOL_FIRST=0 $a.C == [[0,0],[1,1],[2,2],[3,3]] and $b.C == [[0,0],[0,1],[0,2],[0,3]]
D-C5 conv2d cta:group=15 cta:group=15:sched.EXEMPT=0 [$a,$b | [.C[:15][][1]]] == [[range(15)*15],[0,15,30,45,range(60;71)]]
D-C6 vecadd bcs bcs:sched.BCS_INITIAL=0 $a.C == [[0,0],[0,1],[0,2],[0,3]] and $b.C == [[0,0],[1,2],[0,1],[1,3]]
END
short='{S: .mechanisms["sa-mgt"], C: (.mechanisms | .cta // .bcs // {}).sm_and_cta, cycles: .statistics.cycles,
    past: (.statistics.sm_total | .load_bypasses_coherent + .load_bypasses_divergent)}'
traced() { case $1 in sa-mgt*) echo "$1" ;; *) echo "$1:trace=1" ;; esac; }
each_cta_once() { # JSON, of one launch
    jq -e '.mechanisms | (.cta // .bcs // {}).sm_and_cta // [] | map(.[1]) | (unique | length) == length' "$work/$1" >/dev/null
}
while read -r id workload standard other words; do
    run a "$workload" "$(traced "$standard")"
    run b "$workload" "$(traced "$other")"
    each_cta_once a && each_cta_once b || say "$id $workload: a CTA is issued twice"
    judge "$id: $other against $standard on $workload" "(\$a | $short) as \$a | (\$b | $short) as \$b | $words"
done <<<"$readings"

# The compared schemes.
for mechanisms in cta:group=8 cta:group=16 bcs,sa-mgt; do run a backprop "$mechanisms"; done
run a backprop stream-bypass:period=500:thr=10
run b backprop cta:trace=1
judge 'stream bypass never acts' '$a.mechanisms["stream-bypass"].l1d_bypasses > 0'
judge 'a CTA is lost or issued twice' '[$b.mechanisms.cta.sm_and_cta[][1]] | sort | unique_by(.) | length == 64'

said=$(build/warplock run -w vecadd --size small -c tabbakh2018-ch2 -m cta:sched.CTAW=7 2>&1 >/dev/null)
status=$?
case $status,$said in
2,*'1024 CTAs, and the CTA scheduler numbers 127; set sched.CTAW'*) ;;
*) say "CTAW=7: status $status, $said" ;;
esac
said=$(build/warplock run -w backprop --size tiny -c tabbakh2018-ch2 -m cta,bcs 2>&1 >/dev/null) && say 'two own CTA dispatch'
case $said in *'CTA dispatch'*) ;; *) say "two dispatchers: $said" ;; esac
exit $bad
