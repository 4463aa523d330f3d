#!/usr/bin/env bash
# mechanisms_caps.sh - CAPS and the compared prefetchers inside the simulator: results stay
# right, statistics do not depend on the units' backends, on stepping or on threads.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
machine=caps
say() { echo "mechanisms_caps: $*"; bad=1; }
. tests/backends.inc

run() { # JSON WORKLOAD MECHANISM OPTIONS...
    local json=$1 workload=$2 mechanism=$3; shift 3
    timeout 300 $w run -w "$workload" --size tiny -c caps -m "$mechanism" --json "$work/$json" "$@" \
        >"$work/out" 2>&1 || { say "$workload -m $mechanism $*"; tail -n 5 "$work/out"; }
}
same() { # WORDS
    cmp -s "$work/a" "$work/b" || say "$1 gives other statistics"
}

for workload in laplace3d bfs fft jacobi1d; do
    run a $workload caps
    run b $workload caps -b "$(all_on rtl caps)"
    same "$workload -m caps on rtl"
done

for mechanism in caps caps-nowake caps-clear-drop caps-tl caps-rr caps-same intra inter-4 mta \
    mta-tables3 nlp lap orch; do
    for workload in laplace3d hotspot bfs; do
        run a $workload $mechanism
        run b $workload $mechanism --every-cycle
        same "$workload -m $mechanism --every-cycle"
        run b $workload $mechanism --threads 2
        same "$workload -m $mechanism --threads 2"
    done
done

# Sixteen CTA slots, two schedulers, a ready queue shared by both.
run a histogram caps --set sm.ctas=16
run a bfs caps --set sm.schedulers=2
run b bfs caps --set sm.schedulers=2 --every-cycle
same "bfs on two schedulers, every cycle,"

# Four loads a thread at most and plain strides: what is fetched ahead is wanted.
for workload in histogram jacobi1d; do
    timeout 300 $w run -w $workload --size small -c caps -m caps >"$work/out" 2>&1 ||
        { say "$workload -m caps"; tail -n 5 "$work/out"; }
    awk '$1 == "prefetch" {ok = $3 > 0.05 && $5 > 0.95} END {exit !ok}' "$work/out" ||
        { say "$workload: prefetches are missing or wrong"; grep '^prefetch' "$work/out"; }
done
exit $bad
