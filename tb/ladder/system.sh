#!/usr/bin/env bash
# system.sh [UNIT...] - level L3: workloads of the simulator with units as C model and RTL in
# lockstep.  Units with the same `system` row (cmodel/units/unit_file.md) share a run; all runs, or
# those with one of the units.  Each must be right, without a difference, and give the statistics of the C models.  Leaves
# build/system/<unit>.json: runs, how many passed, values compared.
# WORKLOADS="bfs atax ..." chooses; standard are those below.  Exit status 1: some failed.
set -u
cd "$(dirname "$0")/../.."
workloads=${WORKLOADS:-bfs atax kmeans histogram gaussian laplace3d}
out=build/system
mkdir -p "$out"
work=$(mktemp -d)
tb/ladder/inputs.sh system "$@" >"$work/inputs" || exit 2
trap 'rm -rf "$work"' EXIT
bad=0

run() { # FORM WORKLOAD MACHINE MECHANISMS UNIT...
    local form=$1 workload=$2 machine=$3 mechanisms=$4 unit backends=; shift 4
    for unit in "$@"; do backends+="$unit=$form,"; done
    timeout 300 build/warplock run -w "$workload" --size tiny -c "$machine" -m "$mechanisms" \
        --set machine.sms=2 --set machine.sms_per_node=1 -b "${backends%,}" \
        --json "$work/$form.json" >"$work/$form.out" 2>&1
}

# One workload under one line: a line for each unit, "unit passed values".
line() { # WORKLOAD MACHINE MECHANISMS UNIT...
    local unit values good=0
    run c "$@" && run lockstep "$@" && cmp -s "$work/c.json" "$work/lockstep.json" && good=1
    [ $good = 1 ] || { echo "FAIL  $2 -m $3: $1"; tail -n 3 "$work/lockstep.out"; bad=1; }
    for unit in "${@:4}"; do
        values=$(sed -n "s/.* $unit x .* \([0-9]*\) values compared, all equal.*/\1/p" "$work/lockstep.out" |
            awk '{sum += $1} END {print sum + 0}')
        echo "$unit $1 $good $values" >>"$work/results"
    done
}

runs=$(tb/rows.sh runs) && tb/rows.sh units "$@" >/dev/null || exit 2
while read -r machine mechanisms units; do
    if [ $# -gt 0 ]; then
        wanted=0
        for unit in "$@"; do [[ " $units " == *" $unit "* ]] && wanted=1; done
        [ $wanted = 1 ] || continue
    fi
    for workload in $workloads; do
        # shellcheck disable=SC2086
        line "$workload" "$machine" "$mechanisms" $units
    done
    echo "ok    $machine -m $mechanisms: $(wc -w <<<"$units") units"
done <<<"$runs"

[ -s "$work/results" ] || { echo "system: ${*:-no unit} has no system row" >&2; exit 2; }
# A run counts where the unit had something to compare.
for unit in $(tb/rows.sh units "$@"); do
    unit=${unit##*/}
    inputs=$(grep " $unit " "$work/inputs")
    jq -n --arg unit "$unit" --arg inputs "${inputs##* }" '
        [inputs | split(" ") | select(.[0] == $unit) | {passed: (.[2] | tonumber), values: (.[3] | tonumber)}
         | select(.values > 0 or .passed == 0)]
        | select(length > 0)
        | {unit: $unit, inputs: $inputs, runs: length, passed: map(.passed) | add, values: map(.values) | add}' \
        -R "$work/results" >"$work/one.json"
    [ -s "$work/one.json" ] && mv "$work/one.json" "$out/$unit.json"
done
exit $bad
