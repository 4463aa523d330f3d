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

# Every reading of D-C3 to D-C6 and D-S1 to D-S6, and the compared schemes.
for mechanisms in cta:adaptive=0 cta:group=8 cta:group=16 cta:scan=one cta:sched.ROTATE=0 \
    cta:sched.POOL_FIRST=0 cta:sched.EXEMPT=0 bcs bcs:sched.BCS_INITIAL=0 bcs,sa-mgt \
    sa-mgt:hit-clears=0 sa-mgt:answer=asked sa-mgt:l1.SHARED_ALWAYS_BYPASS=1 \
    sa-mgt:track.STORE_SHARES=0 sa-mgt:track.LOCAL_SHARES=1 stream-bypass:period=500:thr=10; do
    run a backprop "$mechanisms"
done
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
