#!/usr/bin/env bash
# iacm_lockstep.sh - every workload under the other orders of IACM, DWT-like throttling and page
# placement that moves, with their units as C and RTL in lockstep: no difference, and the
# statistics of the C models; what every_workload.sh leaves out.  iacm_lockstep.sh SHARD SHARDS:
# its part of the workloads.  Two SMs, so that each has many CTAs.  Not part of `make test`: a
# minute of one core; `make lockstep` runs it.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
. tests/backends.inc
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
options=(--set machine.sms=2 --set machine.sms_per_node=1)
say() { echo "iacm_lockstep: $*"; bad=1; }

# Periods so short that a tiny kernel goes through all phases.
short=adi-period=20:idle-period=500:awl-period=500
n=0
for workload in $(all_workloads); do
    ((n++ % shards == shard)) || continue
    together "$workload" && continue
    machine=iacm
    lockstep "iacm:order=awl-adi:$short" "$workload" iacm_core_ctrl awl_ctrl
    lockstep "iacm:order=parallel:$short" "$workload" iacm_core_ctrl awl_ctrl
    lockstep dwt-pric:window=1000 "$workload" pli warp_limit
    machine=blpp
    lockstep blpp:policy=d-blpp:window=1000:theta-b=1000 "$workload" blpp_monitor blpp_alloc selective_cache_filter
done
[ $n -gt 0 ] || say "no workload found"
exit $bad
