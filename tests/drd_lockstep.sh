#!/usr/bin/env bash
# drd_lockstep.sh - every workload under race detection with its units as C and RTL in
# lockstep: no difference, and the statistics of the C models.  drd_lockstep.sh SHARD SHARDS:
# its part of the workloads; FAST=1 leaves the rename table, whose state is large, on C.  Not
# part of `make test`: ten minutes on one core.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
. tests/backends.inc
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
machine=tabbakh2018-ch4 limit=1800
say() { echo "drd_lockstep: $*"; bad=1; }

rename=avu_rename
[ "${FAST:-0}" = 1 ] && rename=
n=0
for workload in $(all_workloads); do
    ((n++ % shards == shard)) || continue
    lockstep drd-nospec "$workload" rdu avu
    # shellcheck disable=SC2086
    lockstep drd-spec:m=1024:gran=word "$workload" rdu avu avu_queue $rename
done
[ $n -gt 0 ] || say "no workload found"
exit $bad
