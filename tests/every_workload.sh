#!/usr/bin/env bash
# every_workload.sh - every workload under adaptive indexing (L1D and L2), IACM, page placement,
# DaCache, OAWS and FCW-Only with all their units as C and RTL in lockstep: no difference, and
# the statistics of the C models.  every_workload.sh SHARD SHARDS: its part of the workloads.
# Two SMs, so that each has many CTAs.
set -u
cd "$(dirname "$0")/.."
. tests/workloads.inc
. tests/backends.inc
shard=${1:-0} shards=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
options=(--set machine.sms=2 --set machine.sms_per_node=1)
say() { echo "every_workload: $*"; bad=1; }

runs="aci adi:level=both:engine.nv=64:engine.ns=64:engine.ni=4:engine.m=6
iacm iacm:adi-period=20:idle-period=500:awl-period=500
blpp blpp:policy=bap:window=2000
wang2015-dacache dacache
wang2015-oaws oaws-dyn
wang2015-oaws oaws-static
wang2015-oaws fcw-only"

n=0
for workload in $(all_workloads); do
    ((n++ % shards == shard)) || continue
    together "$workload" && continue
    while read -r machine mechanisms; do
        # shellcheck disable=SC2046
        lockstep "$mechanisms" "$workload" $(units_under "$mechanisms")
    done <<<"$runs"
done
[ $n -gt 0 ] || say "no workload found"
exit $bad
