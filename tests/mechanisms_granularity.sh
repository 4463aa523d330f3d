#!/usr/bin/env bash
# mechanisms_granularity.sh - sectors of lines and their predictors in the machine (lakshminarayana2014
# 3.6): the configurations of 3.8 that must equal others do so in every counter, units in lockstep
# change nothing, sectors are what moves, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "mechanisms_granularity: $*"; bad=1; }

run() { # JSON WORKLOAD MECHANISMS OPTIONS...
    local json=$1 workload=$2 mechanisms=$3; shift 3
    timeout 300 build/warplock run -w "$workload" --size tiny -c lakshminarayana2014 --set l1d.sets=4 \
        --set l2.sets=4 --set machine.sms=4 ${mechanisms:+-m "$mechanisms"} \
        --json "$work/$json" "$@" >"$work/out" 2>&1 || { say "$workload -m $mechanisms $*"; tail -n 3 "$work/out"; }
}
judge() { # WORDS JQ: $a and $b are what the two runs told; the expression must be true
    jq -ne --slurpfile one "$work/a" --slurpfile other "$work/b" "\$one[0] as \$a | \$other[0] as \$b | $2" >/dev/null || say "$1"
}
same() { # WORDS: of two mechanisms' runs
    judge "$1" '$a.statistics == $b.statistics'
}
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
    for how in "-b sect_tag=lockstep,$policy=lockstep" '--every-cycle' '--threads 2'; do
        # shellcheck disable=SC2086
        run b sssp $with=$policy:level=both $how
        judge "$policy $how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
    done
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
for how in "-b sect_tag=lockstep,obm=lockstep" '--every-cycle' '--threads 2'; do
    # shellcheck disable=SC2086
    run b sssp $with=sector,$both $how
    judge "OBM over sectors $how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
done
run b sssp $both,$with=sector
judge 'OBM over sectors: the order in which the two are named matters' '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'

refuse() { # WORDS ARGUMENTS...
    local words=$1 said status; shift
    said=$(build/warplock run -w vecadd --size tiny "$@" 2>&1 >/dev/null)
    status=$?
    case $status,$said in
    2,*"$words"*) [ "$(wc -l <<<"$said")" = 1 ] || say "$*: more than a line" ;;
    *) say "$*: status $status, $said" ;;
    esac
}
refuse 'set l1d.enable=yes, l1d.allocate=on-fill' -c fermi15 -m granularity
refuse 'l2.write=evict' -c lakshminarayana2014 --set l2.write=back-fetch -m granularity
refuse 'leave one of them out' -c lakshminarayana2014 -m inclusion,granularity
refuse 'leave one of them out' -c lakshminarayana2014 -m granularity,rex
exit $bad
