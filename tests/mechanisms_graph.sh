#!/usr/bin/env bash
# mechanisms_graph.sh - inclusion and R-Exclusion in the machine (lakshminarayana2014 3.3, 3.4): the
# configurations of 3.8 that must equal others do so in every counter, units in lockstep change
# nothing, lines do move, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "mechanisms_graph: $*"; bad=1; }

run() { # JSON WORKLOAD MECHANISMS OPTIONS...
    local json=$1 workload=$2 mechanisms=$3; shift 3
    timeout 300 build/warplock run -w "$workload" --size tiny -c lakshminarayana2014 --set l1d.sets=4 \
        --set l2.sets=16 --set machine.sms=4 ${mechanisms:+-m "$mechanisms"} \
        --json "$work/$json" "$@" >"$work/out" 2>&1 || { say "$workload -m $mechanisms $*"; tail -n 3 "$work/out"; }
}
judge() { # WORDS JQ: $a and $b are what the two runs told; the expression must be true
    jq -ne --slurpfile one "$work/a" --slurpfile other "$work/b" "\$one[0] as \$a | \$other[0] as \$b | $2" >/dev/null || say "$1"
}
same() { # WORDS: of two mechanisms' runs
    judge "$1" '$a.statistics == $b.statistics'
}
duel=copyback_q=lockstep,l1_cb=lockstep,vcache8=lockstep,l2_policy=lockstep,flex_sdm=lockstep
regions=copyback_q=lockstep,l1_cb=lockstep,l2_policy=lockstep,region_table=lockstep,rtt=lockstep,l2_tagx=lockstep

for workload in bfs spmv; do
    # 3.8, row by row.
    run a $workload ''
    for ni in inclusion:policy=ni:victim=0 inclusion:policy=flex:victim=0:sdm.FREEZE=1:l2.LEADERS=1 rex:force=shared; do
        run b $workload $ni
        same "$workload: $ni is not the machine's own"
    done
    run a $workload inclusion:policy=ni
    run b $workload inclusion:policy=flex:sdm.FREEZE=1:l2.LEADERS=1
    same "$workload: FLEX frozen at 0 is not NI"
    run a $workload inclusion:policy=ex
    run b $workload inclusion:policy=flex:sdm.FREEZE=2:l2.LEADERS=2
    same "$workload: FLEX frozen at its greatest is not EX"
    judge "$workload: no line is given away, copied back or swapped" \
        '$a.mechanisms.inclusion | .l2_lines_given_away > 0 and .l2_insertions_by_copy_back > 0 and .victim_cache_hits > 0'
    # One core: nobody else hits a line that was copied back.
    run a $workload inclusion:policy=ex:victim=0 --set machine.sms=1
    run b $workload rex:force=private --set machine.sms=1
    same "$workload: R-Exclusion of private regions alone is not EX"
    for mechanism in inclusion:policy=flex rex:period=512; do
        run a $workload $mechanism
        case $mechanism in rex*) units=$regions ;; *) units=$duel ;; esac
        for how in "-b $units" '--every-cycle' '--threads 2'; do
            # shellcheck disable=SC2086
            run b $workload $mechanism $how
            judge "$workload $mechanism $how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
        done
    done
    judge "$workload: no region is ever judged" '$a.mechanisms.rex.updates > 0'
done

said=$(build/warplock run -w vecadd --size tiny -c fermi15 -m rex 2>&1 >/dev/null)
status=$?
case $status,$said in
2,*'set l1d.enable=yes, l1d.allocate=on-fill'*) ;;
*) say "lines reserved by misses: status $status, $said" ;;
esac
said=$(build/warplock run -w vecadd --size tiny -c lakshminarayana2014 -m rex,inclusion 2>&1 >/dev/null) && say 'two mechanisms own inclusion'
case $said in *'leave one of them out'*) ;; *) say "two owners: $said" ;; esac
exit $bad
