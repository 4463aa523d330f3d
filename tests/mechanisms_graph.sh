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

# A trace has no host calls: told by a map what the program had allocated, R-Exclusion does the same.
traced=(-c lakshminarayana2014 --set machine.sms=4 "${caches[@]}" -m rex:period=512:check=1)
run a spmv rex:period=512:check=1 --dump-trace "$work/trace"
list=$work/trace/kernelslist.g
told() { build/warplock run --trace "$list" "${traced[@]}" --json "$work/b" "$@" >"$work/out" 2>&1 || { say "a trace with $*"; tail -n 3 "$work/out"; }; }
told --threads 1
judge 'a trace without a map: its program has several regions' '$a.mechanisms.rex.misses_exclusive != $b.mechanisms.rex.misses_exclusive'
{ echo '# what spmv allocates'; sed -n 's/^Memcpy[A-Za-z]*,0x0*/0x7f0000000000 + 0x/p' "$list" | sort -u |
    while IFS=' ,' read -r high _ base bytes; do echo "$((high + base)), $bytes"; done; } >"$work/map"
told --allocations "$work/map"
judge 'a trace with the map of its allocations: another result than its program' '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
while read -r rows words; do
    printf "${rows//|/\\n}" >"$work/map"
    said=$(build/warplock run --trace "$list" --allocations "$work/map" 2>&1 >/dev/null)
    [ $? = 2 ] && [[ $said = *"$work/map:$words"* ]] && [ "$(wc -l <<<"$said")" = 1 ] || say "the map $rows is taken, or refused otherwise: $said"
done <<'END'
0x10,0 1: '0x10,0' is no allocation; write BASE,BYTES
#|-1,3 2: '-1,3' is no allocation
0xffffffffff,2 1: '0xffffffffff,2' is no allocation
1,99999999999999999999 1:
0x1000,16|0x100f,4 2: '0x100f,4' has bytes of an allocation above
# 1: no allocation can be read
END
# Copies of what was written since, taken in with memory's bytes: a program computes right by them, and a trace,
# which has no values to go wrong, takes its time as by the unit that takes all in.
run a bfs inclusion:policy=ex:stale=refreshed
judge 'no stale copy is refreshed' '$a.mechanisms.inclusion | .copy_backs_refreshed > 0 and .copy_backs_stale == 0'
run b bfs inclusion:policy=ex --dump-trace "$work/bfs"
judge 'no copy is stale' '$b.mechanisms.inclusion | .copy_backs_stale > 0 and .copy_backs_refreshed == 0'
for literal in a:stale=refreshed b:l2.CB_FILTER=0; do
    build/warplock run --trace "$work/bfs/kernelslist.g" -c lakshminarayana2014 --set machine.sms=4 "${caches[@]}" -m "inclusion:policy=ex:${literal#*:}" \
        --json "$work/${literal%%:*}" >"$work/out" 2>&1 || say "a trace with $literal: $(tail -n 1 "$work/out")"
done
judge 'refreshed copies take another time than all taken in' '$a.statistics == $b.statistics and $a.mechanisms.inclusion.copy_backs_refreshed > 0'
refused 'a map beside a program' '--allocations goes with --trace' --allocations <(echo 1,2)
refused 'lines reserved by misses' 'set l1d.enable=yes, l1d.allocate=on-fill' -c fermi15 -m rex
kept='--set l1d.allocate=on-fill --set l1d.at_launch=refreshed'
for forgets in rrip drd-ideal adi; do
    refused "copies that stay, $forgets" 'set l1d.at_launch=emptied' -c fermi15 -m "$forgets" $kept
done
refused 'copies that stay, by sectors' 'set l1d.at_launch=emptied' -c qv100-trace --set l1d.at_launch=refreshed
refused 'two owners' 'leave one of them out' -c lakshminarayana2014 -m rex,inclusion
exit $bad
