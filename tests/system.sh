#!/usr/bin/env bash
# system.sh [SHARD OF] - every workload on every configuration at the tiny size: the
# answer is right, and the statistics are the same bytes whether two threads skip what
# nothing happens in or one steps every cycle.  SHARD/OF splits the list for parallel runs.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
shard=${1:-0} of=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0
w=build/warplock

configs=$(for f in cmodel/machine/configs/*.ini; do basename "$f" .ini; done)
workloads=$(sed -n 's/^WORKLOAD(\([a-z0-9_]*\)).*/\1/p' cmodel/workloads/workload_list.h)

# run NAME OPTIONS...: statistics to $work/NAME.json; complains and fails on any status but 0.
run() {
    local name=$1; shift
    if ! timeout 300 $w run "$@" --json "$work/$name.json" >"$work/out" 2>&1; then
        echo "system: warplock run $*:"; tail -n 12 "$work/out"; bad=1; return 1
    fi
}

for config in $configs; do
    for workload in $workloads; do
        n=$((n + 1))
        [ $((n % of)) = "$shard" ] || continue
        at=(-w "$workload" --size tiny -c "$config")
        # These need coherence; under the protocols they run in mechanisms_gtsc.sh.
        together "$workload" && at+=(--set l1d.enable=no)
        run threads "${at[@]}" --threads 2 && run steps "${at[@]}" --every-cycle || continue
        cmp -s "$work/threads.json" "$work/steps.json" && continue
        echo "system: ${at[*]}: --threads 2 and --every-cycle differ:"; bad=1
        $w diff "$work/threads.json" "$work/steps.json" | head -n 12
    done
done
echo "$n combinations"
exit $bad
