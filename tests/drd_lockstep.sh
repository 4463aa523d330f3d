#!/usr/bin/env bash
# drd_lockstep.sh - every workload under race detection with its units as C and RTL in
# lockstep: no difference, and the statistics of the C models.  drd_lockstep.sh SHARD SHARDS:
# its part of the workloads; FAST=1 leaves the rename table, whose state is large, on C.  Not
# part of `make test`: an hour on one core.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
w=build/warplock
say() { echo "drd_lockstep: $*"; bad=1; }

compare() { # WORKLOAD MECHANISM UNIT...
    local run="$w run -w $1 --size tiny -c tabbakh2018-ch4 -m $2" name="$1 -m $2" unit backends=; shift 2
    for unit in "$@"; do backends+="$unit=lockstep,"; done
    timeout 1800 $run --json "$work/c" >"$work/out" 2>&1 &&
        timeout 1800 $run --json "$work/lockstep" -b "${backends%,}" >"$work/out" 2>&1 ||
        { say "$name"; tail -n 5 "$work/out"; return; }
    cmp -s "$work/c" "$work/lockstep" || say "$name: other statistics than on C"
    [ "$(grep -c 'values compared, all equal' "$work/out")" = $# ] ||
        say "$name: not all units were compared"
}

rename=avu_rename
[ "${FAST:-0}" = 1 ] && rename=
n=0
for workload in $(all_workloads); do
    ((n++ % shards == shard)) || continue
    compare "$workload" drd-nospec rdu avu
    # shellcheck disable=SC2086
    compare "$workload" drd-spec:m=1024:gran=word rdu avu avu_queue $rename
done
[ $n -gt 0 ] || say "no workload found"
exit $bad
