#!/usr/bin/env bash
# mechanisms_oaws.sh - OAWS, FCW-Only and the schedulers they are compared with: same
# statistics on every backend and however the machine is stepped, answers right, OAWS-Static
# at 0 % is GTO (wang2015 3.17), machines that do not fit refused.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
machine=wang2015-oaws
say() { echo "mechanisms_oaws: $*"; bad=1; }
. tests/backends.inc

# shellcheck disable=SC2046
{
    for workload in atax syr2k spmv; do
        same oaws-dyn $workload $(units_under oaws-dyn)
    done
    same oaws-static bfs $(units_under oaws-static)
    same fcw-only kmeans $(units_under fcw-only)
}

for mechanism in oaws-dyn oaws-static fcw-only swl ccws; do
    for workload in bicg gesummv kmeans invindex srad lud; do
        stepped $mechanism $workload
    done
done

# The other reading of the budget; MASCAR, with queues that fill and with a saturated port.
stepped oaws-dyn:release=access kmeans
for workload in atax kmeans srad bfs; do
    stepped mascar $workload --set ldst.replay_queue=32
done
stepped mascar spmv --set ldst.replay_queue=3 --set l1d.mshrs=4
stepped mascar invindex --set ldst.replay_queue=5 --set l1d.miss_queue=2

for workload in mvt bfs srad; do
    $w run -w $workload --size tiny -c $machine --json "$work/gto.json" >/dev/null 2>&1
    $w run -w $workload --size tiny -c $machine -m oaws-static:rate=0 --json "$work/zero.json" >/dev/null 2>&1
    cmp -s <(sed '/"mechanisms"/,$d' "$work/gto.json") <(sed '/"mechanisms"/,$d' "$work/zero.json") ||
        say "$workload: a miss rate of 0 % is not GTO"
done

# FCW-Only by schedulers (D-FCW-2): one scheduler's part is the whole, two have one warp each where the SM has one.
for workload in bfs:tiny spmv:small; do
    for scope in sm scheduler; do
        $w run -w ${workload%:*} --size ${workload#*:} -c $machine --set sm.schedulers=1 -m fcw-only:scope=$scope --json "$work/$scope.json" >/dev/null 2>&1
    done
    [ -s "$work/sm.json" ] && cmp -s "$work/sm.json" "$work/scheduler.json" ||
        say "$workload: of one scheduler the SM's oldest warps are not the scheduler's"
done
for scope in sm scheduler; do
    $w run -w streamcluster --size small -c $machine -m fcw-only:fcl_bits=2:scope=$scope --json "$work/$scope.json" >/dev/null 2>&1
done
jq -es '(.[0].statistics.cycles > 1.3 * .[1].statistics.cycles) and (map(.mechanisms["fcw-only"].mean_fcw < 2) | all)' "$work/sm.json" "$work/scheduler.json" >/dev/null ||
    say "streamcluster with a warp of each scheduler is not ahead of one with a warp of the SM"
stepped fcw-only:scope=scheduler kmeans

refuse() { # PATTERN OPTIONS...
    local pattern=$1; shift
    $w run -w vecadd --size tiny "$@" >"$work/out" 2>&1
    [ $? = 2 ] && grep -qE "$pattern" "$work/out" || { say "$* was not refused as /$pattern/"; cat "$work/out"; }
}
refuse 'set l1d.mshrs' -c $machine --set l1d.mshrs=64 -m oaws-dyn
refuse 'set ldst.replay_queue=0' -c $machine --set ldst.replay_queue=8 -m oaws-static
refuse 'set ldst.replay_queue=32' -c $machine -m mascar
refuse 'give a multiple of 5' -c $machine -m oaws-static:rate=52
exit $bad
