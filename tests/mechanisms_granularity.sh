#!/usr/bin/env bash
# mechanisms_granularity.sh - sectors of lines and their predictors in the machine (lakshminarayana2014
# 3.6): the configurations of 3.8 that must equal others do so in every counter, units in lockstep
# change nothing, sectors are what moves, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
test=mechanisms_granularity
caches=(--set l1d.sets=4 --set l2.sets=4)
. tests/judged.inc
with=granularity:policy

for workload in bfs sssp; do # sssp has atomics
    # 3.8, row by row: the coarse baseline is the machine without sectors.
    run a $workload ''
    for coarse in coarse bim:level=both:bim.FINE=0; do
        [ $workload,${coarse%%:*} = sssp,bim ] && continue # atomics are not predicted (D-GRAN-6)
        run b $workload $with=$coarse
        same "$workload: $coarse is not the machine's own"
    done
    run a $workload $with=sector
    for plain in bim:level=both:bim.FINE=4:bim.START=1 nap:level=both:nap.THRESHOLD=15 spp:level=both:spp.LEARN=0; do
        run b $workload $with=$plain
        same "$workload: $plain is not a cache of sectors"
    done
    run b $workload $with=coarse
    # What a cache of sectors fetches is asked for; fewer bytes move at both levels.
    judge "$workload: sectors move no fewer bytes" \
        '$a.statistics.dram.read_bytes < $b.statistics.dram.read_bytes and
         $a.statistics.reply_network.read_reply.bytes < $b.statistics.reply_network.read_reply.bytes and
         $a.statistics.l2.fills == $a.statistics.dram.reads'
    judge "$workload: no sector misses, or something was added" \
        '$a.mechanisms.granularity | .l1_sector_misses > 0 and .l2_sector_misses > 0 and .l1_sectors_added == 0 and .l2_sectors_added == 0'
    judge "$workload: the coarse machine misses sectors, or reads all it fetches" \
        '$b.mechanisms.granularity | .l1_sector_misses == 0 and .l1_sectors_unused > 0'
done
for policy in spp bim nap; do
    run a sssp $with=$policy:level=both
    ways sect_tag,$policy sssp $with=$policy:level=both
    judge "$policy adds nothing" '$a.mechanisms.granularity | .l1_sectors_added > 0 and .l2_sectors_added > 0'
    run b sssp $with=$policy:level=l1
    judge "$policy: the L2 has a predictor, or the L1D none" '$b.mechanisms.granularity | .l1_sectors_added > 0 and .l2_sectors_added == 0'
    run b sssp $with=$policy:level=l2
    judge "$policy: the L1D has a predictor, or the L2 none" '$b.mechanisms.granularity | .l1_sectors_added == 0 and .l2_sectors_added > 0'
done

# OBM over sectors (3.6.6).  What is decided about is a block, once, however many replies bring its
# sectors: where every full set is bypassed, a block miss is a bypass or takes an empty way.
both=bypass:policy=obm:level=both
run a sssp $with=sector
run b sssp $with=sector,$both:obm.INIT=0:obm.FREEZE=1
same 'OBM that never bypasses is not a cache of sectors'
run a spmv $with=sector,$both:obm.INIT=31:obm.FREEZE=1
judge 'OBM over sectors: a block is decided about twice, or not at all' '$a.mechanisms | . as $m
    | $m.bypass.l1_bypasses > 0 and $m.granularity.l1_sector_misses > 0
      and $m.bypass.l1_bypasses == $m.bypass.l1_fills_decided
      and $m.bypass.l1_bypasses + $m.bypass.l1_insertions == $m.granularity.l1_block_misses
      and $m.bypass.l2_bypasses + $m.bypass.l2_insertions == $m.granularity.l2_block_misses'
run a sssp $with=sector,$both
judge 'OBM over sectors: nothing bypasses, or nothing is learnt' '$a.mechanisms.bypass | .l1_bypasses > 0 and .l2_bypasses > 0 and .l1_pairs_judged > 0'
ways sect_tag,obm sssp $with=sector,$both
run b sssp $both,$with=sector
judge 'OBM over sectors: the order in which the two are named matters' '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'

refused 'lines reserved by misses' 'set l1d.enable=yes, l1d.allocate=on-fill' -c fermi15 -m granularity
refused 'an L2 that writes back' 'l2.write=evict' -c lakshminarayana2014 --set l2.write=back-fetch -m granularity
refused 'beside inclusion' 'leave one of them out' -c lakshminarayana2014 -m inclusion,granularity
refused 'beside rex' 'leave one of them out' -c lakshminarayana2014 -m granularity,rex
exit $bad
