#!/usr/bin/env bash
# mechanisms_graph.sh - inclusion and R-Exclusion in the machine (lakshminarayana2014 3.3, 3.4): the
# configurations of 3.8 that must equal others do so in every counter, units in lockstep change
# nothing, lines do move, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
test=mechanisms_graph
caches=(--set l1d.sets=4 --set l2.sets=16)
. tests/judged.inc
duel=copyback_q,l1_cb,vcache8,l2_policy,flex_sdm
regions=copyback_q,l1_cb,l2_policy,region_table,rtt,l2_tagx

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
        ways $units $workload $mechanism
    done
    judge "$workload: no region is ever judged" '$a.mechanisms.rex.updates > 0'
done

refused 'lines reserved by misses' 'set l1d.enable=yes, l1d.allocate=on-fill' -c fermi15 -m rex
refused 'two owners' 'leave one of them out' -c lakshminarayana2014 -m rex,inclusion
exit $bad
