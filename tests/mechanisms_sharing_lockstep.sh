#!/usr/bin/env bash
# mechanisms_sharing_lockstep.sh - every workload under CTA scheduling by sharing and sharing-aware
# caches with their units as C and RTL in lockstep: no difference, and the statistics of the C models.
# Where CTAs work on each other's data inside a launch: round robin by the unit, and no L1D.
# mechanisms_sharing_lockstep.sh SHARD SHARDS: its part of the workloads.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
. tests/backends.inc
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
machine=tabbakh2018-ch2 limit=1800
say() { echo "mechanisms_sharing_lockstep: $*"; bad=1; }

n=0
for workload in $(all_workloads); do
    ((n++ % shards == shard)) || continue
    if together "$workload"; then
        lockstep no-l1,cta:policy=rr "$workload" sa_cta_sched
        continue
    fi
    lockstep cta,sa-mgt "$workload" sa_cta_sched sa_l2_track sa_l2_victim sa_l1_victim
    lockstep bcs,sa-mgt "$workload" sa_cta_sched sa_l2_track sa_l2_victim sa_l1_victim
done
[ $n -gt 0 ] || say "no workload found"
exit $bad
