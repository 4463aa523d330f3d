#!/usr/bin/env bash
# mechanisms_blpp.sh - page placement in the simulator (aci 3.16, 3.17): every policy gives right answers,
# units in lockstep and the way the machine is stepped change nothing, shares come out as the equations say,
# full memories overflow and replace, what is off does nothing, and bad use ends with one line.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "mechanisms_blpp: $*"; bad=1; }

run() { # JSON WORKLOAD MECHANISMS OPTIONS...
    local json=$1 workload=$2 mechanisms=$3; shift 3
    timeout 300 build/warplock run -w "$workload" --size tiny -c blpp ${mechanisms:+-m "$mechanisms"} \
        --json "$work/$json" "$@" >"$work/out" 2>&1 || { say "$workload -m $mechanisms $*"; tail -n 3 "$work/out"; }
}
judge() { # WORDS JQ: $a and $b are what the two runs told; the expression must be true
    jq -ne --slurpfile one "$work/a" --slurpfile other "$work/b" "\$one[0] as \$a | \$other[0] as \$b | $2" >/dev/null || say "$1"
}
units=blpp_alloc=lockstep,blpp_monitor=lockstep,selective_cache_filter=lockstep
profile=l1-miss=570:l2-miss=0:traffic=200900

# Every policy on workloads of gathers, atomics and local reuse; each checks its own result.
for workload in spmv histogram cfd; do
    for policy in local static:ratio=0 static:ratio=500 bap s-blpp:$profile d-blpp:window=1000:theta-b=0; do
        run b $workload blpp:policy=$policy
    done
done

# Lockstep, every cycle and threads: the same, with pages in both memories, shares that move, full memories.
moving=blpp:policy=d-blpp:window=1000:theta-b=1000
run a mm2 $moving
judge 'no share moves' '$a.mechanisms.blpp | .share_moves > 0 and .pages_to_cpu > 0 and .pages_to_gpu > 0'
for how in "-b $units" --every-cycle '--threads 2'; do
    # shellcheck disable=SC2086
    run b mm2 $moving $how
    judge "$how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
done
crowded='--set host.gpu_pages=16 --set host.pages=8 --set host.replace_cycles=100'
# shellcheck disable=SC2086
run a mm2 blpp:policy=bap $crowded
judge 'nothing overflows or is replaced' '$a.mechanisms.blpp.redirected > 0 and $a.mechanisms.blpp.replacements > 0
    and ($a.statistics.placement | .gpu_pages == 16 and .host_pages == 8 and .gpu_pages_replaced + .host_pages_replaced == $a.mechanisms.blpp.replacements)'
for how in "-b $units" --every-cycle '--threads 2'; do
    # shellcheck disable=SC2086
    run b mm2 blpp:policy=bap $crowded $how
    judge "crowded, $how: another result" '$a.statistics == $b.statistics and $a.mechanisms == $b.mechanisms'
done

# Beside what flushes, prefetches, bypasses or replays, and on other networks: right values, though pages move.
# (The router with queues before it is a crossbar of flits.)
plain='--set icnt.inject_flits=0 --set icnt.speedup=1'
for beside in adi caps iacm 'mascar --set ldst.replay_queue=32' "conv $plain --set icnt.topology=mesh" "conv $plain --set icnt.switch=packets"; do
    # shellcheck disable=SC2086
    run b mm2 blpp:policy=bap,${beside%% *} $crowded $([ "$beside" = "${beside#* }" ] || echo "${beside#* }")
done

# A memory that is full gives way to the other: no page is replaced while there is room.
run a spmv blpp:policy=local --set host.gpu_pages=5
judge 'pages of a full GPU memory go elsewhere' '$a.statistics.placement | .gpu_pages == 5 and .host_pages > 0 and .gpu_pages_replaced == 0'

# Shares: BAP by the keys' bandwidths (aci 3.17.6), the same as a static one; pages as the share says.
run a spmv blpp:policy=bap
run b spmv blpp:policy=static:ratio=714
judge 'BAP is not 5/7' '$a.mechanisms.blpp.share == 46811 and $b.mechanisms.blpp.share == 46792'
judge 'pages are not where the statistics say' '$a | .mechanisms.blpp.pages_to_gpu == .statistics.placement.gpu_pages and .mechanisms.blpp.pages_to_cpu == .statistics.placement.host_pages'
run a spmv blpp:policy=bap --set host.bandwidth_mbps=320000
judge 'BAP at 320 GB/s' '$a.mechanisms.blpp.share == 25206'
# The classes of Table 7, by its miss rates and traffic; BFS and 2DC stay in GPU memory.
run a spmv blpp:policy=s-blpp:l1-miss=530:l2-miss=240:traffic=227500
run b spmv blpp:policy=s-blpp:l1-miss=230:l2-miss=540:traffic=188000
judge '2MM and 2DC' '$a.mechanisms.blpp.share == 46811 and $b.mechanisms.blpp.share == 65536'
run b spmv blpp:policy=s-blpp:l1-miss=350:l2-miss=360:traffic=112500
judge 'BFS' '$b.mechanisms.blpp.share == 65536'
# As many of so many pages are in GPU memory as of the first numbers of 3.17.6 are below 5/7.
run a cfd blpp:policy=bap
pages=$(jq '.mechanisms.blpp | .pages_to_gpu + .pages_to_cpu' "$work/a") number=$((0xACE1)) below=0
for _ in $(seq "$pages"); do
    number=$((number >> 1 ^ (number & 1 ? 0xB400 : 0)))
    below=$((below + (number < 46811)))
done
judge "of $pages pages $below are to be in GPU memory" "\$a.mechanisms.blpp.pages_to_gpu == $below and $pages > 50"
# What the monitors have counted is what the machine has: cacheable loads, all bytes on both networks.
run a mm2 blpp:policy=bap
judge 'counts are not those of the machine' '$a.mechanisms.blpp as $m | $a.statistics
    | $m.l1_accesses == ([.sm_total | .load_hits_coherent, .load_hits_divergent, .load_merges_coherent, .load_merges_divergent,
                          .load_misses_coherent, .load_misses_divergent] | add)
    and $m.l1_misses == .sm_total.load_misses_coherent + .sm_total.load_misses_divergent
    and $m.l2_accesses == .l2.reads - .l2.read_bypasses and $m.l2_misses == .l2.read_misses
    and $m.bytes == ([.request_network, .reply_network | .[].bytes] | add)'
# S-BLPP by the printed profile of a local run comes to the optimum that this run names.
run a conv2d blpp:policy=local:theta-b=50000
run b conv2d "blpp:policy=s-blpp:theta-b=50000:$(jq -r '.mechanisms.blpp | "l1-miss=\(.l1_miss_permille):l2-miss=\(.l2_miss_permille):traffic=\(.traffic_mbps)"' "$work/a")"
judge 'S-BLPP is not the optimum of its profile' '$b.mechanisms.blpp.share == $a.mechanisms.blpp.optimum and $b.mechanisms.blpp.share == 46811'
# Host memory alone: nothing is cached, nothing reaches DRAM.
run a vecadd blpp:policy=static:ratio=0
judge 'pages of host memory are cached' '$a.statistics | .dram.reads == 0 and .l2.reads == 0 and .host_memory_requests > 0 and .placement.gpu_pages == 0'

# Without the mechanism its keys change nothing, and there is nothing to read about it.
run a spmv ''
# shellcheck disable=SC2086
run b spmv '' $crowded --set host.link_mbps=1000 --set host.cpu_pj_per_byte=1
judge 'off it is another machine' '$a.statistics == $b.statistics and ($a.statistics | has("placement") | not)'

refused() { # WORDS OPTIONS...
    local words=$1 said status; shift
    said=$(build/warplock run -w vecadd --size tiny -c blpp "$@" 2>&1 >/dev/null)
    status=$?
    [ $status = 2 ] && [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == *"$words"* ]] || say "$*: status $status, '$said'"
}
refused 'needs a profile; run policy=local' -m blpp:policy=s-blpp
refused 'policy' -m blpp:policy=interleave
refused 'ratio' -m blpp:policy=static:ratio=1001
refused 'both replace what the L1D may keep' -m blpp,blpp
refused 'leave the protocol out' -m gtsc-rc,blpp:policy=bap --set l2.write=back-fetch
refused 'host.pages=0' -m inclusion,blpp:policy=bap --set host.pages=4 --set l1d.allocate=on-fill
refused 'host.ports' --set host.ports=16 --set l2.partitions=24
exit $bad
