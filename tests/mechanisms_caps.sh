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

for mechanism in caps caps:wake=0 caps:drop=1:pas.lead_clear=1 caps:scheduler=two-level \
    caps:scheduler=rr caps:dist.gen_all=0:gen.gen_all=0 intra inter:degree=4 mta mta:tables3=1 \
    nlp lap orch; do
    for workload in laplace3d hotspot bfs; do
        run a $workload $mechanism --threads 2
        run b $workload $mechanism --every-cycle
        same "$workload -m $mechanism: two threads that skip, and one that steps every cycle,"
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

# The tables keep 32 bits of an address: a load above them ends the run, and says what to do.
cat >"$work/high.ptx" <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.visible .entry high(.param .u64 at)
{
    .reg .u64 %a;
    .reg .u32 %v;
    ld.param.u64 %a, [at];
    ld.global.u32 %v, [%a];
    ret;
}
PTX
printf '[launch]\nkernel = high\ngrid = 1\nblock = 32\n[args]\nat = buffer data\n' >"$work/high.ini"
printf '[buffer below]\nbytes = 0x80000000\n[buffer data]\nbytes = 4096\n' >>"$work/high.ini"
for mechanism in caps intra lap; do
    timeout 60 $w run --ptx "$work/high.ptx" --launch "$work/high.ini" -c caps -m $mechanism \
        --threads 2 >"$work/out" 2>&1
    [ $? = 2 ] && grep -q "SM 0: $mechanism keeps addresses of 32 bits, and a load goes to 0x1" "$work/out" ||
        { say "$mechanism takes a load above 4 GiB"; tail -n 3 "$work/out"; }
done
exit $bad
