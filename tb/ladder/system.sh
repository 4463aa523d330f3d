#!/usr/bin/env bash
# system.sh [UNIT...] - rung L3: workloads of the simulator with units as C model and RTL in
# lockstep, by the lines of system.list (all, or those with one of the units).  Each must be
# right, without a difference, and give the statistics of the C models.  Leaves
# build/system/<unit>.json: runs, how many passed, values compared.
# WORKLOADS="bfs atax ..." chooses; standard are those below.  Exit status 1: some failed.
set -u
cd "$(dirname "$0")/../.."
workloads=${WORKLOADS:-bfs atax kmeans histogram gaussian laplace3d}
out=build/system
mkdir -p "$out"
work=$(mktemp -d)
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
done < <(sed 's/#.*//' tb/ladder/system.list | awk 'NF')

[ -s "$work/results" ] || { echo "system: no line of tb/ladder/system.list has ${*:-a unit}" >&2; exit 2; }
# A run counts where the unit had something to compare.
awk -v out="$out" -v wanted=" $* " '
    $4 > 0 || !$3 {n[$1]++; passed[$1] += $3; values[$1] += $4}
    END {
        for (unit in n) if (wanted == "  " || index(wanted, " " unit " "))
            printf "{\"unit\": \"%s\", \"runs\": %d, \"passed\": %d, \"values\": %d}\n",
                unit, n[unit], passed[unit], values[unit] > (out "/" unit ".json")
    }' "$work/results"
exit $bad
