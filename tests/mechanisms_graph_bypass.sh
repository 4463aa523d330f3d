#!/usr/bin/env bash
# mechanisms_graph_bypass.sh - lines that bypass caches in the machine (lakshminarayana2014 3.5): the
# configurations of 3.8 that must equal others do so in every counter, units in lockstep change
# nothing, lines do bypass, as often as the caches themselves count it, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
test=mechanisms_graph_bypass
caches=(--set l1d.sets=4 --set l2.sets=16 --set l2.ways=2)
. tests/judged.inc
# 3.8, row by row.
for workload in bfs spmv; do
    run a $workload ''
    for ni in bypass:policy=mat:level=both:mat.F_PERCENT=0 bypass:policy=ab:level=both:ab.BYPASS=0:ab.VIRTUAL=0 \
        bypass:policy=obm:level=both:obm.INIT=0:obm.FREEZE=1 bc:force=cache; do
        run b $workload $ni
        judge "$workload: $ni is not the machine's own" '$a.statistics == $b.statistics'
    done
done
# Nor is a policy that only watches: it learns, and bypasses nothing.
run b spmv bypass:policy=ab:level=both:ab.BYPASS=0
judge 'AB that only watches is not the machine'"'"'s own' '$a.statistics == $b.statistics'
judge 'AB does not learn from lines that were inserted' '$b.mechanisms.bypass | .l1_bypasses_effective > 0 and .l1_bypasses_ineffective > 0'

for policy in mat ab:ab.E_INIT=2:ab.E_MIN=1 obm; do
    mechanism=bypass:policy=$policy:level=both:check=1
    run a spmv $mechanism
    judge "$mechanism: lines bypass otherwise than the caches count" '$a.mechanisms.bypass as $m | $a.statistics as $s
        | $m.l1_bypasses > 0 and $m.l2_bypasses > 0 and $m.l2_bypasses == $s.l2.read_bypasses
          and $m.l1_bypasses == $s.sm_total.l1d_unplaced_fills and $m.l1_fills_decided >= $m.l1_bypasses'
    case $policy in mat) unit=mat ;; ab*) unit=ab_set ;; *) unit=obm ;; esac
    ways $unit spmv $mechanism
done
run a spmv bc:period=512:check=1
judge 'bc: lines bypass otherwise than the caches count' '$a.mechanisms.bc as $m | $a.statistics as $s
    | $m.l1_bypasses > 0 and $m.l1_bypasses == $s.sm_total.l1d_unplaced_fills and $m.misses_bypass_l2 > 0
      and $m.copy_backs_sent > 0 and $m.copy_backs_sent == $s.l2.copy_backs and $m.fills == $m.l1_bypasses + $m.l1_insertions'
ways ptt,upat,bc_decide,l1_cb,l2_policy,region_table,rtt,l2_tagx spmv bc:period=512:check=1
# Level by level; beside inclusion, in either order.
run a spmv bc:period=512:level=l2
judge 'bc: the L1D is bypassed, or nothing at all' '$a.mechanisms.bc | .l1_bypasses == 0 and .misses_bypass_l2 > 0'
run a spmv bc:period=512:level=l1
judge 'bc: the L2 is bypassed, or nothing at all' '$a.mechanisms.bc | .misses_bypass_l2 == 0 and .copy_backs_sent == 0 and .l1_bypasses > 0'
# What bypasses can earn no hit (D-BC-5); one bypass in 32 that is not done is a way back.
run a bfs bc:period=128
run b bfs bc:period=128:decide.SAMPLE=1
judge 'bc: bypasses that are not done change nothing' '$a.mechanisms.bc.misses_sampled == 0 and $b.mechanisms.bc.misses_sampled > 0
    and $b.mechanisms.bc.l1_bypasses < $a.mechanisms.bc.l1_bypasses and $b.statistics.cycles < $a.statistics.cycles'
run a spmv bypass:policy=obm:level=both,inclusion:policy=ex
judge 'OBM and EX: lines do not bypass, or are not copied back' '$a.mechanisms | .bypass.l1_bypasses > 0 and .inclusion.copy_backs_sent > 0'
run b spmv inclusion:policy=ni,bypass:policy=obm:level=l2
judge 'OBM inside of NI: no line bypasses' '$b.mechanisms.bypass | .l2_bypasses > 0 and (has("l1_bypasses") | not)'
# Who joins a fetch that is bypassed gets no line, where NI would give it one (D-BYP-1).
for policy in mat ab:ab.E_INIT=1 obm:obm.INIT=31:obm.FREEZE=1; do
    run a spmv bypass:policy=$policy:level=l2
    run b spmv bypass:policy=$policy:level=l2,inclusion:policy=ni:victim=0
    judge "$policy: another result inside of NI without a victim cache" '$a.statistics == $b.statistics'
done

refused 'lines reserved by misses' 'set l1d.enable=yes, l1d.allocate=on-fill' -c fermi15 -m bypass
refused 'lines reserved by misses, bc' 'l1d.allocate=on-fill' -c fermi15 -m bc
refused 'a policy that does not exist' 'mat|ab|obm' -c lakshminarayana2014 -m bypass:policy=lru
refused 'two owners' 'leave one of them out' -c lakshminarayana2014 -m rex,bc
exit $bad
