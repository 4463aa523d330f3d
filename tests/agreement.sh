#!/usr/bin/env bash
# agreement.sh - the machines of tests/agreement: where one warp is alone, its cycles follow from the
# stages and are equal to the cycle; all others are within their bounds; and no cycle depends on
# --every-cycle or --threads.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0
traces=build/agreement/traces

for machine in gtx480 qv100; do
    tests/agreement/agreement.py --machine $machine >"$work/out" || { cat "$work/out"; bad=1; }
    grep '^all ' "$work/out" | sed "s/^all   /$machine/"
done

# Kernel, cycles: of a chain of n results of latency L after the first issue in cycle 3 of the
# launch, n * (L + 6) + 4; an empty kernel takes 10.
config=gtx480-trace
equal() { # case, kernel, cycles, why
    local cycles
    cycles=$(awk -F, -v kernel="$2" '$2 == kernel {print $3}' "build/agreement/$config/$1.csv")
    [ "$cycles" = "$3" ] || { echo "agreement: $1/$2: $cycles cycles, not $3: $4"; bad=1; }
    n=$((n + 1))
}
equal alu_chain chain256_iadd3 $((256 * 10 + 4)) "latency 4"
equal alu_chain chain256_ffma $((256 * 10 + 4)) "latency 4"
equal alu_chain chain256_ldc $((256 * 10 + 4)) "LDC is an ALU instruction"
equal alu_chain chain256_dadd $((256 * 14 + 4)) "latency 8, on the SFU"
equal alu_chain chain256_mufu_rcp $((256 * 26 + 4)) "latency 20"
equal shared_latency lds_chain128 $((128 * 32 + 4)) "26 stages behind the banks"
equal throughput_iadd3 iadd3_01warps $((128 * 3 + 12)) "two instructions in three cycles"
equal register_banks stride16_01warps $((3 * 256 + 16 + 13)) "three reads of one bank, and each sixteenth result"
equal cta_dispatch empty_0001blocks_1warp 10 "fetch, decode, issue, EXIT, leave"
equal cta_dispatch empty_0015blocks_1warp 10 "one CTA an SM and cycle"
# Two figures of the other simulator.
equal latency_l2_hit l2_chain32_1sectors 4703 "a reply is in the cluster's queue for a cycle"
equal store_stream_1sm 1line_01warps 247 "an acknowledgement is in the LD/ST unit for one more"

# After a launch of 5000 cycles n * (L + 5), and 3 until the warp has left; EXIT is an integer
# instruction and waits a cycle for the unit behind another.
config=qv100-trace launch=5000
equal alu_chain chain256_iadd3 $((launch + 256 * 7 + 4)) "latency 2"
equal alu_chain chain256_dadd $((launch + 256 * 13 + 3)) "latency 8, a unit of its own"
equal alu_chain chain256_mufu_rcp $((launch + 256 * 25 + 3)) "latency 20"
equal shared_latency lds_chain128 $((launch + 128 * 25 + 3)) "20 stages behind the banks"

for config in gtx480-trace qv100-trace; do
    for case in issue_mixed_pipes l1_mshr_burst_warps l2_atomics icache_thrash; do
        run=(build/warplock run --trace $traces/$case/kernelslist.g -c $config)
        "${run[@]}" --json "$work/a" >"$work/out" && "${run[@]}" --every-cycle --json "$work/b" >"$work/out" &&
            "${run[@]}" --threads 3 --json "$work/c" >"$work/out" || { cat "$work/out"; bad=1; }
        cmp "$work/a" "$work/b" && cmp "$work/a" "$work/c" || { echo "agreement: $case: statistics differ"; bad=1; }
        n=$((n + 1))
    done
done
# Mechanisms that an L1D by sectors does not serve are refused in one line, others run.
for mechanism in caps signature icm; do
    build/warplock run -w vecadd --size tiny -c qv100-trace -m $mechanism >"$work/out" 2>&1
    [ $? = 2 ] && [ "$(grep -c . "$work/out")" = 1 ] || { echo "agreement: $mechanism was not refused"; bad=1; }
    n=$((n + 1))
done
build/warplock run -w vecadd --size tiny -c qv100-trace -m gto >"$work/out" 2>&1 ||
    { echo "agreement: gto was refused"; bad=1; }
echo "agreement: $n checks"
exit $bad
